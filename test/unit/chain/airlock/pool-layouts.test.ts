import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layoutIds } from '../../../../src/chain/airlock/layouts.ts'
import {
  anyAddress,
  anyBeneficiaries,
  anyCurvesPool,
  anyNumber,
  anyTick,
  anyUint,
  anyUint24,
  anyUint32,
} from './arbitrary.ts'
import { everyLayout, type Made, reads } from './reads.ts'
import { addresses, auction, builtAt, multicurve, sale, somebody, staticSale } from './sdk.ts'

const v3Terms = fc
  .constantFrom([100, 1], [500, 10], [3000, 60], [10_000, 200])
  .chain(([fee = 0, spacing = 1]) =>
    fc.record({
      fee: fc.constant(fee),
      startTick: fc
        .integer({ min: Math.ceil(-887_272 / spacing), max: -1 })
        .map((at) => at * spacing),
      endTick: fc.integer({ min: 0, max: Math.floor(887_272 / spacing) }).map((at) => at * spacing),
      numPositions: anyNumber(65_535, 1),
      maxShareToBeSold: anyUint(256),
    }),
  )
function v3Of({ startTick, endTick, ...rest }: Made<typeof v3Terms>) {
  return { form: 'v3', tickLower: startTick, tickUpper: endTick, ...rest }
}

const cases = {
  multicurve: reads(
    'pool',
    anyCurvesPool,
    (pool) => multicurve({ pool }),
    (pool) => ({ form: 'curves', ...pool }),
  ),
  'scheduled-multicurve': reads(
    'pool',
    fc.record({ pool: anyCurvesPool, startingTime: anyUint32 }),
    ({ pool, startingTime: startTime }) =>
      multicurve({ pool, initializer: { type: 'scheduled', startTime } }),
    ({ pool, startingTime }) => ({ form: 'curves', ...pool, startingTime }),
  ),
  'decay-multicurve': reads(
    'pool',
    fc.record({
      pool: anyCurvesPool,
      fee: anyNumber(100_000),
      startFee: anyNumber(800_000, 100_000),
      duration: anyNumber(2 ** 32 - 1, 1),
      startingTime: anyUint32,
    }),
    ({ pool, fee, startFee, duration: durationSeconds, startingTime: startTime }) =>
      multicurve({
        pool: { ...pool, fee },
        initializer: { type: 'decay', startFee, durationSeconds, startTime },
      }),
    ({ pool, fee, ...decay }) => ({
      form: 'curves',
      ...pool,
      fee,
      decay: { endFee: fee, ...decay },
    }),
  ),
  'doppler-hook': reads(
    'pool',
    anyCurvesPool,
    (pool) =>
      multicurve({
        pool,
        modules: { dopplerHookInitializer: addresses.dopplerHookInitializer ?? somebody('nobody') },
      }),
    (pool) => ({
      form: 'curves',
      ...pool,
      hook: {
        farTick: Math.max(...pool.curves.map(({ tickUpper }) => tickUpper)) - pool.tickSpacing,
        address: '0x0000000000000000000000000000000000000000',
        data: '0x',
        graduationData: '0x',
      },
    }),
  ),
  v3: reads(
    'pool',
    v3Terms,
    (pool) => staticSale({ pool }),
    (pool) => ({ ...v3Of(pool), beneficiaries: [] }),
  ),
  'v3-lockable': reads(
    'pool',
    fc.record({ terms: v3Terms, beneficiaries: anyBeneficiaries }),
    ({ terms, beneficiaries }) => staticSale({ pool: { ...terms, beneficiaries } }),
    ({ terms, beneficiaries }) => ({ ...v3Of(terms), beneficiaries }),
  ),
  'v4-dynamic': reads(
    'pool',
    fc.record({
      numeraire: anyAddress,
      ticks: fc.uniqueArray(anyTick, { minLength: 2, maxLength: 2 }),
      epochLength: anyNumber(2 ** 20, 1),
      epochs: anyNumber(2 ** 10, 1),
      steps: fc.integer({ min: -1000, max: 1000 }),
      tickSpacing: anyNumber(30, 1),
      fee: anyUint24,
      minProceeds: anyUint(256),
      maxProceeds: anyUint(256),
      numPdSlugs: anyUint32,
      startTimeOffset: anyUint32,
    }),
    ({
      numeraire,
      ticks,
      epochLength,
      epochs,
      steps,
      tickSpacing,
      fee,
      startTimeOffset,
      ...terms
    }) => {
      const [low, high] = [Math.min(...ticks), Math.max(...ticks)]
      // The SDK stands the token where there is more room for it.
      const isToken0 = BigInt(numeraire) > 2n ** 159n - 1n
      return auction({
        sale: { ...sale, numeraire },
        pool: { fee, tickSpacing },
        auction: {
          ...terms,
          epochLength,
          duration: epochLength * epochs,
          gamma: steps * tickSpacing,
          startTick: isToken0 ? high : low,
          endTick: isToken0 ? low : high,
        },
        startTimeOffset,
      })
    },
    ({
      numeraire,
      ticks,
      epochLength,
      epochs,
      steps,
      tickSpacing,
      fee,
      startTimeOffset,
      numPdSlugs,
      ...terms
    }) => {
      const [low, high] = [Math.min(...ticks), Math.max(...ticks)]
      const isToken0 = BigInt(numeraire) > 2n ** 159n - 1n
      return {
        form: 'auction',
        ...terms,
        startingTime: BigInt(builtAt + startTimeOffset),
        endingTime: BigInt(builtAt + startTimeOffset + epochLength * epochs),
        startingTick: isToken0 ? high : low,
        endingTick: isToken0 ? low : high,
        epochLength: BigInt(epochLength),
        gamma: steps * tickSpacing,
        isToken0,
        numPDSlugs: BigInt(numPdSlugs),
        fee,
        tickSpacing,
      }
    },
  ),
}

test('every layout of a pool initializer has a case', () => {
  expect(Object.keys(cases).toSorted()).toEqual(layoutIds('pool initializer').toSorted())
})

everyLayout('pool initializer', cases)
