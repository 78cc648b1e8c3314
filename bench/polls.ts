import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { LocalPort } from '../sandbox/http.ts'
import { pollChain } from '../src/alerts/chain-poll.ts'
import { PollMemory } from '../src/alerts/poll-memory.ts'
import { Recorder } from '../src/alerts/recorder.ts'
import type { Rule } from '../src/alerts/rule.ts'
import { WatchedAssets } from '../src/alerts/snapshot.ts'
import { Subscriptions } from '../src/alerts/subscriptions.ts'
import { pauseAfterPoll } from '../src/alerts/watcher.ts'
import { Api } from '../src/api/client.ts'
import { defaultQueryNames, defaultStatusWords } from '../src/api/schema.ts'
import { defaultUnits } from '../src/api/units.ts'
import { openStore } from '../src/db/database.ts'
import type { Store } from '../src/db/schema.ts'
import { createLogger } from '../src/log.ts'
import { chain } from './bots.ts'
import { atMost, type Findings, quickly, tableOf, whole } from './figures.ts'

/** `WATCH_INTERVAL` unless set, and seconds until the API has answered one request: the stand-in's clock goes by them. */
const defaultInterval = 15
const apiSeconds = 0.2
/** Seconds that a poll of 25 requests takes: one may be read early in one and late in another. */
const pollSeconds = 25 * apiSeconds
/** New assets an hour on Robinhood Chain in September 2026, and how many come at once in the middle of the run. */
const newAnHour = 77
const burst = 120
const begin = 1_800_000_000
const creationGap = 3600 / newAnHour

/** What is polled, and for how long. */
interface Plan {
  name: string
  assets: number
  followed: number
  /** How many of the followed ones are among the newest thousand; the others are anywhere. */
  recent: number
  minutes: number
  /** Seconds. */
  interval?: number
  /** Whether somebody follows the progress of all, so that the window is as large as it may be. */
  withProgress?: true
  /** Whether for each new one another one ends, anywhere in the list but for those that are followed. */
  withEnds?: true
}

const large: Plan = { name: '14,000 live', assets: 14_000, followed: 200, recent: 0, minutes: 40 }
const plans: readonly Plan[] = [
  { ...large, name: '1,000 live', assets: 1_000, minutes: 20 },
  { ...large, name: '14,000 live, none followed', followed: 0 },
  large,
  { ...large, name: '14,000 live, an interval of 8 s', interval: 8 },
  {
    ...large,
    name: '14,000 live, everybody’s progress followed, too',
    withProgress: true,
  },
  { ...large, name: '14,000 live, as many end as begin', withEnds: true },
  { ...large, name: '14,000 live, three of four followed are new', recent: 150, minutes: 20 },
  { ...large, name: '100,000 live', assets: 100_000, minutes: 120 },
]

interface Token {
  address: string
  json: string
  createdAt: number
  /** When an answer last had it, and the longest time between two. */
  shownAt: number
  unseen: number
}

/** Answers lists of live assets, the newest first, and single ones; its clock goes by its answers. */
class Lists {
  now = begin
  requests = 0
  /** Oldest first. */
  readonly tokens: Token[] = []
  readonly #byAddress = new Map<string, Token>()
  readonly #port = new LocalPort(
    createServer((request, response) => {
      this.requests += 1
      this.now += apiSeconds
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bench')
      const result = pathname.endsWith('/assets/')
        ? this.#page(searchParams)
        : this.#one(pathname.split('/').at(-1) ?? '')
      response.writeHead(result === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(`{"result":${result ?? 'null'}}`)
    }),
  )

  async start(): Promise<string> {
    return `http://127.0.0.1:${await this.#port.open()}/v1`
  }

  stop(): Promise<void> {
    return this.#port.close()
  }

  add(createdAt: number): Token {
    const address = `0x${randomBytes(20).toString('hex')}`
    const json = JSON.stringify({
      asset_address: address,
      asset_creation_timestamp: new Date(createdAt * 1000).toISOString(),
      asset_status: 'live',
      auction_pool: {
        pool_market_data: { pool_price: '0.002', pool_market_cap: '20000' },
        base_token: { token_name: 'Bench', token_symbol: 'BENCH' },
      },
    })
    const token = { address, json, createdAt, shownAt: createdAt, unseen: 0 }
    this.tokens.push(token)
    this.#byAddress.set(address, token)
    return token
  }

  /** Ends an auction: its list lacks it from then on. */
  end(token: Token): void {
    this.tokens.splice(this.tokens.indexOf(token), 1)
    token.json = token.json.replace('"asset_status":"live"', '"asset_status":"stall"')
  }

  #page(query: URLSearchParams): string {
    if (query.get(defaultQueryNames.status) !== 'live') return '[]'
    const offset = Number(query.get(defaultQueryNames.offset))
    const end = Math.max(0, this.tokens.length - offset)
    const limit = Number(query.get(defaultQueryNames.limit))
    const page = this.tokens.slice(Math.max(0, end - limit), end).reverse()
    return `[${page.map((token) => this.#show(token)).join(',')}]`
  }

  #one(address: string): string | undefined {
    const token = this.#byAddress.get(address)
    return token && this.#show(token)
  }

  #show(token: Token): string {
    token.unseen = Math.max(token.unseen, this.now - token.shownAt)
    token.shownAt = this.now
    return token.json
  }
}

