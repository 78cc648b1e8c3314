import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { enqueue, matches, readBody, readEvents } from '../../../src/alerts/events.ts'
import type { Event, EventBody, Scope } from '../../../src/alerts/kinds/kind.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { type Subscription, Subscriptions, type Target } from '../../../src/alerts/subscriptions.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { anyAddress, anyCategory, anyChain, anyRule } from '../../unit/alerts/any-rule.ts'
import { digest } from '../../unit/alerts/pieces.ts'
import { asset, fullAsset } from '../../unit/views/sample.ts'

const now = 1_700_000_000

let database: TestDatabase
let store: Store
let follows: Subscriptions
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  follows = new Subscriptions({ store, now: () => now, perChat: 1000 })
})
afterEach(() => database.remove())

const chat = (id: string): Target => ({ platform: 'telegram', kind: 'chat', id })

function newsOf(body: EventBody, more: Partial<Event> = {}): Event {
  const about = body.asset?.asset_address.toLowerCase() ?? ''
  return { key: 'a', chain: 8453, asset: about, at: now, usefulUntil: now + 60, body, ...more }
}

function tell(...news: Event[]) {
  return store.transaction().execute((tx) => enqueue(tx, news, now))
}

/** The chats to which news waits to be sent, by its key. */
async function told(): Promise<string[]> {
  const rows = await store
    .selectFrom('deliveries')
    .innerJoin('news', 'news.id', 'deliveries.news')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination')
    .select(['key', 'chat'])
    .execute()
  return rows.map((row) => `${row.key} to ${row.chat}`).sort()
}

const otter = asset(fullAsset)
const live = newsOf({ kind: 'live', asset: otter })
const followed = (scope: Scope): Rule => ({ kind: 'live', setting: {}, scope })

describe('news of an asset reaches who follows', () => {
  test.each<[about: string, scope: Scope, isTold: boolean]>([
    ['everything', {}, true],
    ['its chain', { chain: 8453 }, true],
    ['another chain', { chain: 1 }, false],
    ['the asset in another spelling', { asset: otter.asset_address.toUpperCase() }, true],
    ['another asset', { asset: `0x${'9'.repeat(40)}` }, false],
    ['its numeraire', { numeraire: '0x4200000000000000000000000000000000000006' }, true],
    ['another numeraire', { numeraire: `0x${'9'.repeat(40)}` }, false],
    ['its creator', { creator: `0x${'1'.repeat(40)}` }, true],
    ['another creator', { creator: `0x${'9'.repeat(40)}` }, false],
    ['one of its categories', { category: 'product-coin' }, true],
    ['a category in another spelling', { category: 'Product-Coin' }, false],
    ['all of it', { chain: 8453, asset: otter.asset_address, category: 'builder-coin' }, true],
    ['one limit that it misses', { chain: 8453, category: 'meme' }, false],
  ])('%s: $2', async (_about, scope, isTold) => {
    await follows.follow(chat('ada'), followed(scope))
    expect(await tell(live)).toEqual({ news: 1, deliveries: isTold ? 1 : 0 })
  })
})

test('an asset without creator, numeraire and categories reaches who wants any', async () => {
  const bare = asset({ asset_address: otter.asset_address })
  await follows.follow(chat('ada'), followed({}))
  await follows.follow(chat('bob'), followed({ creator: `0x${'1'.repeat(40)}` }))
  await tell(newsOf({ kind: 'live', asset: bare }))
  expect(await told()).toEqual(['a to ada'])
})

test('a chat that follows by several rules is told once', async () => {
  await follows.follow(chat('ada'), followed({}))
  await follows.follow(chat('ada'), followed({ chain: 8453 }))
  await follows.follow(chat('bob'), followed({ category: 'builder-coin' }))
  expect(await tell(live)).toEqual({ news: 1, deliveries: 2 })
})

