import type { Address, Hex } from 'viem'
import { createSelector } from './abi.ts'
import { type CreateParams, decodeCreate, hasCreateSelector } from './calldata.ts'
import { plain } from './plain.ts'
import { type LaunchTerms, termsOf } from './terms.ts'

/** The `params` of an answer of section 4.4, as far as they are there. */
export type AnsweredParams = { readonly [name in ParamName]?: string | undefined }

/** What a payload has to say. */
export interface ExpectedLaunch {
  params?: AnsweredParams | undefined
  name: string
  symbol: string
  uri: string
  /** Whom the operator set. */
  integrator?: Address | undefined
  /** Whose own shares come first in the terms. */
  wallet?: Address | undefined
}

/** A value that is not what it has to be; all three are for people to read, of bounded length. */
export interface Mismatch {
  what: string
  expected: string
  found: string
}

/** `unchecked`: the values of `create` that the answer did not repeat, in words. */
export type CheckedTerms = LaunchTerms & { unchecked: readonly string[] }

/** `unverifiable`: what it does can't be told for certain; never signed but as "not verified". */
export type Verdict =
  | { kind: 'verified'; terms: CheckedTerms }
  | { kind: 'mismatch'; mismatches: readonly Mismatch[]; terms?: CheckedTerms }
  | { kind: 'unverifiable'; reason: string; terms?: CheckedTerms }

type Kind = 'number' | 'address' | 'bytes'

const fields = [
  { name: 'initial_supply', field: 'initialSupply', what: 'total supply', kind: 'number' },
  { name: 'num_tokens_to_sell', field: 'numTokensToSell', what: 'tokens to sell', kind: 'number' },
  { name: 'numeraire', field: 'numeraire', what: 'numeraire', kind: 'address' },
  { name: 'token_factory', field: 'tokenFactory', what: 'token factory', kind: 'address' },
  {
    name: 'token_factory_data',
    field: 'tokenFactoryData',
    what: 'token factory data',
    kind: 'bytes',
  },
  {
    name: 'governance_factory',
    field: 'governanceFactory',
    what: 'governance factory',
    kind: 'address',
  },
  {
    name: 'governance_factory_data',
    field: 'governanceFactoryData',
    what: 'governance factory data',
    kind: 'bytes',
  },
  { name: 'pool_initializer', field: 'poolInitializer', what: 'pool initializer', kind: 'address' },
  {
    name: 'pool_initializer_data',
    field: 'poolInitializerData',
    what: 'pool initializer data',
    kind: 'bytes',
  },
  {
    name: 'liquidity_migrator',
    field: 'liquidityMigrator',
    what: 'liquidity migrator',
    kind: 'address',
  },
  {
    name: 'liquidity_migrator_data',
    field: 'liquidityMigratorData',
    what: 'liquidity migrator data',
    kind: 'bytes',
  },
  { name: 'integrator', field: 'integrator', what: 'integrator', kind: 'address' },
  { name: 'salt', field: 'salt', what: 'salt', kind: 'bytes' },
] as const satisfies readonly {
  name: string
  field: keyof CreateParams
  what: string
  kind: Kind
}[]

type ParamName = (typeof fields)[number]['name']

const longest = 100
const lead = 20

/** Checks calldata against the answer that it came with, what the person typed and what the operator set. */
export function verifyPayload(calldata: Hex, expected: ExpectedLaunch): Verdict {
  if (!hasCreateSelector(calldata)) {
    const found = plain(calldata.slice(0, createSelector.length))
    return { kind: 'unverifiable', reason: `it calls ${found}, not create (${createSelector})` }
  }
  const params = decodeCreate(calldata)
  if (params === undefined) return { kind: 'mismatch', mismatches: [undecodable(calldata)] }

  const { differing, unchecked } = compareParams(params, expected.params)
  const terms = { ...termsOf(params, expected.wallet), unchecked }
  const mismatches = [
    ...differing,
    ...compareOperator(terms, expected),
    ...compareToken(terms, expected),
  ]
  if (mismatches.length > 0) return { kind: 'mismatch', mismatches, terms }
  const unknown = unknownData(terms)
  if (unknown.length > 0) return { kind: 'unverifiable', reason: unknown.join(', and '), terms }
  return { kind: 'verified', terms }
}

function unknownData({ token, pool }: LaunchTerms): string[] {
  const layout = 'data have a layout that is not recognised, so'
  return [
    ...(token ? [] : [`the token factory ${layout} name and symbol can’t be read`]),
    ...(pool ? [] : [`the pool initializer ${layout} who gets the fees can’t be read`]),
  ]
}

function undecodable(calldata: Hex): Mismatch {
  return {
    what: 'calldata',
    expected: 'a call of create, byte for byte',
    found: `${Math.ceil((calldata.length - 2) / 2)} bytes that are not exactly one`,
  }
}

function compareParams(params: CreateParams, answered: AnsweredParams = {}) {
  const differing: Mismatch[] = []
  const unchecked: string[] = []
  for (const { name, field, what, kind } of fields) {
    const expected = answered[name]
    const found = String(params[field])
    if (expected === undefined) unchecked.push(what)
    else if (!same(kind, expected, found)) differing.push(mismatch(what, expected, found))
  }
  return { differing, unchecked }
}

function compareOperator({ integrator }: LaunchTerms, expected: ExpectedLaunch): Mismatch[] {
  if (expected.integrator === undefined || same('address', expected.integrator, integrator))
    return []
  return [mismatch('integrator that the operator set', expected.integrator, integrator)]
}

function compareToken({ token }: LaunchTerms, expected: ExpectedLaunch): Mismatch[] {
  if (token === undefined) return []
  const pairs = [
    ['name', expected.name, token.name],
    ['symbol', expected.symbol, token.symbol],
    ['token URI', expected.uri, token.uri],
  ] as const
  return pairs
    .filter(([, typed, found]) => typed !== found)
    .map(([what, typed, found]) => mismatch(what, typed, found))
}

/** Numbers by value, the rest whatever the case of its digits. */
function same(kind: Kind, expected: string, found: string): boolean {
  if (kind !== 'number') return expected.toLowerCase() === found.toLowerCase()
  return /^(?:\d{1,80}|0x[0-9a-f]{1,64})$/iu.test(expected) && BigInt(expected) === BigInt(found)
}

/** Long values from a little before where they part; their beginnings are alike. */
function mismatch(what: string, expected: string, found: string): Mismatch {
  const start = Math.max(expected.length, found.length) > longest ? partingOf(expected, found) : 0
  const from = Math.max(0, start - lead)
  const shown = (text: string) => `${from > 0 ? '…' : ''}${plain(text.slice(from))}`
  return { what, expected: shown(expected), found: shown(found) }
}

function partingOf(left: string, right: string): number {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()]
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  return index
}
