import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { BuiltAuction } from '../../../src/api/schema.ts'
import type { CreateParams } from '../../../src/chain/airlock/calldata.ts'
import {
  type ExpectedLaunch,
  type Mismatch,
  verifyPayload,
} from '../../../src/chain/launch/verify.ts'
import {
  ada,
  answerOf,
  beneficiaries,
  encodeCreate,
  multicurveData,
  otter,
  otterData,
  otterParams,
  protocol,
  somebody,
  tokenLayouts,
} from './sample.ts'

const calldata = encodeCreate(otterParams)
const answered: BuiltAuction['params'] = answerOf(otterParams)
const expected: ExpectedLaunch = { params: answered, ...otter }

function mismatches(tampered: Hex, wanted = expected): readonly Mismatch[] {
  const verdict = verifyPayload(tampered, wanted)
  if (verdict.kind !== 'mismatch') throw new Error(`${verdict.kind}, not a mismatch`)
  return verdict.mismatches
}

function wrong(tampered: Hex, wanted = expected): string[] {
  return mismatches(tampered, wanted).map(({ what }) => what)
}

/** The data of the pool with a gap before its last list, which a contract decodes just the same. */
function loose(): Hex {
  const words = multicurveData.slice(2).match(/.{64}/gu) ?? []
  const at = Number(`0x${words[3]}`) / 32
  const offset = ((at + 1) * 32).toString(16).padStart(64, '0')
  return `0x${[...words.slice(0, 3), offset, ...words.slice(4, at), '0'.repeat(64), ...words.slice(at)].join('')}`
}

/** The data of a token with another name, symbol or URI. */
function tokenData(other: Partial<typeof otter>): Hex {
  const { name, symbol, uri } = { ...otter, ...other }
  return encodeAbiParameters(tokenLayouts.DERC20, [name, symbol, 0n, 0n, [], [], uri])
}

test('a payload that says what the answer and the person said is verified, with its terms', () => {
  const verdict = verifyPayload(calldata, expected)
  expect(verdict).toMatchObject({
    kind: 'verified',
    terms: {
      supply: 10n ** 27n,
      numTokensToSell: 6n * 10n ** 26n,
      integrator: otterParams.integrator,
      numeraire: otterParams.numeraire,
      modules: {
        tokenFactory: otterParams.tokenFactory,
        governanceFactory: otterParams.governanceFactory,
        poolInitializer: otterParams.poolInitializer,
        liquidityMigrator: otterParams.liquidityMigrator,
      },
      token: { layout: 'DERC20', ...otter },
      pool: {
        layout: 'multicurve',
        beneficiaries: beneficiaries.toSorted((one, other) => Number(other.shares - one.shares)),
      },
      unread: { governanceFactory: 0, liquidityMigrator: 2 },
      unchecked: [],
    },
  })
})

test('numbers are compared by value, addresses and bytes in any case', () => {
  const params = Object.fromEntries(
    Object.entries(answerOf(otterParams)).map(([name, value]) => [
      name,
      value.startsWith('0x')
        ? `0x${value.slice(2).toUpperCase()}`
        : `0x${BigInt(value).toString(16)}`,
    ]),
  )
  expect(verifyPayload(calldata, { ...expected, params }).kind).toBe('verified')
})

describe('calldata that differ from the answer in one field', () => {
  const stranger = somebody('a stranger')
  test.each<[what: string, Partial<CreateParams>]>([
    ['total supply', { initialSupply: 10n ** 27n + 1n }],
    ['tokens to sell', { numTokensToSell: 1n }],
    ['numeraire', { numeraire: stranger }],
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
    expect(wrong(encodeCreate({ ...otterParams, ...change }))).toEqual([what])
  })
})

describe('a payload for something else than what was typed', () => {
  test.each([
    ['name', { name: 'Moon Otter\u200b' }],
    ['symbol', { symbol: 'OTTR' }],
    ['token URI', { uri: 'ipfs://bafkother' }],
  ])('%s', (what, other) => {
    // The answer agrees with its calldata; the interface itself built the wrong thing.
    const params = { ...otterParams, tokenFactoryData: tokenData(other) }
    const found = wrong(encodeCreate(params), { ...expected, params: answerOf(params) })
    expect(found).toEqual([what])
  })

  test('several values at once are all named', () => {
    const params = { ...otterParams, tokenFactoryData: tokenData({ name: 'A', symbol: 'B' }) }
    expect(wrong(encodeCreate(params))).toEqual(['token factory data', 'name', 'symbol'])
  })
})

test('an integrator that the operator did not set is named', () => {
  const integrator = somebody('the operator')
  expect(mismatches(calldata, { ...expected, integrator })).toEqual([
    {
      what: 'integrator that the operator set',
      expected: integrator,
      found: otterParams.integrator,
    },
  ])
  const own = { ...expected, integrator: otterParams.integrator }
  expect(verifyPayload(calldata, own).kind).toBe('verified')
})

