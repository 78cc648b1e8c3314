import { afterEach, describe, expect, test } from 'vitest'
import { type InterfaceOptions, InterfaceServer } from '../../../sandbox/interface/server.ts'
import { defaultQueryNames } from '../../../src/api/query-names.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { printReport } from '../../../src/doctor/print.ts'
import { exitCode } from '../../../src/doctor/report.ts'
import { httpServer } from '../api/server.ts'
import { examine, key } from './refusing-server.ts'

const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function standIn(options: Partial<InterfaceOptions> = {}): Promise<InterfaceServer> {
  const server = await InterfaceServer.start({ key, ...options })
  closing.push(() => server.stop())
  return server
}

/** Answers every request with the body that `answer` makes of it. */
async function serve(answer: (url: URL) => { status?: number; body: unknown }): Promise<string> {
  const server = await httpServer((request, response) => {
    const { status = 200, body } = answer(new URL(request.url ?? '/', 'http://a.example'))
    response.writeHead(status).end(JSON.stringify(body))
  })
  closing.push(async () => server[Symbol.asyncDispose]())
  return server.url
}

function asset(id: number, fields: object = {}) {
  return {
    asset_address: `0x${id.toString(16).padStart(40, '0')}`,
    asset_creation_timestamp: `2026-01-01T00:00:${String(id).padStart(2, '0')}Z`,
    ...fields,
  }
}

describe('where all is well', () => {
  test('says so, asks little, and shows a sample', async () => {
    const server = await standIn()
    const report = await examine(server.baseUrl)
    expect(report).toMatchObject({ needsOperator: false, settings: [], advice: [] })
    expect(report.units.filter(({ verdict }) => verdict !== 'well')).toMatchObject([
      { field: 'pool_price_change_24h', verdict: 'unknown', fits: true },
    ])
    expect(report.names.map(({ meaning, verdict }) => [meaning, verdict])).toEqual(
      Object.keys(defaultQueryNames).map((meaning) => [meaning, 'well']),
    )
    expect(report.calls.every(({ verdict }) => verdict === 'well')).toBe(true)
    expect(server.requests.length).toBe(report.requests)
    expect(report.requests).toBeLessThan(40)
    expect(report.sample?.rows).toContainEqual({
      field: 'pool_config_num_tokens_to_sell',
      raw: expect.stringMatching(/^\d+0{18}$/u),
      shown: expect.stringMatching(/^\d+$/u),
    })
  })

  test('sends only reads', async () => {
    const server = await standIn()
    await examine(server.baseUrl)
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  })
})

describe('a wrong query name', () => {
  test('is told from the right ones, and the one that works is found', async () => {
    const names = {
      chain: 'chain_id',
      status: 'state',
      limit: 'take',
      offset: 'skip',
      ordering: 'sort',
      numeraire: 'quoteToken',
      category: 'categories',
      creator: 'creatorAddress',
      term: 'q',
    }
    const server = await standIn({ queryNames: names })
    const report = await examine(server.baseUrl)
    expect(
      Object.fromEntries(report.names.map(({ meaning, better }) => [meaning, better])),
    ).toEqual(names)
    expect(report.needsOperator).toBe(true)
    const [line = ''] = report.settings
    expect(line).toMatch(/^API_QUERY_NAMES=/u)
    const pasted: unknown = JSON.parse(line.slice('API_QUERY_NAMES='.length))
    expect(pasted).toEqual(names)
    const after = await examine(server.baseUrl, { queryNames: { ...defaultQueryNames, ...names } })
    expect(after.needsOperator).toBe(false)
  })

  test('without a known alternative is left to the operator', async () => {
    const server = await standIn({ queryNames: { creator: 'who' } })
    const report = await examine(server.baseUrl)
    expect(report.settings).toEqual([])
    expect(report.advice[0]).toContain('"creator" for creator')
    expect(report.advice.at(-1)).toBe('#API_QUERY_NAMES={"creator":"…"}')
    expect(report.needsOperator).toBe(true)
  })

  test('keeps what the operator has already overridden', async () => {
    const server = await standIn({ queryNames: { term: 'q', limit: 'take' } })
    const report = await examine(server.baseUrl, {
      queryNames: { ...defaultQueryNames, limit: 'take' },
    })
    expect(report.settings).toEqual(['API_QUERY_NAMES={"limit":"take","term":"q"}'])
  })

  test('of the chain is found even where the listing is refused without it', async () => {
    const baseUrl = await serve((url) =>
      url.searchParams.has('chain_id')
        ? { body: { result: [asset(1)] } }
        : { status: 422, body: { message: 'chain_id is required' } },
    )
    const report = await examine(baseUrl)
    expect(report.settings).toEqual(['API_QUERY_NAMES={"chain":"chain_id"}'])
  })

  test('is not taken for a right one where every unknown name is refused', async () => {
    const baseUrl = await serve((url) => {
      const unknown = [...url.searchParams.keys()].some(
        (name) => !['chainId', 'limit'].includes(name),
      )
      if (unknown) return { status: 400, body: { message: 'unknown parameter' } }
      return { body: { result: [asset(1), asset(2)] } }
    })
    const report = await examine(baseUrl)
    const creator = report.names.find(({ meaning }) => meaning === 'creator')
    expect(creator).toMatchObject({ verdict: 'wrong' })
  })
})

