import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Target } from '../../../src/alerts/chats.ts'
import { matches, readBody, readEvents, storeEvents } from '../../../src/alerts/events.ts'
import type { Event, EventBody, Scope } from '../../../src/alerts/kinds/kind.ts'
import { type Kind, kindIds } from '../../../src/alerts/kinds/list.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { type Subscription, Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { anyAddress, anyCategory, anyChain, anyRule } from '../../unit/alerts/any-rule.ts'
import { digest } from '../../unit/alerts/digest-event.ts'
import { asset, fullAsset } from '../../unit/views/sample.ts'

const now = 1_700_000_000
const chains = [8453, 84532]

let database: TestDatabase
let store: Store
let subscriptions: Subscriptions
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  subscriptions = new Subscriptions({ store, now: () => now, perChat: 1000 })
})
afterEach(() => database.remove())

const chat = (id: string): Target => ({ platform: 'telegram', kind: 'chat', id })

function eventOfBody(body: EventBody, more: Partial<Event> = {}): Event {
  const about = body.asset?.asset_address.toLowerCase() ?? ''
  return { key: 'a', chain: 8453, asset: about, at: now, usefulUntil: now + 60, body, ...more }
}

function storeHere(...events: Event[]) {
  return storeOn(chains, ...events)
}

/** Stores events of a bot that has these chains. */
async function storeOn(all: readonly number[], ...events: Event[]) {
  const added = await store
    .transaction()
    .execute((tx) => storeEvents(tx, events, { chains: all, now }))
  return { events: added.length, deliveries: added.reduce((sum, each) => sum + each.deliveries, 0) }
}

/** The chats that wait for an event, by its key. */
async function waiting(): Promise<string[]> {
  const rows = await store
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .select(['key', 'chat'])
    .where('state', '=', 'waiting')
    .execute()
  return rows.map((row) => `${row.key} to ${row.chat}`).sort()
}

const otter = asset(fullAsset)
const live = eventOfBody({ kind: 'live', asset: otter })
const followed = (scope: Scope): Rule => ({ kind: 'live', setting: {}, scope })

test('a minimum holds back what is below it or unknown, and a late event is for those alone that waited', async () => {
  const atLeast = (mcap: string) => followed({ mcap })
  await subscriptions.subscribe(chat('any'), followed({}))
  await subscriptions.subscribe(chat('40k'), atLeast('40000'))
  await subscriptions.subscribe(chat('60k'), atLeast('60000'))
  await subscriptions.subscribe(chat('80k'), atLeast('80000'))
  const body = { kind: 'live', asset: otter }
  await storeHere(eventOfBody(body, { key: 'unknown', reached: { now: {} } }))
  expect(await waiting()).toEqual(['unknown to any'])
  await storeHere(eventOfBody(body, { key: 'start', reached: { now: { mcap: '50000' } } }))
  const reached = { now: { mcap: '70000' }, before: { mcap: '50000' } }
  await storeHere(eventOfBody(body, { key: 'late', reached }))
  expect(await waiting()).toEqual(['late to 60k', 'start to 40k', 'start to any', 'unknown to any'])
})

describe('an event of an asset matches a rule', () => {
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
    ['a part of its name', { name: 'oon ott' }, true],
    ['its symbol', { name: 'otter' }, true],
    ['another name', { name: 'heron' }, false],
    ['all of it', { chain: 8453, asset: otter.asset_address, category: 'builder-coin' }, true],
    ['one limit that it misses', { chain: 8453, category: 'meme' }, false],
  ])('%s: $2', async (_about, scope, isTold) => {
    await subscriptions.subscribe(chat('ada'), followed(scope))
    expect(await storeHere(live)).toEqual({ events: 1, deliveries: isTold ? 1 : 0 })
  })
})

test('a rule for any chain is about no testnet, unless the bot has no other chain', async () => {
  await subscriptions.subscribe(chat('ada'), followed({}))
  await subscriptions.subscribe(chat('bob'), followed({ chain: 84532 }))
  const onTestnet = (key: string) => ({ ...live, key, chain: 84532 })
  await storeOn([8453, 84532], onTestnet('a'))
  expect(await waiting()).toEqual(['a to bob'])
  await storeOn([84532, 11155111], onTestnet('b'))
  expect(await waiting()).toEqual(['a to bob', 'b to ada', 'b to bob'])
})

