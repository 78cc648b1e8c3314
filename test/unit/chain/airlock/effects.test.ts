import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimal, type Ratio } from '../../../../src/chain/airlock/curve.ts'
import type { Effects } from '../../../../src/chain/airlock/effects.ts'
import { anyAllocations, anyNumber } from './arbitrary.ts'
import {
  asToken0,
  auction,
  auctionTerms,
  beneficiaries,
  builtAt,
  curvesPool,
  effects,
  migrating,
  multicurve,
  sale,
  somebody,
  staticSale,
  tokenAddress,
  v3Pool,
  whole,
} from './sdk.ts'

function numberOf(ratio: Ratio | undefined): number {
  return Number(ratio && decimal(ratio, 12))
}

const shares = beneficiaries.map(({ beneficiary, shares }) => ({ to: beneficiary, share: shares }))
const multisig = somebody('multisig')

describe('all of the supply is accounted for, with who gets it', () => {
  const anySpacing = anyNumber(200, 1)
  const anyEnds = fc.uniqueArray(fc.integer({ min: -4000, max: 4000 }), {
    minLength: 2,
    maxLength: 2,
  })
  const anyCurve = fc.record({
    ends: anyEnds,
    numPositions: anyNumber(20, 1),
  })
  const anyVested = fc.record({
    allocations: anyAllocations,
    extra: fc.bigInt({ min: 0n, max: 10n ** 30n }),
    forSale: fc.bigInt({ min: 10n ** 20n, max: 10n ** 30n }),
    token: fc.constantFrom(asToken0, tokenAddress),
  })

  function terms({
    allocations,
    extra,
    forSale,
  }: {
    extra: bigint
    forSale: bigint
    allocations: readonly { amount: bigint }[]
  }) {
    const vested = allocations.reduce((sum, { amount }) => sum + amount, 0n)
    const ours = { ...sale, initialSupply: vested + extra + forSale, numTokensToSell: forSale }
    return { vested, sale: ours }
  }

  function expectWhole(found: Effects, vested: bigint): void {
    const { supply, forSale, pool = -1n, rest = -1n, vesting = [] } = found
    expect(found.problems).toEqual([])
    expect(vesting.reduce((sum, { amount }) => sum + amount, 0n)).toBe(vested)
    expect(pool + rest + vested).toBe(supply)
    expect(pool > 0n && pool <= forSale).toBe(true)
  }

  test('of a multicurve, what its positions take', () => {
    fc.assert(
      fc.property(
        anyVested,
        anySpacing,
        fc.array(anyCurve, { minLength: 1, maxLength: 3 }),
        (given, tickSpacing, shapes) => {
          const { vested, sale } = terms(given)
          const each = whole / BigInt(shapes.length)
          const curves = shapes.map(({ ends, numPositions }, index) => ({
            tickLower: Math.min(...ends) * tickSpacing,
            tickUpper: Math.max(...ends) * tickSpacing,
            numPositions,
            shares: index === 0 ? whole - each * BigInt(shapes.length - 1) : each,
          }))
          const inReach = curves.every(
            ({ tickLower, tickUpper }) => tickLower > -400_000 && tickUpper < 400_000,
          )
          fc.pre(inReach)
          const launch = multicurve({
            sale,
            vesting: { allocations: given.allocations },
            pool: { ...curvesPool, tickSpacing, curves },
          })
          const found = effects(launch, given.token)
          expectWhole(found, vested)
        },
      ),
    )
  })

  test('of a V3 curve, what the curve and its tail take', async () => {
    const anyTerms = fc.record({
      ends: anyEnds,
      numPositions: anyNumber(20, 1),
      part: anyNumber(100, 1),
    })
    await fc.assert(
      fc.asyncProperty(anyVested, anyTerms, async (given, { ends, numPositions, part }) => {
        const { vested, sale } = terms(given)
        const launch = await staticSale({
          sale,
          vesting: { allocations: given.allocations },
          pool: {
            fee: 3000,
            startTick: Math.min(...ends) * 60,
            endTick: Math.max(...ends) * 60,
            numPositions,
            maxShareToBeSold: (BigInt(part) * whole) / 100n,
          },
        })
        expectWhole(effects(launch, given.token), vested)
      }),
    )
  })

  test('of an auction, all that is for sale', async () => {
    await fc.assert(
      fc.asyncProperty(anyVested, async (given) => {
        const { vested, sale } = terms(given)
        const found = effects(await auction({ sale, vesting: { allocations: given.allocations } }))
        expectWhole(found, vested)
        expect(found.pool).toBe(sale.numTokensToSell)
      }),
    )
  })

  test('more than the supply is a problem', () => {
    const launch = multicurve({ vesting: { duration: 0, cliffDuration: 0 } })
    const supply = sale.initialSupply - 10n ** 20n
    expect(effects({ ...launch, initialSupply: supply }).problems).toEqual([
      'vesting and sale are more than the supply',
    ])
  })

  test('the rest goes to the DAO, to a multisig, or to nobody', () => {
    expect(effects(multicurve({ governance: { type: 'default' } })).restTo).toBe('dao')
    expect(effects(multicurve({ governance: { type: 'launchpad', multisig } })).restTo).toBe(
      multisig,
    )
    expect(effects(multicurve({ governance: { type: 'noOp' } })).restTo).toBe('nobody')
  })
})

