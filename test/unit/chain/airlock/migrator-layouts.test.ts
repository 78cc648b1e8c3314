import type { MigrationConfig, RehypeDopplerHookConfig } from '@whetstone-research/doppler-sdk/evm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layoutIds } from '../../../../src/chain/airlock/layouts.ts'
import {
  anyAddress,
  anyBeneficiaries,
  anyDistribution,
  anyNumber,
  anyOrNoBeneficiaries,
  anySplit,
  anyTick,
  anyUint24,
  anyUint32,
  partsOf,
} from './arbitrary.ts'
import { everyLayout, type Made, reads } from './reads.ts'
import {
  addresses,
  auction,
  beneficiaries,
  migrating,
  multicurve,
  sale,
  somebody,
  withRehype,
} from './sdk.ts'

const anyStreams = fc.record({
  fee: anyUint24,
  tickSpacing: anyNumber(32_767, 1),
  streamableFees: fc.record({ lockDuration: anyUint32, beneficiaries: anyBeneficiaries }),
})
const anyFees = fc
  .record({
    startFee: anyNumber(1_000_000),
    endFee: anyNumber(1_000_000),
    durationSeconds: anyNumber(2 ** 32 - 1, 1),
  })
  .map(({ startFee, endFee, durationSeconds }) => ({
    startFee: Math.max(startFee, endFee),
    endFee: Math.min(startFee, endFee),
    durationSeconds,
  }))

function streamsOf({ fee, tickSpacing, streamableFees }: Made<typeof anyStreams>) {
  return { form: 'v4', pool: { fee, tickSpacing, dynamicFee: false, ...streamableFees } }
}

/** A launch with a migrator that isn't of the auction alone. */
function migratingBy(migration: MigrationConfig) {
  return migrating({ migration })
}

/** A launch with a migrator of the auction. */
function hookMigration(given: Partial<Extract<MigrationConfig, { type: 'dopplerHook' }>>) {
  return auction({
    migration: {
      type: 'dopplerHook',
      fee: 3000,
      tickSpacing: 8,
      lockDuration: 0,
      beneficiaries,
      ...given,
    },
  })
}

const migrators = {
  'no-op-migrator': reads(
    'migrator',
    fc.constant('noOp' as const),
    (type) => migratingBy({ type }),
    () => ({ form: 'none' }),
  ),
  v2: reads(
    'migrator',
    fc.constant('uniswapV2' as const),
    (type) => migratingBy({ type }),
    () => ({ form: 'v2' }),
  ),
  'v2-split': reads(
    'migrator',
    fc.option(anySplit, { nil: undefined }),
    (split) => migratingBy({ type: 'uniswapV2Split', ...(split && { proceedsSplit: split }) }),
    (split) => ({ form: 'v2', ...(split && { split }) }),
  ),
  v4: reads(
    'migrator',
    fc.option(anyStreams, { nil: undefined }),
    (streams) => migratingBy({ type: 'uniswapV4', fee: 3000, tickSpacing: 8, ...streams }),
    (streams) => (streams ? streamsOf(streams) : { form: 'v4' }),
  ),
  'v4-split': reads(
    'migrator',
    fc.record({ streams: anyStreams, split: fc.option(anySplit, { nil: undefined }) }),
    ({ streams, split }) =>
      migratingBy({ type: 'uniswapV4Split', ...streams, ...(split && { proceedsSplit: split }) }),
    ({ streams, split }) => ({ ...streamsOf(streams), ...(split && { split }) }),
  ),
  'doppler-hook-migrator': reads(
    'migrator',
    fc.record({
      pool: fc.record({
        fee: anyNumber(150_000),
        dynamicFee: fc.boolean(),
        tickSpacing: anyNumber(32_767, 1),
        lockDuration: anyUint32,
        beneficiaries: anyBeneficiaries,
      }),
      split: fc.option(anySplit, { nil: undefined }),
    }),
    ({ pool: { dynamicFee: useDynamicFee, ...pool }, split }) =>
      hookMigration({ ...pool, useDynamicFee, ...(split && { proceedsSplit: split }) }),
    ({ pool, split }) => ({
      form: 'hook',
      pool,
      hook: { address: '0x0000000000000000000000000000000000000000', data: '0x' },
      ...(split && { split }),
    }),
  ),
}
everyLayout('liquidity migrator', migrators)

const migratorHooks = {
  'rehype-initializer-2026-06': reads(
    'poolHook',
    fc.record({
      to: anyAddress,
      fees: anyFees,
      startingTime: anyUint32,
      mode: fc.constantFrom(0, 1),
      distribution: anyDistribution,
      farTick: anyTick,
    }),
    ({ to, fees, startingTime, mode, distribution, farTick }) => {
      const config: RehypeDopplerHookConfig = {
        hookAddress: addresses.rehypeDopplerHookInitializer ?? somebody('nobody'),
        buybackDestination: to,
        ...fees,
        startingTime,
        feeRoutingMode: mode,
        feeDistributionInfo: distribution,
        farTick,
      }
      return multicurve({ initializer: { type: 'rehype', config } })
    },
    ({ to, fees: { durationSeconds: duration, ...fees }, startingTime, mode, distribution }) => ({
      numeraire: sale.numeraire,
      buybackTo: to,
      fee: { ...fees, duration, startingTime },
      routing: mode,
      distribution: partsOf(distribution),
      beneficiaries: [],
    }),
  ),
  'rehype-initializer': reads(
    'poolHook',
    fc.record({
      buybackDst: anyAddress,
      fees: anyFees,
      startingTime: anyUint32,
      feeRoutingMode: anyNumber(255),
      feeDistributionInfo: anyDistribution,
      feeBeneficiaries: anyOrNoBeneficiaries,
    }),
    ({ fees, ...data }) => withRehype({ numeraire: sale.numeraire, ...fees, ...data }),
    ({ buybackDst, fees: { durationSeconds: duration, ...fees }, startingTime, ...data }) => ({
      numeraire: sale.numeraire,
      buybackTo: buybackDst,
      fee: { ...fees, duration, startingTime },
      routing: data.feeRoutingMode,
      distribution: partsOf(data.feeDistributionInfo),
      beneficiaries: data.feeBeneficiaries,
    }),
  ),
  'rehype-migrator': reads(
    'migratorHook',
    fc.record({
      buybackDestination: anyAddress,
      customFee: anyNumber(1_000_000),
      feeRoutingMode: fc.constantFrom(0, 1),
      feeDistributionInfo: anyDistribution,
    }),
    (rehype) => hookMigration({ rehype }),
    ({ buybackDestination, customFee, feeRoutingMode, feeDistributionInfo }) => ({
      numeraire: sale.numeraire,
      buybackTo: buybackDestination,
      fee: { startFee: customFee, endFee: customFee, duration: 0, startingTime: 0 },
      routing: feeRoutingMode,
      distribution: partsOf(feeDistributionInfo),
      beneficiaries: [],
    }),
  ),
}
everyLayout('hook', migratorHooks)

test.each([
  ['liquidity migrator', migrators],
  ['hook', migratorHooks],
] as const)('every layout of a %s has a case', (kind, cases) => {
  expect(Object.keys(cases).toSorted()).toEqual(layoutIds(kind).toSorted())
})
