import { describe, expect, test } from 'vitest'
import type { Effects } from '../../../src/chain/airlock/effects.ts'
import type { Viewpoint } from '../../../src/launch/table/value.ts'
import { type Asked, type RowKey, valuesOf } from '../../../src/launch/table.ts'
import { somebody } from '../chain/airlock/sample.ts'
import {
  bob,
  day,
  eve,
  hookUse,
  integrator,
  now,
  otterLaunch,
  percent,
  protocol,
  rowOf,
  say,
  table,
  tokens,
  viewpoint,
  weth,
  whole,
  you,
} from './effects-sample.ts'

// That every value of a payload is compared with what is pinned is a property in table.test.ts. Here stand what counts
// as the same though it is written otherwise, how little makes a difference, and what is unusual unless it was asked for.

type Account = typeof you
const at = (seconds: number) => ({ at: now + seconds })
const shared = (...lines: [to: string, percent: string][]) =>
  lines.map(([to, percent]) => ({ to, percent }))
const usual = shared(['you', '95'], ['protocol', '5'])
const vests = (to: Account, amount: bigint, duration = 365 * day, cliff = 0) => ({
  vesting: [{ to, amount, duration: BigInt(duration), cliff: BigInt(cliff) }],
})
const pays = (...lines: [to: Account, percent: number][]): Partial<Effects> => ({
  shares: lines.map(([to, part]) => ({ to, share: percent(part) })),
})
const fees = (first: number, last = first, seconds = 0, from?: number): Partial<Effects> => ({
  fee: { first, last, seconds, ...(from !== undefined && { from }) },
})
const later = {
  to: 'v4' as const,
  liquidity: [{ to: 'locked' as const, share: whole, seconds: 30 * day }],
}
const graduates = (changes: object = {}): Partial<Effects> => ({
  locked: false,
  graduation: { ...later, ...changes },
})
const lockedFor = (restTo: Account | 'dao'): Partial<Effects> => ({ graduation: later, restTo })
const multisig = (account: Account): Partial<Effects> => ({
  governance: { form: 'multisig', account },
})
const dao = { form: 'dao', name: '', votingDelay: 1, votingPeriod: 7_200, threshold: 0n } as const
const third = tokens(1e9) / 3n
const nine = Array.from({ length: 9 }, (_, index) => ({
  to: somebody(`person ${index}`),
  percent: '11',
}))
const unknownProtocol: Partial<Viewpoint> = { protocol: undefined }

type Case = [
  what: string,
  key: RowKey,
  asked: unknown,
  effects?: Partial<Effects>,
  view?: Partial<Viewpoint>,
]

const same: Case[] = [
  ['percent to vest', 'vesting', [{ to: 'you', percent: '5' }], vests(you, tokens(5e7))],
  [
    'percent of a supply that does not divide, rounded down as the API does',
    'vesting',
    [{ to: bob, percent: '33.3333333333333333' }],
    vests(bob, (tokens(1e9) * 333333333333333333n) / whole),
  ],
  ['the burn address', 'rest', { to: '0x000000000000000000000000000000000000dEaD', percent: '40' }],
  ['a quote token in capitals', 'quote', weth.toUpperCase().replace('0X', '0x')],
  ['a range', 'opening', { cap: ['10', '20'] }],
  ['the ends of a range', 'opening', { cap: ['15', '15'] }],
  [
    'more accounts than are shown',
    'shares',
    nine,
    { shares: nine.map(({ to }) => ({ to, share: percent(11) })) },
  ],
  ['shares in any order', 'shares', shared(['protocol', '5'], ['you', '95'])],
  ['shares by address', 'shares', shared([you, '95'], [protocol, '5'])],
  [
    'a share in two parts',
    'shares',
    shared(['you', '90'], ['protocol', '5'], [you.toLowerCase(), '5']),
  ],
  ['shares, the protocol being unknown', 'shares', usual, {}, unknownProtocol],
  ['the integrator by address', 'integrator', integrator.toLowerCase()],
  [
    'a start some time after it is built, not to the minute',
    'trading',
    { from: { in: 3600 }, seconds: day },
    { starts: now + 3300, ends: now + 3300 + day },
  ],
  [
    'an owner after the lock, whatever the case of the address',
    'liquidity',
    [{ to: `locked ${bob}`, percent: '100', seconds: 30 * day }],
    lockedFor(bob),
  ],
]

