import { afterEach, beforeEach, expect, test } from 'vitest'
import { administer } from '../../../src/admin/actions.ts'
import { findAssets } from '../../../src/alerts/chat-report.ts'
import type { Target } from '../../../src/alerts/chats.ts'
import { pruneEvents } from '../../../src/alerts/delivery-queries.ts'
import { storeEvents } from '../../../src/alerts/events.ts'
import type { Event, EventBody } from '../../../src/alerts/kinds/kind.ts'
import {
  addAnnouncement,
  type DeliveryResult,
  Outbox,
  quietHours,
} from '../../../src/alerts/outbox.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Asset } from '../../../src/api/schema.ts'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { noJobs } from '../../settings.ts'
import { countTurns } from '../../turns.ts'
import { auction, chain } from '../../unit/alerts/notifier-harness.ts'
import { claimAll } from '../alerts/claims.ts'

const hour = 3_600
const day = 24 * hour

let database: TestDatabase
let store: Store
/** Unix seconds: 2023-11-14 22:13:20 UTC. */
let clock: number
let subscriptions: Subscriptions
let outbox: Outbox
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  clock = 1_700_000_000
  subscriptions = new Subscriptions({ store, now: () => clock, perChat: 30 })
  outbox = new Outbox(store, () => clock * 1000)
  await store
    .insertInto('watched_chains')
    .values({ chain, begun_at_s: clock, body: '{}' })
    .execute()
})
afterEach(() => database.remove())

const ada: Target = { platform: 'telegram', kind: 'person', id: '7' }
const group: Target = { platform: 'telegram', kind: 'chat', id: '-1008' }
const topic = (thread: string): Target => ({ ...group, thread })
const live: Rule = { kind: 'live', setting: {}, scope: {} }

async function explain(...words: (string | number)[]): Promise<string> {
  const line = ['explain', ...words].join(' ')
  return (await administer(line, 'ada', { store, now: () => clock, jobs: noJobs })).lines.join('\n')
}

const keyOf = ({ kind, asset }: EventBody) => `${kind}:${asset?.asset_address}:${clock}`

/** An event happens, and the bot finds it at once; returns its number. */
async function happens(body: EventBody, more: Partial<Event> = {}): Promise<number> {
  const event = {
    key: keyOf(body),
    chain,
    asset: body.asset?.asset_address ?? '',
    at: clock,
    usefulUntil: clock + day,
    body,
    ...more,
  }
  const added = await store
    .transaction()
    .execute((tx) => storeEvents(tx, [event], { chains: [chain], now: clock }))
  const [first] = added
  if (first === undefined) throw new Error('it was there already')
  return first.id
}

const goesLive = (asset: Asset = auction('Otter')) => happens({ kind: 'live', asset })

/** What is due is tried, and this comes of it. */
async function tried(result: DeliveryResult): Promise<void> {
  clock += 3
  const claims = await claimAll(outbox)
  expect(claims).not.toEqual([])
  for (const claim of claims) await outbox.record(claim, claim.events, result, 0)
}

const retry = (reason: string, runAt: number, untried = false) =>
  ({ kind: 'retry', runAt, reason, ...(untried && { untried }) }) as const

const otter = auction('Otter').asset_address
const noneStored = /^No deliveries are stored\. .*KEEP_SENT_ALERTS sets when\.$/mu

test('a chat that gets alerts: its rules as people type them, and nothing yet', async () => {
  await subscriptions.subscribe(ada, live)
  clock += 60
  const percents = { percents: [25, 50] }
  await subscriptions.subscribe(ada, { kind: 'progress', setting: percents, scope: { chain } })
  expect(await explain('telegram:7')).toBe(
    [
      'telegram:7: it gets alerts; no quiet hours; no language chosen',
      '- live, since 2023-11-14 22:13:20 UTC',
      '- progress percent:25,50 chain:8453, since 2023-11-14 22:14:20 UTC',
      'No deliveries are stored. They are deleted some time after they stop being useful: KEEP_SENT_ALERTS sets when.',
    ].join('\n'),
  )
})