test('an event of an asset without creator, quote token and categories matches rules for any', async () => {
  const bare = asset({ asset_address: otter.asset_address })
  await subscriptions.subscribe(chat('ada'), followed({}))
  await subscriptions.subscribe(chat('bob'), followed({ creator: `0x${'1'.repeat(40)}` }))
  await storeHere(eventOfBody({ kind: 'live', asset: bare }))
  expect(await waiting()).toEqual(['a to ada'])
})

test('a chat with several matching rules gets one delivery', async () => {
  await subscriptions.subscribe(chat('ada'), followed({}))
  await subscriptions.subscribe(chat('ada'), followed({ chain: 8453 }))
  await subscriptions.subscribe(chat('bob'), followed({ category: 'builder-coin' }))
  expect(await storeHere(live)).toEqual({ events: 1, deliveries: 2 })
})

test('more rules than one statement takes are matched', async () => {
  const minutes = Array.from({ length: 501 }, (_, each) => each + 5)
  for (const each of minutes) {
    await subscriptions.subscribe(chat(`chat ${each}`), {
      kind: 'ending',
      setting: { minutes: each },
      scope: {},
    })
  }
  const body = { kind: 'ending', asset: otter, minutes: 1, fromMinutes: 2000, endsAt: 5 } as const
  expect(await storeHere(eventOfBody(body))).toEqual({ events: 1, deliveries: 501 })
})

test('an event whose key is stored is not delivered again, not even to new subscribers', async () => {
  await subscriptions.subscribe(chat('ada'), followed({}))
  expect(await storeHere(live, live)).toEqual({ events: 1, deliveries: 1 })
  await subscriptions.subscribe(chat('bob'), followed({}))
  expect(await storeHere({ ...live, at: now + 5 })).toEqual({ events: 0, deliveries: 0 })
  expect(await waiting()).toEqual(['a to ada'])
})

test('paused and muted chats get nothing, not even afterwards, and their deliveries say why', async () => {
  for (const id of ['ada', 'bob', 'eve']) await subscriptions.subscribe(chat(id), followed({}))
  await subscriptions.mute(chat('ada'), now + 60)
  await subscriptions.mute(chat('eve'), now)
  await store.updateTable('chats').set({ paused: 'gone' }).where('chat', '=', 'bob').execute()
  expect(await storeHere(live)).toEqual({ events: 1, deliveries: 1 })
  expect(await waiting()).toEqual(['a to eve'])
  const dropped = await store
    .selectFrom('deliveries')
    .innerJoin('chats', 'chats.id', 'chat_id')
    .select(['chat', 'state', 'reason', 'due_at_ms'])
    .where('state', '<>', 'waiting')
    .orderBy('chat')
    .execute()
  expect(dropped).toEqual([
    { chat: 'ada', state: 'dropped', reason: 'muted', due_at_ms: null },
    { chat: 'bob', state: 'dropped', reason: 'gone', due_at_ms: null },
  ])
})

test('an event that comes too late is stored without deliveries', async () => {
  await subscriptions.subscribe(chat('ada'), followed({}))
  expect(await storeHere({ ...live, usefulUntil: now })).toEqual({ events: 1, deliveries: 0 })
  expect(await waiting()).toEqual([])
  // It is not found again, and the digest of the day does not count it.
  expect(await storeHere(live)).toEqual({ events: 0, deliveries: 0 })
})

test('an event of one rule is delivered to its subscribers alone', async () => {
  const rule: Rule = { kind: 'digest', setting: { hour: 8, zone: 'UTC' }, scope: {} }
  await subscriptions.subscribe(chat('ada'), rule)
  await subscriptions.subscribe(chat('bob'), { ...rule, setting: { hour: 9, zone: 'UTC' } })
  const [{ id = 0 } = {}] = (await subscriptions.of(chat('ada'))).subscriptions
  await storeHere(digest({ key: 'd', rule: id, at: now }))
  expect(await waiting()).toEqual(['d to ada'])
})

test('a transaction that fails leaves nothing', async () => {
  await subscriptions.subscribe(chat('ada'), followed({}))
  const failed = store.transaction().execute(async (tx) => {
    await storeEvents(tx, [live], { chains, now })
    throw new Error('disk full')
  })
  await expect(failed).rejects.toThrow('disk full')
  expect(await waiting()).toEqual([])
  expect(await storeHere(live)).toEqual({ events: 1, deliveries: 1 })
})

