import { expect, test } from 'vitest'
import type { Effects } from '../../../src/chain/airlock/effects.ts'
import type { Viewpoint } from '../../../src/launch/table/value.ts'
import { type RowKey, valuesOf } from '../../../src/launch/table.ts'
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
  tokens,
  told,
  viewpoint,
  weth,
  whole,
  you,
} from './effects-sample.ts'

type Case = [key: RowKey, words: string, effects?: Partial<Effects>, view?: Partial<Viewpoint>]

const bits = <Part extends bigint>(...parts: Part[]) => parts
const quote = viewpoint.quote
const year = 365 * day
const asWord = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
const graduation = {
  to: 'v4' as const,
  liquidity: [{ to: 'locked' as const, share: whole, seconds: 30 * day }],
}
const dao = {
  form: 'dao' as const,
  name: 'Moon Otter',
  votingDelay: 7200,
  votingPeriod: 50_400,
  threshold: 0n,
}

const cases: Case[] = [
  ['supply', '1,000,000,000 tokens'],
  ['supply', '1,000,000,000 tokens, a collectible for each 1,000', { collectible: tokens(1000) }],
  ['sale', '600,000,000 tokens (60% of the supply)'],
  [
    'sale',
    '281,000,000 tokens (28.1% of the supply). 60% is named as for sale, but the pool takes no more than this',
    { pool: tokens(281e6) },
  ],
  ['vesting', 'nobody'],
  [
    'vesting',
    '50,000,000 tokens (5%) to you over 365 days, nothing in the first 30 days; 10,000,000.5 tokens (1%) to BOB at once',
    {
      vesting: [
        { to: bob, amount: tokens(1e7) + whole / 2n, cliff: 0n, duration: 0n },
        { to: you, amount: tokens(5e7), cliff: BigInt(30 * day), duration: BigInt(year) },
      ],
    },
  ],
  ['rest', '400,000,000 tokens (40%) to nobody (burned)'],
  ['rest', '400,000,000 tokens (40%) to the token’s DAO', { restTo: 'dao' }],
  ['rest', '400,000,000 tokens (40%) to BOB', { restTo: bob }],
  ['rest', 'nothing is left', { rest: 0n }],
  [
    'minting',
    '2% a year is set, but minting begins at graduation, and it never graduates',
    { minting: percent(2) },
  ],
  [
    'minting',
    'up to 2% of the supply a year from graduation on, to the token’s DAO',
    { minting: percent(2), locked: false, graduation, restTo: 'dao' },
  ],
  [
    'limit',
    'nobody may hold more than 10,000,000 tokens until 2030-01-08 00:00; you can lift it earlier. It does not apply to vesting, nor to BOB, what is burned',
    {
      limit: {
        maxBalance: tokens(1e7),
        until: now + 7 * day,
        controller: you,
        excluded: [bob, '0x000000000000000000000000000000000000dEaD'],
      },
    },
  ],
  [
    'limit',
    'nobody may hold more than 1 token (it has ended already); nobody can lift it earlier',
    {
      limit: {
        maxBalance: whole,
        until: 0,
        controller: '0x0000000000000000000000000000000000000000',
        excluded: [],
      },
    },
  ],
  [
    'limit',
    'nobody may hold more than 1 token until the far future; BOB can lift it earlier',
    { limit: { maxBalance: whole, until: 2 ** 48 - 1, controller: bob, excluded: [] } },
  ],
  ['quote', 'WETH'],
  ['quote', 'ROTT BOB', { quote: bob }, { quote: { symbol: 'ROTT', known: false, decimals: 18 } }],
  ['opening', '0.0₇15 WETH per token, market cap 15.00 WETH. At the start 1 WETH buys 36M tokens'],
  [
    'opening',
    '0.0₇15 WETH per token, market cap 15.00 WETH, about $45K. At the start 1 WETH buys 36M tokens',
    {},
    { quote: { ...quote, usd: '3000' } },
  ],
  [
    'opening',
    '0.0₄15 USDC per token, market cap 15,000.00 USDC, about $15K. At the start 1 USDC buys 66.67K tokens',
    // 15 base units of six decimals for a million tokens’ worth of base units.
    { opening: { numerator: 15n, denominator: 10n ** 18n }, buys: 66_666n * whole + whole / 3n },
    { quote: { symbol: 'USDC', known: true, decimals: 6, usd: '1' } },
  ],
  [
    'curve',
    'rises as people buy, up to 0.0₅6 WETH per token (market cap 6,000.00 WETH). Buying all that is for sale costs 1,000.00 WETH',
  ],
  [
    'curve',
    'falls while nobody buys, down to 0.0₅6 WETH per token (market cap 6,000.00 WETH, about $18M). Buying all that is for sale costs 1,000.00 WETH',
    { raise: { min: 0n, max: whole } },
    { quote: { ...quote, usd: '3000' } },
  ],
  ['shape', 'spacing 8, ticks -180000 to -120000 in 10 positions'],
  [
    'raise',
    'at least 10 WETH; with less it does not graduate, and buyers can only sell back. It ends early at 1,040.5 WETH',
    { raise: { min: tokens(10), max: tokens(1040) + whole / 2n } },
  ],
  ['raise', 'any amount. It ends early at 40 WETH', { raise: { min: 0n, max: tokens(40) } }],
  ['trading', 'starts at once and has no end'],
  ['trading', 'starts at once and has no end', { starts: now - 5 }],
  ['trading', 'starts 2030-01-01 01:00 and has no end', { starts: now + 3600 }],
  [
    'trading',
    'starts 2030-01-01 01:00, lasts 7 days at most, until 2030-01-08 01:00',
    { starts: now + 3600, ends: now + 3600 + 7 * day },
  ],
  ['tradingFee', '1% of each trade'],
  ['tradingFee', '0.0001% of each trade', { fee: { first: 1, last: 1, seconds: 0 } }],
  [
    'tradingFee',
    '80% of each trade at first, falling to 0.3% within 10 minutes',
    { fee: { first: 800_000, last: 3000, seconds: 600 } },
  ],
  [
    'tradingFee',
    '80% of each trade at first, falling to 0.3% within 90 seconds from 2030-01-02 00:00 on',
    { fee: { first: 800_000, last: 3000, seconds: 90, from: now + day } },
  ],
  ['shares', '95% you, 5% the protocol'],
  [
    'shares',
    'you get none: 95% BOB, 5% the protocol',
    {
      shares: [
        { to: bob, share: percent(95) },
        { to: protocol, share: percent(5) },
      ],
    },
    {},
  ],
  [
    'shares',
    '50% you, 45% the integrator INT, 5% the protocol',
    {
      shares: [
        { to: protocol, share: percent(5) },
        { to: integrator, share: percent(45) },
        { to: you, share: percent(50) },
      ],
    },
  ],
  [
    'shares',
    'you get none. If it graduates, the integrator gets 80 to 95% of them and the protocol 5 to 20%',
    { shares: [] },
  ],
  [
    'shares',
    'nothing to share, because the trading fee is 0% (by contract 95% you, 5% the protocol)',
    { fee: { first: 0, last: 0, seconds: 0 } },
  ],
  [
    'hook',
    '1% of each trade, on top of the trading fee. 5% of it goes to the protocol. The rest that comes in tokens: 100% to the hook’s beneficiaries. The rest that comes in WETH: 100% to the hook’s beneficiaries. The hook’s beneficiaries: 95% you, 5% the protocol',
    { hook: hookUse() },
  ],
  [
    'hook',
    '1% of each trade, on top of the trading fee. 5% of it goes to the protocol. The rest that comes in tokens: 50% to BOB, 25% swapped to WETH for BOB, 25% into the pool’s liquidity. The rest that comes in WETH: 60% buys tokens for BOB, 40% to BOB. The hook’s beneficiaries, who get what can’t be used so: 95% you, 5% the protocol',
    {
      hook: hookUse({
        buybackTo: bob,
        distribution: [50, 25, 0, 25, 60, 40, 0, 0].map(percent),
      }),
    },
  ],
  ['integrator', 'INT'],
  ['integrator', 'EVE', { integrator: eve }],
  ['integrator', 'the protocol', { integrator: '0x0000000000000000000000000000000000000000' }],
  ['proceeds', 'stays in the pool as liquidity for ever; it never graduates'],
  [
    'proceeds',
    'at graduation, when the price reaches 0.0₅6 WETH: all of it becomes liquidity on Uniswap V4',
    { locked: false, graduation, graduatesAt: { numerator: 6n, denominator: 10n ** 6n } },
  ],
  [
    'proceeds',
    'at graduation, when the auction has ended: 50% to BOB, the rest becomes liquidity on Uniswap V2',
    {
      locked: false,
      raise: { min: 0n, max: whole },
      graduation: { to: 'v2', liquidity: [], split: { to: bob, share: percent(50) } },
    },
  ],
  [
    'proceeds',
    'at graduation, when the price reaches 0.0₅6 WETH: all of it becomes liquidity on Uniswap V2. But that fails: once all is sold, no tokens are left for the new pool, so it can never graduate',
    {
      locked: false,
      graduatesAt: { numerator: 6n, denominator: 10n ** 6n },
      graduation: { to: 'v2', liquidity: [], fails: true },
    },
  ],
  ['liquidity', '100% locked for 30 days, then to the token’s DAO', { graduation, restTo: 'dao' }],
  ['liquidity', '100% locked for ever', { graduation }],
  [
    'liquidity',
    '95% to BOB; 5% locked for ever',
    {
      restTo: bob,
      graduation: {
        to: 'v2',
        liquidity: [
          { to: bob, share: percent(95) },
          { to: 'locked', share: percent(5) },
        ],
      },
    },
  ],
  [
    'laterFee',
    '0.3% of each trade, tick spacing 60',
    { graduation: { ...graduation, fee: { millionths: 3000, dynamic: false }, tickSpacing: 60 } },
  ],
  [
    'laterFee',
    '0.3% of each trade at first; a hook may change it, tick spacing 60',
    { graduation: { ...graduation, fee: { millionths: 3000, dynamic: true }, tickSpacing: 60 } },
  ],
  [
    'laterHook',
    '0.3% of each trade, on top of the trading fee. 5% of it goes to the protocol. The rest that comes in tokens: 100% to you. The rest that comes in WETH: 100% to you. What it is used for may be changed by you',
    {
      graduation: {
        ...graduation,
        hook: hookUse(
          { beneficiaries: [], distribution: bits(whole, 0n, 0n, 0n, 0n, whole, 0n, 0n) },
          3000,
        ),
      },
    },
  ],
  [
    'laterShares',
    'you get none: 100% BOB',
    { graduation: { ...graduation, shares: [{ to: bob, share: whole }] } },
  ],
  ['governance', 'none'],
  [
    'governance',
    'none (with a flag that no contract reads: true)',
    { governance: { form: 'none', ignored: true } },
  ],
  ['governance', 'BOB decides alone', { governance: { form: 'multisig', account: bob } }],
  ['governance', 'you decide alone', { governance: { form: 'multisig', account: you } }],
  [
    'governance',
    'a DAO, “Moon Otter”: holders vote, and 8% of the supply must take part. Anybody may propose, from 90 days after the launch on. A vote begins 7,200 blocks later, lasts 50,400 blocks, and takes effect after a day',
    { governance: dao },
  ],
  [
    'governance',
    'a DAO, “Moon Otter”: holders vote, and 8% of the supply must take part. Whoever has 1,000 tokens may propose, from 90 days after the launch on. A vote begins 1 block later, lasts 50,400 blocks, and takes effect after a day',
    { governance: { ...dao, votingDelay: 1, threshold: tokens(1000) } },
  ],
  ['owner', 'the launch contract, for ever: nobody can change name, metadata or rules'],
  ['owner', 'the launch contract; from graduation on nobody', { locked: false, graduation }],
  [
    'owner',
    'the launch contract; from graduation on the token’s DAO, with the right to change metadata and the rate of minting',
    { locked: false, graduation, restTo: 'dao' },
  ],
  [
    'owner',
    'the launch contract, for ever: nobody can change name, metadata or rules. Governance may attach another hook, which can take a fee from each trade',
    { restTo: 'dao', shape: 'spacing 8, graduates at tick 100' },
  ],
  ['contracts', 'DERC20 token, Multicurve'],
  [
    'contracts',
    'BOB',
    { modules: [{ kind: 'pool initializer', address: bob, module: undefined }] },
  ],
  [
    'idle',
    'vesting over 31536000 seconds, of nobody',
    { idle: ['vesting over 31536000 seconds, of nobody'] },
  ],
  [
    'binding',
    'only you, until 2030-01-01 01:00, as token 0x00000000…, with the operator’s signature of 0x00000000…',
    {
      binding: {
        launcher: you,
        paramsHash: asWord(1),
        expectedAsset: '0x0000000000000000000000000000000000000abc',
        deadline: BigInt(now + 3600),
        signature: '0x34',
      },
    },
  ],
  [
    'purchase',
    'at least 1,000,000 tokens for 0.5 WETH, to you',
    { purchase: { paid: whole / 2n, least: tokens(1e6), to: 'sender' } },
  ],
  [
    'purchase',
    'at least 1 token for 2.5 USDC, to BOB',
    { purchase: { paid: 2_500_000n, least: whole, to: bob } },
    { quote: { symbol: 'USDC', known: true, decimals: 6 } },
  ],
]

test.each(cases)('%s: %s', (key, words, effects, view) => {
  expect(told(key, effects, view)).toBe(words)
})

test('every row of the table is among these', () => {
  const rows = Object.keys(valuesOf({ ...otterLaunch, quote: weth }, viewpoint))
  expect([...new Set(cases.map(([key]) => key))].sort()).toEqual(rows.sort())
})
