import type { Address } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { sqrtPriceAt } from '../../../src/chain/airlock/curve.ts'
import { type Effects, effectsOf } from '../../../src/chain/airlock/effects.ts'
import { decodePayload } from '../../../src/chain/airlock/modules.ts'
import { isDeviation } from '../../../src/launch/table.ts'
import { type Check, type Rehearsal, verdictOf } from '../../../src/launch/verdict.ts'
import { rehearsePayload, storedRehearsal } from '../../../src/launch/verify.ts'
import { bundler, path, plan, v3In, wrap } from '../chain/airlock/plans.ts'
import {
  book,
  encodeBundle,
  sale,
  somebody,
  staticSale,
  tokenAddress,
  v3Pool,
} from '../chain/airlock/sdk.ts'

// A launch that buys in its own transaction, as its rehearsal shows it.

const wallet = somebody('ada')
const dead: Address = '0x000000000000000000000000000000000000dEaD'
const pool = somebody('pool')
/** At the tick at which the V3 pool below opens. */
const opens = sqrtPriceAt(225_000)
const asked = { least: 7n * 10n ** 18n, paid: 10n ** 15n }
let params: Awaited<ReturnType<typeof staticSale>>
beforeAll(async () => {
  params = await staticSale({ pool: { ...v3Pool, fee: 10_000, startTick: 175_000 } })
})

function payload(to: Address) {
  const bought = v3In(asked.paid, asked.least, to, path(sale.numeraire, tokenAddress))
  const { commands, inputs } = plan(wrap(asked.paid), bought)
  const calldata = encodeBundle(params, commands, inputs)
  const decoded = decodePayload(calldata, book)
  if (!decoded.call) throw new Error(decoded.problems.join())
  const effects = effectsOf(decoded, { token: tokenAddress, quoteDecimals: 18 })
  const modules = decoded.modules.flatMap(({ module }) => module ?? [])
  return { calldata, effects, modules }
}

/** A rehearsal in which each of these has so many base units of what the pool was given. */
function rehearsal(effects: Effects, got: readonly [who: Address, amount: bigint][]): Rehearsal {
  const away = got.reduce((sum, [, amount]) => sum + amount, 0n)
  const holders: [Address, bigint][] = [
    [pool, (effects.pool ?? 0n) - away],
    [dead, effects.rest ?? 0n],
    ...got,
  ]
  return {
    holders: holders.map(([address, amount]) => ({ address, amount: String(amount) })),
    timelock: dead,
    governance: dead,
    integrator: params.integrator,
    taken: { coins: String(asked.paid), quote: '0' },
    pool: { holders: [pool], sqrtPrice: String(opens) },
  }
}

/** The rows of this launch, where its rehearsal and what was found besides are these. */
function told(
  to: Address,
  got: readonly [who: Address, amount: bigint][],
  { found, shown }: { found?: Partial<Check>; shown?: Partial<Rehearsal> } = {},
) {
  const { calldata, effects, modules } = payload(to)
  const check: Check = {
    token: tokenAddress,
    quote: { symbol: 'WETH', known: true, decimals: 18 },
    now: 1_700_000_000,
    modules,
    asked: {
      purchase: { paid: '0.001', least: '7', to: to === bundler ? 'you' : to },
      integrator: effects.integrator.toLowerCase(),
    },
    rehearsal: { ...rehearsal(effects, got), ...shown },
    metadata: { kind: 'same' },
    doubts: [],
    ...found,
  }
  return verdictOf(calldata, wallet, check, 'ETH').rows
}

/** The rows about what tokens somebody has, that keep it from being verified. */
function departing(to: Address, got: readonly [who: Address, amount: bigint][]) {
  return told(to, got)
    .filter((row) => isDeviation(row) && ['sale', 'purchase', 'rest', 'stranger'].includes(row.key))
    .map(({ key, does = [] }) => [
      key,
      ...does.flatMap((word) => (typeof word === 'object' ? [word] : [])),
    ])
}

