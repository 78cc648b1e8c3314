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
  rowWords,
  tokens,
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
  ['supply', '1,000,000,000 tokens, one collectible per 1,000', { collectible: tokens(1000) }],
  ['sale', '600,000,000 tokens (60% of the supply)'],
  [
    'sale',
    '281,000,000 tokens (28.1% of the supply). The launch names 60%, but the pool takes no more than this',
    { pool: tokens(281e6) },
  ],
  ['vesting', 'none'],
  [
    'vesting',
    '50,000,000 tokens (5%) to you over 365 days (nothing in the first 30 days) and 10,000,000.5 tokens (1%) to BOB at once',
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
    '2% is set, but it only starts at graduation, and this token never graduates',
    { minting: percent(2) },
  ],
  [
    'minting',
    'up to 2% of the supply after graduation, to the token’s DAO',
    { minting: percent(2), locked: false, graduation, restTo: 'dao' },
  ],
  [
    'limit',
    'at most 10,000,000 tokens until 2030-01-08 00:00; you can lift it earlier. Not for vesting, and not for BOB and burned tokens',
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
    'at most 1 token, but the limit has ended already',
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
    'at most 1 token until far in the future; BOB can lift it earlier',
    { limit: { maxBalance: whole, until: 2 ** 48 - 1, controller: bob, excluded: [] } },
  ],
  ['quote', 'WETH'],
  ['quote', 'ROTT BOB', { quote: bob }, { quote: { symbol: 'ROTT', known: false, decimals: 18 } }],
  ['opening', '0.0₇15 WETH per token, market cap 15.00 WETH. At the start 1 WETH buys 36M tokens'],
  [
    'opening',
    '0.0₇15 WETH per token, market cap 15.00 WETH (about $45K). At the start 1 WETH buys 36M tokens',
    {},
    { quote: { ...quote, usd: '3000' } },
  ],
  [
    'opening',
    '0.0₄15 USDC per token, market cap 15,000.00 USDC (about $15K). At the start 1 USDC buys 66.7K tokens',
    // 15 base units of six decimals for a million tokens’ worth of base units.
    { opening: { numerator: 15n, denominator: 10n ** 18n }, buys: 66_666n * whole + whole / 3n },
    { quote: { symbol: 'USDC', known: true, decimals: 6, usd: '1' } },
  ],
  [
    'curve',
    'rises as people buy, up to 0.0₅6 WETH per token, market cap 6,000.00 WETH. Buying everything for sale costs 1,000.00 WETH',
  ],
  [
    'curve',
    'falls while nobody buys, down to 0.0₅6 WETH per token, market cap 6,000.00 WETH (about $18M). Buying everything for sale costs 1,000.00 WETH',
    { raise: { min: 0n, max: whole } },
    { quote: { ...quote, usd: '3000' } },
  ],
  [
    'curve',
    '99.1% of it is sold below 0.0₅6 WETH per token, market cap 6,000.00 WETH; no upper limit. Buying that much costs 1,000.00 WETH',
    { open: { sold: percent(99.1), below: { numerator: 6n, denominator: 10n ** 6n } } },
  ],
  [
    'curve',
    'rises as people buy; no upper limit',
    { open: { sold: 0n, below: { numerator: 6n, denominator: 10n ** 6n } } },
  ],
  ['shape', 'spacing 8, ticks -180000 to -120000 in 10 positions'],
  [
    'raise',
    'at least 10 WETH: with less it doesn’t graduate, and buyers can only sell back. Ends early at 1,040.5 WETH',
    { raise: { min: tokens(10), max: tokens(1040) + whole / 2n } },
  ],
  [
    'raise',
    'any amount, no minimum. Ends early at 40 WETH',
    { raise: { min: 0n, max: tokens(40) } },
  ],
  ['trading', 'starts at launch, no end'],
  ['trading', 'starts at launch, no end', { starts: now - 5 }],
  ['trading', 'starts 2030-01-01 01:00, no end', { starts: now + 3600 }],
  [
    'trading',
    'starts 2030-01-01 01:00, for 7 days at most, until 2030-01-08 01:00',
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
    '80% of each trade at first, falling to 0.3% within 90 seconds from 2030-01-02 00:00',
    { fee: { first: 800_000, last: 3000, seconds: 90, from: now + day } },
  ],
  ['shares', '95% to you and 5% to the protocol'],
  [
    'shares',
    'not to you: 95% to BOB and 5% to the protocol',
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
    '50% to you, 45% to the integrator INT and 5% to the protocol',
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
    'not to you. After graduation 80–95% go to the integrator and 5–20% to the protocol',
    { shares: [] },
  ],
  [
    'shares',
    'to nobody: the trading fee is 0% (set in the contract: 95% to you and 5% to the protocol)',
    { fee: { first: 0, last: 0, seconds: 0 } },
  ],
  [
    'hook',
    '1% of each trade, on top of the trading fee. 5% of it goes to the protocol. The rest, if paid in tokens: 100% to the hook’s beneficiaries; if paid in WETH: 100% to the hook’s beneficiaries. The hook’s beneficiaries: 95% to you and 5% to the protocol',
    { hook: hookUse() },
  ],
  [
    'hook',
    '1% of each trade, on top of the trading fee. 5% of it goes to the protocol. The rest, if paid in tokens: 50% to BOB, 25% swapped to WETH for BOB and 25% into the pool’s liquidity; if paid in WETH: 60% buys tokens for BOB and 40% to BOB. What can’t be used that way goes to: 95% to you and 5% to the protocol',
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
  ['proceeds', 'stays in the pool as liquidity for ever; this token doesn’t graduate'],
  [
    'proceeds',
    'at graduation (when the price reaches 0.0₅6 WETH) all of it becomes liquidity on Uniswap V4',
    { locked: false, graduation, graduatesAt: { numerator: 6n, denominator: 10n ** 6n } },
  ],
  [
    'proceeds',
    'at graduation (when the auction has ended) 50% to BOB, the rest becomes liquidity on Uniswap V2',
    {
      locked: false,
      raise: { min: 0n, max: whole },
      graduation: { to: 'v2', liquidity: [], split: { to: bob, share: percent(50) } },
    },
  ],
  [
    'proceeds',
    'at graduation (when the price reaches 0.0₅6 WETH) all of it becomes liquidity on Uniswap V2. But this fails: once everything is sold, no tokens are left for the new pool, so it can never graduate',
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
    '95% to BOB and 5% locked for ever',
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
    '0.3% of each trade at first (a hook may change it), tick spacing 60',
    { graduation: { ...graduation, fee: { millionths: 3000, dynamic: true }, tickSpacing: 60 } },
  ],
  [
    'laterHook',
    '0.3% of each trade, on top of the trading fee. 5% of it goes to the protocol. The rest, if paid in tokens: 100% to you; if paid in WETH: 100% to you. Its use can be changed by you',
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
    'not to you: 100% to BOB',
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
    'a DAO, “Moon Otter”, in which token holders vote. 8% of the supply must take part. Anybody may propose, from 90 days after launch. A vote starts 7,200 blocks later, lasts 50,400 blocks, and takes effect a day after',
    { governance: dao },
  ],
  [
    'governance',
    'a DAO, “Moon Otter”, in which token holders vote. 8% of the supply must take part. Holders of 1,000 tokens may propose, from 90 days after launch. A vote starts 1 block later, lasts 50,400 blocks, and takes effect a day after',
    { governance: { ...dao, votingDelay: 1, threshold: tokens(1000) } },
  ],
  ['owner', 'the launch contract for ever: nobody can change name, metadata or rules'],
  ['owner', 'the launch contract, and nobody after graduation', { locked: false, graduation }],
  [
    'owner',
    'the launch contract; after graduation the token’s DAO, who can change metadata and how many tokens are minted',
    { locked: false, graduation, restTo: 'dao' },
  ],
  [
    'owner',
    'the launch contract for ever: nobody can change name, metadata or rules. Governance can attach another hook, which can take a fee from each trade',
    { restTo: 'dao', shape: 'spacing 8, far tick 100' },
  ],
  ['contracts', 'DERC20 token and Multicurve'],
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
]

test.each(cases)('%s: %s', (key, words, effects, view) => {
  expect(rowWords(key, effects, view)).toBe(words)
})

test('every row of the table is among these', () => {
  const rows = Object.keys(valuesOf({ ...otterLaunch, quote: weth }, viewpoint))
  expect([...new Set(cases.map(([key]) => key))].sort()).toEqual(rows.sort())
})