/** What polling came to. */
export interface Polled {
  name: string
  /** Requests of each poll. */
  requests: number[]
  minutes: number
  /** Seconds of each new asset from its creation until it was told; infinite if it never was. */
  delays: number[]
  /** The most polls that began after an asset was created until it was told. */
  polls: number
  /** The longest times without a followed and without any other asset, in seconds. */
  followedUnseen: number
  unseen: number
  /** Polls until all assets had been read for the first time. */
  firstPolls: number
}

/** Polls a chain for some minutes of the stand-in's clock. */
export async function measurePolls(file: string, plan: Plan): Promise<Polled> {
  const lists = new Lists()
  const baseUrl = await lists.start()
  const store = await openStore(file)
  const api = new Api({ ...apiOptions, baseUrl })
  try {
    for (let index = plan.assets; index > 0; index -= 1) lists.add(begin - index * creationGap)
    const now = () => Math.floor(lists.now)
    const subscriptions = new Subscriptions({ store, now, perChat: plan.followed + 2 })
    const followed = await follow(subscriptions, lists, plan)
    const { interval = defaultInterval } = plan
    const poll = watcherOf({ store, api, lists, subscriptions, now, interval })
    let firstPolls = 0
    while (!(await poll()).isBegun) firstPolls += 1
    for (const token of lists.tokens) Object.assign(token, { shownAt: lists.now, unseen: 0 })
    const onNew = () => {
      if (plan.withEnds) lists.end(anyOther(lists, followed))
    }
    const told = await pollNewOnes({ store, lists, poll, onNew, seconds: plan.minutes * 60 })
    const unseen = (isFollowed: boolean) =>
      lists.tokens
        .filter(({ address }) => followed.has(address) === isFollowed)
        .map((token) => Math.max(token.unseen, lists.now - token.shownAt))
        .reduce((most, each) => Math.max(most, each), 0)
    const { name, minutes } = plan
    return {
      ...told,
      name,
      minutes,
      followedUnseen: unseen(true),
      unseen: unseen(false),
      firstPolls,
    }
  } finally {
    await api.close()
    await store.destroy()
    await lists.stop()
  }
}

const apiOptions = {
  key: 'bench',
  chains: [chain] as const,
  units: defaultUnits,
  log: createLogger('silent', []),
  queryNames: defaultQueryNames,
  statusWords: defaultStatusWords,
  cacheMs: 0,
  staleMs: 0,
}

interface WatcherParts {
  store: Store
  api: Api
  lists: Lists
  subscriptions: Subscriptions
  now: () => number
  interval: number
}

/** A poll and the pause after it, as the watcher of a chain makes them. */
function watcherOf({ store, api, lists, subscriptions, now, interval }: WatcherParts) {
  const { units, chains, log } = apiOptions
  const assets = new WatchedAssets(store)
  const recorder = new Recorder({ store, subscriptions, units, chains, log, now })
  let memory: PollMemory | undefined
  return async () => {
    const { now: from, requests: before } = lists
    const state = await recorder.state(chain)
    const { begunAt, position } = state
    memory ??= await PollMemory.load(assets, { chain, units, position })
    const { rules } = recorder
    const { signal } = new AbortController()
    const parts = { api, assets, units, now, chain, begunAt, memory, rules, interval, signal }
    const polled = await pollChain(parts)
    if (polled.failure) throw polled.failure
    await recorder.record(chain, state, polled, Math.floor(from))
    const endedAt = lists.now
    lists.now += pauseAfterPoll(interval, endedAt - from)
    return { requests: lists.requests - before, isBegun: begunAt !== undefined, endedAt }
  }
}

/** Polls while assets appear, and once many of them together. */
async function pollNewOnes({
  store,
  lists,
  poll,
  onNew,
  seconds: length,
}: Pick<WatcherParts, 'store' | 'lists'> & {
  poll: ReturnType<typeof watcherOf>
  /** Called for each new asset but for those that come together. */
  onNew: () => void
  seconds: number
}): Promise<Pick<Polled, 'requests' | 'delays' | 'polls'>> {
  const waiting = new Map<string, { createdAt: number; polls: number }>()
  const announce = (count: number) => {
    for (let index = 0; index < count; index += 1) {
      const { address, createdAt } = lists.add(lists.now)
      waiting.set(address, { createdAt, polls: 0 })
    }
  }
  const result: Pick<Polled, 'requests' | 'delays' | 'polls'> = {
    requests: [],
    delays: [],
    polls: 0,
  }
  const end = lists.now + length
  let burstAt = lists.now + length / 2
  let next = lists.now
  while (lists.now < end) {
    const count = Math.max(0, Math.ceil((lists.now - next) / creationGap))
    next += count * creationGap
    announce(count)
    for (let index = 0; index < count; index += 1) onNew()
    if (lists.now > burstAt) {
      announce(burst)
      burstAt = Number.POSITIVE_INFINITY
    }
    const { requests, endedAt } = await poll()
    result.requests.push(requests)
    for (const each of waiting.values()) each.polls += 1
    for (const { createdAt, polls } of await takeTold(store, waiting)) {
      result.delays.push(endedAt - createdAt)
      result.polls = Math.max(result.polls, polls)
    }
  }
  return waiting.size > 0 ? { ...result, polls: Number.POSITIVE_INFINITY } : result
}

