import type { AbiParameter, Address, DecodeAbiParametersReturnType, Hex } from 'viem'
import { decodeExactly } from './calldata.ts'

// Commands of Uniswap's Universal Router 2.0 (3fc2b48b, the bundler's version) that a purchase needs, and the actions
// of its V4 router (3796e9c4). Later routers have longer layouts, which are not read.

/** A recipient: the router itself, the sender of the transaction (through the bundler), or an account. */
export type TokenHolder = Address | 'router' | 'sender'

/** A pool as a swap identifies it; `tickSpacing` and `hooks` (in lower case) are for Uniswap V4 only. */
export interface SwapPool {
  fee: number
  tickSpacing?: number
  hooks?: string
}

/** One step of the router. Currencies are in lower case; the zero address is the native coin. */
export type Step =
  | { do: 'wrap'; to: TokenHolder; amount: bigint | 'all' }
  | { do: 'unwrap'; to: TokenHolder; least: bigint }
  | { do: 'sweep'; currency: string; to: TokenHolder; least: bigint }
  | {
      do: 'swap'
      /** `router`: paid from the router's balance (V3); `pool`: against its deltas in the pool manager (V4). */
      hops: 'router' | 'pool'
      pays: string
      buys: string
      pool: SwapPool
      exact: 'in' | 'out'
      /** Amount paid (in) or bought (out). */
      given: bigint | 'all'
      /** Min amount received (in) or max amount paid (out). */
      limit: bigint
      to: TokenHolder
      bySender: boolean
    }
  | {
      do: 'settle'
      currency: string
      amount: bigint | 'all' | 'debt'
      guard: bigint
      bySender: boolean
    }
  | { do: 'take'; currency: string; to: TokenHolder; amount: bigint | 'all'; guard: bigint }

/**
 * Decodes a step. Returns a problem as text if a plain purchase has no such step; undefined if the data have another
 * layout.
 */
type Reader = (data: Hex) => Step | string | undefined

const otherTokens = 'goes through other tokens'
const hookData = 'tells a hook something that is not read'

/** Amount that means the router's whole balance. */
const wholeBalance = 2n ** 255n

const address = { type: 'address' } as const
const bool = { type: 'bool' } as const
const bytes = { type: 'bytes' } as const
const uint256 = { type: 'uint256' } as const
const uint160 = { type: 'uint160' } as const
const uint128 = { type: 'uint128' } as const
const poolFields = [{ type: 'uint24' }, { type: 'int24' }, address] as const
const poolKey = { type: 'tuple', components: [address, address, ...poolFields] } as const
const single = [{ type: 'tuple', components: [poolKey, bool, uint128, uint128, bytes] }] as const
const hop = { type: 'tuple[]', components: [address, ...poolFields, bytes] } as const
const route = [{ type: 'tuple', components: [address, hop, uint128, uint128] }] as const

const permit = 'uses a permit'
const portion = 'gives a part away'
const inV2 = 'buys in Uniswap V2, where nothing of the token is for sale'

/** Known commands and actions that a plain purchase does not use, with the problem in words. */
const unusedCommands: ReadonlyMap<number, string> = new Map([
  [0x02, permit],
  [0x03, permit],
  [0x05, 'transfers tokens'],
  [0x06, portion],
  [0x08, inV2],
  [0x09, inV2],
  [0x0a, permit],
  [0x0d, permit],
])

const unusedActions: typeof unusedCommands = new Map([[0x10, portion]])

const commands: ReadonlyMap<number, Reader> = new Map([
  [0x00, throughV3('in')],
  [0x01, throughV3('out')],
  // The router truncates this minimum to 160 bits.
  [
    0x04,
    reader([address, address, uint160], ([currency, to, least]) => ({
      do: 'sweep',
      currency: lowerCase(currency),
      to: toHolder(to),
      least,
    })),
  ],
  [
    0x0b,
    reader([address, uint256], ([to, amount]) => ({
      do: 'wrap',
      to: toHolder(to),
      amount: amount === wholeBalance ? 'all' : amount,
    })),
  ],
  [0x0c, reader([address, uint256], ([to, least]) => ({ do: 'unwrap', to: toHolder(to), least }))],
])

