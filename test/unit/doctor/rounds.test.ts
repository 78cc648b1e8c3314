import { describe, expect, onTestFinished, test } from 'vitest'
import { type InterfaceOptions, InterfaceServer } from '../../../sandbox/interface/server.ts'
import { defaultQueryNames } from '../../../src/api/query-names.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { printReport } from '../../../src/doctor/print.ts'
import { exitCode, type Report } from '../../../src/doctor/report.ts'
import { httpServer } from '../api/server.ts'
import { examine, key } from './refusing-server.ts'

async function standIn(options: Partial<InterfaceOptions> = {}): Promise<InterfaceServer> {
  const server = await InterfaceServer.start({ key, ...options })
  onTestFinished(() => server.stop())
  return server
}

describe('names, words and units that are wrong at once', () => {
  const progress = 'pool_current_sale_progress_percentage'
  /** A share of what is for sale, as a ratio; the status has words of its own. */
  async function foreigner(): Promise<string> {
    const items = Array.from({ length: 8 }, (_, id) => ({
      asset_address: `0x${String(id).padStart(40, '0')}`,
      asset_numeraire_address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      asset_status: id % 2 === 0 ? 'auction_live' : 'migrated',
      auction_pool: {
        [progress]: (id + 1) / 10,
        pool_current_total_tokens_sold: `${id + 1}00000000000000000000`,
        pool_config_num_tokens_to_sell: '1000000000000000000000',
        pool_market_data: { pool_price: '0.5', pool_market_cap: '1000' },
        base_token: { token_decimals: 18 },
      },
    }))
    const answer = (url: URL) => {
      const given = (name: string) => url.searchParams.get(name) ?? undefined
      if (given('page_size') === undefined) return { status: 400, body: { message: 'page_size' } }
      const words: Record<string, string> = { live: 'auction_live', graduated: 'migrated' }
      const state = given('state') ?? 'all'
      const found = items.filter(
        (item) => state === 'all' || item.asset_status === (words[state] ?? state),
      )
      const from = Number(given('skip') ?? 0)
      return { status: 200, body: { result: found.slice(from, from + Number(given('page_size'))) } }
    }
    const server = await httpServer((request, response) => {
      const { status, body } = answer(new URL(request.url ?? '/', 'http://a.example'))
      response.writeHead(status).end(JSON.stringify(body))
    })
    onTestFinished(() => server[Symbol.asyncDispose]())
    return server.url
  }

  test('are all found in one run, and with the lines pasted nothing more would change', async () => {
    const baseUrl = await foreigner()
    const chains = [8453] as const
    const report = await examine(baseUrl, { chains })
    expect(report.settings).toEqual([
      'API_QUERY_NAMES={"status":"state","limit":"page_size","offset":"skip"}',
      `API_UNITS={"${progress}":"ratio"}`,
      'API_STATUS=live=auction_live,graduated=migrated',
    ])
    expect(report.units).toContainEqual(
      expect.objectContaining({ field: progress, verdict: 'wrong', better: 'ratio' }),
    )
    expect(report.isSettled).toBe(true)
    expect(printReport(report)).toContain('another run would change nothing more.')
    const after = await examine(baseUrl, {
      chains,
      queryNames: { ...defaultQueryNames, status: 'state', limit: 'page_size', offset: 'skip' },
      units: { ...defaultUnits, [progress]: 'ratio' },
      statusWords: new Map([
        ['auction_live', 'live'],
        ['migrated', 'graduated'],
      ]),
    })
    expect(after).toMatchObject({ settings: [] })
    expect(after.units.every(({ fits }) => fits)).toBe(true)
  })

  test('bring what the operator has set already in the same lines', async () => {
    const report = await examine(await foreigner(), {
      chains: [8453],
      queryNames: { ...defaultQueryNames, limit: 'page_size', term: 'q' },
      units: { ...defaultUnits, pool_volume_usd_24h: 'usd6' },
      statusWords: new Map([['migrated', 'graduated']]),
    })
    expect(report.settings).toEqual([
      'API_QUERY_NAMES={"status":"state","limit":"page_size","offset":"skip","term":"q"}',
      `API_UNITS={"pool_volume_usd_24h":"usd6","${progress}":"ratio"}`,
      'API_STATUS=graduated=migrated,live=auction_live',
    ])
  })
})

describe('units', () => {
  test('are judged by some pages of all assets and one of the live, of two chains', async () => {
    const server = await standIn({ population: 500, chains: [8453, 84532, 1] })
    await examine(server.baseUrl, { chains: [8453, 84532, 1] })
    const asked = server.requests.map(({ query }) => query)
    for (const chainId of ['8453', '84532']) {
      for (const offset of ['0', '50', '100']) {
        expect(asked).toContainEqual({ chainId, status: 'all', limit: '50', offset })
      }
      expect(asked).toContainEqual({ chainId, status: 'live', limit: '50', offset: '0' })
    }
    expect(asked).not.toContainEqual({ chainId: '1', status: 'all', limit: '50', offset: '50' })
  })

  test('that break an identity which none mends are listed, and nothing is called well', async () => {
    const server = await standIn()
    const report = await examine(server.baseUrl)
    const units: Report['units'] = [
      {
        field: 'pool_price',
        unit: 'usd',
        verdict: 'well',
        fits: true,
        detail: 'market cap is price × supply',
      },
      {
        field: 'pool_market_cap',
        unit: 'usd',
        verdict: 'wrong',
        fits: false,
        detail: 'several would fit',
      },
      {
        field: 'pool_liquidity',
        unit: 'usd',
        verdict: 'unknown',
        fits: false,
        detail: 'none would fit',
      },
      {
        field: 'pool_volume_usd_24h',
        unit: 'usd',
        verdict: 'unknown',
        fits: true,
        detail: 'nothing to compare with',
      },
    ]
    const broken = { ...report, units }
    expect(exitCode(broken)).toBe(2)
    const text = printReport(broken)
    expect(text).not.toContain('All is well')
    expect(text).toMatch(/no single unit mends it:\n {2}pool_market_cap\n {2}pool_liquidity\n/u)
    expect(text).toMatch(/ {2}ok {2}pool_price/u)
    expect(text).toMatch(/ {2}FIX pool_market_cap/u)
    expect(text).toMatch(/ {2}\? {3}pool_volume_usd_24h/u)
    expect(exitCode({ ...broken, needsOperator: true })).toBe(1)
  })

  test('that nothing proves are listed where all is well', async () => {
    const server = await standIn()
    const report = await examine(server.baseUrl)
    const units: Report['units'] = [
      {
        field: 'pool_volume_usd_24h',
        unit: 'usd',
        verdict: 'unknown',
        fits: true,
        detail: 'nothing to compare with',
      },
    ]
    expect(exitCode({ ...report, units })).toBe(0)
    const hiding = ['#API_UNITS={"pool_volume_usd_24h":"unknown"}']
    const text = printReport({ ...report, units, hiding })
    expect(text).toContain(`hides them with this line, without its #:\n${hiding[0]}\n`)
    expect(text).toContain(
      'What could not be proved\n  Units of pool_volume_usd_24h. They are shown as they are set',
    )
    expect(text).toContain('All is well: every figure of the sample\nsatisfies every identity.\n')
  })
})
