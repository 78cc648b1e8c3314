import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryMeanings } from '../../../src/api/query-names.ts'
import type { Part } from '../../../src/doctor/parameters.ts'
import { SuggestedNames } from '../../../src/doctor/refusals.ts'
import { ApiError } from '../../../src/errors.ts'
import { examine, speak } from './refusing-server.ts'

const parts: readonly Part[] = [
  { meaning: 'chain', name: 'chainId', value: 8453 },
  { meaning: 'limit', name: 'limit', value: 50 },
]

function hear(suggested: SuggestedNames, refusal: string) {
  return suggested.learn(parts, {
    error: new ApiError('invalid', 'refused', { status: 422 }),
    refusal,
  })
}

function everyNameOf(suggested: SuggestedNames): string[] {
  return [
    ...suggested.unplaced(),
    ...queryMeanings.flatMap((meaning) => suggested.candidates(meaning)),
  ]
}

describe('of what a refusal says', () => {
  test('names are blamed that were sent, and wanted that were not', () => {
    const suggested = new SuggestedNames()
    expect(hear(suggested, 'Unknown parameter: limit. Missing: page_size')).toMatchObject({
      blamed: ['limit'],
      wanted: [{ meaning: 'limit', name: 'page_size' }],
    })
    expect(suggested.candidates('limit')[0]).toBe('page_size')
  })

  test('any word counts where no other does, if it is a name that some interface has', () => {
    const suggested = new SuggestedNames()
    const { blamed, wanted } = hear(suggested, 'we would like skip here, limit there; nonsense')
    expect(blamed).toEqual(['limit'])
    expect(wanted).toEqual([{ meaning: 'offset', name: 'skip' }])
  })

  test('twelve names that say nothing of what they mean are tried, and no more', () => {
    const suggested = new SuggestedNames()
    const names = Array.from({ length: 20 }, (_, index) => `x${String.fromCharCode(97 + index)}z`)
    const { strangers } = hear(suggested, `Allowed: ${names.join(', ')}`)
    expect(strangers.length).toBeGreaterThan(12)
    expect(suggested.unplaced()).toHaveLength(12)
  })

  test('nothing is kept that API_QUERY_NAMES could not hold', () => {
    const names = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom(
        'ſtatus',
        'Kelvin_K',
        `${'long'.repeat(20)}Name`,
        'a_'.repeat(60),
        '"',
        '{}',
        '\u001b[2J',
      ),
    )
    const texts = fc
      .array(names, { maxLength: 6 })
      .chain((all) =>
        fc.constantFrom(
          `missing ${all.join(' ')}`,
          `Allowed: ${all.join(', ')}`,
          JSON.stringify({ errors: Object.fromEntries(all.map((name) => [name, ['bad']])) }),
          all.map((name) => `'${name}' is not allowed, param: ${name}`).join('\n'),
        ),
      )
    fc.assert(
      fc.property(texts, (text) => {
        const suggested = new SuggestedNames()
        const { wanted, strangers } = hear(suggested, text)
        for (const name of [
          ...everyNameOf(suggested),
          ...strangers,
          ...wanted.map((each) => each.name),
        ]) {
          expect(name).toMatch(/^[\w.[\]-]{1,64}$/u)
        }
      }),
      { numRuns: 500 },
    )
  })
})

test('a name that no setting could hold is not proposed, though the interface takes it', async () => {
  for (const name of [`${'madeBy'.repeat(20)}Whom`, 'creator\u017f']) {
    const says = ([unknown]: readonly string[]) =>
      `unknown '${unknown}': did you mean: ${name} is good`
    const { baseUrl } = await speak({ names: { creator: name }, strict: true, says })
    const report = await examine(baseUrl)
    expect(report.names.find(({ meaning }) => meaning === 'creator')).toMatchObject({
      verdict: 'wrong',
    })
    expect(report.settings).toEqual([])
  }
})