test('what the answer leaves out is not held against it, but told', () => {
  const { salt: _, ...rest } = answerOf(otterParams)
  const verdict = verifyPayload(calldata, { ...expected, params: rest })
  expect(verdict).toMatchObject({ kind: 'verified', terms: { unchecked: ['salt'] } })
  const nothing = verifyPayload(calldata, otter)
  expect(nothing.kind === 'verified' && nothing.terms.unchecked).toHaveLength(13)
})

test('another function can’t be verified', () => {
  expect(verifyPayload('0xdeadbeef00', expected)).toEqual({
    kind: 'unverifiable',
    reason: 'it calls 0xdeadbeef, not create (0x882db707)',
  })
  expect(verifyPayload('0x', expected).kind).toBe('unverifiable')
})

test('a token whose layout is not recognised can’t be verified, but has its other terms', () => {
  const params = { ...otterParams, tokenFactoryData: '0x1234' as const }
  const verdict = verifyPayload(encodeCreate(params), { ...expected, params: answerOf(params) })
  expect(verdict).toMatchObject({
    kind: 'unverifiable',
    terms: { token: undefined, supply: 10n ** 27n },
  })
})

test.each([
  ['unknown data', '0x1234'],
  ['a word behind known data', `${multicurveData}${'00'.repeat(32)}`],
  ['a list that is not where it would be encoded', loose()],
] as const)('a pool told by %s can’t be verified: nobody can say who gets the fees', (_, data) => {
  const params = { ...otterParams, poolInitializerData: data }
  const verdict = verifyPayload(encodeCreate(params), { ...expected, params: answerOf(params) })
  expect(verdict).toMatchObject({
    kind: 'unverifiable',
    reason:
      'the pool initializer data have a layout that is not recognised, so who gets the fees can’t be read',
    terms: { pool: undefined, token: otter },
  })
})

test('a token that is not recognised is a mismatch where a field differs, too', () => {
  const params = { ...otterParams, tokenFactoryData: '0x1234' as const }
  expect(wrong(encodeCreate(params))).toEqual(['token factory data'])
})

test('a call of create that does not encode back to its own bytes is a mismatch', () => {
  expect(wrong(`${calldata}00`)).toEqual(['calldata'])
  expect(wrong('0x882db707')).toEqual(['calldata'])
})

test('what the wallet itself gets comes first, then the largest', () => {
  const verdict = verifyPayload(calldata, { ...expected, wallet: ada })
  const terms = verdict.kind === 'verified' ? verdict.terms : undefined
  expect(terms?.token?.vesting.map(({ recipient }) => recipient)).toEqual([ada, somebody('bob')])
  expect(terms?.pool?.beneficiaries?.map((each) => each.beneficiary)).toEqual([ada, protocol])
  const other = verifyPayload(calldata, { ...expected, wallet: protocol })
  const shares = other.kind === 'verified' ? other.terms.pool?.beneficiaries : undefined
  expect(shares?.map((each) => each.beneficiary)).toEqual([protocol, ada])
  const nobody = verifyPayload(calldata, expected)
  const largest = nobody.kind === 'verified' ? nobody.terms.token?.vesting : undefined
  expect(largest?.map(({ recipient }) => recipient)).toEqual([ada, somebody('bob')])
})

describe('a mismatch is shown', () => {
  test('with what can’t be seen written out', () => {
    const data = tokenData({ name: 'Moon\u202eOtter\n' })
    const params = { ...otterParams, tokenFactoryData: data }
    const found = mismatches(encodeCreate(params), { ...expected, params: answerOf(params) })
    expect(found).toEqual([
      { what: 'name', expected: 'Moon Otter', found: 'Moon\\u{202e}Otter\\u{a}' },
    ])
  })

  test('of long data where they part, in bounded length', () => {
    const changed: Hex = `${otterData.slice(0, 1000) as Hex}ff${otterData.slice(1002)}`
    const [mismatch] = mismatches(encodeCreate({ ...otterParams, tokenFactoryData: changed }))
    const { expected: wanted = '', found = '' } = mismatch ?? {}
    expect(wanted).toHaveLength(162)
    expect(wanted.slice(0, 21)).toBe(found.slice(0, 21))
    expect(found.slice(21, 23)).toBe('ff')
    expect(wanted).not.toBe(found)
  })

  test('of numbers that are none as they were answered', () => {
    const params = { ...answered, initial_supply: '1e27' }
    expect(mismatches(calldata, { ...expected, params })).toEqual([
      { what: 'total supply', expected: '1e27', found: '1000000000000000000000000000' },
    ])
  })
})
