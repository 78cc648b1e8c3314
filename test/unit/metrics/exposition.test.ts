import { describe, expect, test } from 'vitest'
import { Exposition } from './exposition.ts'

const head = '# HELP otters_total How many.\n# TYPE otters_total counter\n'
const histogram = (...lines: string[]) =>
  ['# HELP dive_seconds How long.', '# TYPE dive_seconds histogram', ...lines, ''].join('\n')

test('figures are read with their labels', () => {
  const read = new Exposition(`${head}otters_total{colour="brown",name="a\\"\\\\\\n"} 2.5e3\n`)
  expect(read.samples).toEqual([
    { name: 'otters_total', labels: { colour: 'brown', name: 'a"\\\n' }, value: 2500 },
  ])
  expect(read.value('otters_total', { colour: 'brown' })).toBe(2500)
  expect(read.value('otters_total', { colour: 'grey' })).toBeUndefined()
})

describe('what is no exposition is refused', () => {
  const broken: [what: string, text: string][] = [
    ['no end of the last line', `${head}otters_total 1`],
    ['a figure without a family', 'otters_total 1\n'],
    ['a figure of another family', `${head}beavers_total 1\n`],
    ['a type that there is not', '# HELP a b\n# TYPE a otter\na 1\n'],
    ['a family twice', `${head}otters_total 1\n${head}`],
    ['a series twice', `${head}otters_total{a="1"} 1\notters_total{a="1"} 2\n`],
    ['a quote that is not escaped', `${head}otters_total{a="""} 1\n`],
    ['a label without quotes', `${head}otters_total{a=1} 1\n`],
    ['no number', `${head}otters_total many\n`],
    ['a counter below zero', `${head}otters_total -1\n`],
    ['no last bucket', histogram('dive_seconds_bucket{le="1"} 1', 'dive_seconds_sum 1')],
    [
      'buckets that shrink',
      histogram(
        'dive_seconds_bucket{le="1"} 2',
        'dive_seconds_bucket{le="+Inf"} 1',
        'dive_seconds_sum 1',
        'dive_seconds_count 1',
      ),
    ],
  ]
  test.each(broken)('%s', (_, text) => {
    expect(() => new Exposition(text)).toThrow()
  })
})
