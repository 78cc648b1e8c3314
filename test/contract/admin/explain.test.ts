import { afterEach, beforeEach, expect, test } from 'vitest'
import { administer } from '../../../src/admin/desk.ts'
import { tooLate } from '../../../src/alerts/alert-builder.ts'
import { addAnnouncement } from '../../../src/alerts/announcements.ts'
import type { Target } from '../../../src/alerts/chats.ts'
import { enqueue } from '../../../src/alerts/events.ts'
import type { Event, EventBody } from '../../../src/alerts/kinds/kind.ts'
import { type DeliveryResult, Outbox, quietHours, unreadable } from '../../../src/alerts/outbox.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { findAssets } from '../../../src/alerts/traces.ts'
import type { Asset } from '../../../src/api/schema.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { noJobs } from '../../settings.ts'
import { countTurns } from '../../turns.ts'
import { digest } from '../../unit/alerts/digest-event.ts'
import { auction, chain } from '../../unit/alerts/notifier-harness.ts'
import { limits } from '../alerts/outbox-limits.ts'

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
  return (await administer(line, { store, now: () => clock, who: 'ada', jobs: noJobs })).lines.join(
    '\n',
  )
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
  const { added } = await store
    .transaction()
    .execute((tx) => enqueue(tx, [event], { chains: [chain], now: clock }))
  const [first] = added
  if (first === undefined) throw new Error('it was there already')
  return first.id
}

const goesLive = (asset: Asset = auction('Otter')) => happens({ kind: 'live', asset })

/** What is due is tried, and this comes of it. */
async function tried(result: DeliveryResult): Promise<void> {
  clock += 3
  const claims = await outbox.claim('telegram', limits)
  expect(claims).not.toEqual([])
  for (const claim of claims) await outbox.record(claim, claim.events, result, 0)
}

const retry = (reason: string, runAt: number, untried = false) =>
  ({ kind: 'retry', runAt, reason, ...(untried && { untried }) }) as const

test('of several events each is listed with its number and what came of it, the newest first', async () => {
  await subscriptions.subscribe(ada, live)
  const first = await goesLive()
  await tried({ kind: 'sent' })
  clock += hour
  const second = await goesLive(auction('Heron'))
  await happens({ kind: 'graduated', asset: auction('Heron') })
  expect(await explain('telegram:7', 'live')).toBe(
    [
      'There are 2, the newest first; add the number of one to see more:',
      `event ${second}: live of ${auction('Heron').asset_address} ($OTTER) on chain 8453, found 2023-11-14 23:13:23 UTC (0 s ago)`,
      '- telegram:7: not told yet: it waits for its turn, due 2023-11-14 23:13:25 UTC (in 2 s); no other chat of telegram is due before it',
      `event ${first}: live of ${auction('Otter').asset_address} ($OTTER) on chain 8453, found 2023-11-14 22:13:20 UTC (1 h ago)`,
      '- telegram:7: told 2023-11-14 22:13:23 UTC (1 h ago), at the first try, 3 s after it was found',
    ].join('\n'),
  )
  expect(await explain('telegram:7', first)).toContain('of use until 2023-11-15 22:13:20 UTC\n')
})

test.each([
  ['live Heron', 1],
  ['heron', 2],
  ['live $otter', 2],
  ['LIVE OTTER 8453', 2],
  ['live on OTTER', 2],
  ['graduated OTTER', 1],
  ['live OTTER 1', 0],
])('the token of %s is found by its name or symbol', async (words, count) => {
  await subscriptions.subscribe(ada, live)
  await goesLive()
  await goesLive(auction('Heron'))
  await happens({ kind: 'graduated', asset: auction('Heron') })
  const said = await explain('telegram:7', words)
  expect(said.match(/^event/gmu)?.length ?? 0).toBe(count)
  expect(said).not.toContain('never seen')
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

test.each(['live TTER', 'OTTE_', 'live %', 'live 0x12', 'whatever "x"'])(
  '%s names no token',
  async (words) => {
    await subscriptions.subscribe(ada, live)
    await goesLive()
    await expect(explain('telegram:7', words)).rejects.toThrow('The bot knows no token')
  },
)

test('what waits for the end of quiet hours says when that is', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await tried(retry(quietHours, clock + 8 * hour, true))
  expect(await explain('telegram:7', event)).toContain(
    'telegram:7: not told yet: it waits for the end of the chat’s quiet hours, 2023-11-15 06:13:20 UTC (in 7 h)',
  )
  clock += 8 * hour
  expect(await explain('telegram:7', event)).toContain('it waits for its turn, due ')
})

test('what a newer version has to send says so, and what comes in a message of its own has no error', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await tried(retry(unreadable, clock + 60, true))
  expect(await explain('telegram:7', event)).toContain('a newer version found it')
  clock += 60
  await tried(retry('in a message of its own', clock, true))
  const said = await explain('telegram:7', event)
  expect(said).toContain('it waits for its turn')
  expect(said).not.toContain('error')
})

