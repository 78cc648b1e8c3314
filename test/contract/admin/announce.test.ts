import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AdminError } from '../../../src/admin/action.ts'
import { administer } from '../../../src/admin/actions.ts'
import { lockDeliveries } from '../../../src/alerts/chats.ts'
import { pruneEvents } from '../../../src/alerts/delivery-queries.ts'
import { readEvents, storeChanges } from '../../../src/alerts/events.ts'
import { addAnnouncement, Outbox } from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { eventView } from '../../../src/alerts/views/notification.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { Blocklist } from '../../../src/db/blocklist.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { noJobs } from '../../settings.ts'
import { shown } from '../../unit/views/shown.ts'
import { claimAll } from '../alerts/claims.ts'

const log = createLogger('silent', [])
const start = 1_900_000_000

let database: TestDatabase
let store: Store
/** Unix seconds. */
let time: number
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  time = start
})
afterEach(() => database.remove())

interface Row {
  chat: string
  platform?: 'telegram' | 'discord'
  thread?: string
  paused?: string
  muted?: number
}

async function chat({ chat, platform = 'telegram', thread = '', paused, muted = 0 }: Row) {
  await store
    .insertInto('chats')
    .values({
      platform,
      kind: chat.startsWith('-') ? 'chat' : 'person',
      chat,
      thread,
      paused: paused ?? null,
      muted_until_s: muted,
      next_at_ms: 0,
      due_at_ms: null,
      created_at_s: time,
      changed_by: null,
    })
    .execute()
}

function says(line: string) {
  return administer(line, 'ada', { store, now: () => time, jobs: noJobs })
}

/** What the leader does at each poll. */
function poll(): Promise<number> {
  return storeChanges({ store, chains: [8453], now: time, log }, [])
}

async function reachedChats(): Promise<string[]> {
  const rows = await store
    .selectFrom('deliveries')
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .select(['chats.platform', 'chats.chat'])
    .execute()
  return rows.map(({ platform, chat }) => `${platform}:${chat}`).sort()
}

async function announces(text: string) {
  const asked = await says(`announce ${text}`)
  return { asked, send: () => says(asked.confirm?.line ?? '') }
}

test('a message goes to every chat once, after a preview with the same count', async () => {
  await chat({ chat: '7' })
  await chat({ chat: '-1008' })
  await chat({ chat: '-1008', thread: '5' })
  await chat({ chat: '900', platform: 'discord' })
  await chat({ chat: '8', paused: 'blocked' })
  await chat({ chat: '9', muted: time + 60 })
  const watched = { platform: 'telegram', chain: 8453, asset: '0x1', price: null, currency: null }
  await store
    .insertInto('watchlist')
    .values({ ...watched, person: '10', added_at_s: time })
    .execute()
  await store
    .insertInto('managed_chats')
    .values({ platform: 'discord', person: '1', chat: '901', seen_at_s: time })
    .execute()
  const { asked, send } = await announces('We move on Sunday.')
  expect(asked.confirm?.question).toBe('Send it to 5 chats?')
  expect(asked.lines.join('\n')).toContain('telegram: 3 chats; not to 1 paused and 1 muted')
  expect(asked.lines.join('\n')).toMatch(/discord: 2 chats$/mu)
  expect(await reachedChats()).toEqual([])
  await send()
  await poll()
  expect(await reachedChats()).toEqual(
    ['telegram:7', 'telegram:-1008', 'telegram:10', 'discord:900', 'discord:901'].sort(),
  )
})

test('blocked people are left out', async () => {
  await chat({ chat: '7' })
  await chat({ chat: '8' })
  await new Blocklist(store, () => time).block({ platform: 'telegram', id: '8' })
  await (await announces('Hello')).send()
  await poll()
  expect(await reachedChats()).toEqual(['telegram:7'])
})

test('neither a second press, nor another process, nor a poll that is repeated sends it twice', async () => {
  await chat({ chat: '7' })
  const { send } = await announces('Hello')
  await send()
  expect((await send()).lines.join()).toContain('is not sent twice')
  expect(await poll()).toBe(1)
  expect(await poll()).toBe(0)
  expect(await reachedChats()).toEqual(['telegram:7'])
})

test('the same text, shown to two administrators or typed again after a kill, is sent once in an hour', async () => {
  await chat({ chat: '7' })
  const { send } = await announces('Hello')
  time += 1
  const other = await announces('Hello')
  const sent = await Promise.all([send(), other.send()])
  expect(sent.filter(({ lines }) => lines.join().includes('is not sent twice'))).toHaveLength(1)
  await (await announces('Something else')).send()
  await poll()
  expect(await reachedChats()).toEqual(['telegram:7', 'telegram:7'])
  time += 3_601
  await (await announces('Hello')).send()
  await poll()
  expect(await reachedChats()).toHaveLength(3)
})

test('one that is stopped while a slice of it is added goes no further', async () => {
  await chat({ chat: '7' })
  await chat({ chat: '8' })
  await (await announces('Hello')).send()
  const { id } = await store.selectFrom('events').select('id').executeTakeFirstOrThrow()
  let stopping: Promise<unknown> | undefined
  await store.transaction().execute(async (tx) => {
    await lockDeliveries(tx)
    stopping = says(`yes announce stop ${id}`)
    await sleep(100)
    await addAnnouncement(tx, id, { after: 0, last: 1 }, time)
    await tx.updateTable('events').set({ slices_after: 1 }).execute()
  })
  await stopping
  await poll()
  expect(await reachedChats()).toEqual(['telegram:7'])
  expect((await says('announce')).lines.join()).toContain(': 1 dropped – Hello')
})