test('who follows by more rules than one statement takes is told, too', async () => {
  const minutes = Array.from({ length: 501 }, (_, each) => each + 5)
  for (const each of minutes) {
    await follows.follow(chat(`chat ${each}`), {
      kind: 'ending',
      setting: { minutes: each },
      scope: {},
    })
  }
  const body = { kind: 'ending', asset: otter, minutes: 1, fromMinutes: 2000, endsAt: 5 } as const
  expect(await tell(newsOf(body))).toEqual({ news: 1, deliveries: 501 })
})

test('news that was told before is told to nobody again, whoever follows meanwhile', async () => {
  await follows.follow(chat('ada'), followed({}))
  expect(await tell(live, live)).toEqual({ news: 1, deliveries: 1 })
  await follows.follow(chat('bob'), followed({}))
  expect(await tell({ ...live, at: now + 5 })).toEqual({ news: 0, deliveries: 0 })
  expect(await told()).toEqual(['a to ada'])
})

test('lost and muted chats get nothing, not even afterwards', async () => {
  for (const id of ['ada', 'bob', 'eve']) await follows.follow(chat(id), followed({}))
  await follows.mute(chat('ada'), now + 60)
  await follows.mute(chat('eve'), now)
  await store
    .updateTable('destinations')
    .set({ paused: 'gone' })
    .where('chat', '=', 'bob')
    .execute()
  expect(await tell(live)).toEqual({ news: 1, deliveries: 1 })
  expect(await told()).toEqual(['a to eve'])
})

test('news of one filter reaches its followers alone', async () => {
  const rule: Rule = { kind: 'digest', setting: { hour: 8, zone: 'UTC' }, scope: {} }
  await follows.follow(chat('ada'), rule)
  await follows.follow(chat('bob'), { ...rule, setting: { hour: 9, zone: 'UTC' } })
  const [{ id = 0 } = {}] = (await follows.of(chat('ada'))).follows
  await tell(digest({ key: 'd', filter: id, at: now }))
  expect(await told()).toEqual(['d to ada'])
})

test('what fails with its transaction leaves nothing', async () => {
  await follows.follow(chat('ada'), followed({}))
  const failed = store.transaction().execute(async (tx) => {
    await enqueue(tx, [live], now)
    throw new Error('disk full')
  })
  await expect(failed).rejects.toThrow('disk full')
  expect(await told()).toEqual([])
  expect(await tell(live)).toEqual({ news: 1, deliveries: 1 })
})

test('news is read as it was stored, and without a body that is gone or unreadable', async () => {
  const pieces = [live, digest({ key: 'b', filter: 1, at: now }), { ...live, key: 'c' }]
  await tell(...pieces)
  const [first, second, third] = await store.selectFrom('news').select('id').orderBy('id').execute()
  const ids = [third?.id ?? 0, first?.id ?? 0, second?.id ?? 0]
  const read = await readEvents(store, [...ids, 1000])
  expect(read.map(({ id: _id, ...rest }) => rest)).toEqual(
    pieces.map((each) => ({ ...each, body: readBody(each.body.kind, JSON.stringify(each.body)) })),
  )
  await store.updateTable('news').set({ body: '' }).where('key', '=', 'a').execute()
  await store.updateTable('news').set({ body: '{"kind":' }).where('key', '=', 'b').execute()
  await store
    .updateTable('news')
    .set({ body: '{"kind":"rumour"}' })
    .where('key', '=', 'c')
    .execute()
  const bodies = (await readEvents(store, ids)).map(({ body }) => body)
  expect(bodies).toEqual([undefined, undefined, undefined])
  expect(await readEvents(store, [])).toEqual([])
})

const anyAsset: fc.Arbitrary<Asset> = fc
  .record({
    address: anyAddress,
    numeraire: fc.option(anyAddress, { nil: undefined }),
    creator: fc.option(anyAddress, { nil: undefined }),
    categories: fc.array(anyCategory, { maxLength: 3 }),
    from: fc.constantFrom('auction_pool', 'graduation_pool'),
  })
  .map(({ address, numeraire, creator, categories, from }) =>
    assetSchema.parse({
      asset_address: address,
      asset_numeraire_address: numeraire,
      asset_categories: categories,
      [from]: { base_token: { token_creator_address: creator } },
    }),
  )

