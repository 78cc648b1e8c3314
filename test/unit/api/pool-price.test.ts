import { describe, expect, test } from 'vitest'
import { poolPrice } from '../../../src/api/pool-price.ts'

const low = `0x${'1'.repeat(40)}`
const high = `0x${'e'.repeat(40)}`
const first = { asset_address: low, asset_numeraire_address: high }
const second = { asset_address: high, asset_numeraire_address: low }
const wei = { quote: 18, token: 18 }
const sqrt = (value: bigint, pool_current_tick?: number) => ({
  pool_current_sqrt_price: String(value),
  pool_current_tick,
})
const one = 2n ** 96n

test('is the square, in the order of the two addresses', () => {
  expect(poolPrice(sqrt(one), first, wei)).toBe('1')
  expect(poolPrice(sqrt(2n * one), first, wei)).toBe('4')
  expect(poolPrice(sqrt(2n * one), second, wei)).toBe('0.25')
  const ether = { asset_address: low, asset_numeraire_address: `0x${'0'.repeat(40)}` }
  expect(poolPrice(sqrt(2n * one), ether, wei)).toBe('0.25')
})

test('is turned by the decimals of both, of which a launched token has 18', () => {
  // Base units of a token with 18 decimals for one with 6: 10^12 of one are as many whole tokens.
  expect(poolPrice(sqrt(one / 10n ** 6n), first, { quote: 6, token: 18 })).toMatch(/^(?:1|0\.999)/u)
  expect(poolPrice(sqrt(one * 10n ** 6n), second, { quote: 6, token: undefined })).toMatch(
    /^1(?:\.0|$)/u,
  )
  expect(poolPrice(sqrt(one), first, { quote: 18, token: 20 })).toBe('100')
  expect(poolPrice(sqrt(one), first, { quote: 20, token: 18 })).toBe('0.01')
})

// Measured on the protocol's real contracts: a curve from tick -180000 opens at this many WETH a token. The sqrt price is
// √1.0001^-180000 × 2^96.
test('is what the chain shows for a tick', () => {
  const opened = poolPrice(sqrt(9_781_932_600_126_939_955_981_006n, -180_000), first, wei)
  expect(Number(opened)).toBeCloseTo(1.52437e-8, 13)
})

test('has its digits also where it is tiny', () => {
  const tiny = poolPrice(sqrt(4_295_128_740n), first, { quote: 18, token: 18 })
  expect(tiny).toMatch(/^0\.0{38}2938956\d{10,}$/u)
})

describe('is not believed', () => {
  test.each([
    ['without the decimals of the quote token', sqrt(one), { quote: undefined, token: 18 }],
    ['with decimals that no token has', sqrt(one), { quote: 18, token: 400 }],
    ['with negative decimals', sqrt(one), { quote: -1, token: 18 }],
    ['that is 0', sqrt(0n), wei],
    ['that no pool can have', sqrt(2n ** 161n), wei],
    ['that is no integer', { pool_current_sqrt_price: '7.9e28' }, wei],
    ['that is absent', {}, wei],
    ['if its tick is another', sqrt(one, 3), wei],
    ['if its tick is of the other order', sqrt(2n * one, -13_864), wei],
  ])('%s', (_, pool, decimals) => {
    expect(poolPrice(pool, first, decimals)).toBeUndefined()
  })

  test.each([undefined, '', 'TSLA', '0x12'])('without a quote token: %s', (quote) => {
    const asset = { asset_address: low, asset_numeraire_address: quote }
    expect(poolPrice(sqrt(one), asset, wei)).toBeUndefined()
  })

  test('but for a tick that is rounded the other way', () => {
    for (const tick of [-1, 0, 1]) expect(poolPrice(sqrt(one, tick), first, wei)).toBe('1')
    for (const tick of [-2, 2]) expect(poolPrice(sqrt(one, tick), first, wei)).toBeUndefined()
    // Half a tick above tick 0.
    const half = (one * 1_000_025n) / 1_000_000n
    expect(poolPrice(sqrt(half, -1), first, wei)).toBeUndefined()
    expect(poolPrice(sqrt(half, 1), first, wei)).toBeDefined()
  })
})
