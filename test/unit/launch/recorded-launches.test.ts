import { getAddress, type Hex } from 'viem'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Api } from '../../../src/api/client.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { plain } from '../../../src/chain/airlock/calldata.ts'
import { decodePayload, moduleBook } from '../../../src/chain/airlock/modules.ts'
import { knownLaunchers } from '../../../src/chain/chains.ts'
import { launchInputs } from '../../../src/launch/build-inputs.ts'
import {
  type CheckResult,
  type CheckSources,
  checkBuilt,
  launchedToken,
} from '../../../src/launch/check-built.ts'
import type { Answers } from '../../../src/launch/draft.ts'
import type { LaunchSettings } from '../../../src/launch/settings.ts'
import { valuesOf } from '../../../src/launch/table.ts'
import { verdictOf, viewOf } from '../../../src/launch/verdict.ts'
import { defaultTables, httpServer, silent } from '../api/server.ts'
import { type RecordedLaunch, recordedLaunches } from '../chain/airlock/recorded-launches.ts'
import { say } from './effects-sample.ts'

const chain = 4663
const now = 1_788_300_000
const byName = Object.fromEntries(recordedLaunches.map((each) => [each.symbol, each]))

function named(symbol: string): RecordedLaunch {
  return byName[symbol] ?? expect.unreachable()
}

/** Checks a recorded payload as if the API had built it for these answers. */
async function checked(
  { calldata, token, creator }: Pick<RecordedLaunch, 'calldata' | 'token' | 'creator'>,
  expects: Record<string, unknown> = {},
  others: Partial<Answers> = {},
  sources: Partial<CheckSources> = {},
): Promise<CheckResult> {
  const settings: LaunchSettings = {
    templates: [{ id: 'recorded', label: 'Recorded', chain, expects }],
    launchers: knownLaunchers,
    modules: {},
    symbol: { pattern: /[A-Z0-9]{1,15}/u },
    integrator: undefined,
    publicUrl: undefined,
    signingUrlTemplate: undefined,
  }
  const { name = '', symbol = '', uri = '' } = token ?? {}
  const answers: Answers = { chain, template: 'recorded', name, symbol, wallet: creator, ...others }
  const inputs = launchInputs({ answers }, settings)
  const answer = JSON.stringify({ encoded_payload: calldata })
  return checkBuilt(
    { ...inputs, uri, answer, integrator: undefined, modules: undefined },
    {
      node: undefined,
      launched: async () => undefined,
      usd: async () => undefined,
      metadata: async () => ({ kind: 'same' }),
      now: () => now,
      ...sources,
    },
  )
}

function rowOf(result: CheckResult, key: string) {
  if (!('payload' in result) || !result.payload.check) return expect.unreachable()
  const { calldata, wallet, check } = result.payload
  const row = verdictOf(calldata, wallet, check, 'ETH').rows.find((each) => each.key === key)
  return row?.does && say(row.does)
}

describe('a recorded launch of Robinhood Chain', () => {
  test.each(recordedLaunches)('$symbol is read as it was recorded', (recorded) => {
    const { call, problems, ...read } = decodePayload(recorded.calldata, moduleBook(chain))
    expect(problems).toEqual([])
    expect(call?.params).toMatchObject(recorded.params)
    expect(read).toMatchObject({
      token: recorded.token,
      governance: recorded.governance,
      pool: recorded.pool,
      migrator: { form: 'none' },
      poolHook: recorded.hook,
    })
  })

  test.each(recordedLaunches.filter(({ symbol }) => symbol !== 'CEREBRO'))(
    '$symbol is verified, with nothing but a template’s id',
    async (recorded) => {
      expect(await checked(recorded)).toMatchObject({ kind: 'ready' })
    },
  )

  // Bankr’s template pays two accounts of its own, and lets its integrator lift the limit.
  const cerebro = { vesting: [{ address: named('CEREBRO').creator, amount: '15000000000' }] }

  test('CEREBRO is verified if its template says what else it does', async () => {
    const doubted = await checked(named('CEREBRO'), {}, cerebro)
    expect(doubted).toMatchObject({
      kind: 'unverified',
      doubts: [{ key: 'terms-why-hook-payees' }, { key: 'terms-why-limit-account' }],
    })
    if (doubted.kind !== 'unverified' || !doubted.payload.check) return expect.unreachable()
    const { calldata, wallet, check } = doubted.payload
    const { effects } = verdictOf(calldata, wallet, check, 'ETH')
    const { hook, limit } = valuesOf(effects ?? expect.unreachable(), viewOf(check, wallet))
    expect(await checked(named('CEREBRO'), { hook, limit }, cerebro)).toMatchObject({
      kind: 'ready',
    })
  })

  test('tells a fee against snipers as one', async () => {
    expect(rowOf(await checked(named('INTER')), 'hook')).toContain(
      '80% in the first second, 1.12% after 10 s (against snipers), on top of the trading fee.',
    )
  })

  test('does not say of a token that stays in its pool that it graduates', async () => {
    const hooked = await checked(named('INTER'))
    expect(rowOf(hooked, 'proceeds')).toContain('this token doesn’t graduate')
    expect(rowOf(hooked, 'shape')).toMatch(/, far tick -?\d+$/u)
  })

  test('tells a curve without an upper limit by where most of it is sold', async () => {
    expect(rowOf(await checked(named('INTER')), 'curve')).toBe(
      '99.1% of it is sold below 0.005739 NET per token, market cap 5,738,590.00 NET; no upper limit. Buying that much costs 19,743.25 NET',
    )
    expect(rowOf(await checked(named('CEREBRO'), {}, cerebro), 'curve')).toMatch(
      /^98% of it is sold below .* WETH per token, .*; no upper limit\. /u,
    )
  })

  test('is quoted in a token that is known by its symbol', async () => {
    expect(rowOf(await checked(named('CAPPLE')), 'quote')).toBe('AI')
    expect(rowOf(await checked(named('HIAI')), 'quote')).toBe('RDDT')
  })

  test('with another creator than asked is not verified', async () => {
    const other = { wallet: named('HIAI').creator }
    expect(await checked(named('CAPPLE'), {}, other)).toMatchObject({ kind: 'unverified' })
  })
})

