import type { AbiParameter, Address, DecodeAbiParametersReturnType, Hex } from 'viem'
import { decodeExactly } from './calldata.ts'

// The commands of Uniswap's Universal Router 2.0 (3fc2b48b, which the bundler is built with) that a purchase needs, and
// the actions of its V4 router (3796e9c4). Later routers have longer layouts, which are not read.

/** Where something goes: the router itself, whoever sends the transaction (by way of the bundler), or an account. */
export type Place = Address | 'router' | 'sender'

/** A pool by what a trade says of it; `tickSpacing` and `hooks` (in lower case) are those of Uniswap V4. */
export interface SwapPool {
  fee: number
  tickSpacing?: number
  hooks?: string
}

/** One thing that the router does. Currencies are in lower case, the zero address is the coin. */
export type Step =
  | { do: 'wrap'; to: Place; amount: bigint | 'all' }
  | { do: 'unwrap'; to: Place; least: bigint }
  | { do: 'sweep'; currency: string; to: Place; least: bigint }
  | {
      do: 'swap'
      /** Out of what the router holds (V3), or against what it has settled or will settle (V4). */
      hops: 'router' | 'pool'
      pays: string
      buys: string
      pool: SwapPool
      exact: 'in' | 'out'
      /** What is paid (in) or bought (out). */
      given: bigint | 'all'
      /** The least that comes (in) or the most that is paid (out). */
      limit: bigint
      to: Place
      bySender: boolean
    }
  | {
      do: 'settle'
      currency: string
      amount: bigint | 'all' | 'debt'
      guard: bigint
      bySender: boolean
    }
  | { do: 'take'; currency: string; to: Place; amount: bigint | 'all'; guard: bigint }

/** Reads a step from its data: text if it is none of a plain purchase, undefined if the data are in another layout. */
type Reader = (data: Hex) => Step | string | undefined

const otherTokens = 'goes through other tokens'
const hookData = 'tells a hook something that is not read'

/** In place of an amount: all that the router holds. */
const whole = 2n ** 255n

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

/** Commands and actions that are known, and do what no plain purchase does. */
const refusedCommands: ReadonlyMap<number, string> = new Map([
  [0x02, permit],
  [0x03, permit],
  [0x05, 'transfers tokens'],
  [0x06, portion],
  [0x08, inV2],
  [0x09, inV2],
  [0x0a, permit],
  [0x0d, permit],
])

const refusedActions: typeof refusedCommands = new Map([[0x10, portion]])

const commands: ReadonlyMap<number, Reader> = new Map([
  [0x00, throughV3('in')],
  [0x01, throughV3('out')],
  // The router keeps no more than 160 bits of this minimum.
  [
    0x04,
    reader([address, address, uint160], ([currency, to, least]) => ({
      do: 'sweep',
      currency: lower(currency),
      to: place(to),
      least,
    })),
  ],
  [
    0x0b,
    reader([address, uint256], ([to, amount]) => ({
      do: 'wrap',
      to: place(to),
      amount: amount === whole ? 'all' : amount,
    })),
  ],
  [0x0c, reader([address, uint256], ([to, least]) => ({ do: 'unwrap', to: place(to), least }))],
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
      currency: lower(currency),
      amount: amount === whole ? 'all' : amount || 'debt',
      guard: endless,
      bySender,
    })),
  ],
  [
    0x0c,
    reader([address, uint256], ([currency, guard]) => ({
      do: 'settle',
      currency: lower(currency),
      amount: 'debt',
      guard,
      bySender: true,
    })),
  ],
  [
    0x0e,
    reader([address, address, uint256], ([currency, to, amount]) => ({
      do: 'take',
      currency: lower(currency),
      to: place(to),
      amount: amount || 'all',
      guard: 0n,
    })),
  ],
  [
    0x0f,
    reader([address, uint256], ([currency, guard]) => ({
      do: 'take',
      currency: lower(currency),
      to: 'sender',
      amount: 'all',
      guard,
    })),
  ],
])

const v4Swap = 0x10
const v4Input = [bytes, { type: 'bytes[]' }] as const

/** The steps of commands, V4 actions among them in their place; what is no step of a purchase is a problem in words. */
export function readSteps(
  codes: Hex,
  inputs: readonly Hex[],
): { steps: Step[]; problems: string[] } {
  const steps: Step[] = []
  const problems: string[] = []
  for (const { code, input } of paired('command', codes, inputs, problems)) {
    const [inner, params] = code === v4Swap ? (decodeExactly(v4Input, input) ?? []) : []
    if (inner !== undefined && params) {
      for (const { code, input } of paired('action', inner, params, problems)) {
        add(actions.get(code)?.(input) ?? faultOf('action', code))
      }
    } else {
      add(commands.get(code)?.(input) ?? faultOf('command', code))
    }
  }
  return { steps, problems }

  function add(found: Step | string): void {
    if (typeof found === 'string') problems.push(`its first purchase ${found}`)
    else steps.push(found)
  }
}

function paired(
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

/** Why no step was read from a command or an action. */
function faultOf(kind: 'command' | 'action', code: number): string {
  const name = `${kind} 0x${code.toString(16).padStart(2, '0')}`
  const [readers, refused] =
    kind === 'command' ? [commands, refusedCommands] : [actions, refusedActions]
  if (kind === 'command' && code >= 0x80) return `has ${name}, which may fail unseen`
  const words = refused.get(code)
  if (words !== undefined) return words
  const isKnown = readers.has(code) || (kind === 'command' && code === v4Swap)
  return isKnown ? `has data for ${name} in another layout` : `has ${name}, which is not known`
}

function reader<const Params extends readonly AbiParameter[]>(
  params: Params,
  tell: (values: DecodeAbiParametersReturnType<Params>) => ReturnType<Reader>,
): Reader {
  return (data) => {
    const values = decodeExactly(params, data)
    return values && tell(values)
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
      given: exact === 'in' && given === whole ? 'all' : given,
      limit,
      to: place(to),
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
  const pool = { fee, tickSpacing, hooks: lower(hooks) }
  return {
    do: 'swap',
    hops: 'pool',
    pays: lower(pays),
    buys: lower(buys),
    pool,
    exact,
    given: given || 'all',
    limit,
    to: 'router',
    bySender: false,
  }
}

function place(to: Address): Place {
  if (BigInt(to) === 1n) return 'sender'
  return BigInt(to) === 2n || routers.has(lower(to)) ? 'router' : to
}

function lower(address: string): string {
  return address.toLowerCase()
}

// Of all chains alike: what stands at one of these addresses on another chain is nobody's to choose.

/** Where the router stands, for who names it by its address (doppler-sdk 1.0.37). */
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

/** The coin wrapped, as the routers of the chains have it (doppler-sdk 1.0.37). */
export const wrappedCoins = new Set([
  '0x4200000000000000000000000000000000000006',
  '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
  '0xfff9976782d46cc05630d1f6ebab18b2324d6b14',
  '0x82af49447d8a07e3bd95bd0d56f35241523fbab1',
  '0x0bd7d308f8e1639fab988df18a8011f41eacad73',
  '0x3bd359c1119da7da1d913d1c4d2b7c461115433a',
])

/** From the least to the most that is possible. */
export interface Range {
  least: bigint
  most: bigint
}

/** The most of something that nothing limits. */
export const endless = 2n ** 256n - 1n
/** None of something. */
export const nothing: Range = { least: 0n, most: 0n }

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