test('a try that failed is told with its error, before and after the next is due', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await tried(retry('Too Many Requests', clock + 60))
  expect(await explain('telegram:7', event)).toMatch(
    /it waits for its next try, .* \(in 57 s\); 1 failed\n- last error: Too Many Requests$/u,
  )
  clock += 60
  expect(await explain('telegram:7', event)).toMatch(
    /it waits for its turn, .*\n- last error of 1: Too Many Requests$/u,
  )
  await outbox.claim('telegram', limits)
  expect(await explain('telegram:7', event)).toContain('it is being sent now, tries: 2')
})

test('what is ahead in the queue is counted', async () => {
  await subscriptions.subscribe(group, live)
  await goesLive()
  clock += 1
  await subscriptions.subscribe(ada, live)
  const event = await goesLive(auction('Heron'))
  expect(await explain('telegram:7', event)).toContain('before it 1 of telegram are due')
})

test('events of one message name each other, and one that another supersedes names that', async () => {
  await subscriptions.subscribe(ada, live)
  const percents: Rule = { kind: 'progress', setting: { percents: [50, 100] }, scope: {} }
  await subscriptions.subscribe(ada, percents)
  const asset = auction('Otter')
  const other = await goesLive(auction('Heron'))
  const half = await happens({ kind: 'progress', asset, from: '0.1', to: '0.6' })
  clock += 1
  const all = await happens({ kind: 'progress', asset, from: '0.6', to: '1' })
  await tried({ kind: 'sent' })
  expect(await explain('telegram:7', half)).toMatch(
    new RegExp(
      `in one message with event ${other} \\(live\\), event ${all} \\(progress\\)\\n- the message shows event ${all} of the same sale instead`,
      'u',
    ),
  )
  expect(await explain('telegram:7', all)).not.toContain('instead')
})

test('given up: with the last error, and how to try again while it is of use', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await tried({ kind: 'given-up', reason: 'Bad Request: no such thing' })
  expect(await explain('telegram:7', event)).toMatch(
    /not told: given up .* at the first try\n- last error: Bad Request: no such thing\n- “stuck retry telegram:7” tries it again$/u,
  )
  clock += 2 * day
  expect(await explain('telegram:7', event)).not.toContain('tries it again')
})

test('uncertain: it may have arrived, and is not sent again', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await tried({ kind: 'uncertain', reason: 'no answer' })
  expect(await explain('telegram:7', event)).toMatch(
    /sent .*, and no answer came: it may have arrived, so it is not sent again\n- last error: no answer$/u,
  )
})

test('too late when its turn came, and dropped because it can’t be shown', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await tried({ kind: 'dropped', reason: tooLate })
  expect(await explain('telegram:7', event)).toContain('it waited until it was of no use any more')
  const other = await goesLive(auction('Heron'))
  await tried({ kind: 'dropped', reason: 'it can’t be rendered: no' })
  expect(await explain('telegram:7', other)).toMatch(/dropped .*: it can’t be rendered: no$/u)
})

test('a rule that came after the event is told with both times', async () => {
  await subscriptions.subscribe(ada, { kind: 'graduated', setting: {}, scope: {} })
  const event = await goesLive()
  clock += 60
  await subscriptions.subscribe(ada, live)
  expect(await explain('telegram:7', event)).toMatch(
    /found 2023-11-14 22:13:20 UTC.*\n.*not told: no rule of it matched when the event was found; this one came later\n- live, since 2023-11-14 22:14:20 UTC$/u,
  )
})

test('a rule that is gone, and a chat that has none or never had any', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  const [rule] = (await subscriptions.of(ada)).subscriptions
  await subscriptions.unsubscribe(ada, rule?.id ?? 0)
  expect(await explain('telegram:7', event)).toContain('its people removed its last rule')
  const other = await goesLive(auction('Heron'))
  expect(await explain('telegram:7', other)).toMatch(/no rule of it matches\n- it has no rules$/u)
  expect(await explain('telegram:8', event)).not.toContain('supergroup')
  expect(await explain('telegram:-8', event)).toMatch(
    /has no alerts, and had none lately.*\nA Telegram group that has become a supergroup has another id/u,
  )
})

