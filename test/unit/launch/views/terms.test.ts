import { beforeAll, describe, expect, test } from 'vitest'
import { chainById } from '../../../../src/chain/chains.ts'
import { localise, plainText } from '../../../../src/core/catalogue.ts'
import { t } from '../../../../src/core/view.ts'
import { renderDiscord } from '../../../../src/discord/render.ts'
import type { Payload } from '../../../../src/launch/payload.ts'
import { valuesOf } from '../../../../src/launch/table.ts'
import { type Check, verdictOf, viewOf } from '../../../../src/launch/verdict.ts'
import { handOffView } from '../../../../src/launch/views/handoff.ts'
import { doubtsBlock, doubtsOf, termsBlocks } from '../../../../src/launch/views/terms.ts'
import { renderTelegram } from '../../../../src/telegram/render.ts'
import { launchesOfEveryKind } from '../../chain/airlock/launches.ts'
import { encode, multicurve, read, somebody, tokenAddress } from '../../chain/airlock/sdk.ts'
import { memoryCallbacks } from '../../core/memory-callbacks.ts'
import { shown } from '../../views/shown.ts'
import { payloadBody } from '../payload-body.ts'

const account = (digit: string) => `0x${digit.repeat(40)}` as const
const wallet = somebody('ada')
const plain = encode(multicurve())
const shares = [
  { to: 'you', percent: '95' },
  { to: 'protocol', percent: '5' },
]

function payload(
  calldata = plain,
  check: Partial<Check> = {},
  changes: Partial<Payload> = {},
): Payload {
  return {
    ...payloadBody,
    chain: 8453,
    to: account('e'),
    airlock: account('e'),
    token: tokenAddress,
    wallet,
    calldata,
    id: 'aa',
    draft: 'bb',
    state: 'active',
    linkExpiresAt: 2_000_000_000,
    rev: 1,
    createdAt: 0,
    updatedAt: 0,
    check: {
      token: tokenAddress,
      quote: { symbol: 'WETH', known: true, decimals: 18, usd: '3000' },
      protocol: somebody('protocol'),
      integrator: somebody('integrator'),
      now: 1_790_000_000,
      modules: read(calldata).modules.flatMap(({ module }) => module ?? []),
      asked: { shares, vesting: [] },
      metadata: { kind: 'same' },
      doubts: [],
      cost: { gas: '3400000', price: '1000000000', usd: '3000' },
      ...check,
    },
    ...changes,
  }
}

function lines(...given: Parameters<typeof payload>): string[] {
  const text = shown({ title: [], blocks: termsBlocks(payload(...given)) })
  return text.filter((line) => line !== '')
}

test('everything is said in words, and what is as asked is marked', () => {
  expect(lines()).toEqual([
    'Supply: 1,000,000,000 tokens',
    'For sale: 600,000,000 tokens (60% of the supply)',
    'Vesting: none ✓',
    'Rest of the supply: 400,000,000 tokens (40%) to nobody (burned)',
    'Quote token: WETH',
    'Starting price: 0.0₇1524 WETH per token, market cap 15.24 WETH (about $45.7K). At the start 1 WETH buys 35.9M tokens',
    'Price later: rises as people buy, up to 0.0₅6147 WETH per token, market cap 6,147.90 WETH (about $18.4M). Buying everything for sale costs 1,004.92 WETH',
    'Curve details: spacing 8, ticks -180000 to -120000 in 10 positions',
    'Trading: starts at launch, no end',
    'Trading fee: 0.3% of each trade',
    'Trading fees go: 95% to you and 5% to the protocol ✓',
    'Integrator (the app you launch with): 0xb0C9…7B25',
    'Money raised: stays in the pool as liquidity for ever; this token doesn’t graduate',
    'Governance: none',
    'Token owner: the launch contract for ever: nobody can change name, metadata or rules',
    'Contracts: DERC20 token (80), No governance, Multicurve and No migration',
    'Metadata on IPFS: checked, as you typed it ✓',
    'Network fee (gas): about 0.0034 ETH ($10.20), paid by your wallet',
    'Chain: Base (8453)',
    'Token address: 0x7777…7777',
    'Contract: 0xeeee…eeee',
    'Calldata digest: 0xabab abab … abab abab',
    '✓ means: as you asked. No mark: the template promises nothing here. The chain would accept it now. This bot takes nothing.',
  ])
})

test('what is not as asked comes before all else, with what was asked and why it matters', () => {
  const asked = { shares: [{ to: somebody('bob'), percent: '100' }], vesting: [] }
  const quote = { symbol: 'ROTT', known: false, decimals: 18 }
  const told = lines(plain, { asked, quote })
  expect(told.slice(0, 3)).toEqual([
    'Look at this first',
    expect.stringMatching(
      /^⚠️ Quote token: ROTT 0x4200…0006 \(buyers pay with a token that this bot does not know\)$/u,
    ),
    expect.stringMatching(
      /^⚠️ Trading fees go: 95% to you and 5% to the protocol\. You asked for: not to you: 100% to 0x3440…96a2$/u,
    ),
  ])
})

test('what the launcher must know first stands there though it is as asked', () => {
  const free = encode(
    multicurve({
      pool: {
        fee: 0,
        tickSpacing: 8,
        curves: [
          { tickLower: -180_000, tickUpper: -120_000, numPositions: 10, shares: 10n ** 18n },
        ],
        beneficiaries: [{ beneficiary: wallet, shares: 10n ** 18n }],
      },
    }),
  )
  const asked = { shares: { ofNothing: [{ to: 'you', percent: '100' }] }, vesting: [] }
  expect(lines(free, { asked }).slice(0, 2)).toEqual([
    'Look at this first',
    'Trading fees go: to nobody: the trading fee is 0% (set in the contract: 100% to you) ✓',
  ])
})