const actions: ReadonlyMap<number, Reader> = new Map([
  [0x06, singleV4('in')],
  [0x07, routedV4('in')],
  [0x08, singleV4('out')],
  [0x09, routedV4('out')],
  [
    0x0b,
    reader([address, uint256, bool], ([currency, amount, bySender]) => ({
      do: 'settle',
      currency: lowerCase(currency),
      amount: amount === wholeBalance ? 'all' : amount || 'debt',
      guard: unlimited,
      bySender,
    })),
  ],
  [
    0x0c,
    reader([address, uint256], ([currency, guard]) => ({
      do: 'settle',
      currency: lowerCase(currency),
      amount: 'debt',
      guard,
      bySender: true,
    })),
  ],
  [
    0x0e,
    reader([address, address, uint256], ([currency, to, amount]) => ({
      do: 'take',
      currency: lowerCase(currency),
      to: toHolder(to),
      amount: amount || 'all',
      guard: 0n,
    })),
  ],
  [
    0x0f,
    reader([address, uint256], ([currency, guard]) => ({
      do: 'take',
      currency: lowerCase(currency),
      to: 'sender',
      amount: 'all',
      guard,
    })),
  ],
])

const v4Swap = 0x10
const v4Input = [bytes, { type: 'bytes[]' }] as const

/**
 * Decodes commands to steps, with V4 actions inlined; everything that is not a step of a purchase becomes a problem in
 * words.
 */
export function readSteps(
  codes: Hex,
  inputs: readonly Hex[],
): { steps: Step[]; problems: string[] } {
  const steps: Step[] = []
  const problems: string[] = []
  for (const { code, input } of pairInputs('command', codes, inputs, problems)) {
    const [inner, params] = code === v4Swap ? (decodeExactly(v4Input, input) ?? []) : []
    if (inner !== undefined && params) {
      for (const { code, input } of pairInputs('action', inner, params, problems)) {
        add(actions.get(code)?.(input) ?? problemOf('action', code))
      }
    } else {
      add(commands.get(code)?.(input) ?? problemOf('command', code))
    }
  }
  return { steps, problems }

  function add(found: Step | string): void {
    if (typeof found === 'string') problems.push(`its first purchase ${found}`)
    else steps.push(found)
  }
}

function pairInputs(
  kind: 'command' | 'action',
  codes: Hex,
  inputs: readonly Hex[],
  problems: string[],
): { code: number; input: Hex }[] {
  const numbers = codes.slice(2).match(/../gu) ?? []
  if (numbers.length !== inputs.length) {
    problems.push(`its first purchase has ${numbers.length} ${kind}s and ${inputs.length} inputs`)
  }
  return numbers.map((digits, index) => ({
    code: Number.parseInt(digits, 16),
    input: inputs[index] ?? '0x',
  }))
}

/** Explains why a command or action was not decoded. */
function problemOf(kind: 'command' | 'action', code: number): string {
  const name = `${kind} 0x${code.toString(16).padStart(2, '0')}`
  const [readers, refused] =
    kind === 'command' ? [commands, unusedCommands] : [actions, unusedActions]
  if (kind === 'command' && code >= 0x80) return `has ${name}, which may fail unseen`
  const words = refused.get(code)
  if (words !== undefined) return words
  const isKnown = readers.has(code) || (kind === 'command' && code === v4Swap)
  return isKnown ? `has data for ${name} in another layout` : `has ${name}, which is not known`
}

function reader<const Params extends readonly AbiParameter[]>(
  params: Params,
  toStep: (values: DecodeAbiParametersReturnType<Params>) => ReturnType<Reader>,
): Reader {
  return (data) => {
    const values = decodeExactly(params, data)
    return values && toStep(values)
  }
}

