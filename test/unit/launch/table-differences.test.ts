import { describe, expect, test } from 'vitest'
import { type Asked, type RowKey, valuesOf } from '../../../src/launch/table.ts'
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
  type Scene,
  table,
  tokens,
  viewpoint,
  weth,
  whole,
  you,
} from './effects-told.ts'

type Case = [what: string, key: RowKey, asked: unknown, scene?: Scene]

const at = (seconds: number) => ({ at: now + seconds })
const shared = (...lines: [to: string, percent: string][]) =>
  lines.map(([to, percent]) => ({ to, percent }))
const vests = (to: typeof you, amount: bigint, duration = 365 * day, cliff = 0) => ({
  vesting: [{ to, amount, duration: BigInt(duration), cliff: BigInt(cliff) }],
})
const graduation = {
  to: 'v4' as const,
  liquidity: [{ to: 'locked' as const, share: whole, seconds: 30 * day }],
}
const dao = { form: 'dao', name: '', votingDelay: 1, votingPeriod: 7_200, threshold: 0n } as const
const third = tokens(1e9) / 3n

const same: Case[] = [
  ['a supply', 'supply', '1000000000'],
  ['a sale to the token', 'sale', { tokens: '600000000', percent: '60' }],
  [
    'tokens to vest',
    'vesting',
    [{ to: you, tokens: '50000000' }],
    { effects: vests(you, tokens(5e7)) },
  ],
  [
    'percent to vest',
    'vesting',
    [{ to: 'you', percent: '5' }],
    { effects: vests(you, tokens(5e7)) },
  ],
  [
    'percent of a supply that does not divide, rounded down as the interface does',
    'vesting',
    [{ to: bob, percent: '33.3333333333333333' }],
    { effects: vests(bob, (tokens(1e9) * 333333333333333333n) / whole) },
  ],
  [
    'a schedule',
    'vesting',
    [{ to: bob, percent: '5', duration: 365 * day, cliff: 30 * day }],
    { effects: vests(bob, tokens(5e7), 365 * day, 30 * day) },
  ],
  ['nothing to vest', 'vesting', []],
  ['the rest for nobody', 'rest', { to: 'nobody', percent: '40' }],
  [
    'the rest for the burn address',
    'rest',
    { to: '0x000000000000000000000000000000000000dEaD', percent: '40' },
  ],
  ['a quote token in capitals', 'quote', weth.toUpperCase().replace('0X', '0x')],
  ['an opening market cap', 'opening', { cap: '15' }],
  ['a range of it', 'opening', { cap: ['10', '20'] }],
  ['the ends of that range', 'opening', { cap: ['15', '15'] }],
  ['a fee', 'tradingFee', { first: '1' }],
  [
    'a falling fee',
    'tradingFee',
    { first: '80', last: '1', seconds: 600 },
    { effects: { fee: { first: 800_000, last: 10_000, seconds: 600 } } },
  ],
  ['shares in any order', 'shares', shared(['protocol', '5'], ['you', '95'])],
  ['shares by address', 'shares', shared([you, '95'], [protocol, '5'])],
  [
    'a share in two parts',
    'shares',
    shared(['you', '90'], ['protocol', '5'], [you.toLowerCase(), '5']),
  ],
  [
    'shares where nobody knows the protocol’s address',
    'shares',
    shared(['you', '95'], ['protocol', '5']),
    { view: { protocol: undefined } },
  ],
  [
    'shares of nothing',
    'shares',
    { ofNothing: shared(['you', '95'], ['protocol', '5']) },
    { effects: { fee: { first: 0, last: 0, seconds: 0 } } },
  ],
  ['the integrator', 'integrator', 'integrator'],
  ['the integrator by address', 'integrator', integrator.toLowerCase()],
  ['a start at once', 'trading', { from: 'now' }],
  ['a start at a time', 'trading', { from: at(3600) }, { effects: { starts: now + 3600 } }],
  [
    'a start some time after it is built, not to the minute',
    'trading',
    { from: { in: 3600 }, seconds: day },
    { effects: { starts: now + 3300, ends: now + 3300 + day } },
  ],
  ['a locked pool', 'proceeds', { locked: true }],
  [
    'liquidity that is locked for the DAO',
    'liquidity',
    [{ to: 'locked dao', percent: '100', seconds: 30 * day }],
    { effects: { graduation, restTo: 'dao' } },
  ],
  [
    'liquidity that is locked for somebody, whatever the case of the address',
    'liquidity',
    [{ to: `locked ${bob}`, percent: '100', seconds: 30 * day }],
    { effects: { graduation, restTo: bob } },
  ],
  ['no governance', 'governance', { form: 'none' }],
  ['a row that must not be there', 'limit', null],
]

