import { expect, test } from 'vitest'
import { assetSchema } from '../../../src/api/schema.ts'
import { type Locale, plainText, plainView } from '../../../src/core/catalogue.ts'
import { fakeBlocks, type Risk, riskLines } from '../../../src/views/facts.ts'

const creator = `0x${'c'.repeat(40)}`

function asset(vesting: readonly { address?: string; percentage?: string }[] = []) {
  return assetSchema.parse({
    asset_address: `0x${'1'.repeat(40)}`,
    auction_pool: {
      base_token: {
        token_symbol: 'OTTER',
        token_creator_address: creator,
        token_uri_data: { vesting_recipients: vesting },
      },
    },
  })
}

function lines(risk: Risk | undefined, of = asset(), locale: Locale = 'en') {
  return riskLines(of, risk).map((line) => plainText(line, locale))
}

const none = { count: 0, hasMore: false, graduated: 0, failed: 0 }

test.each<[Risk | undefined, string[]]>([
  [undefined, []],
  [{ others: none, alike: { count: 0, hasMore: false } }, ['Creator’s first token']],
  [{ others: { ...none, hasMore: true } }, []],
  [{ others: { ...none, count: 1 } }, ['Creator: 1 other token']],
  [
    {
      others: { count: 3, hasMore: false, graduated: 1, failed: 2 },
      alike: { count: 2, hasMore: false },
    },
    ['Creator: 3 other tokens · 1 graduated · 2 failed', '⚠️ 2 other tokens are called $OTTER'],
  ],
  [
    { others: { ...none, count: 49, hasMore: true }, alike: { count: 50, hasMore: true } },
    ['Creator: at least 49 other tokens', '⚠️ At least 50 other tokens are called $OTTER'],
  ],
])('%j reads %j', (risk, expected) => {
  expect(lines(risk)).toEqual(expected)
})

test.each<[string[], string]>([
  [[], '🔴 Fake: the data provider says this isn’t the token it appears to be.'],
  [[' \n'], '🔴 Fake: the data provider says this isn’t the token it appears to be.'],
  [['Not the real TSLA', 'No liquidity'], '🔴 Fake: Not the real TSLA; No liquidity'],
  [['x'.repeat(500)], `🔴 Fake: ${'x'.repeat(119)}…`],
  [['a\u202Eb'], '🔴 Fake: ab'],
])('a fake with the reasons %j is said to be one', (fake, expected) => {
  const blocks = fakeBlocks({ fake })
  expect(plainView({ title: [], blocks }).trim()).toBe(expected)
})

test('what is no fake, or not known to be one, is not said to be any', () => {
  expect([fakeBlocks(), fakeBlocks({ others: none })]).toEqual([[], []])
})

test.each([
  [
    [{ address: creator.toUpperCase().replace('X', 'x'), percentage: '5' }, { percentage: '10%' }],
    '15% in vesting (5% to the creator)',
  ],
  [[{ address: `0x${'2'.repeat(40)}`, percentage: '2.5' }], '2.5% in vesting'],
])('shares of the supply that are vested: %j', (vesting, expected) => {
  expect(lines(undefined, asset(vesting))).toEqual([expected])
  expect(lines({ others: none }, asset(vesting))).toEqual([`Creator’s first token · ${expected}`])
})

test.each([
  [[{ percentage: '5' }, { address: creator }]],
  [[{ percentage: '60' }, { percentage: '60' }]],
  [[{ percentage: '0' }]],
  [[{ percentage: 'all' }]],
])('nothing is claimed of shares that are not known: %j', (vesting) => {
  expect(lines(undefined, asset(vesting))).toEqual([])
})

test.each([
  ['es', 1, '⚠️ Hay otro token llamado $OTTER'],
  ['ru', 2, '⚠️ Ещё 2 токена называются $OTTER'],
  ['ru', 5, '⚠️ Ещё 5 токенов называются $OTTER'],
  ['tr', 2, '⚠️ $OTTER adında 2 token daha var'],
  ['zh-CN', 2, '⚠️ 另有 2 个代币也叫 $OTTER'],
] as const)('in %s, %d others are told of in its own plural', (locale, count, expected) => {
  expect(lines({ alike: { count, hasMore: false } }, asset(), locale)).toEqual([expected])
})