describe('a wrong unit', () => {
  test('of the progress is seen by what is sold, and the line to paste is given', async () => {
    const server = await standIn()
    const units = { ...defaultUnits, pool_current_sale_progress_percentage: 'ratio' as const }
    const report = await examine(server.baseUrl, { units })
    expect(report.settings).toEqual([
      'API_UNITS={"pool_current_sale_progress_percentage":"percent"}',
    ])
    expect(report.needsOperator).toBe(true)
  })

  test('of a progress of 0.42 where 42 % are sold is a ratio', async () => {
    const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    const auction_pool = {
      pool_current_sale_progress_percentage: 0.42,
      pool_current_total_tokens_sold: '420000000000000000000',
      pool_config_num_tokens_to_sell: '1000000000000000000000',
      pool_market_data: { pool_price: '0.5', pool_market_cap: '1000' },
      base_token: { token_decimals: 18 },
    }
    const baseUrl = await serve(() => ({
      body: {
        result: [1, 2, 3, 4, 5].map((id) =>
          asset(id, { auction_pool, asset_numeraire_address: usdc }),
        ),
      },
    }))
    const report = await examine(baseUrl)
    expect(report.units).toContainEqual({
      field: 'pool_current_sale_progress_percentage',
      unit: 'percent',
      verdict: 'wrong',
      fits: false,
      detail:
        '“percent” breaks: progress = sold ÷ to sell (pool_current_sale_progress_percentage 0.42)',
      better: 'ratio',
    })
    expect(report.settings).toContain('API_UNITS={"pool_current_sale_progress_percentage":"ratio"}')
  })

  test('of the current price is seen by the market price', async () => {
    const server = await standIn()
    const units = { ...defaultUnits, pool_current_price: 'usd' as const }
    const report = await examine(server.baseUrl, { units })
    expect(report.settings).toEqual(['API_UNITS={"pool_current_price":"usd18"}'])
  })
})

describe('where nothing can be examined', () => {
  test('says that the key is refused', async () => {
    const server = await standIn({ key: 'another' })
    const report = await examine(server.baseUrl)
    expect(report).toMatchObject({ needsOperator: true, requests: 1, names: [] })
    expect(report.calls).toContainEqual(
      expect.objectContaining({ endpoint: 'authorised', verdict: 'wrong' }),
    )
    expect(report.advice.join()).toContain('API_KEY')
  })

  test('says that nothing answers', async () => {
    const server = await standIn()
    const { baseUrl } = server
    await server.stop()
    const report = await examine(baseUrl)
    expect(report.calls).toContainEqual(
      expect.objectContaining({ endpoint: 'reachable', verdict: 'wrong' }),
    )
    expect(report.advice.join()).toContain('API_BASE_URL')
  })

  test('says that something else answers', async () => {
    const baseUrl = await serve(() => ({ body: { hello: 'world' } }))
    const report = await examine(baseUrl)
    expect(report.advice.join()).toContain('Something else')
  })

  test('finds nothing wrong in an empty listing, and says what cannot be told', async () => {
    const baseUrl = await serve(() => ({ body: { result: [] } }))
    const report = await examine(baseUrl)
    expect(report.needsOperator).toBe(false)
    expect(report.names.every(({ verdict }) => verdict === 'unknown')).toBe(true)
    const text = printReport(report)
    expect(text).toContain('query names: chainId, status, limit, offset, ordering, numeraire')
    expect(text).toContain('Nothing is wrong, and nothing is listed to judge by.')
    expect(text).not.toContain('All is well')
    expect(exitCode(report)).toBe(0)
  })

  test('asks a bounded number of questions where no name works', async () => {
    let asked = 0
    const baseUrl = await serve(() => {
      asked += 1
      const pools = { auction_pool: { pool_address: asset(1).asset_address } }
      const statuses = ['live', 'graduated', 'incoming']
      const result = [1, 2, 3].map((id) =>
        asset(id, {
          ...pools,
          asset_status: statuses[id - 1],
          asset_categories: [id === 1 ? 'builder-coin' : 'product-coin'],
        }),
      )
      return { body: { result } }
    })
    const report = await examine(baseUrl)
    expect(report.needsOperator).toBe(true)
    expect(asked).toBe(report.requests)
    expect(asked).toBeLessThanOrEqual(70)
  })

  test('stops asking an interface that has stopped answering', async () => {
    let asked = 0
    const server = await httpServer((_request, response) => {
      asked += 1
      if (asked === 1) response.end(JSON.stringify({ result: [asset(1), asset(2)] }))
      else response.writeHead(503, { 'retry-after': '60' }).end()
    })
    closing.push(async () => server[Symbol.asyncDispose]())
    const report = await examine(server.url)
    expect(report.needsOperator).toBe(true)
    expect(report.names.every(({ verdict }) => verdict === 'unknown')).toBe(true)
    expect(asked).toBe(4)
  })
})

describe('the printed report', () => {
  test('fits 80 columns, lines to paste apart, and never tells the key', async () => {
    const wrong = await standIn({ queryNames: { term: 'q', creator: 'who', chain: 'chain_id' } })
    const refusing = await standIn({ key: 'another' })
    for (const server of [wrong, refusing, await standIn()]) {
      const text = printReport(await examine(server.baseUrl))
      expect(text).not.toContain(key)
      for (const line of text.split('\n')) {
        if (!/^#?API_/u.test(line)) expect([...line].length).toBeLessThanOrEqual(80)
      }
    }
  })

  test('lets no control character of a token name reach the terminal', async () => {
    const base_token = { token_name: 'Evil\u001b[2J\u202eName', token_symbol: '\u0007' }
    const baseUrl = await serve(() => ({
      body: { result: [asset(1, { auction_pool: { base_token, pool_address: '\u001b]0;x' } })] },
    }))
    const text = printReport(await examine(baseUrl))
    expect(text).toContain('Evil[2JName')
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  })

  test('does not show a user name or password in the address', async () => {
    const report = await examine('http://user:pass-word@127.0.0.1:1/v1')
    expect(printReport(report)).not.toContain('pass-word')
  })
})
