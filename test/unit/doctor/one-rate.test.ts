import { expect, test } from 'vitest'
import { assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { checkUnits } from '../../../src/doctor/units.ts'

const weth = '0x4200000000000000000000000000000000000006'

/** Assets with a price in dollars and one in WETH; `rates` are the dollars of a WETH, in turn. */
function pricedAt(rates: readonly number[]) {
  return Array.from({ length: 20 }, (_, index) => {
    const price = 0.0001 * (index + 1)
    return assetSchema.parse({
      asset_address: `0x${String(index + 1).padStart(40, '0')}`,
      asset_numeraire_address: weth,
      auction_pool: {
        pool_current_price: String(price),
        pool_market_data: { pool_price: String(price * (rates[index % rates.length] ?? 1)) },
      },
    })
  })
}

test.each([
  ['one rate between them fits', [3000, 3050], [true, true]],
  ['a rate for each asset breaks', [1500, 6000], [false, false]],
])('prices in dollars and in the quote token: %s', (_, rates, expected) => {
  const units = { ...defaultUnits, pool_price: 'usd', pool_current_price: 'numeraire' } as const
  const findings = checkUnits(pricedAt(rates), units)
  expect(findings.map(({ field }) => field)).toEqual(['pool_price', 'pool_current_price'])
  expect(findings.map(({ fits }) => fits)).toEqual(expected)
  for (const { fits, detail } of findings) {
    expect(detail.startsWith('breaks')).toBe(!fits)
  }
})
