import { onTestFinished } from 'vitest'
import { defaultQueryNames, type QueryMeaning, queryMeanings } from '../../../src/api/schema.ts'
import { readConfig } from '../../../src/config.ts'
import { doctor } from '../../../src/doctor/doctor.ts'
import type { ApiLimits } from '../../../src/doctor/limited-api.ts'
import type { Report } from '../../../src/doctor/report.ts'
import type { DoctorSettings } from '../../../src/doctor/settings.ts'
import { needed } from '../../settings.ts'
import { defaultTables, httpServer, silent } from '../api/server.ts'

export const key = 'the-doctor-never-tells-this'

/** Ways in which an API may keep to the document and still differ from others. */
export interface Dialect {
  names?: Partial<Record<QueryMeaning, string>>
  requires?: { list?: readonly QueryMeaning[]; search?: readonly QueryMeaning[]; asset?: boolean }
  /** A list takes a limit together with an offset alone. */
  pairs?: boolean
  /** Unknown names are refused. */
  strict?: boolean
  /** What is said of names that are unknown or missing; the API says nothing of them without it. */
  says?: (
    unknown: readonly string[],
    missing: readonly string[],
    known: readonly string[],
  ) => unknown
  /** What stands in asset_status for the document's words. */
  words?: Partial<Record<'incoming' | 'live' | 'graduated' | 'stall', string | undefined>>
  /** The status makes no difference, whatever it is called. */
  ignoresStatus?: boolean
  /** What an offset past the end is answered with. */
  pastTheEnd?: 'nothing' | 'last page'
  /** The parameter of the offset is a number of a page, and the first of them has this. */
  firstPage?: 0 | 1
  /** Other chains than this are refused by these words. */
  onlyChain?: number
  /** How many assets there are on each chain. */
  count?: number
}

/** What other names APIs have: none is the default. */
export const foreign: Record<QueryMeaning, string> = {
  chain: 'network_id',
  status: 'asset_status',
  limit: 'page[size]',
  offset: 'skip',
  ordering: 'sort_by',
  numeraire: 'numeraire_address',
  category: 'asset_category',
  creator: 'creator_address',
  term: 'search_query',
}

const of: Record<'list' | 'search' | 'asset', readonly QueryMeaning[]> = {
  list: queryMeanings.filter((meaning) => meaning !== 'term'),
  search: ['chain', 'term', 'limit', 'category'],
  asset: ['chain'],
}
const statuses = ['live', 'graduated', 'incoming', 'stall'] as const

interface Item {
  chain: number
  status: (typeof statuses)[number]
  cap: number
  asset_address: string
  asset_numeraire_address: string
  asset_creation_timestamp: string
  asset_categories: string[]
  asset_status: string | undefined
  auction_pool: { base_token: { token_creator_address: string } }
}

/** An API that speaks a dialect, with assets on two chains. */
export async function speak(dialect: Dialect = {}): Promise<{ baseUrl: string; asked: string[] }> {
  const names: Record<QueryMeaning, string> = { ...defaultQueryNames, ...dialect.names }
  const items = [8453, 84532].flatMap((chain) => itemsOf(chain, dialect))
  const asked: string[] = []
  const server = await httpServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://a.example')
    asked.push(`${url.pathname}${url.search}`)
    const { status, body } = answer(url, { dialect, names, items })
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { baseUrl: server.url, asked }
}

/** What the doctor finds where the operator has set nothing but this. */
export async function examine(
  baseUrl: string,
  settings: Partial<DoctorSettings> = {},
  limits: Partial<ApiLimits> = {},
): Promise<Report> {
  const usual: Omit<DoctorSettings, 'baseUrl'> = {
    key,
    ...defaultTables,
    chains: [8453, 84532],
    launches: { settings: (await readConfig(needed)).launch, rpcUrls: {} },
  }
  return doctor({ baseUrl, ...usual, ...settings }, silent, limits)
}

interface World {
  dialect: Dialect
  names: Record<QueryMeaning, string>
  items: readonly Item[]
}