test('each delivery has the time, kind and token of its event, its state and its reason, the newest event first', async () => {
  await subscriptions.subscribe(ada, live)
  const sent = await goesLive()
  await tried({ kind: 'sent' })
  const answerless = await goesLive()
  await tried({ kind: 'uncertain', reason: 'no answer' })
  const lost = await goesLive()
  await tried(retry('Too Many Requests', clock))
  await tried({ kind: 'given-up', reason: 'Bad Request: no such thing' })
  const dropped = await goesLive()
  await tried({ kind: 'dropped', reason: 'too late to be of use' })
  const quiet = await goesLive()
  await tried(retry(quietHours, clock + 8 * hour, true))
  const due = await happens({ kind: 'live', asset: auction('Heron') })
  const of = (address: string) => `live of ${address} ($OTTER) on chain 8453`
  const line = (found: string, event: number, outcome: string, address = otter) =>
    `- 2023-11-14 22:13:${found} UTC, ${of(address)}, event ${event}: ${outcome}`
  expect((await explain('telegram:7')).split('\n').slice(2)).toEqual([
    'Deliveries, the newest event first:',
    line(
      '38',
      due,
      'waiting, due 2023-11-14 22:13:40 UTC (in 2 s)',
      auction('Heron').asset_address,
    ),
    line('35', quiet, 'waiting, due 2023-11-15 06:13:35 UTC (in 7 h), quiet hours'),
    line('32', dropped, 'dropped 2023-11-14 22:13:35 UTC, too late to be of use'),
    line('26', lost, 'given-up 2023-11-14 22:13:32 UTC, tries: 2, Bad Request: no such thing'),
    line('23', answerless, 'uncertain 2023-11-14 22:13:26 UTC, no answer'),
    line('20', sent, 'sent 2023-11-14 22:13:23 UTC'),
  ])
})

test('the last twenty are listed, wherever they are among events of others', async () => {
  await subscriptions.subscribe(ada, live)
  const events: number[] = []
  for (let count = 0; count < 22; count += 1) {
    clock += 1
    events.push(await goesLive())
  }
  await subscriptions.mute(ada, clock + hour)
  const silent = Array.from({ length: 450 }, (_, index) => ({
    key: `graduated:${index}`,
    kind: 'graduated',
    chain,
    asset: otter,
    body: '',
    happened_at_s: clock,
    found_at_s: clock,
    useful_until_s: clock,
    slices_after: null,
  }))
  await store.insertInto('events').values(silent).execute()
  const turns = countTurns()
  const said = await explain('telegram:7')
  // SQLite blocks the process while a statement reads.
  expect(turns()).toBeGreaterThanOrEqual(2)
  expect(said).toContain('\nThe last 20 deliveries, the newest event first:\n')
  const listed = [...said.matchAll(/, event (\d+): dropped .*, muted$/gmu)]
  expect(listed.map(([, event]) => Number(event))).toEqual(events.toReversed().slice(0, 20))
})

test.each([
  ['otter', 2],
  ['$OTTER', 2],
  ['heron', 1],
  [otter, 1],
  [otter.toUpperCase().replace('X', 'x'), 1],
])('with %s only deliveries and rules about that token are told', async (token, count) => {
  const price = { kind: 'price', setting: { above: '1' } } as const
  const heron = auction('Heron').asset_address
  const other = `0x${'7'.repeat(40)}`
  await subscriptions.subscribe(ada, live)
  for (const asset of [otter, heron, other])
    await subscriptions.subscribe(ada, { ...price, scope: { asset } })
  await goesLive()
  await goesLive(auction('Heron'))
  const said = await explain('telegram:7', token)
  expect(said.match(/^- .*, event \d+: waiting/gmu)).toHaveLength(count)
  expect(said.match(/^- price /gmu)).toHaveLength(count)
  expect(said).toMatch(/^- live, since /mu)
  expect(said).not.toContain(other)
  const nothing = await explain('telegram:7', `0x${'8'.repeat(40)}`)
  expect(nothing).toContain('\nNo deliveries about this token are stored.')
})

test('a chat without a rule about the token says so', async () => {
  await subscriptions.subscribe(ada, {
    kind: 'price',
    setting: { above: '1' },
    scope: { asset: otter },
  })
  expect(await explain('telegram:7', `0x${'8'.repeat(40)}`)).toContain(
    '\n- no rules about this token\n',
  )
})

test('a token is found by its name wherever it is among very many, which are read a part at a time', async () => {
  const many = Array.from({ length: 450 }, (_, index) => index)
  const named = (index: number, places: number[]) =>
    JSON.stringify({ asset: places.includes(index) ? auction('Heron') : auction('Otter') })
  const addressOf = (index: number) => `0x${`${index}`.padStart(40, '0')}`
  for (const each of [1, chain])
    for (const index of many)
      await store
        .insertInto('watched_assets')
        .values({
          chain: each,
          asset: addressOf(index),
          phase: 'live',
          body: named(index, each === 1 ? [0, 199] : [200, 449]),
          history: '[]',
          updated_at_s: clock,
        })
        .execute()
  for (const index of many)
    await store
      .insertInto('events')
      .values({
        key: `live:${index}`,
        kind: 'live',
        chain,
        asset: addressOf(1_000 + index),
        body: named(index, [0, 250, 449]),
        happened_at_s: clock,
        found_at_s: clock,
        useful_until_s: clock,
        slices_after: null,
      })
      .execute()
  const turns = countTurns()
  const found = await findAssets(store, 'heron')
  expect(turns()).toBeGreaterThanOrEqual(6)
  const places = [0, 199, 200, 449, 1_449, 1_250, 1_000]
  expect(found).toEqual(places.map(addressOf))
})

