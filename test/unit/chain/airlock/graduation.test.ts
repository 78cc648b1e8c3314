import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anySplit } from './arbitrary.ts'
import {
  addresses,
  auction,
  beneficiaries,
  builtAt,
  type Distribution,
  effects,
  migrating,
  multicurve,
  otter,
  somebody,
  staticSale,
  v3Pool,
  whole,
  withRehype,
} from './sdk.ts'

const shares = beneficiaries.map(({ beneficiary, shares }) => ({ to: beneficiary, share: shares }))
const multisig = somebody('multisig')
const launchpad = { type: 'launchpad', multisig } as const
const lockDuration = 2_592_000
const streams = {
  fee: 10_000,
  tickSpacing: 200,
  streamableFees: { lockDuration, beneficiaries },
}
const distribution: Distribution = {
  assetFeesToAssetBuybackWad: whole,
  assetFeesToNumeraireBuybackWad: 0n,
  assetFeesToBeneficiaryWad: 0n,
  assetFeesToLpWad: 0n,
  numeraireFeesToAssetBuybackWad: 0n,
  numeraireFeesToNumeraireBuybackWad: 0n,
  numeraireFeesToBeneficiaryWad: 0n,
  numeraireFeesToLpWad: whole,
}
const parts = [whole, 0n, 0n, 0n, 0n, 0n, 0n, whole]

function percent(of: number): bigint {
  return (BigInt(of) * whole) / 100n
}

describe('what happens at graduation', () => {
  test('nothing without a migrator', () => {
    expect(effects(migrating()).graduation).toBeUndefined()
  })

  test.each([
    ['the DAO', { type: 'default' }, 'dao'],
    ['the multisig', launchpad, multisig],
    ['nobody', { type: 'noOp' }, 'nobody'],
  ] as const)('to V2: 95% of the liquidity is that of %s, 5% is locked', (_, governance, to) => {
    const { graduation } = effects(migrating({ governance, migration: { type: 'uniswapV2' } }))
    expect(graduation).toMatchObject({
      to: 'v2',
      liquidity: [
        { to, share: percent(95) },
        { to: 'locked', share: percent(5) },
      ],
    })
  })

  test('to V2 it fails for a curve that has to sell out first, which leaves no tokens for it', async () => {
    const migration = { type: 'uniswapV2' } as const
    expect(effects(migrating({ migration })).graduation?.fails).toBe(true)
    for (const launch of [await staticSale({ migration }), await auction({ migration })]) {
      expect(effects(launch).graduation?.fails).toBeUndefined()
    }
  })

  test('to V2, with the share of the proceeds that is split off and who gets it', () => {
    fc.assert(
      fc.property(anySplit, ({ recipient, share }) => {
        const migration = {
          type: 'uniswapV2Split',
          proceedsSplit: { recipient, share },
        } as const
        expect(effects(migrating({ migration })).graduation?.split).toEqual({
          to: recipient,
          share,
        })
      }),
      { numRuns: 20 },
    )
  })

  const pool = { to: 'v4', fee: { millionths: 10_000, dynamic: false }, tickSpacing: 200, shares }

  test('to V4: a tenth is locked, the rest is the multisig’s', async () => {
    const split = { recipient: somebody('treasury'), share: percent(50) }
    const migration = { type: 'uniswapV4Split', ...streams, proceedsSplit: split } as const
    expect(effects(await auction({ governance: launchpad, migration })).graduation).toEqual({
      ...pool,
      split: { to: split.recipient, share: split.share },
      liquidity: [
        { to: multisig, share: percent(90) },
        { to: 'locked', share: percent(10), seconds: lockDuration },
      ],
    })
  })

  test('to V4 without governance: all of it is locked', async () => {
    const migration = { type: 'uniswapV4', ...streams } as const
    expect(effects(await auction({ migration })).graduation).toEqual({
      ...pool,
      liquidity: [{ to: 'locked', share: whole, seconds: lockDuration }],
    })
  })

  test('to V4 with a hook: all of it is locked, whoever governs', async () => {
    const launch = await auction({
      governance: launchpad,
      migration: {
        type: 'dopplerHook',
        fee: 10_000,
        useDynamicFee: true,
        tickSpacing: 200,
        lockDuration,
        beneficiaries,
        rehype: {
          buybackDestination: somebody('treasury'),
          customFee: 7000,
          feeDistributionInfo: distribution,
        },
      },
    })
    const { graduation } = effects(launch)
    expect(graduation).toMatchObject({
      ...pool,
      fee: { millionths: 10_000, dynamic: true },
      liquidity: [{ to: 'locked', share: whole, seconds: lockDuration }],
      hook: {
        hook: { address: addresses.rehypeDopplerHookMigrator },
        fee: { first: 7000, last: 7000 },
        data: { buybackTo: somebody('treasury'), distribution: parts },
      },
    })
  })

  test('a locked pool never graduates: the data of its migrator are shown as unused', async () => {
    const launch = await staticSale({
      pool: { ...v3Pool, beneficiaries },
      migration: { type: 'uniswapV4', ...streams },
    })
    const { graduation, unusedGraduation } = effects(launch)
    expect(graduation).toBeUndefined()
    expect(unusedGraduation).toMatchObject(pool)
  })
})

