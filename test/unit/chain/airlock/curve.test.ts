import {
  getAmount0ForLiquidity,
  getAmount1ForLiquidity,
  getLiquidityForAmount0,
  getLiquidityForAmount1,
  getSqrtRatioAtTick,
  MAX_SQRT_RATIO,
  MIN_SQRT_RATIO,
  Q96,
} from '@whetstone-research/doppler-sdk/evm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  bought,
  costOfAll,
  curvePositions,
  decimal,
  maxTick,
  minTick,
  priceAt,
  soldUntil,
  sqrtPriceAt,
  tokensTaken,
} from '../../../../src/chain/airlock/curve.ts'
import { anyTick, anyUint } from './arbitrary.ts'
import { whole } from './sdk.ts'

// The mathematics are held against those of the SDK, which rounds all amounts down.

const anyTicks = fc
  .uniqueArray(anyTick, { minLength: 2, maxLength: 2 })
  .map((ticks) => ({ tickLower: Math.min(...ticks), tickUpper: Math.max(...ticks) }))

function isWithin(found: bigint, least: bigint, more: bigint): boolean {
  return found >= least && found <= least + more
}

describe('prices', () => {
  test('the square root of the price at any tick; the SDK rounds it down, Uniswap up', () => {
    expect([minTick, 0, maxTick].map(sqrtPriceAt)).toEqual([MIN_SQRT_RATIO, Q96, MAX_SQRT_RATIO])
    fc.assert(
      fc.property(anyTick, (tick) => {
        expect(isWithin(sqrtPriceAt(tick), getSqrtRatioAtTick(tick), 1n)).toBe(true)
      }),
    )
  })

  test('a tick outside of those of Uniswap has no price', () => {
    expect(() => sqrtPriceAt(maxTick + 1)).toThrow(RangeError)
    expect(() => sqrtPriceAt(0.5)).toThrow(RangeError)
  })

  test('a tick is a hundredth of a percent, in either order of the pool', () => {
    fc.assert(
      fc.property(anyTick, (tick) => {
        const expected = 1.0001 ** tick
        const root = sqrtPriceAt(tick)
        expect(Number(decimal(priceAt(root, true))) / expected).toBeCloseTo(1, 4)
        expect(Number(decimal(priceAt(root, false))) * expected).toBeCloseTo(1, 4)
      }),
    )
  })

  test('decimals are rounded, not cut', () => {
    expect(decimal({ numerator: 2n, denominator: 3n }, 3)).toBe('0.667')
    expect(decimal({ numerator: 1n, denominator: 8n }, 6)).toBe('0.125')
    expect(decimal({ numerator: 123_456n, denominator: 1n }, 3)).toBe('123000')
    expect(decimal({ numerator: 0n, denominator: 1n })).toBe('0')
  })
})

