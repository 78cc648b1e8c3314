import { type Hex, numberToHex } from 'viem'
import { expect, test } from 'vitest'
import {
  asToken0,
  auction,
  beneficiaries,
  curvesPool,
  effects,
  migrating,
  multicurve,
  sale,
  somebody,
  staticSale,
  v3Pool,
  whole,
  withRehype,
} from './sdk.ts'

// What the contracts refuse is a problem in words, and takes no time to say.

/** The data with one of its words replaced. */
function withWord(data: Hex, index: number, value: bigint): Hex {
  const word = numberToHex(value, { size: 32 }).slice(2)
  const start = 2 + index * 64
  return `0x${data.slice(2, start)}${word}${data.slice(start + 64)}`
}

const toBuyback = {
  assetFeesToAssetBuybackWad: whole,
  assetFeesToNumeraireBuybackWad: 0n,
  assetFeesToBeneficiaryWad: 0n,
  assetFeesToLpWad: 0n,
  numeraireFeesToAssetBuybackWad: whole,
  numeraireFeesToNumeraireBuybackWad: 0n,
  numeraireFeesToBeneficiaryWad: 0n,
  numeraireFeesToLpWad: 0n,
}

const [curve = { tickLower: 0, tickUpper: 8, numPositions: 1, shares: whole }] = curvesPool.curves

function withCurve(changes: Partial<typeof curve>, spacing = 8) {
  return multicurve({
    pool: { ...curvesPool, tickSpacing: spacing, curves: [{ ...curve, ...changes }] },
  })
}

test('a curve off the spacing of its pool', () => {
  for (const launch of [withCurve({ tickLower: -180_001 }), withCurve({}, 7)]) {
    expect(effects(launch).problems).toEqual([
      'the ticks of its curves are not in order, or not on the pool’s spacing',
    ])
  }
})

test('more positions than a block has the gas for, found without computing them', async () => {
  const words = ['it has 65535 positions, more than the gas of any block allows']
  const curves = withCurve({ numPositions: 65_535 })
  const v3 = await staticSale({ pool: { ...v3Pool, numPositions: 65_535 } })
  const start = performance.now()
  expect(effects(curves).problems).toEqual(words)
  expect(effects(v3).problems).toEqual(words)
  expect(performance.now() - start).toBeLessThan(1000)
})

test('a trading fee of more than the trade', async () => {
  const words = ['its trading fee is more than the whole trade']
  const pool = { fee: 1_000_001, tickSpacing: 8 }
  expect(effects(multicurve({ pool: { ...curvesPool, ...pool } })).problems).toEqual(words)
  expect(effects(await auction({ pool })).problems).toEqual(words)
})

test('shares of curves that don’t sum to 100%', () => {
  const launch = multicurve()
  const index = (launch.poolInitializerData.length - 2) / 64
  // The shares of the only curve stand before the list of the two beneficiaries: its length and four words.
  const data = withWord(launch.poolInitializerData, index - 6, whole - 1n)
  expect(effects({ ...launch, poolInitializerData: data }).problems).toEqual([
    'the shares of its curves do not sum to 100%',
  ])
})

test('an auction that ends before it starts, or never', async () => {
  const launch = await auction()
  const ending = (at: bigint) => ({
    ...launch,
    poolInitializerData: withWord(launch.poolInitializerData, 3, at),
  })
  expect(effects(ending(1n)).problems).toEqual(['its auction ends before it starts'])
  expect(effects(ending(2n ** 200n)).problems).toEqual(['its auction has no end'])
})

test('an auction whose token would stand on the other side of the pool', async () => {
  expect(effects(await auction(), asToken0).problems).toEqual([
    'its auction has the token on the wrong side of the pool',
  ])
})

test('a fee that Uniswap V3 doesn’t have', async () => {
  const launch = await staticSale()
  const data = withWord(launch.poolInitializerData, 0, 3001n)
  expect(effects({ ...launch, poolInitializerData: data }).problems).toEqual([
    'its trading fee is not one that Uniswap V3 has',
  ])
})

test('a V4 migrator without data', () => {
  const migration = { type: 'uniswapV4', fee: 3000, tickSpacing: 8 } as const
  expect(effects(migrating({ migration })).problems).toEqual([
    'its liquidity migrator gets no data for the new pool, which it refuses',
  ])
})

test('shares of fees that don’t sum to 100%, or are not in order', async () => {
  const words = ['those who get fees are not in order, or their shares do not sum to 100%']
  const launch = multicurve()
  const last = (launch.poolInitializerData.length - 2) / 64 - 1
  const share = beneficiaries[1]?.shares ?? 0n
  for (const [index, value] of [
    [last, share + 1n],
    [last - 1, 1n],
  ] as const) {
    const data = withWord(launch.poolInitializerData, index, value)
    expect(effects({ ...launch, poolInitializerData: data }).problems).toEqual(words)
  }
  const later = await auction({
    migration: {
      type: 'uniswapV4',
      fee: 3000,
      tickSpacing: 8,
      streamableFees: { lockDuration: 0, beneficiaries },
    },
  })
  const data = withWord(later.liquidityMigratorData, 6, 1n)
  expect(effects({ ...later, liquidityMigratorData: data }).problems).toEqual(words)
})

test('fees of a hook without a receiver', () => {
  const fees = { startFee: 1, endFee: 1, durationSeconds: 0, startingTime: 0, feeRoutingMode: 0 }
  const launch = withRehype({
    ...fees,
    numeraire: sale.numeraire,
    buybackDst: somebody('treasury'),
    feeDistributionInfo: { ...toBuyback, assetFeesToAssetBuybackWad: whole - 1n },
    feeBeneficiaries: [],
  })
  expect(effects(launch).problems).toEqual([
    'the parts into which a hook divides its fees do not sum to 100%',
  ])
})

test('a split for nobody is not made', () => {
  const launch = migrating({ migration: { type: 'uniswapV2Split' } })
  const data = withWord(launch.liquidityMigratorData, 1, whole / 2n)
  const { graduation, idle } = effects({ ...launch, liquidityMigratorData: data })
  expect(graduation).toBeDefined()
  expect(graduation?.split).toBeUndefined()
  expect(idle).toEqual(['a split of 50% of the proceeds, for nobody, which is not made'])
})