test('a process that ends in the middle is continued by the next, chat by chat', async () => {
  for (let id = 1; id <= 7; id += 1) await chat({ chat: String(id) })
  await chat({ chat: '3', thread: '9' })
  const { send } = await announces('Hello')
  await send()
  const { id } = await store.selectFrom('events').select('id').executeTakeFirstOrThrow()
  // Two slices; then the process ends before it has stored how far it came.
  const add = (after: number) =>
    store.transaction().execute((tx) => addAnnouncement(tx, id, { after, last: after + 2 }, time))
  await add(0)
  await store.updateTable('events').set({ slices_after: 2 }).execute()
  await add(2)
  expect(await reachedChats()).toHaveLength(4)
  await poll()
  expect(await reachedChats()).toEqual(
    ['1', '2', '3', '4', '5', '6', '7'].map((each) => `telegram:${each}`),
  )
})

test('who has no alerts is told, too, if the bot was stopped for hours before it was sent to all', async () => {
  await chat({ chat: '7' })
  const { send } = await announces('Hello')
  await send()
  time += 2 * 3600
  const subscriptions = new Subscriptions({ store, now: () => time, perChat: 10 })
  await subscriptions.prune()
  await poll()
  expect(await reachedChats()).toEqual(['telegram:7'])
  await store.updateTable('deliveries').set({ state: 'dropped' }).execute()
  await store.updateTable('chats').set({ due_at_ms: null }).execute()
  await subscriptions.prune()
  expect(await store.selectFrom('chats').select('chat').execute()).toEqual([])
})

test('a topic that speaks up later is no second chat', async () => {
  await chat({ chat: '-1008', paused: 'topic-closed' })
  await chat({ chat: '-1008', thread: '5' })
  const { send } = await announces('Hello')
  await send()
  const { id } = await store.selectFrom('events').select('id').executeTakeFirstOrThrow()
  const add = () =>
    store.transaction().execute((tx) => addAnnouncement(tx, id, { after: 0, last: 9 }, time))
  await add()
  await store.updateTable('chats').set({ paused: null }).execute()
  await add()
  expect(await reachedChats()).toEqual(['telegram:-1008'])
})

test('it is due at once, reads as typed, and its links are links', async () => {
  await chat({ chat: '7' })
  await (await announces('Hello <b>all</b>\\nSee https://example.org/news?a=1 now')).send()
  await poll()
  const outbox = new Outbox(store, () => (time + 1) * 1000)
  const claim = await outbox.claim('telegram', 1)
  const [event] = await readEvents(store, claim?.events ?? [])
  if (!event?.body) throw new Error('it can’t be read')
  const view = eventView({ body: event.body, chain: 0, units: defaultUnits, now: time })
  expect(shown(view)).toEqual([
    '📣 From the operator of this bot',
    'Hello <b>all</b>',
    'See https://example.org/news?a=1 now',
  ])
  const link = { link: 'https://example.org/news?a=1', url: 'https://example.org/news?a=1' }
  expect(view.blocks).toEqual([
    { kind: 'lines', lines: [['Hello <b>all</b>'], ['See ', link, ' now']] },
  ])
})

test('how far it came is listed; when it is stopped, what waits is dropped', async () => {
  await chat({ chat: '7' })
  await chat({ chat: '8' })
  await (await announces('Hello')).send()
  expect((await says('announce')).lines.join()).toContain('more chats follow – Hello')
  await poll()
  const outbox = new Outbox(store, () => (time + 1) * 1000)
  const claim = await outbox.claim('telegram', 1)
  if (!claim) throw new Error('nothing was claimed')
  await outbox.record(claim, claim.events, { kind: 'sent' }, 0)
  const [line = ''] = (await says('announce')).lines
  expect(line).toContain('1 sent, 1 waiting – Hello')
  const number = line.split(',')[0]
  expect((await says(`yes announce stop ${number}`)).lines).toEqual([
    'Stopped. 1 waiting deliveries were dropped.',
  ])
  expect((await says('announce')).lines.join()).toContain('1 dropped, 1 sent – Hello')
  expect(await claimAll(outbox)).toEqual([])
})

test('one that was of use long ago is forgotten, and the list goes on', async () => {
  await chat({ chat: '7' })
  await (await announces('We move on Sunday.')).send()
  await poll()
  time += 40 * 86_400
  expect(await pruneEvents(store, time - 30 * 86_400)).toBe(2)
  expect(await store.selectFrom('events').select('id').execute()).toEqual([])
  expect((await says('announce')).lines.join('\n')).not.toContain('We move')
})

test('an old preview, a text that is too long and a number that is none are refused', async () => {
  await chat({ chat: '7' })
  const { send } = await announces('Hello')
  time += 3_700
  await expect(send()).rejects.toThrow('Type announce and the text again')
  await expect(says(`announce ${'x'.repeat(1_501)}`)).rejects.toThrow('at most 1500')
  await expect(says('yes announce stop 404')).rejects.toThrow('There is no announcement 404.')
  await expect(says('announce stop x')).rejects.toThrow(AdminError)
  await poll()
  expect(await reachedChats()).toEqual([])
})

test('nothing is sent where nobody is', async () => {
  expect((await says('announce Hello')).confirm).toBeUndefined()
})
