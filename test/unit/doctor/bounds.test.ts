import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultQueryNames } from '../../../src/api/query-names.ts'
import { printReport } from '../../../src/doctor/print.ts'
import { httpServer } from '../api/server.ts'
import { type Dialect, examine, speak } from './refusing-server.ts'

/** Refuses each question, in words that `say` makes of the number of the question and what it asks. */
async function refuses(say: (count: number, url: URL) => string) {
  const asked: URL[] = []
  const server = await httpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://a.example')
    asked.push(url)
    response.writeHead(400).end(say(asked.length, url))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { baseUrl: server.url, asked }
}

describe('the doctor comes to an end', () => {
  const refusals: [string, number, (count: number, url: URL) => string][] = [
    [
      'a name that it knows, each time another',
      130,
      (count) => `${letters(count)}_limit is required`,
    ],
    ['a name that says nothing, each time another', 66, (count) => `missing: ${letters(count)}`],
    [
      'a hundred names at once',
      70,
      () => `Allowed: ${Array.from({ length: 60 }, (_, id) => letters(id)).join(', ')}`,
    ],
    [
      'all that was asked',
      70,
      (_, url) => [...url.searchParams.keys()].map((name) => `'${name}' is unknown`).join(),
    ],
    ['nothing', 66, () => ''],
  ]

  test.each(refusals)('where each refusal names %s', async (_what, most, say) => {
    const { baseUrl, asked } = await refuses(say)
    const report = await examine(baseUrl)
    expect(report.requests).toBe(asked.length)
    expect(report.requests).toBeLessThanOrEqual(most)
    expect(report.settings).toEqual([])
    expect(report.needsOperator).toBe(true)
    expect(report.advice.join(' ')).not.toContain('Left unasked')
  })

  test('where the search alone refuses with ever new names', async () => {
    let count = 0
    const says = () => {
      count += 1
      return `${letters(count)}_chain is required`
    }
    const requires = { search: ['category', 'creator'] } as const
    const { baseUrl, asked } = await speak({ requires, says })
    const { names } = await examine(baseUrl)
    expect(
      names.filter(({ verdict }) => verdict === 'wrong').map(({ meaning }) => meaning),
    ).toEqual(['term'])
    expect(asked.length).toBeLessThan(60)
  })

  test('where a limit goes with an offset, and nobody knows the names', async () => {
    const names = { limit: 'zzz', offset: 'yyy' }
    const { baseUrl, asked } = await speak({ names, pairs: true, strict: true })
    const report = await examine(baseUrl)
    expect(
      report.names.filter(({ verdict }) => verdict === 'wrong').map(({ meaning }) => meaning),
    ).toEqual(['limit', 'offset'])
    // Each of the likeliest hundred pairs once, in all rounds.
    expect(asked.length).toBeGreaterThan(120)
    expect(asked.length).toBeLessThan(260)
    expect(new Set(asked).size).toBe(asked.length)
  })

  test('after five chains, with the others told of', async () => {
    const { baseUrl, asked } = await speak()
    const chains = [8453, 84532, 3, 4, 5, 6, 7] as const
    const { calls } = await examine(baseUrl, { chains: [...chains] })
    const lists = calls.filter(({ endpoint }) => endpoint.startsWith('GET /assets/ on'))
    expect(lists.map(({ verdict }) => verdict)).toEqual([
      ...Array(5).fill('well'),
      'unknown',
      'unknown',
    ])
    expect(lists.at(-1)?.detail).toBe('not examined: only 5 chains are')
    expect(asked.some((path) => path.includes('chainId=7'))).toBe(false)
  })
})

describe('what each endpoint requires', () => {
  const wants = (report: Awaited<ReturnType<typeof examine>>) =>
    report.calls.filter(({ endpoint }) => endpoint.endsWith('wants'))

  test('is nothing where a question with all of it is refused', async () => {
    const dialect: Dialect = {
      names: { offset: 'zzz' },
      strict: true,
      requires: { list: ['chain'] },
    }
    const { baseUrl } = await speak(dialect)
    expect(
      wants(await examine(baseUrl)).filter(({ endpoint }) => endpoint === 'GET /assets/ wants'),
    ).toEqual([])
  })

  test('is no chain where an asset is only not found without it', async () => {
    const { baseUrl } = await speak()
    expect(wants(await examine(baseUrl, { chains: [84532, 8453] }))).toEqual([])
  })

  test('is told of the list alone where nothing is listed to search for', async () => {
    const requires = { list: ['chain'], search: ['chain'], asset: true } as const
    const { baseUrl } = await speak({ requires, count: 0 })
    expect(wants(await examine(baseUrl)).map(({ endpoint, detail }) => [endpoint, detail])).toEqual(
      [['GET /assets/ wants', 'chainId']],
    )
  })
})

describe('the assets to judge by', () => {
  test('are none where nothing is listed, and the report says so', async () => {
    const { baseUrl } = await speak({ count: 0 })
    const report = await examine(baseUrl, { chains: [8453] })
    expect(report.sample).toBeUndefined()
    expect(report).toMatchObject({ needsOperator: false, settings: [], odd: 0 })
    expect(printReport(report)).toContain('nothing is listed to judge by')
  })

  test('are those of the answered question where the bot’s own is refused', async () => {
    const { baseUrl } = await speak({ requires: { list: ['ordering'] } })
    const report = await examine(baseUrl, { chains: [8453] })
    expect(report.calls.find(({ endpoint }) => endpoint === 'GET /assets/ on 8453')?.verdict).toBe(
      'wrong',
    )
    expect(report.sample).toBeDefined()
  })

  test('are not asked for again where pages repeat themselves', async () => {
    const { baseUrl, asked } = await speak({ pastTheEnd: 'last page', count: 3 })
    await examine(baseUrl, { chains: [8453], queryNames: defaultQueryNames })
    expect(asked.filter((path) => /[?&]offset=3(?:&|$)/u.test(path))).toHaveLength(1)
    expect(asked.filter((path) => /[?&]offset=6(?:&|$)/u.test(path))).toEqual([])
  })
})

function letters(id: number): string {
  return `q${[...String(id)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')}`
}