const different: Case[] = [
  ['a unit of supply', 'supply', '1000000000', { supply: tokens(1e9) + 1n }],
  [
    'a unit for sale',
    'sale',
    { tokens: '600000000', percent: '60' },
    { forSale: tokens(6e8) + 1n },
  ],
  ['a unit to vest', 'vesting', [{ to: you, tokens: '50000000' }], vests(you, tokens(5e7) + 1n)],
  [
    'a unit of a third',
    'vesting',
    [{ to: you, percent: '33.3333333333333333' }],
    vests(you, third - 10n ** 12n),
  ],
  ['vesting that nobody asked for', 'vesting', [], vests(eve, 1n)],
  ['vesting that does not come', 'vesting', [{ to: you, percent: '5' }]],
  [
    'a line that was asked for twice and is there once',
    'vesting',
    [
      { to: bob, percent: '5' },
      { to: bob, percent: '5' },
    ],
    { vesting: [bob, eve].flatMap((to) => vests(to, tokens(5e7)).vesting) },
  ],
  [
    'the last of more accounts than are shown',
    'shares',
    nine.with(8, { to: eve, percent: '11' }),
    { shares: nine.map(({ to }) => ({ to, share: percent(11) })) },
  ],
  [
    'a pool that takes less',
    'sale',
    { tokens: '600000000', percent: '60', pool: '60' },
    { pool: tokens(5e8) },
  ],
  ['less of the rest', 'rest', { to: 'nobody', percent: '40.1' }],
  ['the rest for somebody else', 'rest', { to: 'nobody', percent: '40' }, { restTo: eve }],
  ['minting', 'minting', null, { minting: 1n }],
  ['a cap below the range', 'opening', { cap: ['15.01', '20'] }],
  ['a cap above the range', 'opening', { cap: ['10', '14.99'] }],
  ['another cap', 'opening', { cap: '15.1' }],
  ['a millionth of fee', 'tradingFee', { first: '1' }, fees(10_001)],
  [
    'a fee that falls later',
    'tradingFee',
    { first: '80', last: '1', seconds: 600 },
    fees(800_000, 10_000, 600, now + 60),
  ],
  ['a thousandth of a share', 'shares', shared(['you', '95.001'], ['protocol', '4.999'])],
  ['no shares', 'shares', usual, { shares: [] }],
  ['shares of nothing', 'shares', usual, fees(0)],
  ['an account more', 'shares', usual, pays([protocol, 5], [you, 95], [eve, 0.0001])],
  [
    'more than the protocol’s share for an account that may be the protocol',
    'shares',
    usual,
    pays([eve, 6], [you, 94]),
    unknownProtocol,
  ],
  [
    'two accounts where one may be the protocol',
    'shares',
    usual,
    pays([protocol, 2.5], [eve, 2.5], [you, 95]),
    unknownProtocol,
  ],
  ['a start a second later', 'trading', { from: at(60) }, { starts: now + 61 }],
  [
    'a start over a quarter of an hour later',
    'trading',
    { from: { in: 60 } },
    { starts: now + 961 },
  ],
  [
    'an end a second earlier',
    'trading',
    { from: { in: 60 }, seconds: day },
    { starts: now + 60, ends: now + 59 + day },
  ],
  ['a graduation', 'proceeds', { locked: true }, graduates()],
  ['governance', 'governance', { form: 'none' }, multisig(you)],
  ['a hook', 'hook', null, { hook: hookUse() }],
  ['no row at all', 'laterFee', { percent: '0.3', dynamic: false, spacing: 60 }],
]