describe('what a hook takes before graduation', () => {
  const treasury = somebody('treasury')
  const falling = { startFee: 800_000, endFee: 20_000, durationSeconds: 600, startingTime: builtAt }
  const told = {
    fee: { first: 800_000, last: 20_000, seconds: 600, from: builtAt },
    data: { buybackTo: treasury, routing: 1, distribution: parts },
  }

  test('the hook of June 2026', () => {
    const config = {
      hookAddress: addresses.rehypeDopplerHookInitializer ?? somebody('nobody'),
      buybackDestination: treasury,
      ...falling,
      feeRoutingMode: 'routeToBeneficiaryFees',
      feeDistributionInfo: distribution,
    } as const
    const found = effects(multicurve({ initializer: { type: 'rehype', config } }))
    expect(found.hook).toMatchObject(told)
    expect(found.shares).toEqual(shares)
  })

  test('the hook since then, and its beneficiaries', () => {
    const launch = withRehype({
      numeraire: addresses.weth,
      buybackDst: treasury,
      ...falling,
      feeRoutingMode: 1,
      feeDistributionInfo: distribution,
      feeBeneficiaries: beneficiaries,
    })
    expect(effects(launch).hook).toMatchObject({ ...told, data: { ...told.data, beneficiaries } })
  })

  test('without a hook, nothing', () => {
    expect(effects(multicurve()).hook).toBeUndefined()
  })
})

describe('who may change what later', () => {
  test('minting', () => {
    expect(effects(multicurve({ token: { ...otter, yearlyMintRate: percent(2) } })).minting).toBe(
      percent(2),
    )
    expect(effects(multicurve()).minting).toBe(0n)
  })

  test('a limit on balances, its controller and for whom it does not hold', () => {
    const launch = multicurve({
      token: {
        type: 'dopplerERC20V1',
        ...otter,
        maxBalanceLimit: 10n ** 25n,
        balanceLimitEnd: 2 ** 40,
        controller: somebody('ada'),
        excludedFromBalanceLimit: [somebody('bob')],
      },
    })
    const { limit } = effects(launch)
    expect(limit).toMatchObject({
      maxBalance: 10n ** 25n,
      until: 2 ** 40,
      controller: somebody('ada'),
    })
    // The SDK adds the protocol's own contracts and the account that burns the rest.
    expect(limit?.excluded[0]).toBe(somebody('bob'))
    expect(limit?.excluded).toContain('0x000000000000000000000000000000000000dEaD')
  })

  test('settings without effect are listed, too', () => {
    const decay = {
      type: 'decay',
      startFee: 3000,
      durationSeconds: 600,
      startTime: builtAt,
    } as const
    expect(effects(multicurve({ initializer: decay })).idle).toEqual([
      `the trading fee falls to itself within 600 seconds from ${builtAt} on`,
    ])
    expect(effects(multicurve()).idle).toBeUndefined()
  })
})
