import type { Address } from 'viem'
import { type CreateParams, plain } from './calldata.ts'
import type { Decoded } from './modules.ts'

/** The `params` of a build answer (section 4.4 of the API), as far as they are present. */
export type AnsweredParams = { readonly [name in ParamName]?: string | undefined }

/** Exact values that a payload has to contain. */
export interface ExpectedLaunch {
  params?: AnsweredParams | undefined
  name: string
  symbol: string
  uri: string
  /** The integrator that the operator or the template sets. */
  integrator?: Address | undefined
}

/** A value that differs from the expected one; all three texts are for people, of bounded length. */
export interface Mismatch {
  what: string
  expected: string
  found: string
}

type Kind = 'number' | 'address' | 'bytes'

const fields = [
  { name: 'initial_supply', field: 'initialSupply', what: 'total supply', kind: 'number' },
  { name: 'num_tokens_to_sell', field: 'numTokensToSell', what: 'tokens to sell', kind: 'number' },
  { name: 'numeraire', field: 'numeraire', what: 'quote token', kind: 'address' },
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

const maxUncut = 100
const contextLength = 20

/**
 * Compares a payload with the answer that it came in, the person's input and the operator's settings. `unchecked`
 * names, for people, the fields that the answer did not repeat.
 */
export function compareWithAnswer(
  { call, token }: Decoded,
  expected: ExpectedLaunch,
): { mismatches: Mismatch[]; unchecked: string[] } {
  const { differing, unchecked } = compareParams(call.params, expected.params)
  const { integrator } = call.params
  const isOther = expected.integrator && !isSameValue('address', expected.integrator, integrator)
  return {
    mismatches: [
      ...differing,
      ...(isOther
        ? [mismatch('integrator that the operator set', String(expected.integrator), integrator)]
        : []),
      ...(token ? compareToken(token, expected) : []),
    ],
    unchecked,
  }
}

function compareParams(params: CreateParams, answered: AnsweredParams = {}) {
  const differing: Mismatch[] = []
  const unchecked: string[] = []
  for (const { name, field, what, kind } of fields) {
    const expected = answered[name]
    const found = String(params[field])
    if (expected === undefined) unchecked.push(what)
    else if (!isSameValue(kind, expected, found)) differing.push(mismatch(what, expected, found))
  }
  return { differing, unchecked }
}

function compareToken(
  token: { name: string; symbol: string; uri: string },
  expected: ExpectedLaunch,
): Mismatch[] {
  const pairs = [
    ['name', expected.name, token.name],
    ['symbol', expected.symbol, token.symbol],
    ['token URI', expected.uri, token.uri],
  ] as const
  return pairs
    .filter(([, typed, found]) => typed !== found)
    .map(([what, typed, found]) => mismatch(what, typed, found))
}

/** Compares numbers by value, everything else ignoring case. */
function isSameValue(kind: Kind, expected: string, found: string): boolean {
  if (kind !== 'number') return expected.toLowerCase() === found.toLowerCase()
  return /^(?:\d{1,80}|0x[0-9a-f]{1,64})$/iu.test(expected) && BigInt(expected) === BigInt(found)
}

/** Makes a mismatch. Long values are cut to start shortly before their first difference. */
function mismatch(what: string, expected: string, found: string): Mismatch {
  const start =
    Math.max(expected.length, found.length) > maxUncut ? firstDifference(expected, found) : 0
  const from = Math.max(0, start - contextLength)
  const excerpt = (text: string) => `${from > 0 ? '…' : ''}${plain(text.slice(from))}`
  return { what, expected: excerpt(expected), found: excerpt(found) }
}

function firstDifference(left: string, right: string): number {
  const [one, other] = [left.toLowerCase(), right.toLowerCase()]
  let index = 0
  while (index < one.length && one[index] === other[index]) index += 1
  return index
}