describe('what was asked is the same', () => {
  test.each(same)('%s', (_, key, asked, scene = {}) => {
    const found = table({ ...scene, asked: { [key]: asked } }).find((row) => row.key === key)
    expect(found?.state ?? 'absent').toBe(asked === null ? 'absent' : 'same')
  })
})

const different: Case[] = [
  ['a unit more of supply', 'supply', '1000000000', { effects: { supply: tokens(1e9) + 1n } }],
  [
    'a unit more for sale',
    'sale',
    { tokens: '600000000', percent: '60' },
    { effects: { forSale: tokens(6e8) + 1n } },
  ],
  [
    'a pool that takes less of it',
    'sale',
    { tokens: '600000000', percent: '60', pool: '60' },
    { effects: { pool: tokens(599e6) } },
  ],
  [
    'a unit more to vest',
    'vesting',
    [{ to: you, tokens: '50000000' }],
    { effects: vests(you, tokens(5e7) + 1n) },
  ],
  [
    'a unit less than a third',
    'vesting',
    [{ to: you, percent: '33.3333333333333333' }],
    { effects: vests(you, third - 10n ** 12n) },
  ],
  [
    'vesting for somebody else',
    'vesting',
    [{ to: you, percent: '5' }],
    { effects: vests(bob, tokens(5e7)) },
  ],
  ['vesting that nobody asked for', 'vesting', [], { effects: vests(eve, 1n) }],
  ['vesting that does not come', 'vesting', [{ to: you, percent: '5' }]],
  [
    'vesting over another time',
    'vesting',
    [{ to: you, percent: '5', duration: 365 * day }],
    { effects: vests(you, tokens(5e7), 366 * day) },
  ],
  [
    'another cliff',
    'vesting',
    [{ to: you, percent: '5', cliff: 0 }],
    { effects: vests(you, tokens(5e7), 365 * day, 1) },
  ],
  ['the rest for somebody', 'rest', { to: 'nobody', percent: '40' }, { effects: { restTo: eve } }],
  ['a rest where none was asked', 'rest', { to: 'nobody', percent: '0' }],
  ['minting', 'minting', null, { effects: { minting: 1n } }],
  ['another quote token', 'quote', bob],
  ['a market cap below the range', 'opening', { cap: ['15.01', '20'] }],
  ['a market cap above the range', 'opening', { cap: ['10', '14.99'] }],
  ['another market cap', 'opening', { cap: '15.1' }],
  [
    'an end of the curve that is not there',
    'curve',
    { to: '1', cap: '1', falls: false },
    { effects: { end: { numerator: 7n, denominator: 10n ** 6n } } },
  ],
  [
    'a fee one millionth higher',
    'tradingFee',
    { first: '1' },
    { effects: { fee: { first: 10_001, last: 10_001, seconds: 0 } } },
  ],
  [
    'a fee that falls later',
    'tradingFee',
    { first: '80', last: '1', seconds: 600 },
    { effects: { fee: { first: 800_000, last: 10_000, seconds: 600, from: now + 60 } } },
  ],
  ['a fee that does not fall', 'tradingFee', { first: '1', last: '0.5', seconds: 60 }],
  ['shares of somebody else', 'shares', shared([bob, '95'], ['protocol', '5'])],
  ['a smaller share', 'shares', shared(['you', '95.001'], ['protocol', '4.999'])],
  ['no shares', 'shares', shared(['you', '95'], ['protocol', '5']), { effects: { shares: [] } }],
  [
    'shares of nothing',
    'shares',
    shared(['you', '95'], ['protocol', '5']),
    { effects: { fee: { first: 0, last: 0, seconds: 0 } } },
  ],
  [
    'more than the protocol was to get for an account that may be the protocol’s',
    'shares',
    shared(['you', '95'], ['protocol', '5']),
    {
      view: { protocol: undefined },
      effects: {
        shares: [
          { to: eve, share: percent(6) },
          { to: you, share: percent(94) },
        ],
      },
    },
  ],
  [
    'two accounts where one may be the protocol’s',
    'shares',
    shared(['you', '95'], ['protocol', '5']),
    {
      view: { protocol: undefined },
      effects: {
        shares: [
          { to: protocol, share: percent(2.5) },
          { to: eve, share: percent(2.5) },
          { to: you, share: percent(95) },
        ],
      },
    },
  ],
  [
    'shares for an account more',
    'shares',
    shared(['you', '95'], ['protocol', '5']),
    { effects: { shares: [...(otterLaunch.shares ?? []), { to: eve, share: 1n }] } },
  ],
  ['another integrator', 'integrator', 'integrator', { effects: { integrator: eve } }],
  ['a start a second later', 'trading', { from: at(60) }, { effects: { starts: now + 61 } }],
  [
    'a start a quarter of an hour and a second later than usual',
    'trading',
    { from: { in: 60 } },
    { effects: { starts: now + 961 } },
  ],
  [
    'an end a second earlier',
    'trading',
    { from: { in: 60 }, seconds: day },
    { effects: { starts: now + 60, ends: now + 59 + day } },
  ],
  [
    'a pool that graduates',
    'proceeds',
    { locked: true },
    { effects: { locked: false, graduation } },
  ],
  [
    'liquidity that is unlocked earlier',
    'liquidity',
    [{ to: 'locked dao', percent: '100', seconds: 31 * day }],
    { effects: { graduation, restTo: 'dao' } },
  ],
  [
    'governance',
    'governance',
    { form: 'none' },
    { effects: { governance: { form: 'multisig', account: you } } },
  ],
  ['a hook', 'hook', null, { effects: { hook: hookUse() } }],
]

