import { afterEach, beforeEach, expect, test } from 'vitest'
import { applyChatChange } from '../../../src/alerts/open.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { ChatChange, Loss } from '../../../src/core/adapter.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { silent } from '../../unit/api/server.ts'

const now = 1_700_000_000
const live: Rule = { kind: 'live', scope: {}, setting: {} }

let database: TestDatabase
let store: Store
let subscriptions: Subscriptions
let paused: string[]
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  subscriptions = new Subscriptions({ store, now: () => now, perChat: 3 })
  paused = []
})
afterEach(() => database.remove())

const chat = (id: string, thread?: string) =>
  ({ platform: 'telegram', kind: 'chat', id, ...(thread !== undefined && { thread }) }) as const
const follow = (id: string, thread?: string) => subscriptions.subscribe(chat(id, thread), live)
const stateOf = async (id: string, thread?: string) => subscriptions.of(chat(id, thread))
const apply = (change: ChatChange) => {
  const onPaused = (platform: string, loss: Loss) => paused.push(`${platform} ${loss}`)
  const outbox = new Outbox(store, () => now * 1000, { onPaused })
  return applyChatChange({ store, outbox, log: silent }, 'telegram', change)
}

test('lost chats are paused with their topics, once, and those of another platform are not', async () => {
  await follow('-1')
  await follow('-1', '2')
  await follow('-2')
  await follow('-3')
  await subscriptions.subscribe({ ...chat('-1'), platform: 'discord' }, live)
  const change: ChatChange = { kind: 'lost', chats: ['-1', '-2', '-99'], loss: 'removed' }
  await apply(change)
  await apply({ ...change, loss: 'gone' })
  expect((await stateOf('-1')).paused).toBe('removed')
  expect((await stateOf('-1', '2')).paused).toBe('removed')
  expect((await stateOf('-2')).paused).toBe('removed')
  expect((await stateOf('-3')).paused).toBeUndefined()
  expect((await subscriptions.of({ ...chat('-1'), platform: 'discord' })).paused).toBeUndefined()
  expect(paused).toEqual(Array(3).fill('telegram removed'))
})

test('so are thousands at once', async () => {
  const ids = Array.from({ length: 1100 }, (_, index) => `-${index + 1}`)
  await follow('-1')
  await follow('-1100')
  await apply({ kind: 'lost', chats: ids, loss: 'removed' })
  expect((await stateOf('-1')).paused).toBe('removed')
  expect((await stateOf('-1100')).paused).toBe('removed')
})

test('chats that are back are resumed, but not their closed topics', async () => {
  for (const thread of ['1', '2']) await follow('-1', thread)
  await apply({ kind: 'lost', chats: ['-1'], loss: 'forbidden' })
  await store
    .updateTable('chats')
    .set({ paused: 'topic-closed' })
    .where('thread', '=', '2')
    .execute()
  await apply({ kind: 'back', chats: ['-1'] })
  expect((await stateOf('-1', '1')).paused).toBeUndefined()
  expect((await stateOf('-1', '2')).paused).toBe('topic-closed')
})

test('a migrated chat goes on under its new id, with its topics, also if both service messages say so', async () => {
  await follow('-1')
  await follow('-1', '2')
  await apply({ kind: 'lost', chats: ['-1'], loss: 'removed' })
  const change: ChatChange = { kind: 'migrated', chat: '-1', to: '-1001' }
  await apply(change)
  await apply(change)
  for (const thread of [undefined, '2']) {
    expect((await stateOf('-1', thread)).subscriptions).toEqual([])
    const { subscriptions: moved, paused: loss } = await stateOf('-1001', thread)
    expect(moved.map(({ rule }) => rule)).toEqual([live])
    expect(loss).toBeUndefined()
  }
})