test.each(['TTER', 'OTTE_', '%', '0x12', 'whatever "x"'])('%s names no token', async (words) => {
  await subscriptions.subscribe(ada, live)
  await goesLive()
  await expect(explain('telegram:7', words)).rejects.toThrow(
    `The bot doesn’t know a token ${words}`,
  )
})

test.each(['', '7', 'telegram:ada', '17.204'])('%j names no chat', async (words) => {
  await expect(explain(words)).rejects.toThrow('An id with its platform is needed')
})

test('muted and paused, by whom, and what was dropped for it', async () => {
  await subscriptions.subscribe(ada, live)
  await subscriptions.mute(ada, clock + hour)
  await goesLive()
  expect(await explain('telegram:7')).toMatch(
    /^telegram:7: muted until 2023-11-14 23:13:20 UTC; .*\n.*\n.*\n.*: dropped .*, muted$/u,
  )
  const { id } = await store.selectFrom('chats').select('id').executeTakeFirstOrThrow()
  await outbox.pause(id, 'removed')
  clock += 1
  await goesLive()
  const said = await explain('telegram:7')
  expect(said).toContain(
    'telegram:7: paused (removed): the bot was removed from it; muted until 2023-11-14 23:13:20 UTC; ',
  )
  expect(said).toMatch(/: dropped .*, removed\n/u)
})

test('quiet hours and language are told as they are stored, for a group and each of its topics', async () => {
  await subscriptions.subscribe(topic('5'), live)
  await subscriptions.subscribe(topic('9'), { ...live, scope: { name: 'zebra' } })
  const settings = new ChatSettings(store)
  await settings.set('telegram', group.id, { seenLanguage: 'tr' })
  const event = await goesLive()
  expect(await explain('telegram:-1008')).toContain('no language chosen, last seen tr\n')
  const quiet = { from: 23, to: 8 }
  await settings.set('telegram', group.id, { language: 'es', quiet, zone: 'Europe/Berlin' })
  const state = 'it gets alerts; quiet hours from 23 to 8 (Europe/Berlin); language es'
  const said = await explain('telegram:-1008')
  expect(said).toMatch(/topic 5: .*\n- live, since .*\n.*topic 9: .*\n- live name:zebra, since /u)
  for (const thread of [5, 9]) expect(said).toContain(`telegram:-1008 topic ${thread}: ${state}\n`)
  expect(said).toMatch(new RegExp(`, event ${event}, topic 5: waiting`, 'u'))
})

test('a chat that has no rules any more, and one that never had any', async () => {
  await subscriptions.subscribe(ada, live)
  await goesLive()
  const [rule] = (await subscriptions.of(ada)).subscriptions
  await subscriptions.unsubscribe(ada, rule?.id ?? 0)
  expect(await explain('telegram:7')).toMatch(/\n- no rules\n.*\n.*: dropped .*, unsubscribed$/u)
  expect(await explain('chat telegram:8')).toMatch(
    /^telegram:8 has no alerts, and had none lately/u,
  )
  expect(await explain('telegram:8')).not.toContain('supergroup')
  expect(await explain('telegram:-8')).toMatch(
    /has no alerts, and had none lately.*\nA Telegram group that has become a supergroup has another id/u,
  )
})

test('what a group was sent under its former id is told under the new one', async () => {
  await subscriptions.subscribe(group, live)
  const event = await goesLive()
  await tried({ kind: 'sent' })
  const { id } = await store.selectFrom('chats').select('id').executeTakeFirstOrThrow()
  await outbox.migrate(id, '-1001234')
  expect(await explain(`chat:${id}`)).toMatch(
    new RegExp(`^telegram:-1001234: [^]*, event ${event}: sent `, 'u'),
  )
  expect(await explain('telegram:-1008')).toContain('which begins with -100')
})

test('an announcement is about no token, and what is pruned is no longer told', async () => {
  await subscriptions.subscribe(ada, live)
  const body = { kind: 'announcement', text: 'We move' } as const
  const event = await happens(body, { key: 'announcement:1', chain: 0 })
  await store
    .transaction()
    .execute((tx) => addAnnouncement(tx, event, { after: 0, last: 10 }, clock))
  expect(await explain('telegram:7')).toContain(` UTC, announcement, event ${event}: waiting, due `)
  clock += 40 * day
  await pruneEvents(store, clock - 30 * day)
  expect(await explain('telegram:7')).toMatch(noneStored)
})