describe('what was asked is not the same', () => {
  test.each(different)('%s', (_, key, asked, scene = {}) => {
    expect(rowOf(key, { ...scene, asked: { [key]: asked } }).state).toBe('different')
  })

  test('as a row that is not there at all', () => {
    const asked = { laterFee: { percent: '0.3', dynamic: false, spacing: 60 } }
    const row = rowOf('laterFee', { asked })
    expect(row).toMatchObject({ state: 'different', does: ['none'] })
  })
})

const unusual: [why: string, key: RowKey, scene: Scene, calm?: Scene][] = [
  [
    'vesting takes more than four years',
    'vesting',
    { effects: vests(you, 1n, 5 * 365 * day) },
    { effects: vests(you, 1n, 4 * 365 * day) },
  ],
  [
    'part of the supply goes to an account that nobody named',
    'rest',
    { effects: { restTo: eve } },
    { effects: { restTo: you } },
  ],
  [
    'new tokens can be minted later',
    'minting',
    { effects: { minting: 1n, locked: false, graduation, restTo: 'dao' } },
  ],
  ['minting is set, though it never begins', 'minting', { effects: { minting: 1n } }],
  [
    'an account that nobody named controls the balance limit',
    'limit',
    { effects: { limit: { most: 1n, until: now, controller: eve, excluded: [] } } },
    { effects: { limit: { most: 1n, until: now, controller: you, excluded: [] } } },
  ],
  [
    'buyers pay with a token that this bot does not know',
    'quote',
    { view: { quote: { symbol: 'ROTT', known: false, decimals: 18 } } },
    {},
  ],
  [
    'the opening market cap is less than a dollar',
    'opening',
    {
      effects: { opening: { numerator: 3n, denominator: 10n ** 13n } },
      view: { quote: { ...viewpoint.quote, usd: '3000' } },
    },
    {
      effects: { opening: { numerator: 4n, denominator: 10n ** 12n } },
      view: { quote: { ...viewpoint.quote, usd: '3000' } },
    },
  ],
  [
    'the opening market cap is less than a thousandth of a quote token',
    'opening',
    {
      effects: { opening: { numerator: 999n, denominator: 10n ** 15n } },
      view: { quote: { ...viewpoint.quote, usd: '9900000' } },
    },
    {
      effects: { opening: { numerator: 1000n, denominator: 10n ** 15n } },
      view: { quote: { ...viewpoint.quote, usd: '9900000' } },
    },
  ],
  [
    'all that is for sale costs less than a thousandth of a quote token',
    'curve',
    { effects: { end: { numerator: 1n, denominator: 10n ** 6n }, cost: 10n ** 15n - 1n } },
    { effects: { end: { numerator: 1n, denominator: 10n ** 6n }, cost: 10n ** 15n } },
  ],
  [
    'the price hardly rises, however many buy',
    'curve',
    {
      effects: {
        opening: { numerator: 100n, denominator: 10n ** 9n },
        end: { numerator: 109n, denominator: 10n ** 9n },
      },
    },
    {
      effects: {
        opening: { numerator: 100n, denominator: 10n ** 9n },
        end: { numerator: 111n, denominator: 10n ** 9n },
      },
    },
  ],
  [
    'nobody may hold even a thousandth of the supply',
    'limit',
    {
      effects: {
        limit: { most: 10n ** 24n - 1n, until: now + 60, controller: you, excluded: [] },
      },
    },
    { effects: { limit: { most: 10n ** 24n, until: now + 60, controller: you, excluded: [] } } },
  ],
  [
    'the balance limit holds for more than a year',
    'limit',
    {
      effects: {
        limit: { most: 10n ** 25n, until: now + 367 * 86_400, controller: you, excluded: [] },
      },
    },
    {
      effects: {
        limit: { most: 10n ** 25n, until: now + 365 * 86_400, controller: you, excluded: [] },
      },
    },
  ],
  [
    'what is raised can never leave the auction',
    'proceeds',
    { effects: { locked: false, raise: { min: 1n, max: 2n } } },
    { effects: { locked: false, raise: { min: 1n, max: 2n }, graduation } },
  ],
  [
    'the trading fee is above 5%',
    'tradingFee',
    { effects: { fee: { first: 50_001, last: 3000, seconds: 1 } } },
    { effects: { fee: { first: 50_000, last: 50_000, seconds: 0 } } },
  ],
  [
    'the trading fee is above 5%',
    'tradingFee',
    { effects: { fee: { first: 3000, last: 50_001, seconds: 1 } } },
    { effects: { fee: { first: 3000, last: 50_000, seconds: 1 } } },
  ],
  [
    'an account that nobody named gets fees',
    'shares',
    {
      effects: {
        shares: [
          { to: you, share: percent(94) },
          { to: eve, share: percent(6) },
        ],
      },
      view: { protocol: undefined },
    },
    {
      effects: {
        shares: [
          { to: you, share: percent(95) },
          { to: eve, share: percent(5) },
        ],
      },
      view: { protocol: undefined },
    },
  ],
  [
    'the hook’s fee is above 5%',
    'hook',
    { effects: { hook: hookUse({}, 50_001) } },
    { effects: { hook: hookUse() } },
  ],
  [
    'an account that nobody named gets what the hook takes',
    'hook',
    {
      effects: {
        hook: hookUse({
          buybackTo: eve,
          distribution: [whole, 0n, 0n, 0n, 0n, 0n, whole, 0n],
        }),
      },
    },
    { effects: { hook: hookUse({ buybackTo: eve }) } },
  ],
  [
    'an account that nobody named gets what the hook takes',
    'laterHook',
    {
      effects: {
        graduation: { ...graduation, hook: hookUse({ buybackTo: eve, beneficiaries: [] }) },
      },
    },
    {
      effects: {
        graduation: { ...graduation, hook: hookUse({ buybackTo: you, beneficiaries: [] }) },
      },
    },
  ],
  [
    'an account that nobody named gets fees',
    'shares',
    {
      effects: {
        shares: [
          { to: eve, share: percent(1) },
          { to: you, share: percent(99) },
        ],
      },
    },
    {
      // It may be the protocol's.
      view: { protocol: undefined },
      effects: {
        shares: [
          { to: eve, share: percent(5) },
          { to: you, share: percent(95) },
        ],
      },
    },
  ],
  [
    'an account that nobody named gets fees',
    'laterShares',
    { effects: { graduation: { ...graduation, shares: [{ to: eve, share: whole }] } } },
    { effects: { graduation: { ...graduation, shares: [{ to: you, share: whole }] } } },
  ],
  [
    'an account that nobody named gets most of the fees',
    'integrator',
    { effects: { integrator: eve, shares: [] } },
    { effects: { integrator: eve } },
  ],
  [
    'part of what is raised goes to an account that nobody named',
    'proceeds',
    { effects: { locked: false, graduation: { ...graduation, split: { to: eve, share: 1n } } } },
    { effects: { locked: false, graduation: { ...graduation, split: { to: you, share: 1n } } } },
  ],
  [
    'it can never graduate',
    'proceeds',
    { effects: { locked: false, graduation: { ...graduation, fails: true } } },
    { effects: { locked: false, graduation } },
  ],
  [
    'the liquidity goes to an account that nobody named',
    'liquidity',
    { effects: { graduation, restTo: eve } },
    { effects: { graduation, restTo: 'dao' } },
  ],
  [
    'the fee after graduation is above 5%',
    'laterFee',
    { effects: { graduation: { ...graduation, fee: { millionths: 50_001, dynamic: false } } } },
    { effects: { graduation: { ...graduation, fee: { millionths: 50_000, dynamic: false } } } },
  ],
  [
    'an account that nobody named decides alone',
    'governance',
    { effects: { governance: { form: 'multisig', account: eve } } },
    { effects: { governance: { form: 'multisig', account: you } } },
  ],
  [
    'an account that nobody named decides alone',
    'governance',
    { effects: { governance: { form: 'multisig', account: eve } }, view: { integrator: eve } },
  ],
  [
    'part of the supply goes to an account that nobody named',
    'rest',
    { effects: { restTo: eve }, view: { integrator: eve } },
  ],
  [
    'part of what is raised goes to an account that nobody named',
    'proceeds',
    {
      effects: { locked: false, graduation: { ...graduation, split: { to: eve, share: 1n } } },
      view: { integrator: eve },
    },
  ],
  [
    'a vote is so short that hardly anybody can take part',
    'governance',
    { effects: { governance: { ...dao, votingPeriod: 7_199 } } },
    { effects: { governance: { ...dao, votingPeriod: 7_200 } } },
  ],
  [
    'the fees of pool and hook are above 5% together',
    'hook',
    { effects: { hook: hookUse({}, 20_001), fee: { first: 30_000, last: 30_000, seconds: 0 } } },
    { effects: { hook: hookUse({}, 20_000), fee: { first: 30_000, last: 30_000, seconds: 0 } } },
  ],
  [
    'another account is the one that may launch it',
    'binding',
    { effects: { binding: bound(eve) } },
    { effects: { binding: bound(you) } },
  ],
  [
    'it buys tokens in the same transaction, which nobody asked for',
    'purchase',
    { effects: { purchase: { paid: 1n, least: 1n, to: 'sender' } } },
  ],
]