function answer(url: URL, world: World): { status: number; body: unknown } {
  const path = url.pathname.replace('/v1', '')
  if (path.startsWith('/auctions/')) return { status: 200, body: { result: {} } }
  const endpoint = path === '/assets/' ? 'list' : path === '/assets/search' ? 'search' : 'asset'
  const refusal = refused(endpoint, url, world)
  if (refusal !== undefined) return { status: 422, body: refusal }
  const given = (meaning: QueryMeaning) => url.searchParams.get(world.names[meaning]) ?? undefined
  const chain = Number(given('chain') ?? 8453)
  const { onlyChain } = world.dialect
  if (onlyChain !== undefined && chain !== onlyChain) {
    return { status: 400, body: { message: `chain ${chain} is not served` } }
  }
  const here = world.items.filter((item) => item.chain === chain)
  if (endpoint === 'asset') {
    const found = here.find((item) => path.endsWith(item.asset_address))
    return found ? { status: 200, body: { result: shown(found) } } : { status: 404, body: {} }
  }
  const limit = Number(given('limit') ?? 20)
  const found = endpoint === 'search' ? searched(here, given('term')) : listed(here, given, world)
  const start = startOf(Number(given('offset') ?? 0), limit, found.length, world.dialect)
  return { status: 200, body: { result: found.slice(start, start + limit).map(shown) } }
}

function refused(endpoint: keyof typeof of, url: URL, { dialect, names }: World): unknown {
  const { requires = {}, strict = false, says } = dialect
  const known = of[endpoint].map((meaning) => names[meaning])
  const given = [...url.searchParams.keys()]
  const unknown = strict ? given.filter((name) => !known.includes(name)) : []
  const wanted =
    endpoint === 'asset' ? (requires.asset ? (['chain'] as const) : []) : requires[endpoint]
  const has = (meaning: QueryMeaning) => given.includes(names[meaning])
  const paired = dialect.pairs && endpoint === 'list' && has('limit')
  const required: QueryMeaning[] = [
    ...(wanted ?? []),
    ...(endpoint === 'search' ? (['term'] as const) : []),
    ...(paired ? (['offset'] as const) : []),
  ]
  const missing = required.map((meaning) => names[meaning]).filter((name) => !given.includes(name))
  if (unknown.length === 0 && missing.length === 0) return undefined
  return says?.(unknown, missing, known) ?? 'Unprocessable'
}

function listed(
  items: readonly Item[],
  given: (meaning: QueryMeaning) => string | undefined,
  { dialect }: World,
): Item[] {
  const [status, category] = [given('status') ?? 'all', given('category')]
  const [numeraire, creator, ordering] = [given('numeraire'), given('creator'), given('ordering')]
  const found = items.filter(
    (item) =>
      (status === 'all' || dialect.ignoresStatus || item.status === status) &&
      (category === undefined || item.asset_categories.includes(category)) &&
      (numeraire === undefined || item.asset_numeraire_address === numeraire) &&
      (creator === undefined || item.auction_pool.base_token.token_creator_address === creator),
  )
  const sign = ordering === undefined ? 0 : ordering.endsWith('asc') ? 1 : -1
  return found.toSorted((left, right) => sign * (left.cap - right.cap))
}

function searched(items: readonly Item[], term = ''): Item[] {
  return items.filter((item) => item.asset_address.includes(term))
}

function startOf(offset: number, limit: number, length: number, dialect: Dialect): number {
  const { firstPage, pastTheEnd } = dialect
  if (firstPage !== undefined) return Math.max(0, offset - firstPage) * limit
  if (pastTheEnd !== 'last page' || offset < length) return offset
  return Math.floor(Math.max(0, length - 1) / limit) * limit
}

function itemsOf(chain: number, { words, count = 70 }: Dialect): Item[] {
  return Array.from({ length: count }, (_, index) => {
    const status = statuses[index % statuses.length] ?? 'live'
    const word = words && status in words ? words[status] : status
    return {
      chain,
      status,
      cap: (index * 37) % 101,
      asset_address: hex(chain * 1000 + index),
      asset_numeraire_address: hex(index % 3),
      asset_creation_timestamp: new Date(Date.UTC(2026, 0, 1) - index * 60_000).toISOString(),
      asset_categories: [index % 2 === 0 ? 'builder-coin' : 'product-coin'],
      asset_status: word,
      auction_pool: { base_token: { token_creator_address: hex(500 + (index % 5)) } },
    }
  })
}

function shown({ status: _status, cap: _cap, chain: _chain, ...asset }: Item): object {
  return asset
}

function hex(id: number): string {
  return `0x${id.toString(16).padStart(40, '0')}`
}