test('muted and paused: why at that time, and how it is now', async () => {
  await subscriptions.subscribe(ada, live)
  await subscriptions.subscribe(group, live)
  await subscriptions.mute(ada, clock + hour)
  const { id } = await store
    .selectFrom('chats')
    .select('id')
    .where('chat', '=', group.id)
    .executeTakeFirstOrThrow()
  await outbox.pause(id, 'removed')
  const event = await goesLive()
  expect(await explain('telegram:7', event)).toMatch(
    /not told: it was muted, 2023-11-14 22:13:20 UTC \(0 s ago\)\n- now: muted until 2023-11-14 23:13:20 UTC$/u,
  )
  clock += day
  expect(await explain('telegram:7', event)).toContain('now: it gets alerts')
  expect(await explain('telegram:-1008', event)).toMatch(
    /not told: paused \(removed\), .*\(1 d ago\): the bot was removed from it\n- now: paused \(removed\): the bot was removed from it$/u,
  )
})

test('each topic of a group has an answer of its own', async () => {
  await subscriptions.subscribe(topic('5'), live)
  await subscriptions.subscribe(topic('9'), {
    kind: 'live',
    setting: {},
    scope: { name: 'zebra' },
  })
  const event = await goesLive()
  await tried({ kind: 'sent' })
  const said = await explain('telegram:-1008', event)
  expect(said).toMatch(/^telegram:-1008 topic 5: told /mu)
  expect(said).toMatch(/^telegram:-1008 topic 9: not told: no rule of it matches$/mu)
  expect(said).toContain('- live name:zebra; name zebra is asked for, it was Otter')
  expect(await explain('telegram:-1008')).toMatch(
    /topic 5: it gets alerts\n- live, since .*\n.*topic 9: it gets alerts\n- live name:zebra, since /u,
  )
})

test('a group that became a supergroup: what one row missed comes if it waits under the other, and what one was told is told', async () => {
  const after: Target = { ...group, id: '-1001234' }
  await subscriptions.subscribe(group, live)
  await subscriptions.subscribe(after, live)
  const rows = await store.selectFrom('chats').select(['id', 'chat']).execute()
  const rowOf = ({ id }: Target) => rows.find(({ chat }) => chat === id)?.id ?? 0
  await subscriptions.mute(after, clock + 60)
  const missed = await goesLive()
  await subscriptions.mute(after, 0)
  expect(await explain('telegram:-1001234', missed)).toContain('not told: it was muted')
  await outbox.migrate(rowOf(group), after.id)
  expect(await explain('telegram:-1001234', missed)).toContain('not told yet: it waits')
  await tried({ kind: 'sent' })
  expect(await explain('telegram:-1001234', missed)).toContain(': told ')
  expect(await explain('telegram:-1008', missed)).toContain('which begins with -100')
})

test('what a group was sent under its former id is not sent again, and says so', async () => {
  const after: Target = { ...group, id: '-1001234' }
  await subscriptions.subscribe(group, live)
  const event = await goesLive()
  await tried({ kind: 'sent' })
  await subscriptions.subscribe(after, live)
  const { id } = await store
    .selectFrom('chats')
    .select('id')
    .where('chat', '=', after.id)
    .executeTakeFirstOrThrow()
  const waiting = { chat_id: id, state: 'waiting', attempts: 0, claim: 0 } as const
  const [sent] = await store.selectFrom('deliveries').selectAll().execute()
  if (sent === undefined) throw new Error('nothing was sent')
  await store
    .insertInto('deliveries')
    .values({ ...sent, ...waiting })
    .execute()
  await outbox.migrate(id - 1, after.id)
  expect(await explain('telegram:-1001234', event)).toContain('told under the chat’s former id')
})

test.each<[Rule]>([
  [{ kind: 'progress', setting: { percents: [50] }, scope: {} }],
  [{ kind: 'ending', setting: { minutes: 30 }, scope: {} }],
  [{ kind: 'price', setting: { above: '1' }, scope: { asset: auction('Otter').asset_address } }],
])('what nobody looked for while all who ask for it were silent says so (%j)', async (rule) => {
  await subscriptions.subscribe(ada, rule)
  await goesLive()
  const asks = () => explain('telegram:7', rule.kind, 'OTTER')
  expect(await asks()).toMatch(/^Nobody was told: the bot has found no such event of the kind /u)
  expect(await asks()).toMatch(/It may not have come to the value, or all chats/u)
  await subscriptions.mute(ada, clock + hour)
  expect(await asks()).toMatch(/looked for only while some chat .* While this one is, /u)
  expect(await explain('telegram:7', 'graduated', 'OTTER')).toMatch(/- no rule of this kind$/u)
})