function bound(launcher: typeof you) {
  const word = `0x${'12'.repeat(32)}` as const
  return { launcher, paramsHash: word, expectedAsset: bob, deadline: BigInt(now), signature: word }
}

describe('where nothing was asked', () => {
  test.each(unusual)('it is unusual that %s (%s)', (why, key, scene, calm) => {
    expect(rowOf(key, scene)).toMatchObject({ state: 'unusual', why })
    if (calm) expect(rowOf(key, calm).state).toBe('told')
  })

  test('without a rate to the dollar, a thousandth of a quote token is taken for one', () => {
    const opens = (cap: bigint) =>
      rowOf('opening', { effects: { opening: { numerator: cap, denominator: 10n ** 13n } } }).state
    expect(opens(9n)).toBe('unusual')
    expect(opens(10n)).toBe('told')
  })

  test('the usual launch has nothing unusual', () => {
    expect(table().map(({ state }) => state)).not.toContain('unusual')
  })

  test('vesting of which nobody asked for how long is unusual where it takes more than four years', () => {
    const effects = vests(bob, tokens(5e7), 5 * 366 * day)
    const line = { to: bob, percent: '5' }
    const given = (asked: object) => rowOf('vesting', { effects, asked: { vesting: [asked] } })
    expect(given(line).state).toBe('unusual')
    expect(given({ ...line, duration: 5 * 366 * day }).state).toBe('same')
  })

  test('what was asked is not unusual', () => {
    const effects = { restTo: eve, governance: { form: 'multisig', account: eve } } as const
    const asked: Asked = {
      rest: { to: eve, percent: '40' },
      governance: { form: 'multisig', account: eve },
    }
    expect(rowOf('rest', { effects, asked }).state).toBe('same')
    expect(rowOf('governance', { effects, asked }).state).toBe('same')
  })
})

test('a template that is pinned to a payload finds nothing different in that payload', () => {
  const pinned = valuesOf(otterLaunch, viewpoint)
  expect(new Set(table({ asked: pinned }).map(({ state }) => state))).toEqual(new Set(['same']))
})
