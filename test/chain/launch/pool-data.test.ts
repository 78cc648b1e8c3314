import fc from 'fast-check'
import { encodeAbiParameters, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { readPoolData } from '../../../src/chain/launch/pool-data.ts'
import {
  anyAddress,
  anyBytes,
  anyUint256,
  dynamicData,
  multicurveData,
  poolLayouts,
  somebody,
} from './sample.ts'

const anyUint24 = fc.nat(2 ** 24 - 1)
const anyInt24 = fc.integer({ min: -(2 ** 23), max: 2 ** 23 - 1 })
const anyCurves = fc.array(
  fc.record({
    tickLower: anyInt24,
    tickUpper: anyInt24,
    numPositions: fc.nat(2 ** 16 - 1),
    shares: anyUint256,
  }),
  { maxLength: 3 },
)
const anyBeneficiaries = fc.array(
  fc.record({ beneficiary: anyAddress, shares: fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }) }),
  { maxLength: 4 },
)

describe('whatever is in them, the beneficiaries come back from the layout', () => {
  test('multicurve', () => {
    fc.assert(
      fc.property(
        anyUint24,
        anyInt24,
        anyCurves,
        anyBeneficiaries,
        (fee, tickSpacing, curves, beneficiaries) => {
          const values = { fee, tickSpacing, curves, beneficiaries }
          const data = encodeAbiParameters(poolLayouts.multicurve, [values])
          expect(readPoolData(data)).toEqual({ layout: 'multicurve', beneficiaries })
        },
      ),
    )
  })

  test('hook initializer', () => {
    fc.assert(
      fc.property(anyUint24, anyInt24, anyCurves, anyBeneficiaries, anyBytes, (...values) => {
        const [fee, tickSpacing, curves, beneficiaries, bytes] = values
        const data = encodeAbiParameters(poolLayouts.hook, [
          {
            fee,
            tickSpacing,
            farTick: tickSpacing,
            curves,
            beneficiaries,
            dopplerHook: somebody('hook'),
            onInitializationData: bytes,
            graduationData: '0x',
          },
        ])
        expect(readPoolData(data)).toEqual({
          layout: 'hook initializer',
          beneficiaries,
          hook: { address: somebody('hook'), size: bytes.length / 2 - 1 },
        })
      }),
    )
  })
})

test('a hook that is nobody is none', () => {
  const data = encodeAbiParameters(poolLayouts.hook, [
    {
      fee: 1,
      tickSpacing: 2,
      farTick: 3,
      curves: [],
      beneficiaries: [],
      dopplerHook: zeroAddress,
      onInitializationData: '0x',
      graduationData: '0x',
    },
  ])
  expect(readPoolData(data)).toEqual({ layout: 'hook initializer', beneficiaries: [] })
})

test('an auction with times says when it begins and ends', () => {
  fc.assert(
    fc.property(anyUint256, anyUint256, (startingTime, endingTime) => {
      expect(readPoolData(dynamicData(startingTime, endingTime))).toEqual({
        layout: 'dynamic',
        startingTime,
        endingTime,
      })
    }),
  )
})

test('data that do not fit byte for byte are not recognised', () => {
  expect(readPoolData(`0x${multicurveData.slice(2).toUpperCase()}`)?.layout).toBe('multicurve')
  expect(readPoolData(`${multicurveData}00`)).toBeUndefined()
  expect(readPoolData(`${dynamicData(1n, 2n)}00`)).toBeUndefined()
  expect(readPoolData('0x')).toBeUndefined()
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      expect(readPoolData(bytes)).toBeUndefined()
    }),
  )
})