test('events about the value of one rule are those of the chat’s own rules, also if they came too late', async () => {
  const asset = auction('Otter')
  const price: Rule = {
    kind: 'price',
    setting: { above: '1' },
    scope: { asset: asset.asset_address },
  }
  await subscriptions.subscribe(ada, price)
  await subscriptions.subscribe(group, { ...price, setting: { above: '2' } })
  const usd = { amount: '1', currency: 'usd' }
  const crossing = async (of: Target, usefulUntil = clock + hour) => {
    clock += 1
    const [rule] = (await subscriptions.of(of)).subscriptions
    const body = { value: usd, reference: usd, direction: 'up', by: 'crossing' } as const
    return happens(
      { kind: 'price', asset, ...body },
      { key: `price:${rule?.id}:${chain}:1:${clock}`, rule: rule?.id ?? 0, usefulUntil },
    )
  }
  const own = await crossing(ada)
  const others = await crossing(group)
  expect(await explain('telegram:7', 'price', 'OTTER')).toMatch(new RegExp(`^event ${own}: `, 'u'))
  const late = await crossing(ada, clock)
  const said = await explain('telegram:7', 'price', 'OTTER')
  expect(said).toContain(`event ${late}: `)
  expect(said).not.toContain(`event ${others}: `)
  expect(await explain('telegram:7', late)).toContain('the bot found it when it was of no use')
  expect(await explain('telegram:7', others)).toContain('about the value or hour of another rule')
})

test('daily summaries are told one by one, and why a day may have none', async () => {
  const daily: Rule = { kind: 'digest', setting: { hour: 8, zone: 'UTC' }, scope: {} }
  await subscriptions.subscribe(ada, live)
  expect(await explain('telegram:7', 'digest')).toMatch(/no rule of this kind$/u)
  await subscriptions.subscribe(ada, daily)
  expect(await explain('telegram:7', 'digest')).toMatch(
    /telegram:7: digest hour:8 zone:UTC, since .*; none was due yet\nA day that is done and has no event was left out: /u,
  )
  const rule = (await subscriptions.of(ada)).subscriptions.find(
    (each) => each.rule.kind === 'digest',
  )?.id
  const done = (date: string) =>
    store
      .updateTable('rules')
      .set({ memory: JSON.stringify({ date }) })
      .where('id', '=', rule ?? 0)
      .execute()
  const { body } = digest({ key: '', rule: rule ?? 0, at: clock })
  const told = await happens(body, { key: `digest:${rule}:2023-11-14`, chain: 0, rule: rule ?? 0 })
  await tried({ kind: 'sent' })
  await subscriptions.mute(ada, clock + 2 * day)
  clock += day
  const muted = await happens(body, { key: `digest:${rule}:2023-11-15`, chain: 0, rule: rule ?? 0 })
  await done('2023-11-16')
  const said = await explain('telegram:7', 'digest')
  expect(said).toMatch(new RegExp(`event ${muted}: .*\\n- telegram:7: not told: it was muted`, 'u'))
  expect(said).toMatch(new RegExp(`event ${told}: .*\\n- telegram:7: told `, 'u'))
  expect(said).toContain('done up to 2023-11-16\n')
  // Summaries of others are not this chat's.
  await subscriptions.subscribe(group, { ...daily, setting: { hour: 9, zone: 'UTC' } })
  expect(await explain('telegram:-1008', 'digest')).not.toContain(`event ${told}`)
})

test('an announcement that a chat didn’t get says whom it went to', async () => {
  await subscriptions.subscribe(ada, live)
  await subscriptions.mute(ada, clock + hour)
  const body = { kind: 'announcement', text: 'We move' } as const
  const event = await happens(body, { key: 'announcement:1', chain: 0 })
  await store
    .transaction()
    .execute((tx) => addAnnouncement(tx, event, { after: 0, max: 10 }, clock))
  expect(await explain('telegram:7', event)).toMatch(
    /not told: an announcement goes to chats that were neither muted, .*\n- now: muted until /u,
  )
})

test('an event whose deliveries are still being stored, and one of which all is deleted', async () => {
  await subscriptions.subscribe(ada, live)
  const event = await goesLive()
  await store.deleteFrom('deliveries').execute()
  await store.updateTable('events').set({ slices_after: 0 }).execute()
  expect(await explain('telegram:7', event)).toContain('are still being stored')
  await store.updateTable('events').set({ body: '', slices_after: null }).execute()
  expect(await explain('telegram:7', event)).toContain('deleted some time after it was of use')
  expect(await explain('telegram:7', 99)).toMatch(/^There is no event 99\. Events of single rules/u)
})