describe('the price', () => {
  test('a multicurve from tick -180000 on opens at 15.24 WETH for a billion tokens, whatever the order', () => {
    for (const token of [asToken0, tokenAddress]) {
      const { opening, end, supply } = effects(multicurve(), token)
      expect(numberOf(opening).toPrecision(6)).toBe('1.52437e-8')
      expect((numberOf(opening) * Number(supply)) / 1e18).toBeCloseTo(15.24, 2)
      expect(numberOf(end) / 1.0001 ** -120_000).toBeCloseTo(1, 6)
    }
  })

  test('V3 ticks are in the order of the pool: it opens at the cheap end', async () => {
    const launch = await staticSale()
    const { opening, end } = effects(launch)
    expect(numberOf(opening) / 1.0001 ** -v3Pool.endTick).toBeCloseTo(1, 6)
    expect(numberOf(end) / 1.0001 ** -v3Pool.startTick).toBeCloseTo(1, 6)
    const other = effects(launch, asToken0)
    expect(numberOf(other.opening) / 1.0001 ** v3Pool.startTick).toBeCloseTo(1, 6)
    expect(numberOf(other.end) / 1.0001 ** v3Pool.endTick).toBeCloseTo(1, 6)
  })

  test('an auction falls from its first tick to its last, within its time', async () => {
    const found = effects(await auction({ startTimeOffset: 3600 }))
    expect(numberOf(found.opening) / 1.0001 ** -auctionTerms.startTick).toBeCloseTo(1, 6)
    expect(numberOf(found.end) / 1.0001 ** -auctionTerms.endTick).toBeCloseTo(1, 6)
    const starts = builtAt + 3600
    expect(found).toMatchObject({ starts, ends: starts + auctionTerms.duration })
    expect(found.raise).toEqual({ min: auctionTerms.minProceeds, max: auctionTerms.maxProceeds })
  })

  test('one WETH buys what the fee leaves of it, below the opening price', () => {
    for (const fee of [0, 3000, 500_000]) {
      const { opening, buys = 0n } = effects(multicurve({ pool: { ...curvesPool, fee } }))
      const most = (1 - fee / 1e6) / numberOf(opening)
      expect(Number(buys) / 1e18).toBeLessThan(most)
      expect(Number(buys) / 1e18).toBeGreaterThan(most * 0.5)
    }
  })
})

describe('fees before graduation', () => {
  test('a locked pool gives them to its beneficiaries, and never graduates', async () => {
    const locked = [multicurve(), await staticSale({ pool: { ...v3Pool, beneficiaries } })]
    for (const found of locked.map((launch) => effects(launch))) {
      expect(found).toMatchObject({ locked: true, shares, fee: { first: 3000, last: 3000 } })
      expect(found.graduation).toBeUndefined()
    }
  })

  test('any other gives its creator none', async () => {
    const others = [
      migrating({ migration: { type: 'uniswapV2' } }),
      await staticSale(),
      await auction(),
    ]
    for (const found of others.map((launch) => effects(launch))) {
      expect(found).toMatchObject({ locked: false, shares: [], fee: { first: 3000, last: 3000 } })
    }
  })

  test('a fee that falls, from when and how fast', () => {
    const decay = { type: 'decay', startFee: 800_000, durationSeconds: 600 } as const
    const falling = { first: 800_000, last: 3000, seconds: 600 }
    const later = effects(multicurve({ initializer: { ...decay, startTime: builtAt } }))
    expect(later.fee).toEqual({ ...falling, from: builtAt })
    expect(later.starts).toBeUndefined()
    expect(effects(multicurve({ initializer: { ...decay, startTime: 0 } })).fee).toEqual(falling)
  })

  test('a scheduled multicurve starts at its time', () => {
    const initializer = { type: 'scheduled', startTime: builtAt } as const
    expect(effects(multicurve({ initializer })).starts).toBe(builtAt)
  })
})