describe('a row that was asked for', () => {
  test.each(same)('is the same: %s', (_, key, asked, effects, view) => {
    expect(rowOf(key, { effects, view, asked: { [key]: asked } }).state).toBe('same')
  })

  test.each(different)('is not the same: %s', (_, key, asked, effects, view) => {
    expect(rowOf(key, { effects, view, asked: { [key]: asked } }).state).toBe('different')
  })

  test('is not marked as unusual, however unusual it is', () => {
    const effects = { restTo: eve, ...multisig(eve) }
    const asked: Asked = {
      rest: { to: eve, percent: '40' },
      governance: { form: 'multisig', account: eve },
    }
    expect(rowOf('rest', { effects, asked }).state).toBe('same')
    expect(rowOf('governance', { effects, asked }).state).toBe('same')
  })

  test('of another quote token is recognised even if its symbol is the same', () => {
    const row = rowOf('quote', {
      effects: { quote: eve },
      view: { quote: { ...viewpoint.quote, symbol: 'OTHER' } },
      asked: { quote: weth },
    })
    expect([row.state, say(row.does)]).toEqual(['different', 'OTHER'])
    expect(row.asked).toEqual({ code: weth })
  })

  test('may leave the vesting period open, which is unusual if it is over four years', () => {
    const effects = vests(bob, tokens(5e7), 5 * 366 * day)
    const line = { to: bob, percent: '5' }
    const given = (asked: object) => rowOf('vesting', { effects, asked: { vesting: [asked] } })
    expect(given(line).state).toBe('unusual')
    expect(given({ ...line, duration: 5 * 366 * day }).state).toBe('same')
  })
})

const limit = (most: bigint, until: number, controller: Account): Partial<Effects> => ({
  limit: { maxBalance: most, until, controller, excluded: [] },
})
const opens = (numerator: bigint, denominator: bigint): Partial<Effects> => ({
  opening: { numerator, denominator },
})
const hooked = (...given: Parameters<typeof hookUse>): Partial<Effects> => ({
  hook: hookUse(...given),
})
/** A hook whose fee falls from 80%. */
const falling = (last: number, seconds: number, from?: number): Partial<Effects> => ({
  hook: { ...hookUse(), fee: { first: 800_000, last, seconds, ...(from && { from }) } },
  ...fees(0),
})
const hookedLater = (...given: Parameters<typeof hookUse>): Partial<Effects> => ({
  graduation: { ...later, hook: hookUse(...given) },
})
const intoPool = [0n, 0n, 0n, whole, 0n, 0n, 0n, whole]
const asToken = [whole, 0n, 0n, 0n, 0n, 0n, whole, 0n]
const word = `0x${'12'.repeat(32)}` as const
const bound = (launcher: Account): Partial<Effects> => ({
  binding: {
    launcher,
    paramsHash: word,
    expectedAsset: bob,
    deadline: BigInt(now),
    signature: word,
  },
})
const priced = (usd: string) => ({ quote: { ...viewpoint.quote, usd } })
const eveIntegrates: Partial<Viewpoint> = { integrator: eve }
const end = { numerator: 1n, denominator: 10n ** 6n }
const rises = (to: bigint) => ({
  ...opens(100n, 10n ** 9n),
  end: { numerator: to, denominator: 10n ** 9n },
})
const feesToNobodyNamed = 'an account that nobody named gets fees'
const hookToNobodyNamed = 'an account that nobody named gets what the hook takes'