test('what the first purchase takes from the pool is its buyer’s: the sender’s, if the bundler hands it on', () => {
  expect(departing(bundler, [[wallet, asked.least]])).toEqual([])
  expect(departing(somebody('bob'), [[somebody('bob'), asked.least + 5n]])).toEqual([])
})

test('less than was said, or tokens for anybody else, is a departure', () => {
  expect(departing(bundler, [[wallet, asked.least - 1n]])).toEqual([['purchase']])
  const thief = somebody('thief')
  const shared = departing(bundler, [
    [wallet, asked.least],
    [thief, 10n ** 24n],
  ])
  expect(shared).toEqual([['stranger', { account: thief }], ['sale']])
  expect(departing(somebody('bob'), [[wallet, asked.least]])).toContainEqual([
    'stranger',
    { account: wallet },
  ])
})

describe('a rehearsal shows', () => {
  const shown = (rehearsed: Partial<Rehearsal>) =>
    told(bundler, [[wallet, asked.least]], { shown: rehearsed }).flatMap(({ why }) => why ?? [])
  const paid = String(asked.paid)
  const more = String(asked.paid + 1n)
  const money = 'the rehearsal takes money from your wallet that the payload does not send along'
  const unsold = 'what was bought in the rehearsal could not be sold again'
  const other = (label: string) => `the rehearsal shows something else for “${label}”`

  test.each<[what: string, Partial<Rehearsal>, why: string]>([
    ['more coins taken than go along', { taken: { coins: more, quote: '0' } }, money],
    ['quote token taken', { taken: { coins: paid, quote: '1' } }, money],
    ['that nothing can be sold again', { cannotSell: 'it reverts' }, unsold],
    ['another integrator', { integrator: somebody('thief') }, other('Integrator')],
    ['another first price', { pool: { holders: [pool], sqrtPrice: '1' } }, other('Opening price')],
    ['another holder of the rest', { timelock: somebody('thief') }, other('Rest of the supply')],
    ['that nothing can be bought', { bought: { refused: 'it reverts' } }, other('Trading')],
  ])('%s: that is a departure', (_, rehearsed, why) => {
    expect(shown(rehearsed)).toContain(why)
  })
})

test('of a rehearsal what leaves the wallet is kept, and a sale that was tried and failed', () => {
  const nobody = somebody('nobody')
  const pools = { pool, migrationPool: pool, poolInitializer: pool, liquidityMigrator: pool }
  const owners = { timelock: dead, governance: dead, integrator: nobody, numeraire: nobody }
  const amounts = { numTokensToSell: 1n, totalSupply: 1n }
  const rehearsed = {
    holders: [],
    supply: 1n,
    pool: undefined,
    assetData: { ...pools, ...owners, ...amounts },
    protocol: nobody,
    spent: 7n,
    moved: [
      { from: wallet, to: nobody, amount: 2n },
      { from: wallet, to: pool, amount: 3n },
      { from: nobody, to: wallet, amount: 100n },
    ],
  }
  expect(storedRehearsal(rehearsed, wallet).taken).toEqual({ coins: '7', quote: '5' })
  const sells = (sell: { refused: string; untried?: true }) =>
    storedRehearsal({ ...rehearsed, sell }, wallet).cannotSell
  expect(sells({ refused: 'no' })).toBe('no')
  expect(sells({ refused: 'no', untried: true })).toBeUndefined()
})

test('a payload is rehearsed as it will be sent: by the wallet, with what it pays', async () => {
  const { calldata } = payload(bundler)
  const decoded = decodePayload(calldata, book)
  if (!decoded.call) throw new Error('it was not read')
  const sent = { to: bundler, airlock: pool, calldata, wallet, token: tokenAddress }
  const asked: unknown[] = []
  const rehearse = async (subject: unknown) => {
    asked.push(subject)
    return { kind: 'refused', reason: 'no' } as const
  }
  await rehearsePayload({ rehearse }, sent, decoded)
  expect(asked).toMatchObject([
    {
      to: bundler,
      airlock: pool,
      calldata,
      from: wallet,
      value: 10n ** 15n,
      token: tokenAddress,
      quote: sale.numeraire,
      supply: params.initialSupply,
    },
  ])
})
