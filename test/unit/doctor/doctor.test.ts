import { describe, expect, onTestFinished, test } from 'vitest'
import { ApiServer, type ApiServerOptions } from '../../../sandbox/api/server.ts'
import { defaultQueryNames } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { exitCode, printReport, type Report } from '../../../src/doctor/report.ts'
import { httpServer } from '../api/server.ts'
import { examine, key, speak } from './refusing-server.ts'

async function standIn(options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  const server = await ApiServer.start({ key, ...options })
  onTestFinished(() => server.stop())
  return server
}

/** Answers each question, with its number, and remembers all of them. */
async function serve(
  answer: (url: URL, count: number) => { status?: number; body?: unknown; headers?: object },
): Promise<{ baseUrl: string; asked: URL[] }> {
  const asked: URL[] = []
  const server = await httpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://a.example')
    asked.push(url)
    const { status = 200, body = '', headers } = answer(url, asked.length)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { ...headers }).end(text)
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { baseUrl: server.url, asked }
}

function asset(id: number, fields: object = {}) {
  return {
    asset_address: `0x${id.toString(16).padStart(40, '0')}`,
    asset_creation_timestamp: new Date(Date.UTC(2026, 0, 1) + id * 60_000).toISOString(),
    ...fields,
  }
}

function wrongNames({ names }: Report): string[] {
  return names.filter(({ verdict }) => verdict === 'wrong').map(({ meaning }) => meaning)
}