function throughV3(exact: 'in' | 'out'): Reader {
  return reader([address, uint256, uint256, bytes, bool], ([to, given, limit, path, bySender]) => {
    const [, first, fee, last] = /^0x(.{40})(.{6})(.{40})$/u.exec(path) ?? []
    if (first === undefined || fee === undefined || last === undefined) return otherTokens
    const [pays, buys] = exact === 'in' ? [first, last] : [last, first]
    return {
      do: 'swap',
      hops: 'router',
      pays: `0x${pays}`,
      buys: `0x${buys}`,
      pool: { fee: Number.parseInt(fee, 16) },
      exact,
      given: exact === 'in' && given === wholeBalance ? 'all' : given,
      limit,
      to: toHolder(to),
      bySender,
    }
  })
}

function singleV4(exact: 'in' | 'out'): Reader {
  return reader(single, ([[key, zeroForOne, given, limit, data]]) => {
    const [one, other, fee, tickSpacing, hooks] = key
    const [pays, buys] = zeroForOne ? [one, other] : [other, one]
    return data === '0x'
      ? tradeV4(exact, { pays, buys, fee, tickSpacing, hooks, given, limit })
      : hookData
  })
}

function routedV4(exact: 'in' | 'out'): Reader {
  return reader(route, ([[end, path, given, limit]]) => {
    const [first, ...more] = path
    if (!first || more.length > 0) return otherTokens
    const [other, fee, tickSpacing, hooks, data] = first
    const [pays, buys] = exact === 'in' ? [end, other] : [other, end]
    return data === '0x'
      ? tradeV4(exact, { pays, buys, fee, tickSpacing, hooks, given, limit })
      : hookData
  })
}

function tradeV4(
  exact: 'in' | 'out',
  trade: { pays: string; buys: string; given: bigint; limit: bigint } & Required<SwapPool>,
): Step {
  const { pays, buys, fee, tickSpacing, hooks, given, limit } = trade
  const pool = { fee, tickSpacing, hooks: lowerCase(hooks) }
  return {
    do: 'swap',
    hops: 'pool',
    pays: lowerCase(pays),
    buys: lowerCase(buys),
    pool,
    exact,
    given: given || 'all',
    limit,
    to: 'router',
    bySender: false,
  }
}

function toHolder(to: Address): TokenHolder {
  if (BigInt(to) === 1n) return 'sender'
  return BigInt(to) === 2n || routers.has(lowerCase(to)) ? 'router' : to
}

export function lowerCase(address: string): string {
  return address.toLowerCase()
}

// One set for all chains: nobody can choose what is at these addresses on another chain.

/** Addresses of the router, which payloads may use instead of the placeholder (doppler-sdk 1.0.37). */
const routers = new Set([
  '0x66a9893cc07d91d95644aedd05d03f95e1dba8af',
  '0x3a9d48ab9751398bbfa63ad67599bb04e4bdf98b',
  '0xa51afafe0263b40edaef0df8781ea9aa03e381a3',
  '0x6ff5693b99212da76ad316178a184ab56d299b43',
  '0x492e6456d9528771018deb9e87ef7750ef184104',
  '0x112908dac86e20e7241b0927479ea3bf935d1fa0',
  '0x8876789976decbfcbbbe364623c63652db8c0904',
  '0xef740bf23acae26f6492b10de645d6b98dc8eaf3',
  '0xf70536b3bcc1bd1a972dc186a2cf84cc6da6be5d',
  '0x0d97dc33264bfc1c226207428a79b26757fb9dc3',
])

/** Wrapped native coins of the chains' routers (doppler-sdk 1.0.37). */
export const wrappedCoins = new Set([
  '0x4200000000000000000000000000000000000006',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
  '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
  '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
  '0x3bd359c1119da7da1d913d1c4d2b7c461115433a',
])

/** Min and max possible amounts. */
export interface Range {
  least: bigint
  most: bigint
}

/** Max of an unlimited amount. */
export const unlimited = 2n ** 256n - 1n
/** The amount 0. */
export const emptyRange: Range = { least: 0n, most: 0n }

export function exactly(amount: bigint): Range {
  return { least: amount, most: amount }
}

export function negative({ least, most }: Range): Range {
  return { least: -most, most: -least }
}

export function positive({ least, most }: Range): Range {
  return { least: larger(least, 0n), most: larger(most, 0n) }
}

export function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
