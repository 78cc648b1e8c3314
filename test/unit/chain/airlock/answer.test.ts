import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  compareWithAnswer,
  type ExpectedLaunch,
  type Mismatch,
} from '../../../../src/chain/airlock/answer.ts'
import type { CreateParams } from '../../../../src/chain/airlock/calldata.ts'
import { decodePayload, moduleBook } from '../../../../src/chain/airlock/modules.ts'
import {
  answerOf,
  encodeCreate,
  otter,
  otterData,
  otterParams,
  somebody,
  tokenLayouts,
} from './sample.ts'

const answered = answerOf(otterParams)
const expected: ExpectedLaunch = { params: answered, ...otter }
const factory = otterParams.tokenFactory
const book = moduleBook(8453, [{ address: factory, layout: 'derc20' }])

function compared(params: CreateParams, wanted = expected) {
  const decoded = decodePayload(encodeCreate(params), book)
  if (!decoded.call) throw new Error(decoded.problems.join())
  return compareWithAnswer(decoded, wanted)
}

function mismatches(params: CreateParams, wanted = expected): readonly Mismatch[] {
  return compared(params, wanted).mismatches
}

function wrong(params: CreateParams, wanted = expected): string[] {
  return mismatches(params, wanted).map(({ what }) => what)
}

/** The data of a token with another name, symbol or URI. */
function tokenData(other: Partial<typeof otter>): Hex {
  const { name, symbol, uri } = { ...otter, ...other }
  return encodeAbiParameters(tokenLayouts.DERC20, [name, symbol, 0n, 0n, [], [], uri])
}

test('a payload that agrees with the answer and with what was typed has no mismatch', () => {
  expect(compared(otterParams)).toEqual({ mismatches: [], unchecked: [] })
})

test('numbers are compared by value, addresses and bytes in any case', () => {
  const params = Object.fromEntries(
    Object.entries(answered).map(([name, value]) => [
      name,
      value.startsWith('0x')
        ? `0x${value.slice(2).toUpperCase()}`
        : `0x${BigInt(value).toString(16)}`,
    ]),
  )
  expect(wrong(otterParams, { ...expected, params })).toEqual([])
})

describe('calldata that differ from the answer in one field', () => {
  const stranger = somebody('a stranger')
  test.each<[what: string, Partial<CreateParams>]>([
    ['total supply', { initialSupply: 10n ** 27n + 1n }],
    ['tokens to sell', { numTokensToSell: 1n }],
    ['quote token', { numeraire: stranger }],
    ['token factory', { tokenFactory: stranger }],
    ['token factory data', { tokenFactoryData: tokenData({}) }],
    ['governance factory', { governanceFactory: stranger }],
    ['governance factory data', { governanceFactoryData: '0x00' }],
    ['pool initializer', { poolInitializer: stranger }],
    ['pool initializer data', { poolInitializerData: '0x' }],
    ['liquidity migrator', { liquidityMigrator: stranger }],
    ['liquidity migrator data', { liquidityMigratorData: '0x1235' }],
    ['integrator', { integrator: stranger }],
    ['salt', { salt: `0x${'00'.repeat(32)}` }],
  ])('%s', (what, change) => {
    expect(wrong({ ...otterParams, ...change })).toEqual([what])
  })
})

describe('a payload for something else than what was typed', () => {
  test.each([
    ['name', { name: 'Moon Otter\u200b' }],
    ['name', { name: 'moon otter' }],
    ['symbol', { symbol: 'OTTR' }],
    ['token URI', { uri: 'ipfs://bafkother' }],
  ])('%s', (what, other) => {
    // The answer agrees with its calldata; the API itself built the wrong thing.
    const params = { ...otterParams, tokenFactoryData: tokenData(other) }
    expect(wrong(params, { ...expected, params: answerOf(params) })).toEqual([what])
  })

  test('several mismatches are all named', () => {
    const params = { ...otterParams, tokenFactoryData: tokenData({ name: 'A', symbol: 'B' }) }
    expect(wrong(params)).toEqual(['token factory data', 'name', 'symbol'])
  })
})

test('an integrator that the operator did not set is named', () => {
  const integrator = somebody('the operator')
  expect(mismatches(otterParams, { ...expected, integrator })).toEqual([
    {
      what: 'integrator that the operator set',
      expected: integrator,
      found: otterParams.integrator,
    },
  ])
  expect(wrong(otterParams, { ...expected, integrator: otterParams.integrator })).toEqual([])
})

test('a field that the answer leaves out is no mismatch, but is listed', () => {
  const { salt: _, ...rest } = answered
  const without = compared(otterParams, { ...expected, params: rest })
  expect(without).toEqual({ mismatches: [], unchecked: ['salt'] })
  expect(compared(otterParams, otter).unchecked).toHaveLength(13)
})

test('a token that is not recognised is a mismatch, too, if a field differs', () => {
  expect(wrong({ ...otterParams, tokenFactoryData: '0x1234' })).toEqual(['token factory data'])
})

describe('a mismatch is shown', () => {
  test('with invisible characters written out', () => {
    const data = tokenData({ name: 'Moon\u202eOtter\n' })
    const params = { ...otterParams, tokenFactoryData: data }
    expect(mismatches(params, { ...expected, params: answerOf(params) })).toEqual([
      { what: 'name', expected: 'Moon Otter', found: 'Moon\\u{202e}Otter\\u{a}' },
    ])
  })

  test('of long data from where they differ, in bounded length', () => {
    const changed: Hex = `0x${otterData.slice(2, 1000)}ff${otterData.slice(1002)}`
    const [mismatch] = mismatches({ ...otterParams, tokenFactoryData: changed })
    const { expected: wanted = '', found = '' } = mismatch ?? {}
    expect(wanted).toHaveLength(162)
    expect(wanted.slice(0, 21)).toBe(found.slice(0, 21))
    expect(found.slice(21, 23)).toBe('ff')
    expect(wanted).not.toBe(found)
  })

  test('of numbers that can’t be read as they were answered', () => {
    const params = { ...answered, initial_supply: '1e27' }
    expect(mismatches(otterParams, { ...expected, params })).toEqual([
      { what: 'total supply', expected: '1e27', found: '1000000000000000000000000000' },
    ])
  })
})