test('an event is read as it was stored, and without a body that was pruned or can’t be parsed', async () => {
  const stored = [live, digest({ key: 'b', rule: 1, at: now }), { ...live, key: 'c' }]
  await storeHere(...stored)
  const [first, second, third] = await store
    .selectFrom('events')
    .select('id')
    .orderBy('id')
    .execute()
  const ids = [third?.id ?? 0, first?.id ?? 0, second?.id ?? 0]
  const read = await readEvents(store, [...ids, 1000])
  expect(read.map(({ id: _id, ...rest }) => rest)).toEqual(
    stored.map(({ rule: _rule, ...each }) => ({
      ...each,
      body: readBody(each.body.kind, JSON.stringify(each.body)),
    })),
  )
  const { body: ofRule } = await store
    .selectFrom('events')
    .select('body')
    .where('key', '=', 'b')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(ofRule)).toMatchObject({ rule: 1 })
  await store.updateTable('events').set({ body: '' }).where('key', '=', 'a').execute()
  await store.updateTable('events').set({ body: '{"kind":' }).where('key', '=', 'b').execute()
  await store
    .updateTable('events')
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

interface EventParts {
  about: Asset
  from: number
  by: number
  rule: number
}

const phaseEvent =
  (kind: Kind) =>
  ({ about }: EventParts) => ({ body: { kind, asset: about } })
const figureEvent =
  (kind: Kind) =>
  ({ about, rule }: EventParts) => {
    const money = { amount: '1', currency: 'usd' } as const
    const moved = { value: money, reference: money, direction: 'up', by: 'crossing' } as const
    return { rule, body: { kind, asset: about, ...moved } }
  }

const eventOf: Readonly<Record<Kind, (parts: EventParts) => Pick<Event, 'body' | 'rule'>>> = {
  live: phaseEvent('live'),
  incoming: phaseEvent('incoming'),
  graduated: phaseEvent('graduated'),
  progress: ({ about, from, by }) => ({
    body: { kind: 'progress', asset: about, from: `${from / 100}`, to: `${(from + by) / 100}` },
  }),
  ending: ({ about, from, by }) => {
    const left = { minutes: from * 10, fromMinutes: (from + by) * 10, endsAt: 1 }
    return { body: { kind: 'ending', asset: about, ...left } }
  },
  price: figureEvent('price'),
  mcap: figureEvent('mcap'),
  digest: ({ rule }) => ({ rule, body: digest({ key: '', rule, at: now }).body }),
}

const anyBody: fc.Arbitrary<Pick<Event, 'body' | 'rule'>> = fc
  .record({
    about: anyAsset,
    kind: fc.constantFrom(...kindIds),
    from: fc.integer({ min: 0, max: 100 }),
    by: fc.integer({ min: 0, max: 60 }),
    rule: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ kind, ...parts }) => eventOf[kind](parts))

/** Whether a rule's scope includes the event's asset, computed as plainly as possible. */
function isInScope({ scope }: Rule, { chain, asset: address, rule, body }: Event): boolean {
  const { asset: about } = body
  if (about === undefined || rule !== undefined) return true
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
const anyEvents = fc.array(fc.record({ chain: anyChain, event: anyBody }), {
  minLength: 2,
  maxLength: 8,
})

/** What `waiting` should find: by a search through every rule. */
function expected(
  all: ReadonlyMap<string, readonly Subscription[]>,
  events: readonly Event[],
): string[] {
  const pairs = events.flatMap((each) =>
    [...all]
      .filter(([, rules]) => rules.some((one) => isInScope(one.rule, each) && matches(one, each)))
      .map(([id]) => `${each.key} to ${id}`),
  )
  return pairs.sort()
}

test('the rules that match are exactly those that a search through all rules finds', async () => {
  let reached = 0
  const forgetAll = async () => {
    for (const table of ['deliveries', 'events', 'subscriptions', 'rules', 'chats'] as const) {
      await store.deleteFrom(table).execute()
    }
  }
  const property = fc.asyncProperty(anyFollows, anyEvents, async (wanted, happened) => {
    for (const { id, rule } of wanted) await subscriptions.subscribe(chat(id), rule)
    const all = new Map<string, readonly Subscription[]>()
    for (const id of chats) all.set(id, (await subscriptions.of(chat(id))).subscriptions)
    const rules = [...all.values()].flat().map(({ id }) => id)
    const events = happened.map(({ chain, event: { body, rule } }, each) => {
      // The event of a rule that there is.
      const own = rule === undefined ? {} : { rule: rules[rule % rules.length] ?? 0 }
      return eventOfBody(body, { chain, key: `${each}`, ...own })
    })
    const { deliveries } = await storeHere(...events)
    expect(await waiting()).toEqual(expected(all, events))
    reached += deliveries
  })
  await fc.assert(property.afterEach(forgetAll), { numRuns: 75 })
  expect(reached).toBeGreaterThan(20)
}, 120_000)