describe('if all is well', () => {
  test('says so with few requests, all of them reads, and shows a sample', async () => {
    const server = await standIn()
    const report = await examine(server.baseUrl)
    expect(report).toMatchObject({ needsOperator: false, settings: [], advice: [] })
    expect(report.units.filter(({ verdict }) => verdict !== 'ok')).toMatchObject([
      { field: 'pool_price_change_24h', verdict: 'unknown', fits: true },
    ])
    expect(report.names.map(({ meaning, verdict }) => [meaning, verdict])).toEqual(
      Object.keys(defaultQueryNames).map((meaning) => [meaning, 'ok']),
    )
    expect(report.calls.every(({ verdict }) => verdict === 'ok')).toBe(true)
    expect(server.requests.length).toBe(report.requests)
    expect(report.requests).toBeLessThan(40)
    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(report.sample?.rows.filter(({ shown }) => shown === '(not shown)')).toEqual([])
  })

  test('judges units by some pages of all assets and one of the live, of two chains', async () => {
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

  test('lists fields that nothing proves, with the line that hides them', async () => {
    const report = await examine((await standIn()).baseUrl)
    expect(exitCode(report)).toBe(0)
    const text = printReport(report)
    expect(text).toContain(
      'What could not be proved\n  Units of pool_price_change_24h. They are shown as they are set',
    )
    expect(text).toContain(
      'hides them with this line, without its #:\n#API_UNITS={"pool_price_change_24h":"unknown"}\n',
    )
    expect(text).toContain('All is well: every figure of the sample\nsatisfies every identity.\n')
  })
})

describe('names, words and units that are wrong at once', () => {
  const progress = 'pool_current_sale_progress_percentage'
  /** A share of what is for sale, as a ratio; the status has words of its own. */
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
  const foreigner = () =>
    serve(({ searchParams }) => {
      const limit = searchParams.get('page_size')
      if (limit === null) return { status: 400, body: { message: 'page_size' } }
      const words: Record<string, string> = { live: 'auction_live', graduated: 'migrated' }
      const state = searchParams.get('state') ?? 'all'
      const found = items.filter(
        (item) => state === 'all' || item.asset_status === (words[state] ?? state),
      )
      const from = Number(searchParams.get('skip') ?? 0)
      return { body: { result: found.slice(from, from + Number(limit)) } }
    })
  const chains = [8453] as const

  test('are all found in one run, and with the lines pasted nothing more would change', async () => {
    const { baseUrl } = await foreigner()
    const report = await examine(baseUrl, { chains })
    expect(report.settings).toEqual([
      'API_QUERY_NAMES={"status":"state","limit":"page_size","offset":"skip"}',
      `API_UNITS={"${progress}":"ratio"}`,
      'API_STATUS=live=auction_live,graduated=migrated',
    ])
    expect(report.units).toContainEqual({
      field: progress,
      unit: 'percent',
      verdict: 'wrong',
      fits: false,
      detail: `“percent” breaks: progress = sold ÷ to sell (${progress} 0.1)`,
      better: 'ratio',
    })
    expect(report.isSettled).toBe(true)
    expect(printReport(report)).toContain('another run would change nothing more.')
    const statusWords = new Map([
      ['auction_live', 'live'],
      ['migrated', 'graduated'],
    ] as const)
    const after = await examine(baseUrl, {
      chains,
      queryNames: { ...defaultQueryNames, status: 'state', limit: 'page_size', offset: 'skip' },
      units: { ...defaultUnits, [progress]: 'ratio' },
      statusWords,
    })
    expect(after).toMatchObject({ settings: [] })
    expect(after.units.every(({ fits }) => fits)).toBe(true)
  })

  test('are proposed in lines that keep what the operator has set already', async () => {
    const report = await examine((await foreigner()).baseUrl, {
      chains,
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

describe('if nothing can be examined', () => {
  test('it says that the key is refused', async () => {
    const report = await examine((await standIn({ key: 'another' })).baseUrl)
    expect(report).toMatchObject({ needsOperator: true, requests: 1, names: [] })
    expect(report.calls).toContainEqual({ endpoint: 'authorised', verdict: 'wrong', detail: 'no' })
    expect(report.advice.join()).toContain('API_KEY')
  })

  test('it says that nothing answers, without the password in the address', async () => {
    const report = await examine('http://user:pass-word@127.0.0.1:1/v1')
    expect(report.calls).toContainEqual({ endpoint: 'reachable', verdict: 'wrong', detail: 'no' })
    expect(report.advice.join()).toContain('API_BASE_URL')
    expect(printReport(report)).not.toContain('pass-word')
  })

  test('it says that something else answers', async () => {
    const { baseUrl } = await serve(() => ({ body: { hello: 'world' } }))
    expect((await examine(baseUrl)).advice.join()).toContain('Something else')
  })

  test('it finds nothing wrong in an empty listing, and says what it could not check', async () => {
    const { baseUrl } = await serve(() => ({ body: { result: [] } }))
    const report = await examine(baseUrl)
    expect(report).toMatchObject({ needsOperator: false, settings: [], odd: 0 })
    expect(report.sample).toBeUndefined()
    expect(report.names.every(({ verdict }) => verdict === 'unknown')).toBe(true)
    const text = printReport(report)
    expect(text).toContain('query names: chainId, status, limit, offset, ordering, numeraire')
    expect(text).toContain('Nothing is wrong, and nothing is listed to judge by.')
    expect(exitCode(report)).toBe(0)
  })
})

describe('the doctor stops', () => {
  const letters = (id: number) =>
    `q${[...String(id)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')}`
  const hundred = Array.from({ length: 60 }, (_, id) => letters(id)).join(', ')
  const refusals: [string, number, (count: number, url: URL) => string][] = [
    ['a name that it knows, each time another', 130, (n) => `${letters(n)}_limit is required`],
    ['a name that says nothing, each time another', 66, (n) => `missing: ${letters(n)}`],
    ['a hundred names at once', 70, () => `Allowed: ${hundred}`],
    [
      'all that was asked',
      70,
      (_, url) => [...url.searchParams.keys()].map((name) => `'${name}' is unknown`).join(),
    ],
    ['nothing', 66, () => ''],
  ]

  test.each(refusals)('if each refusal names %s', async (_what, most, say) => {
    const { baseUrl, asked } = await serve((url, count) => ({ status: 400, body: say(count, url) }))
    const report = await examine(baseUrl)
    expect(report.requests).toBe(asked.length)
    expect(report.requests).toBeLessThanOrEqual(most)
    expect(report).toMatchObject({ settings: [], needsOperator: true })
    expect(report.advice.join(' ')).not.toContain('Left unasked')
  })

  test('if no name works', async () => {
    const statuses = ['live', 'graduated', 'incoming']
    const { baseUrl, asked } = await serve(() => ({
      body: {
        result: [1, 2, 3].map((id) =>
          asset(id, {
            auction_pool: { pool_address: asset(1).asset_address },
            asset_status: statuses[id - 1],
            asset_categories: [id === 1 ? 'builder-coin' : 'product-coin'],
          }),
        ),
      },
    }))
    const report = await examine(baseUrl)
    expect(report.needsOperator).toBe(true)
    expect(asked).toHaveLength(report.requests)
    expect(asked.length).toBeLessThanOrEqual(70)
  })

  test('if the API stops answering', async () => {
    const { baseUrl, asked } = await serve((_, count) =>
      count === 1
        ? { body: { result: [asset(1), asset(2)] } }
        : { status: 503, headers: { 'retry-after': '60' } },
    )
    const report = await examine(baseUrl)
    expect(report.needsOperator).toBe(true)
    expect(report.names.every(({ verdict }) => verdict === 'unknown')).toBe(true)
    expect(asked).toHaveLength(4)
  })

  test('if the search alone refuses with ever new names', async () => {
    let count = 0
    const says = () => {
      count += 1
      return `${letters(count)}_chain is required`
    }
    const requires = { search: ['category', 'creator'] } as const
    const { baseUrl, asked } = await speak({ requires, says })
    expect(wrongNames(await examine(baseUrl))).toEqual(['term'])
    expect(asked.length).toBeLessThan(60)
  })

  test('if limit and offset need each other, and the names are unknown', async () => {
    const names = { limit: 'zzz', offset: 'yyy' }
    const { baseUrl, asked } = await speak({ names, pairs: true, strict: true })
    expect(wrongNames(await examine(baseUrl))).toEqual(['limit', 'offset'])
    // Each of the likeliest hundred pairs once, in all rounds.
    expect(asked.length).toBeGreaterThan(120)
    expect(asked.length).toBeLessThan(260)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('after five chains, and names the others', async () => {
    const { baseUrl, asked } = await speak()
    const { calls } = await examine(baseUrl, { chains: [8453, 84532, 3, 4, 5, 6, 7] })
    const lists = calls.filter(({ endpoint }) => endpoint.startsWith('GET /assets/ on'))
    const unasked = ['unknown', 'unknown']
    expect(lists.map(({ verdict }) => verdict)).toEqual([...Array(5).fill('ok'), ...unasked])
    expect(lists.at(-1)?.detail).toBe('not examined: only 5 chains are')
    expect(asked.some((path) => path.includes('chainId=7'))).toBe(false)
  })
})

test('a name is not called wrong if only its values are refused', async () => {
  const { baseUrl } = await serve(({ searchParams }) =>
    (searchParams.get('status') ?? 'all') === 'all'
      ? { body: { result: [asset(2), asset(1)] } }
      : { status: 400, body: 'no' },
  )
  const { names } = await examine(baseUrl, { chains: [8453] })
  expect(names.find(({ meaning }) => meaning === 'status')).toMatchObject({ verdict: 'unknown' })
})

describe('the sample of assets', () => {
  test('is that of the request that was answered, if the bot’s own is refused', async () => {
    const { baseUrl } = await speak({ requires: { list: ['ordering'] } })
    const report = await examine(baseUrl, { chains: [8453] })
    const list = report.calls.find(({ endpoint }) => endpoint === 'GET /assets/ on 8453')
    expect(list?.verdict).toBe('wrong')
    expect(report.sample).toBeDefined()
  })

  test('is not extended if pages repeat themselves', async () => {
    const { baseUrl, asked } = await speak({ pastTheEnd: 'last page', count: 3 })
    await examine(baseUrl, { chains: [8453] })
    expect(asked.filter((path) => /[?&]offset=3(?:&|$)/u.test(path))).toHaveLength(1)
    expect(asked.filter((path) => /[?&]offset=6(?:&|$)/u.test(path))).toEqual([])
  })

  test('may have a new asset after every fourth answer: a parameter without effect is not taken for one with an effect', async () => {
    const verdicts = async (minded: readonly string[]) => {
      const { baseUrl } = await serve(({ searchParams }, count) => {
        const given = (name: string, usual: number) =>
          minded.includes(name) ? Number(searchParams.get(name) ?? usual) : usual
        const all = Array.from({ length: 70 + Math.floor(count / 4) }, (_, id) => asset(id))
        const [offset, limit] = [given('offset', 0), given('limit', 20)]
        return { body: { result: all.toReversed().slice(offset, offset + limit) } }
      })
      const { names, settings } = await examine(baseUrl, { chains: [8453] })
      expect(settings).toEqual([])
      return Object.fromEntries(names.map(({ meaning, verdict }) => [meaning, verdict]))
    }
    expect(await verdicts(['limit', 'offset'])).toMatchObject({ limit: 'ok', offset: 'ok' })
    const [status, ordering, creator] = ['wrong', 'wrong', 'wrong']
    const ignored = { limit: 'ok', offset: 'wrong', status, ordering, creator }
    expect(await verdicts(['limit'])).toMatchObject(ignored)
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
    const auction_pool = { base_token, pool_address: '\u001b]0;x' }
    const { baseUrl } = await serve(() => ({ body: { result: [asset(1, { auction_pool })] } }))
    const text = printReport(await examine(baseUrl))
    expect(text).toContain('Evil[2JName')
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  })

  test('does not say that all is well if an identity is broken that no unit mends', async () => {
    const report = await examine((await standIn()).baseUrl)
    const unit = (field: Report['units'][number]['field'], verdict: 'wrong' | 'unknown') =>
      ({ field, unit: 'usd', verdict, fits: false, detail: 'none would fit' }) as const
    const units = [unit('pool_market_cap', 'wrong'), unit('pool_liquidity', 'unknown')]
    const broken = { ...report, units }
    expect(exitCode(broken)).toBe(2)
    expect(exitCode({ ...broken, needsOperator: true })).toBe(1)
    const text = printReport(broken)
    expect(text).not.toContain('All is well')
    expect(text).toMatch(/no single unit mends it:\n {2}pool_market_cap\n {2}pool_liquidity\n/u)
    expect(text).toMatch(/ {2}FIX pool_market_cap/u)
    expect(text).toMatch(/ {2}\? {3}pool_liquidity/u)
  })
})
