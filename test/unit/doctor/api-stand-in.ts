import { onTestFinished } from 'vitest'
import {
  defaultQueryNames,
  isObject,
  type QueryMeaning,
  type QueryNames,
} from '../../../src/api/schema.ts'
import { readConfig } from '../../../src/config.ts'
import { printApiReport } from '../../../src/doctor/api-page.ts'
import { type ApiReport, examineApi } from '../../../src/doctor/api-report.ts'
import { needed } from '../../settings.ts'
import { realAssets } from '../api/real-assets.ts'
import { httpServer, silent } from '../api/server.ts'

export const key = 'the-doctor-never-tells-this'

/** An asset as it is sent, and the chain and status that lists go by. */
export interface Item {
  chain: number
  status: string
  cap: number
  sent: Record<string, unknown>
}

/** How an API may differ from the usual one. */
export interface Speaking {
  names?: Partial<QueryNames>
  /** Parameters that make no difference, whatever they are called. */
  ignores?: readonly QueryMeaning[]
  /** Refuses names that it does not know. */
  isStrict?: boolean
  /** Finds nothing for a search whose term it does not know. */
  findsNothing?: boolean
  items?: readonly Item[]
  /** Answers instead, from the so-manyeth request on. */
  fails?: { from: number; status: number; body: string }
}

const statuses = ['live', 'graduated', 'incoming'] as const
const categories = ['builder-coin', 'product-coin'] as const

/** Assets as the real service sends them, of three statuses, two categories and five creators. */
export function items(chain: number, count: number, seed = 7): Item[] {
  return realAssets(count, seed).map(({ item, truth }, index): Item => {
    const status = statuses[index % statuses.length] ?? 'live'
    const pool = isObject(item.auction_pool) ? item.auction_pool : {}
    const token = isObject(pool.base_token) ? pool.base_token : {}
    const creator = `0x${String(1 + (index % 5)).repeat(40)}`
    const base_token = { ...token, token_creator_address: creator }
    const asset_categories = [categories[index % categories.length]]
    return {
      chain,
      status,
      cap: truth.marketCap,
      sent: {
        ...item,
        asset_categories,
        asset_status: status,
        auction_pool: { ...pool, base_token },
      },
    }
  })
}

/** The same item with other fields; those of `pool` stand in its auction pool. */
export function changed(item: Item, sent: object, pool: object = {}): Item {
  const auction = isObject(item.sent.auction_pool) ? item.sent.auction_pool : {}
  return { ...item, sent: { ...item.sent, ...sent, auction_pool: { ...auction, ...pool } } }
}

/** An API that speaks so, and what it was asked. */
export async function speak(
  speaking: Speaking = {},
): Promise<{ baseUrl: string; asked: string[] }> {
  const asked: string[] = []
  const all = speaking.items ?? items(4663, 120)
  const server = await httpServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://a.example')
    asked.push(`${url.pathname}${url.search}`)
    const { fails } = speaking
    if (fails && asked.length >= fails.from) return response.writeHead(fails.status).end(fails.body)
    if (request.headers['x-api-key'] !== key) {
      const message = `Forbidden resource for ${String(request.headers['x-api-key'])}`
      return response.writeHead(403).end(JSON.stringify({ message, statusCode: 403 }))
    }
    const { status, body } = answer(url, speaking, all)
    return response.writeHead(status).end(JSON.stringify(body))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { baseUrl: server.url, asked }
}

function answer(
  url: URL,
  { names = {}, ignores = [], isStrict = false, findsNothing = false }: Speaking,
  all: readonly Item[],
): { status: number; body: unknown } {
  const known: QueryNames = { ...defaultQueryNames, ...names }
  const unknown = [...url.searchParams.keys()].find((name) => !Object.values(known).includes(name))
  if (isStrict && unknown !== undefined) return refused(`${unknown}: is not a parameter`)
  const given = (meaning: QueryMeaning) =>
    ignores.includes(meaning) ? undefined : (url.searchParams.get(known[meaning]) ?? undefined)
  const isSearch = url.pathname.endsWith('/search')
  const term = given('term')
  if (isSearch && term === undefined && findsNothing) return { status: 200, body: { result: [] } }
  if (isSearch && term === undefined) return refused('term: Required')
  const chain = Number(given('chain') ?? all[0]?.chain)
  const [status = 'all', category, quote, creator] = [
    given('status'),
    given('category'),
    given('numeraire'),
    given('creator'),
  ]
  const found = all.filter(({ sent, ...item }) => {
    const text = JSON.stringify(sent)
    return (
      item.chain === chain &&
      (status === 'all' || item.status === status) &&
      [category, quote, creator].every(
        (each) => each === undefined || text.includes(`"${each}"`),
      ) &&
      (term === undefined || text.includes(`"token_symbol":"${term}`))
    )
  })
  const sign = { market_cap_asc: 1, market_cap_desc: -1 }[given('ordering') ?? ''] ?? 0
  const from = Number(given('offset') ?? 0)
  const page = found
    .toSorted((one, other) => sign * (one.cap - other.cap))
    .slice(from, from + Number(given('limit') ?? 20))
  return { status: 200, body: { result: page.map(({ sent }) => sent) } }
}

function refused(message: string) {
  return { status: 400, body: { message, statusCode: 400 } }
}

/** What the doctor finds out with these settings beside the key, and prints. */
export async function examined(
  baseUrl: string,
  env: Record<string, string> = {},
): Promise<{ report: ApiReport; text: string }> {
  const config = await readConfig({
    ...needed,
    API_BASE_URL: baseUrl,
    API_KEY: key,
    CHAINS: '4663',
    ...env,
  })
  const report = await examineApi(config, silent)
  return { report, text: printApiReport(report) }
}
