import { expect, test } from 'vitest'
import {
  atMost,
  goalsTable,
  inRounds,
  isReached,
  median,
  medianRatio,
  percentile,
  tableOf,
  withFigures,
} from '../../../bench/figures.ts'

test('percentiles and medians', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([1, 50, 99, 100])
  expect([median([4, 1, 3, 2]), median([3, 1, 2])]).toEqual([2.5, 2])
  expect([percentile([], 0.5), median([])]).toEqual([Number.NaN, Number.NaN])
})

test('a disturbance that slows a whole round down leaves the ratio as it is', () => {
  expect(medianRatio([80, 8, 80], [100, 10, 100])).toBeCloseTo(0.8)
})

test('each round starts with another one', async () => {
  const order: string[] = []
  const results = await inRounds(['a', 'b', 'c'], 3, async (item) => {
    order.push(item)
    return `${item}${order.length}`
  })
  expect(order.join('')).toBe('abcbcacab')
  expect(results[1]).toEqual(['b2', 'b4', 'b9'])
})

test('figures take the place of older figures of the same command, and of nothing else', () => {
  const other = '<!-- figures: npm run bench -- others --docs -->\nothers\n<!-- end of figures -->'
  const place = '<!-- figures: npm run bench -- --docs -->\nold\n<!-- end of figures -->'
  const figures = tableOf([{ name: 'row' }], { title: () => '1' })
  const page = withFigures(`before\n${other}\n${place}\nafter`, 'npm run bench --', figures)
  expect(page).toContain(
    `before\n${other}\n<!-- figures: npm run bench -- --docs -->\n\n|  | title`,
  )
  expect(page).toMatch(/\| row \| 1 \|\n\n<!-- end of figures -->\nafter$/u)
  expect(page).not.toContain('old')
  expect(withFigures(page, 'npm run bench --', figures)).toBe(page)
  expect(() => withFigures(other, 'npm run bench --', 'new')).toThrow('has no place for figures')
})

test('a goal is reached at its bound, and by no figure that could not be measured', () => {
  const goals = [atMost(2, 'stop', 2), atMost(2, 'longer', 2.01), atMost(2, 'none', NaN)]
  expect(goals.map(isReached)).toEqual([true, false, false])
  expect(goalsTable(goals)).toContain('| longer | 2.01 | ≤ 2 | **no** |')
})