describe('a launch that is quoted in another launched token', () => {
  const builderCoin = getAddress(`0x${'b1'.repeat(20)}`)
  const { calldata, numeraire } = { ...named('INTER'), ...named('INTER').params }
  const hidden = (address: string) => address.slice(2).toLowerCase()
  const quoted: Hex = `0x${calldata.slice(2).replaceAll(hidden(numeraire), hidden(builderCoin))}`
  const product = { ...named('INTER'), calldata: quoted }

  /** Checks it with an API that calls the quote token so; without a symbol it has no such token. */
  async function checkedWith(symbol: string | undefined, node?: CheckSources['node']) {
    const server = await httpServer(({ url }, response) => {
      const isKnown = symbol !== undefined && url?.includes(builderCoin) && url.includes('4663')
      response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
      const token = { token_address: builderCoin, token_symbol: symbol }
      const asset = { asset_address: builderCoin, auction_pool: { base_token: token } }
      response.end(JSON.stringify(isKnown ? { result: asset } : { message: 'not found' }))
    })
    const options = { ...defaultTables, units: defaultUnits, log: silent }
    const api = new Api({
      baseUrl: server.url,
      key: 'a-key',
      chains: [chain],
      ...options,
      retryPauseMs: 1,
    })
    onTestFinished(async () => {
      await api.close()
      await server[Symbol.asyncDispose]()
    })
    return checked(product, {}, {}, { launched: (id, at) => launchedToken(api, id, at), node })
  }

  /** A node on which the launch works, and on which the quote token is called so. */
  const nodeWith = (symbol: string): NonNullable<CheckSources['node']> => ({
    block: async () => 1n,
    hasCode: async () => true,
    gasPrice: async () => 1n,
    tokenFacts: async () => ({ symbol, decimals: 18 }),
    rehearse: async () => ({ kind: 'passed', gas: 1n, asset: named('HIAI').creator, block: 1n }),
  })
  const unknownQuote = { kind: 'unverified', doubts: [{ key: 'terms-why-quote' }] }

  test('tells the token by its symbol from the API, and is verified', async () => {
    const result = await checkedWith('BUILD')
    expect(result).toMatchObject({ kind: 'ready' })
    expect(rowOf(result, 'quote')).toMatch(/^BUILD, a token that was launched with this service/u)
    expect(rowOf(result, 'opening')).toContain(' BUILD per token')
  })

  test('is not verified if the API does not have that token', async () => {
    expect(await checkedWith(undefined, nodeWith('BUILD'))).toMatchObject(unknownQuote)
  })

  test('is not verified if the chain calls it otherwise', async () => {
    expect(await checkedWith('BUILD', nodeWith('BUILD'))).toMatchObject({ kind: 'ready' })
    expect(await checkedWith('BUILD', nodeWith('RUIN'))).toMatchObject(unknownQuote)
  })

  test('is not verified by the API’s word alone if a node does not say what the token is', async () => {
    const silentNode = { ...nodeWith('BUILD'), tokenFacts: async () => undefined }
    const result = await checkedWith('BUILD', silentNode)
    expect(result).toMatchObject({
      kind: 'unverified',
      doubts: [{ key: 'terms-why-unpriced' }, { key: 'terms-why-quote' }],
    })
    expect(rowOf(result, 'quote')).toMatch(/^BUILD 0x/u)
  })

  test.each(['tsla', 'USDC', 'ТSLA', 'UЅDG', 'ＴＳＬＡ', 'USD', '1,000', 'T S L A', 'WETH\u200b'])(
    'is not verified if the token calls itself %s, and goes by its address',
    async (symbol) => {
      for (const node of [undefined, nodeWith(plain(symbol))]) {
        const result = await checkedWith(symbol, node)
        expect(result).toMatchObject(unknownQuote)
        expect(rowOf(result, 'quote')).toMatch(/^0x[0-9a-fA-F]{4}$/u)
        expect(rowOf(result, 'opening')).toMatch(/ 0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4} per token/u)
      }
    },
  )

  test('goes by its address if nobody but the chain names it, and by another token’s symbol', async () => {
    const result = await checkedWith(undefined, nodeWith('TSLA'))
    expect(rowOf(result, 'quote')).toMatch(/^0x[0-9a-fA-F]{4}$/u)
  })

  test('shows no more of a symbol than is harmless', async () => {
    const result = await checkedWith(`BUILD${'X'.repeat(100)}\n`)
    expect(rowOf(result, 'quote')).toMatch(/^BUILDX{15}, a token/u)
    expect(rowOf(await checkedWith('\u202eBUILD'), 'quote')).toMatch(/^0x/u)
  })
})
