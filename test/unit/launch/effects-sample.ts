import type { Address } from 'viem'
import type { Effects, HookUse } from '../../../src/chain/airlock/effects.ts'
import type { HookData } from '../../../src/chain/airlock/layouts.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Span } from '../../../src/core/view.ts'
import { mapSpan, type Viewpoint } from '../../../src/launch/table/value.ts'
import { type Asked, type Row, type RowKey, tableOf } from '../../../src/launch/table.ts'
import { somebody } from '../chain/airlock/sample.ts'

// A launch as it was worked out from its payload, and how the table tells it.

export const whole = 10n ** 18n
export const day = 86_400
/** 2030-01-01. */
export const now = 1_893_456_000
export const you = somebody('ada')
export const bob = somebody('bob')
export const eve = somebody('eve')
export const integrator = somebody('integrator')
export const protocol = somebody('protocol')
export const weth: Address = '0x4200000000000000000000000000000000000006'

const factory = somebody('token factory')
const initializer = somebody('pool initializer')

export const viewpoint: Viewpoint = {
  wallet: you,
  modules: new Map([
    [factory.toLowerCase(), 'DERC20 token'],
    [initializer.toLowerCase(), 'Multicurve'],
  ]),
  integrator,
  protocol,
  now,
  quote: { symbol: 'WETH', known: true, decimals: 18 },
}

export function percent(part: number): bigint {
  return BigInt(Math.round(part * 1e6)) * 10n ** 10n
}

export function tokens(amount: number): bigint {
  return BigInt(amount) * whole
}

/** A locked multicurve of a billion tokens, of which 60% are for sale. */
export const otterLaunch: Effects = {
  supply: tokens(1e9),
  forSale: tokens(6e8),
  pool: tokens(6e8),
  rest: tokens(4e8),
  restTo: 'nobody',
  vesting: [],
  minting: 0n,
  quote: weth,
  integrator,
  modules: [
    { kind: 'token factory', address: factory, module: undefined },
    { kind: 'pool initializer', address: initializer, module: undefined },
  ],
  name: 'Moon Otter',
  symbol: 'OTTER',
  uri: 'ipfs://otter',
  opening: { numerator: 15n, denominator: 10n ** 9n },
  end: { numerator: 6n, denominator: 10n ** 6n },
  cost: tokens(1000),
  buys: tokens(36_000_000),
  shape: 'spacing 8, ticks -180000 to -120000 in 10 positions',
  fee: { first: 10_000, last: 10_000, seconds: 0 },
  shares: [
    { to: protocol, share: percent(5) },
    { to: you, share: percent(95) },
  ],
  locked: true,
  governance: { form: 'none' },
  problems: [],
}

/** A Rehype hook that takes 1% and pays the beneficiaries of the launch. */
export function hookUse(data: Partial<HookData> = {}, first = 10_000): HookUse {
  const parts = [0n, 0n, whole, 0n, 0n, 0n, whole, 0n]
  return {
    hook: { kind: 'hook', address: somebody('hook'), module: undefined },
    fee: { first, last: first, seconds: 0 },
    data: {
      numeraire: weth,
      buybackTo: you,
      fee: { startFee: first, endFee: first, duration: 0, startingTime: 0 },
      routing: 0,
      distribution: parts,
      beneficiaries: [
        { beneficiary: you, shares: percent(95) },
        { beneficiary: protocol, shares: percent(5) },
      ],
      ...data,
    },
  }
}

/** Words as a person reads them: accounts by their first characters, times as dates. */
export function say(words: Span = ''): string {
  const named = (span: Span) =>
    typeof span === 'object' && 'code' in span ? nameOf(span.code) : span
  return plainText([mapSpan(words, named)])
}

const names: Readonly<Record<string, string>> = { [bob]: 'BOB', [eve]: 'EVE', [integrator]: 'INT' }

function nameOf(account: string): string {
  const [, name] =
    Object.entries(names).find(([each]) => each.toLowerCase() === account.toLowerCase()) ?? []
  return name ?? account.slice(0, 6)
}

export interface Scene {
  effects?: Partial<Effects> | undefined
  asked?: Asked
  view?: Partial<Viewpoint> | undefined
}

/** The table of the otter's launch with these changes. */
export function table({ effects, asked = {}, view }: Scene = {}): Row[] {
  return tableOf({ ...otterLaunch, ...effects }, asked, { ...viewpoint, ...view })
}

/** One row of it. */
export function rowOf(key: RowKey, scene: Scene = {}): Row {
  const row = table(scene).find((each) => each.key === key)
  if (!row) throw new Error(`there is no row ${key}`)
  return row
}

/** What the payload does in that row, in words. */
export function rowWords(
  key: RowKey,
  effects: Partial<Effects> = {},
  view: Partial<Viewpoint> = {},
) {
  return say(rowOf(key, { effects, view }).does)
}
