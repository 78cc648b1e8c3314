import { afterEach, beforeEach, expect, test } from 'vitest'
import { AdminError } from '../../../src/admin/action.ts'
import { administer } from '../../../src/admin/actions.ts'
import { createChat, migrateChat, pruneChats } from '../../../src/alerts/chats.ts'
import { applyChatChange } from '../../../src/alerts/open.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { noJobs } from '../../settings.ts'
import { chats, furnish, tell } from '../db/installation.ts'

const now = () => Math.floor(Date.now() / 1000)

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  await furnish(store)
})
afterEach(() => database.remove())

async function says(line: string): Promise<readonly string[]> {
  return (await administer(line, 'ada', { store, now, jobs: noJobs })).lines
}

async function pausedChats() {
  const rows = await store.selectFrom('chats').select(['chat', 'paused']).orderBy('id').execute()
  return Object.fromEntries(rows.map(({ chat, paused }) => [chat, paused]))
}

test('chats are counted, and found by a part of their id and by what keeps them quiet', async () => {
  expect(await says('chats')).toEqual([
    'telegram, groups and channels: 1',
    'telegram, private chats: 1',
  ])
  expect((await says('chats 100')).join()).toMatch(
    /^telegram:-1008, group or channel, 1 alerts, 1 deliveries waiting, since /u,
  )
  expect(await says('chats paused')).toEqual([
    'No chat matches. “chats” counts all that have alerts.',
  ])
  await says('chats pause telegram:-1008')
  for (const line of ['chats paused', 'chats operator', 'chats telegram:-1008'])
    expect((await says(line)).join()).toContain(
      'telegram:-1008, group or channel, 1 alerts, paused (operator)',
    )
  await store
    .updateTable('chats')
    .set({ muted_until_s: now() + 60 })
    .where('chat', '=', '7')
    .execute()
  expect((await says('chats muted')).join()).toContain('telegram:7, private')
})

test('a chat is found by its number in the log, and paused, resumed and explained by it', async () => {
  const rows = await store.selectFrom('chats').select(['id', 'chat']).execute()
  const number = rows.find(({ chat }) => chat === '-1008')?.id
  expect((await says(`chats chat:${number}`)).join()).toMatch(/^telegram:-1008, group/u)
  expect(await says(`chats pause chat:${number}`)).toEqual([
    expect.stringContaining('Paused telegram:-1008.'),
  ])
  expect((await says(`explain chat:${number}`)).join()).toContain('telegram:-1008: paused')
  expect(await says(`chats resume chat:${number}`)).toEqual(['Resumed telegram:-1008.'])
  expect(await says(`stuck retry chat:${number}`)).toEqual([expect.stringContaining('Due now: ')])
  for (const line of ['chats chat:9999', 'explain chat:9999', 'stuck drop chat:9999'])
    await expect(says(line)).rejects.toThrow('There is no chat 9999')
})

test('a chat stays paused in a new topic, without alerts, and under another id that it has already', async () => {
  const [, group] = chats
  await says('chats pause telegram:-1008')
  const time = now()
  const rows = (tx: Store) => tx.selectFrom('chats').select(['thread', 'paused'])
  await store.transaction().execute((tx) => createChat(tx, { ...group, thread: '5' }, time))
  const there = await rows(store).where('chat', '=', '-1008').orderBy('id').execute()
  expect(there.map(({ paused }) => paused)).toEqual(['operator', 'operator'])
  await store.deleteFrom('subscriptions').execute()
  await pruneChats(store, { from: 0, to: 99 }, time + 86_400)
  expect(await rows(store).where('chat', '=', '-1008').execute()).toHaveLength(2)
  await store.transaction().execute((tx) => createChat(tx, { ...group, id: '-1009' }, time))
  await store.transaction().execute((tx) => migrateChat(tx, 2, '-1009', time * 1000))
  expect(await pausedChats()).toMatchObject({ '-1009': 'operator' })
})

test('a paused chat gets nothing, whatever its people do, until it is resumed', async () => {
  const [, group] = chats
  await says('chats pause telegram:-1008')
  await tell(store, 'Badger')
  const subscriptions = new Subscriptions({ store, now, perChat: 30 })
  await subscriptions.resume(group)
  const outbox = new Outbox(store, Date.now)
  const log = createLogger('silent', [])
  await applyChatChange({ store, outbox, log }, 'telegram', { kind: 'back', chats: ['-1008'] })
  expect(await pausedChats()).toEqual({ '7': null, '-1008': 'operator' })
  const waiting = store
    .selectFrom('deliveries')
    .select('event_id')
    .where('state', '=', 'waiting')
    .where('chat_id', '=', 2)
  expect(await waiting.execute()).toEqual([])
  expect(await says('chats resume telegram:-1008')).toEqual(['Resumed telegram:-1008.'])
  await tell(store, 'Marten')
  expect(await waiting.execute()).toHaveLength(1)
})

test('what was changed is written down with who did it and what came of it; what only shows is not', async () => {
  await says('chats')
  await says('chats pause telegram:-1008')
  await expect(says('chats pause telegram:404')).rejects.toThrow('has no alerts')
  const log = await says('log')
  // The installation has one entry already.
  expect(log).toHaveLength(2)
  expect(log[0]).toMatch(
    /UTC \(\d+ s ago\), ada: chats pause telegram:-1008 – Paused telegram:-1008\. Waiting deliveries that were dropped: 1\./u,
  )
})

test('a blocked person is listed, their own alerts pause, and unblock undoes both', async () => {
  const asked = await administer('block person telegram:7', 'ada', { store, now, jobs: noJobs })
  expect(asked.confirm).toEqual({
    question: 'Block telegram:7?',
    line: 'yes block person telegram:7',
  })
  expect((await says('block')).join()).not.toContain('telegram:7,')
  await says(asked.confirm?.line ?? '')
  expect((await says('block')).join()).toContain('telegram:7, ')
  expect((await pausedChats())['7']).toBe('operator')
  expect(await says('yes block person telegram:7')).toEqual(['telegram:7 is already blocked.'])
  await says('unblock person telegram:7')
  expect((await says('block')).join()).not.toContain('telegram:7,')
  expect((await pausedChats())['7']).toBeNull()
})

test.each([
  'chats pause',
  'chats pause 7',
  "chats ' or '1'='1",
  'chats %',
  'chats wipe telegram:7',
  'chats pause telegram:7 telegram:8',
  'block telegram:7',
  'block person telegram:7; drop table drafts',
  'forget telegram:7',
  'log all',
])('%s is refused, and nothing is changed', async (line) => {
  await expect(says(line)).rejects.toThrow(AdminError)
  expect(await pausedChats()).toEqual({ '7': null, '-1008': null })
})
