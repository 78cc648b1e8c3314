import { describe, expect, it } from 'vitest'
import { defaultQueryNames, queryNamesSchema } from '../../src/api/query-names.ts'
import { defaultUnits, unitsSchema } from '../../src/api/units.ts'

function messages(schema: typeof queryNamesSchema | typeof unitsSchema, input: unknown): string[] {
  return schema.safeParse(input).error?.issues.map((issue) => issue.message) ?? []
}

describe('query names', () => {
  it('override the defaults one by one', () => {
    expect(queryNamesSchema.parse({})).toEqual(defaultQueryNames)
    expect(queryNamesSchema.parse({ term: 'q' })).toEqual({ ...defaultQueryNames, term: 'q' })
  })

  it.each([
    [{ trem: 'q' }, /trem.*chain, status, limit/],
    [{ term: '' }, /^term: /],
    [{ term: 'a b' }, /^term: /],
    [{ term: 5 }, /^term: /],
    [{ term: 'limit' }, /term and limit.*limit|limit and term.*limit/],
    ['q', /JSON object/],
    [null, /JSON object/],
  ])('%j is refused in words', (input, words) => {
    expect(messages(queryNamesSchema, input)).toEqual([expect.stringMatching(words)])
  })
})

describe('units', () => {
  it('override the defaults one by one', () => {
    const override = { pool_current_sale_progress_percentage: 'ratio' }
    expect(unitsSchema.parse(override)).toEqual({ ...defaultUnits, ...override })
  })

  it.each([
    [{ pool_pirce: 'usd' }, /pool_pirce.*pool_price, pool_market_cap/],
    [{ pool_price: 'dollars' }, /^pool_price: "dollars".*usd, usd6/],
    [{ pool_current_sale_progress_percentage: 'usd' }, /ratio, percent/],
    [{ pool_price: 18 }, /^pool_price: 18/],
    [[], /JSON object/],
  ])('%j is refused in words', (input, words) => {
    expect(messages(unitsSchema, input)).toEqual([expect.stringMatching(words)])
  })
})