const anyBody: fc.Arbitrary<EventBody> = fc
  .record({
    asset: anyAsset,
    kind: fc.constantFrom('live', 'incoming', 'graduated', 'progress', 'ending', 'price', 'digest'),
    from: fc.integer({ min: 0, max: 100 }),
    by: fc.integer({ min: 0, max: 60 }),
    filter: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ asset: about, kind, from, by, filter }): EventBody => {
    switch (kind) {
      case 'progress':
        return { kind, asset: about, from: `${from / 100}`, to: `${(from + by) / 100}` }
      case 'ending':
        return { kind, asset: about, minutes: from * 10, fromMinutes: (from + by) * 10, endsAt: 1 }
      case 'digest':
        return digest({ key: '', filter, at: now }).body
      case 'price': {
        const money = { amount: '1', currency: 'usd' } as const
        const moved = { value: money, reference: money, direction: 'up', by: 'crossing' } as const
        return { kind, asset: about, filter, ...moved }
      }
      default:
        return { kind, asset: about }
    }
  })

/** Whether a rule's scope has room for the news, said as plainly as possible. */
function isInScope({ scope }: Rule, { chain, asset: address, body }: Event): boolean {
  const { asset: about } = body
  if (about === undefined || body.filter !== undefined) return true
  const token = about.auction_pool?.base_token ?? about.graduation_pool?.base_token
  const same = (wanted: string | undefined, is: string | undefined) =>
    wanted === undefined || wanted.toLowerCase() === is?.toLowerCase()
  const categories = about.asset_categories ?? []
  return (
    (scope.chain === undefined || scope.chain === chain) &&
    same(scope.asset, address) &&
    same(scope.numeraire, about.asset_numeraire_address) &&
    same(scope.creator, token?.token_creator_address) &&
    (scope.category === undefined ||
      categories.some((each) => each.toWellFormed() === scope.category?.toWellFormed()))
  )
}

/** Four chats. */
const chats = ['a', 'b', 'c', 'd']
const anyFollows = fc.array(fc.record({ id: fc.constantFrom(...chats), rule: anyRule }), {
  minLength: 6,
  maxLength: 20,
})
const anyNews = fc.array(fc.record({ chain: anyChain, body: anyBody }), {
  minLength: 2,
  maxLength: 8,
})

/** The same news, of a filter that is there where it is of one. */
function ofSome(filters: readonly number[], body: EventBody): EventBody {
  if (body.filter === undefined) return body
  return { ...body, filter: filters[body.filter % filters.length] ?? 0 }
}

/** What `told` should find: by a plain look at every rule. */
function expected(
  all: ReadonlyMap<string, readonly Subscription[]>,
  news: readonly Event[],
): string[] {
  const pairs = news.flatMap((each) =>
    [...all]
      .filter(([, rules]) =>
        rules.some((one) => isInScope(one.rule, each) && matches(one, each.body)),
      )
      .map(([id]) => `${each.key} to ${id}`),
  )
  return pairs.sort()
}

test('news reaches exactly those whom a plain look at every rule finds', async () => {
  let reached = 0
  const forgetAll = async () => {
    for (const table of ['deliveries', 'news', 'follows', 'filters', 'destinations'] as const) {
      await store.deleteFrom(table).execute()
    }
  }
  const property = fc.asyncProperty(anyFollows, anyNews, async (wanted, happened) => {
    for (const { id, rule } of wanted) await follows.follow(chat(id), rule)
    const all = new Map<string, readonly Subscription[]>()
    for (const id of chats) all.set(id, (await follows.of(chat(id))).follows)
    const filters = [...all.values()].flat().map(({ id }) => id)
    const news = happened.map(({ chain, body }, each) =>
      newsOf(ofSome(filters, body), { chain, key: `${each}` }),
    )
    const { deliveries } = await tell(...news)
    expect(await told()).toEqual(expected(all, news))
    reached += deliveries
  })
  await fc.assert(property.afterEach(forgetAll), { numRuns: 75 })
  expect(reached).toBeGreaterThan(20)
}, 120_000)
