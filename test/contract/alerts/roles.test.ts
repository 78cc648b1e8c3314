import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Target } from '../../../src/alerts/chats.ts'
import { storeEvents } from '../../../src/alerts/events.ts'
import { Outbox } from '../../../src/alerts/outbox.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { digest } from '../../unit/alerts/digest-event.ts'
import { claimAll } from './claims.ts'

let database: TestDatabase
let store: Store
let subscriptions: Subscriptions
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
  subscriptions = new Subscriptions({ store, now: () => now, perChat: 9 })
})
afterEach(() => database.remove())

const now = 1_700_000_000
const server: Target = { platform: 'discord', kind: 'chat', id: '1300000000000000201' }
const other: Target = { platform: 'discord', kind: 'chat', id: '1300000000000000202' }
const summary: Rule = { kind: 'digest', setting: { hour: 9, zone: 'UTC' }, scope: {} }
const launches = { role: '1300000000000000303', name: '@Launches' }

async function only(target = server) {
  const { subscriptions: all } = await subscriptions.of(target)
  expect(all).toHaveLength(1)
  return all[0] ?? expect.fail('nothing is followed')
}

/** The roles that the deliveries of one more event notify, by chat. */
async function notified(key: string): Promise<Record<string, string[]>> {
  const { id: rule } = await only()
  const events = [digest({ key, rule, at: now })]
  await store.transaction().execute((tx) => storeEvents(tx, events, { chains: [8453], now }))
  const outbox = new Outbox(store, () => (now + 10) * 1000)
  const claims = await claimAll(outbox, 'discord')
  for (const claim of claims) await outbox.record(claim, claim.events, { kind: 'sent' }, 0)
  return Object.fromEntries(
    claims.map(({ chat, roles }) => [chat.id, [...(roles?.values() ?? [])]]),
  )
}

test('a role is notified of the alerts of the chat that named it, and of no other', async () => {
  await subscriptions.subscribeAll(server, [summary], undefined, launches)
  await subscriptions.subscribeAll(other, [summary])
  expect((await only()).mention).toEqual(launches)
  expect((await only(other)).mention).toBeUndefined()
  expect(await notified('a')).toEqual({ [server.id]: [launches.role], [other.id]: [] })
})

test('adding an alert again names its role, and adding it without one leaves the role', async () => {
  await subscriptions.subscribeAll(server, [summary])
  await subscriptions.subscribeAll(server, [summary], undefined, launches)
  await subscriptions.subscribeAll(server, [summary])
  expect((await only()).mention).toEqual(launches)
})

test('a change of the setting keeps the role, and the role can be taken back', async () => {
  await subscriptions.subscribeAll(server, [summary], undefined, launches)
  const later = { ...summary, setting: { hour: 10, zone: 'UTC' } }
  await subscriptions.change(server, (await only()).id, later)
  expect((await only()).mention).toEqual(launches)
  expect(await notified('b')).toEqual({ [server.id]: [launches.role] })
  await subscriptions.change(server, (await only()).id, later, undefined, null)
  expect((await only()).mention).toBeUndefined()
  expect(await notified('c')).toEqual({ [server.id]: [] })
})