test('accounts lead to the explorer, and times are shown in the reader’s own', () => {
  const [, scheduled = plain] =
    Object.entries(launches).find(([name]) => name.includes('cliffs')) ?? []
  const blocks = termsBlocks(payload(scheduled))
  expect(JSON.stringify(blocks)).toContain(
    JSON.stringify({
      link: '0x3440…96a2',
      url: `https://basescan.org/address/${somebody('bob')}`,
    }),
  )
  expect(blocks).toContainEqual({
    kind: 'fields',
    fields: expect.arrayContaining([
      [
        t('terms-trading'),
        [t('terms-trading-from', { start: { time: 1_893_445_200, as: 'date' } })],
      ],
    ]),
  })
})

test('where the launcher forwards, both contracts are named; a testnet is called so', () => {
  const told = lines(plain, {}, { chain: 84_532, airlock: account('d'), token: undefined })
  expect(told).toContain('Chain: Base Sepolia (84532), TESTNET')
  expect(told).toContain('Forwards to: 0xdddd…dddd')
  expect(told).toContain('Token address: not known before the launch')
})

test('what the data source did not repeat is named', () => {
  expect(lines(plain, {}, { unchecked: ['salt', 'quote token'] }).at(-2)).toBe(
    'Not compared, because the data provider did not repeat them: salt and quote token.',
  )
})

describe('what the marks mean is said below', () => {
  const noMark = 'No mark: the template promises nothing here.'
  const asAsked = `✓ means: as you asked. ${noMark}`

  test.each<[string, Partial<Payload>, Partial<Check>]>([
    [
      `${asAsked} Not simulated: no node is set up.`,
      { simulation: { kind: 'none', reason: 'no node is set up' } },
      {},
    ],
    [
      `${asAsked} The node is old.`,
      { simulation: { kind: 'passed', gas: '1', note: 'The node is old.' } },
      {},
    ],
    [`${asAsked} The chain would accept it now.`, {}, {}],
    [
      `✓ means: as you asked. Simulated: a test run on the chain showed the same. ${noMark}`,
      {},
      {
        rehearsal: {
          holders: [],
          timelock: '0x000000000000000000000000000000000000dEaD',
          governance: account('0'),
          integrator: somebody('integrator'),
          taken: { coins: '0', quote: '0' },
        },
      },
    ],
  ])('%s', (words, changes, check) => {
    const told = lines(plain, check, changes)
    expect(told.at(-1)).toBe(`${words} This bot takes nothing.`)
    expect(told.includes('Governance: none · simulated')).toBe(words.includes('Simulated:'))
  })

  test('and nothing of rows without one, where the template promises all', () => {
    const check = payload().check ?? expect.unreachable()
    const { effects } = verdictOf(plain, wallet, check, 'ETH')
    const asked = valuesOf(effects ?? expect.unreachable(), viewOf(check, wallet))
    expect(lines(plain, { asked }).at(-1)).not.toContain('No mark')
  })
})

test('calldata that can’t be read, or were not checked, leave what is known without', () => {
  const unread = termsBlocks({ ...payload(), calldata: '0xdeadbeef' })
  expect(shown({ title: [], blocks: unread })[1]).toBe('Chain: Base (8453)')
  const unchecked = { ...payload(), check: undefined }
  expect(shown({ title: [], blocks: termsBlocks(unchecked) })[1]).toBe('Chain: Base (8453)')
  expect(doubtsOf(unchecked).map((doubt) => plainText(doubt))).toEqual(['it was not checked'])
})

test('of many doubts five are named, and the rest is counted', () => {
  const doubts = Array.from({ length: 8 }, (_, index) => `doubt ${index}`)
  expect(shown({ title: [], blocks: [doubtsBlock(doubts)] })[1]).toBe(
    'Not verified: doubt 0; doubt 1; doubt 2; doubt 3; doubt 4; 3 more.',
  )
  expect(doubtsOf(payload(plain, { doubts }))).toEqual(doubts)
})

let launches: Awaited<ReturnType<typeof launchesOfEveryKind>>
beforeAll(async () => {
  launches = await launchesOfEveryKind()
})

test('a launch of every kind fits both platforms, with what is said last, also where all departs', async () => {
  const crowd = Array.from({ length: 20 }, (_, index) => ({
    to: somebody(`somebody ${index}`),
    percent: '1.2345678901234',
  }))
  for (const calldata of Object.values(launches)) {
    for (const asked of [{}, { vesting: crowd, shares: crowd }]) {
      const made = payload(calldata, { asked })
      const view = handOffView({
        payload: { ...made, verified: doubtsOf(made).length === 0 },
        chain: chainById(8453),
        terms: termsBlocks(made),
        host: 'gavel.example.org',
        url: `https://gavel.example.org/s/${'x'.repeat(43)}`,
        now: 1_790_000_000,
        isNotifiedPrivately: true,
      })
      const kept = memoryCallbacks()
      for (const rendered of [
        await renderTelegram(localise(view, 'en'), kept),
        await renderDiscord(localise(view, 'en'), kept),
      ]) {
        const text = JSON.stringify(rendered)
        expect(text).not.toContain('Shortened: there is more')
        expect(text).toContain('gavel.example.org')
      }
    }
  }
})