const unusual: [
  why: string,
  key: RowKey,
  effects: Partial<Effects>,
  /** The most that is not unusual. */
  calm?: Partial<Effects> | undefined,
  view?: Partial<Viewpoint>,
][] = [
  [
    'vesting takes more than four years',
    'vesting',
    vests(you, 1n, 5 * 365 * day),
    vests(you, 1n, 4 * 365 * day),
  ],
  [
    'part of the supply goes to an account that nobody named',
    'rest',
    { restTo: eve },
    { restTo: you },
  ],
  [
    'part of the supply goes to an account that nobody named',
    'rest',
    { restTo: eve },
    undefined,
    eveIntegrates,
  ],
  [
    'new tokens can be minted later',
    'minting',
    { minting: 1n, locked: false, ...lockedFor('dao') },
  ],
  ['minting is set, but never starts', 'minting', { minting: 1n }],
  [
    'an account that nobody named controls the limit per wallet',
    'limit',
    limit(1n, now, eve),
    limit(1n, now, you),
  ],
  [
    'a wallet may not hold even a thousandth of the supply',
    'limit',
    limit(10n ** 24n - 1n, now + 60, you),
    limit(10n ** 24n, now + 60, you),
  ],
  [
    'the limit per wallet lasts more than a year',
    'limit',
    limit(10n ** 25n, now + 367 * day, you),
    limit(10n ** 25n, now + 365 * day, you),
  ],
  [
    'buyers pay with a token that this bot does not know',
    'quote',
    {},
    undefined,
    { quote: { symbol: 'ROTT', known: false, decimals: 18 } },
  ],
  [
    'the market cap at the start is less than a dollar',
    'opening',
    opens(3n, 10n ** 13n),
    opens(4n, 10n ** 12n),
    priced('3000'),
  ],
  [
    'the market cap at the start is less than a thousandth of a quote token',
    'opening',
    opens(999n, 10n ** 15n),
    opens(1000n, 10n ** 15n),
    priced('9900000'),
  ],
  [
    'the market cap at the start is less than a thousandth of a quote token',
    'opening',
    opens(9n, 10n ** 13n),
    opens(10n, 10n ** 13n),
  ],
  [
    'everything for sale costs less than a thousandth of a quote token',
    'curve',
    { end, cost: 10n ** 15n - 1n },
    { end, cost: 10n ** 15n },
  ],
  ['the price hardly rises, no matter how many buy', 'curve', rises(109n), rises(111n)],
  [
    'what is raised can never leave the auction',
    'proceeds',
    { locked: false, raise: { min: 1n, max: 2n } },
    { ...graduates(), raise: { min: 1n, max: 2n } },
  ],
  [
    'part of the money raised goes to an account that nobody named',
    'proceeds',
    graduates({ split: { to: eve, share: 1n } }),
    graduates({ split: { to: you, share: 1n } }),
  ],
  [
    'part of the money raised goes to an account that nobody named',
    'proceeds',
    graduates({ split: { to: eve, share: 1n } }),
    undefined,
    eveIntegrates,
  ],
  ['it can never graduate', 'proceeds', graduates({ fails: true }), graduates()],
  [
    'the liquidity goes to an account that nobody named',
    'liquidity',
    lockedFor(eve),
    lockedFor('dao'),
  ],
  ['the trading fee is above 5%', 'tradingFee', fees(50_001, 3000, 1), fees(50_000)],
  ['the trading fee is above 5%', 'tradingFee', fees(3000, 50_001, 1), fees(3000, 50_000, 1)],
  [
    'the fee after graduation is above 5%',
    'laterFee',
    graduates({ fee: { millionths: 50_001, dynamic: false } }),
    graduates({ fee: { millionths: 50_000, dynamic: false } }),
  ],
  ['the hook’s fee is above 5%', 'hook', hooked({}, 50_001), hooked()],
  ['the hook’s fee is above 5%', 'hook', falling(20_000, 61), falling(20_000, 60)],
  ['the hook’s fee is above 5%', 'hook', falling(50_001, 10), falling(50_000, 10)],
  ['the hook’s fee is above 5%', 'hook', falling(20_000, 10, now + 1), falling(20_000, 10, now)],
  [
    'the fees of pool and hook together are above 5%',
    'hook',
    { ...hooked({}, 20_001), ...fees(30_000) },
    { ...hooked({}, 20_000), ...fees(30_000) },
  ],
  [
    hookToNobodyNamed,
    'hook',
    hooked({ buybackTo: eve, distribution: asToken }),
    hooked({ buybackTo: eve }),
  ],
  [
    hookToNobodyNamed,
    'hook',
    hooked({ buybackTo: eve, distribution: asToken, beneficiaries: [] }),
    { ...hooked({ buybackTo: eve, distribution: asToken, beneficiaries: [] }), integrator: eve },
  ],
  [
    hookToNobodyNamed,
    'hook',
    hooked({
      distribution: intoPool,
      beneficiaries: [{ beneficiary: eve, shares: whole }],
    }),
  ],
  [
    hookToNobodyNamed,
    'laterHook',
    hookedLater({ buybackTo: eve, beneficiaries: [] }),
    hookedLater({ buybackTo: you, beneficiaries: [] }),
  ],
  [
    'an account that nobody named can take what the hook takes',
    'laterHook',
    hookedLater({
      buybackTo: eve,
      routing: 1,
      distribution: intoPool,
      beneficiaries: [{ beneficiary: you, shares: whole }],
    }),
  ],
  [
    feesToNobodyNamed,
    'shares',
    pays([you, 94], [eve, 6]),
    // It may be the protocol's.
    pays([you, 95], [eve, 5]),
    unknownProtocol,
  ],
  [feesToNobodyNamed, 'shares', pays([eve, 1], [you, 99]), pays([you, 100])],
  [
    feesToNobodyNamed,
    'laterShares',
    graduates({ shares: [{ to: eve, share: whole }] }),
    graduates({ shares: [{ to: you, share: whole }] }),
  ],
  [
    'an account that nobody named gets most of the fees',
    'integrator',
    { integrator: eve, shares: [] },
    { integrator: eve },
  ],
  ['an account that nobody named decides alone', 'governance', multisig(eve), multisig(you)],
  [
    'an account that nobody named decides alone',
    'governance',
    multisig(eve),
    undefined,
    eveIntegrates,
  ],
  [
    'votes are so short that hardly anybody can take part',
    'governance',
    { governance: { ...dao, votingPeriod: 7_199 } },
    { governance: dao },
  ],
  ['only another account may launch it', 'binding', bound(eve), bound(you)],
]

