import { describe, expect, test } from 'vitest'
import { defaultQueryNames, queryNamesSchema } from '../../../src/api/query-names.ts'
import { defaultUnits, unitsSchema } from '../../../src/api/units.ts'

function messages(schema: typeof queryNamesSchema | typeof unitsSchema, input: unknown): string[] {
  return schema.safeParse(input).error?.issues.map((issue) => issue.message) ?? []
}

describe('query names', () => {
  test('override the defaults one by one', () => {
    expect(queryNamesSchema.parse({})).toEqual(defaultQueryNames)
    expect(queryNamesSchema.parse({ term: 'q' })).toEqual({ ...defaultQueryNames, term: 'q' })
  })

  test.each([
    [{ trem: 'q' }, /trem.*chain, status, limit/u],
    [{ term: '' }, /^term: /u],
    [{ term: 'a b' }, /^term: /u],
    [{ term: 5 }, /^term: /u],
    [{ term: 'limit' }, /term and limit.*limit|limit and term.*limit/u],
    ['q', /JSON object/u],
    [null, /JSON object/u],
  ])('%j is refused in words', (input, words) => {
    expect(messages(queryNamesSchema, input)).toEqual([expect.stringMatching(words)])
  })
})

describe('units', () => {
  test('override the defaults one by one', () => {
    const override = { pool_current_sale_progress_percentage: 'ratio' }
    expect(unitsSchema.parse(override)).toEqual({ ...defaultUnits, ...override })
  })

  test.each([
    [{ pool_pirce: 'usd' }, /pool_pirce.*pool_price, pool_market_cap/u],
    [{ pool_price: 'dollars' }, /^pool_price: "dollars".*usd, usd6/u],
    [{ pool_current_sale_progress_percentage: 'usd' }, /ratio, percent/u],
    [{ pool_price: 18 }, /^pool_price: 18/u],
    [[], /JSON object/u],
  ])('%j is refused in words', (input, words) => {
    expect(messages(unitsSchema, input)).toEqual([expect.stringMatching(words)])
  })
})