/** Takes out of `waiting` what the database has an event of. */
async function takeTold<Waiting>(store: Store, waiting: Map<string, Waiting>): Promise<Waiting[]> {
  const rows = await store.selectFrom('events').select('asset').where('kind', '=', 'live').execute()
  return rows.flatMap(({ asset }) => {
    const told = waiting.get(asset)
    waiting.delete(asset)
    return told ?? []
  })
}

/** An asset that nobody follows, and that is none of the newest: those may still have to be told. */
function anyOther(lists: Lists, followed: ReadonlySet<string>): Token {
  const { tokens } = lists
  const token = tokens[Math.floor(Math.random() * (tokens.length - 2 * burst))]
  if (!token) throw new Error('there are too few assets')
  return followed.has(token.address) ? anyOther(lists, followed) : token
}

/** Subscribes a chat to the prices of assets; returns their addresses. */
async function follow(
  subscriptions: Subscriptions,
  { tokens }: Lists,
  { assets, followed, recent, withProgress }: Plan,
): Promise<Set<string>> {
  const chosen = new Set<string>()
  while (chosen.size < followed) {
    const among = chosen.size < recent ? Math.min(1_000, assets) : assets
    const address = tokens.at(-1 - Math.floor(Math.random() * among))?.address
    if (address) chosen.add(address)
  }
  const target = { platform: 'telegram', kind: 'chat', id: '1' } as const
  const rules: Rule[] = [...chosen].map((asset) => ({
    kind: 'price',
    setting: { moves: 10 },
    scope: { chain, asset },
  }))
  if (withProgress) rules.push({ kind: 'progress', setting: { percents: [50] }, scope: { chain } })
  if (rules.length > 0) await subscriptions.subscribeAll(target, rules)
  return chosen
}

/** Measures what polls cost and how late they are, by the number of live assets. */
export async function measureAllPolls(folder: string, isQuick: boolean): Promise<Findings> {
  const rows: Polled[] = []
  for (const [index, plan] of plans.entries()) {
    const { assets, followed, minutes } = plan
    const sizes = isQuick ? quickly({ assets, followed, minutes }) : {}
    rows.push(await measurePolls(join(folder, `polls-${index}.db`), { ...plan, ...sizes }))
  }
  const all = '14,000 live'
  const goal = (bound: number, name: string, figure: string, measured: (row: Polled) => number) => {
    const row = rows.find((each) => each.name === name)
    return atMost(bound, `${name}: ${figure}`, row ? measured(row) : Number.NaN)
  }
  const followedUnseen = (row: Polled) => row.followedUnseen
  return {
    tables: [
      '### Polls',
      `By a stand-in whose clock counts ${apiSeconds} s for each request and ${defaultInterval} s between two polls, unless a row says otherwise; ${newAnHour} new assets an hour, and once ${burst} more. 200 assets are followed for their price.`,
      tableOf(rows, {
        'requests a poll, mean': ({ requests }) => (sum(requests) / requests.length).toFixed(1),
        'at most': ({ requests }) => whole(Math.max(...requests)),
        'a minute': ({ requests, minutes }) => whole(sum(requests) / minutes),
        'polls until a new one is told, at most': ({ polls }) => whole(polls),
        'a new one is told after, at most': ({ delays }) => seconds(Math.max(...delays)),
        'a followed one unseen, at most': (row) => seconds(row.followedUnseen),
        'any other': ({ unseen }) => seconds(unseen),
        'polls until all are known': ({ firstPolls }) => whole(firstPolls),
      }),
    ],
    goals: [
      goal(25, all, 'requests a poll', ({ requests }) => Math.max(...requests)),
      goal(1, all, 'polls until a new one is told', ({ polls }) => polls),
      goal(
        60 + pollSeconds,
        `${all}, three of four followed are new`,
        'one unseen, in seconds',
        followedUnseen,
      ),
      goal(
        60 + pollSeconds,
        `${all}, an interval of 8 s`,
        'a followed one unseen, in seconds',
        followedUnseen,
      ),
      // They are on 120 pages: no four polls of 25 requests have them all.
      goal(120, all, 'a followed one unseen, in seconds', followedUnseen),
      goal(
        120 + pollSeconds,
        `${all}, as many end as begin`,
        'a followed one unseen, in seconds',
        followedUnseen,
      ),
      goal(1800, all, 'any other unseen, in seconds', ({ unseen }) => unseen),
    ],
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

function seconds(value: number): string {
  return value < 120 ? `${value.toFixed(0)} s` : `${(value / 60).toFixed(0)} min`
}