test('without a node, who gets the protocol’s share is shown as the protocol, with the address', () => {
  const effects = pays([eve, 5], [you, 95])
  const shown = (asked: object) =>
    say(rowOf('shares', { effects, view: unknownProtocol, asked: { shares: asked } }).does)
  expect(shown(usual)).toBe('95% to you and 5% to the protocol EVE')
  expect(shown([{ to: 'you', percent: '100' }])).toBe('95% to you and 5% to EVE')
  expect(
    shown([
      { to: 'you', percent: '96' },
      { to: 'protocol', percent: '4' },
    ]),
  ).toBe('95% to you and 5% to EVE')
})

describe('a row that was not asked for', () => {
  test.each(unusual)('it is unusual that %s (%s)', (why, key, effects, calm, view) => {
    const row = rowOf(key, { effects, view })
    expect([row.state, say(row.why)]).toEqual(['unusual', why])
    if (calm) expect(rowOf(key, { effects: calm, view }).state).toBe('unasked')
  })

  test('an account that may direct a later hook’s fees to itself is named', () => {
    const effects = hookedLater({ buybackTo: eve, routing: 1, distribution: intoPool })
    expect(say(rowOf('laterHook', { effects }).does)).toContain('can be changed by')
  })

  test('the default launch has nothing unusual', () => {
    expect(table().map(({ state }) => state)).not.toContain('unusual')
  })
})

test('a payload does not differ from a template that is pinned to it', () => {
  const pinned = valuesOf(otterLaunch, viewpoint)
  expect(new Set(table({ asked: pinned }).map(({ state }) => state))).toEqual(new Set(['same']))
})