describe('amounts', () => {
  test('what a position takes and costs, in either order of the pool', () => {
    fc.assert(
      fc.property(anyTicks, anyUint(128), (ticks, liquidity) => {
        const roots = [sqrtPriceAt(ticks.tickLower), sqrtPriceAt(ticks.tickUpper)] as const
        const [amount0, amount1] = [
          getAmount0ForLiquidity(...roots, liquidity),
          getAmount1ForLiquidity(...roots, liquidity),
        ]
        const position = { ...ticks, liquidity }
        expect(isWithin(tokensTaken([position], true), amount0, 2n)).toBe(true)
        expect(isWithin(tokensTaken([position], false), amount1, 1n)).toBe(true)
        expect(isWithin(costOfAll([position], true), amount1, 1n)).toBe(true)
        expect(isWithin(costOfAll([position], false), amount0, 2n)).toBe(true)
      }),
    )
  })

  test('the liquidity of a curve of one position', () => {
    fc.assert(
      fc.property(anyTicks, anyUint(100, 1000n), (ticks, forSale) => {
        const roots = [sqrtPriceAt(ticks.tickLower), sqrtPriceAt(ticks.tickUpper)] as const
        const curve = { ...ticks, numPositions: 1, shares: whole }
        const [asToken0] = curvePositions([curve], 1, forSale, true)
        const exact = getLiquidityForAmount0(...roots, forSale - 1n)
        // The contracts round an intermediate product down, which the SDK does not.
        const lost = forSale / (roots[1] - roots[0]) + 1n
        expect(isWithin(exact, asToken0?.liquidity ?? -1n, lost)).toBe(true)
        const flipped = { ...curve, tickLower: -ticks.tickUpper, tickUpper: -ticks.tickLower }
        const [asToken1] = curvePositions([flipped], 1, forSale, false)
        expect(asToken1).toEqual({
          ...ticks,
          liquidity: getLiquidityForAmount1(...roots, forSale - 1n),
        })
      }),
    )
  })

  test('what somebody gets who pays part of a position, in either order of the pool', () => {
    const anyPart = fc.integer({ min: 1, max: 99 })
    fc.assert(
      fc.property(anyTicks, anyUint(128, 2n ** 64n), anyPart, (ticks, liquidity, part) => {
        const [low, high] = [sqrtPriceAt(ticks.tickLower), sqrtPriceAt(ticks.tickUpper)]
        const position = { ...ticks, liquidity }
        const paid = (costOfAll([position], true) * BigInt(part)) / 100n
        const next = low + (paid * Q96) / liquidity
        const expected = getAmount0ForLiquidity(low, next, liquidity)
        expect(isWithin(bought([position], true, paid), expected - 1n, 2n)).toBe(true)

        const paid0 = (costOfAll([position], false) * BigInt(part)) / 100n
        const after = (liquidity * Q96 * high) / (liquidity * Q96 + paid0 * high)
        const most = getAmount1ForLiquidity(after, high, liquidity)
        const least = getAmount1ForLiquidity(after + 1n, high, liquidity)
        const found = bought([position], false, paid0)
        expect(found >= least - 1n && found <= most).toBe(true)
      }),
    )
  })

  test('what a position has sold and taken in until a price, in either order of the pool', () => {
    fc.assert(
      fc.property(anyTicks, anyTick, anyUint(128), (ticks, tick, liquidity) => {
        const [low, high] = [sqrtPriceAt(ticks.tickLower), sqrtPriceAt(ticks.tickUpper)]
        const at = sqrtPriceAt(tick)
        const until = at < low ? low : at > high ? high : at
        const positions = [{ ...ticks, liquidity }]
        expect(soldUntil(positions, at, true)).toEqual({
          tokens: getAmount0ForLiquidity(low, until, liquidity),
          quote: getAmount1ForLiquidity(low, until, liquidity),
        })
        expect(soldUntil(positions, at, false)).toEqual({
          tokens: getAmount1ForLiquidity(until, high, liquidity),
          quote: getAmount0ForLiquidity(until, high, liquidity),
        })
      }),
    )
  })

  test('who pays for all of a curve gets all of it, and nobody gets more', () => {
    const curves = [
      { tickLower: -180_000, tickUpper: -120_000, numPositions: 10, shares: whole / 2n },
      { tickLower: -160_000, tickUpper: -100_000, numPositions: 5, shares: whole / 2n },
    ]
    const forSale = 6n * 10n ** 26n
    for (const isToken0 of [true, false]) {
      const positions = curvePositions(curves, 8, forSale, isToken0)
      const cost = costOfAll(positions, isToken0)
      const taken = tokensTaken(positions, isToken0)
      expect(taken <= forSale).toBe(true)
      for (const paid of [cost, cost * 2n]) {
        const all = bought(positions, isToken0, paid)
        expect(isWithin(taken, all, 1000n)).toBe(true)
      }
      expect(bought(positions, isToken0, cost / 2n) < taken).toBe(true)
    }
  })
})
