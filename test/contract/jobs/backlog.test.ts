import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { enqueue } from '../../../src/alerts/matching.ts'
import {
  type Claim,
  chatsDue,
  type DeliveryResult,
  deliveriesWaiting,
  type Settled,
  StoredOutbox,
} from '../../../src/alerts/outbox.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { asset, fullAsset } from '../../unit/views/sample.ts'

const limits = { most: 10, together: 10, lease: 60 }
const begin = 1_700_000_000_000

let clock: number
let database: TestDatabase
let store: Store
let follows: Subscriptions
let outbox: StoredOutbox
let settled: Settled[]
beforeEach(async () => {
  clock = begin
  settled = []
  database = await TestDatabase.make()
  store = await database.open()
  follows = new Subscriptions({ store, now: seconds, perChat: 5 })
  const onSettled = (each: Settled) => void settled.push(each)
  outbox = new StoredOutbox(store, () => clock, { onSettled })
})
afterEach(() => database.remove())

function seconds(): number {
  return Math.floor(clock / 1000)
}

/** Chats follow what goes live. */
async function follow(platform: 'telegram' | 'discord', ...chats: readonly string[]) {
  const rule = { kind: 'live', setting: {}, scope: {} } as const
  for (const id of chats) await follows.follow({ platform, kind: 'chat', id }, rule)
}

/** Something goes live, which is due two seconds later. */
async function tell(key: string): Promise<void> {
  const body = { kind: 'live', asset: asset(fullAsset) } as const
  const at = seconds()
  const news = { key, chain: 1, asset: '0xab', at, usefulUntil: at + 3600, body }
  await store.transaction().execute((tx) => enqueue(tx, [news], at))
  clock += 2000
}

async function claim(): Promise<Claim> {
  const [first] = await outbox.claim('telegram', limits)
  if (first === undefined) throw new Error('nothing was due')
  return first
}

describe('what waits', () => {
  const due = async () => ({
    telegram: await chatsDue(store, 'telegram', clock),
    discord: await chatsDue(store, 'discord', clock),
    deliveries: await deliveriesWaiting(store),
  })
  const none = { due: 0, oldest: 0 }

  test('is nothing at first', async () => {
    expect(await due()).toEqual({ telegram: none, discord: none, deliveries: 0 })
  })

  test('is each chat once, since its oldest was due, and every delivery', async () => {
    await follow('telegram', 'ada', 'ben')
    await tell('first')
    clock += 30_000
    await follow('discord', 'cleo')
    await tell('second')
    expect(await due()).toEqual({
      telegram: { due: 2, oldest: 32 },
      discord: { due: 1, oldest: 0 },
      deliveries: 5,
    })
  })

  test('is not due while somebody sends it, but still waits', async () => {
    await follow('telegram', 'ada')
    await tell('first')
    const held = await claim()
    expect(await due()).toMatchObject({ telegram: none, deliveries: 1 })
    await outbox.record(held, held.news, { kind: 'sent' }, clock)
    expect(await due()).toMatchObject({ telegram: none, deliveries: 0 })
  })

  test('is not what was put off or muted', async () => {
    await follow('telegram', 'ada', 'ben')
    await tell('first')
    const held = await claim()
    const runAt = seconds() + 60
    await outbox.record(held, held.news, { kind: 'later', runAt, reason: 'down' }, clock)
    expect(await due()).toMatchObject({ telegram: none, deliveries: 2 })
    await follows.mute({ platform: 'telegram', kind: 'chat', id: 'ada' }, seconds() + 600)
    await follows.mute({ platform: 'telegram', kind: 'chat', id: 'ben' }, seconds() + 600)
    expect(await due()).toMatchObject({ telegram: none, deliveries: 0 })
  })
})

describe('what became of deliveries is told', () => {
  test.each([
    { kind: 'sent' },
    { kind: 'later', runAt: 1_700_000_060, reason: 'down' },
    { kind: 'uncertain', reason: 'no answer' },
    { kind: 'dropped', reason: 'too late' },
    { kind: 'given-up', reason: 'refused' },
  ] satisfies DeliveryResult[])('$kind, each piece of news', async (settlement) => {
    await follow('telegram', 'ada')
    await tell('first')
    await tell('second')
    const held = await claim()
    await outbox.record(held, held.news, settlement, clock)
    expect(settled).toEqual([{ platform: 'telegram', outcome: settlement.kind, deliveries: 2 }])
  })

  test('what is dropped because a chat is lost, too', async () => {
    await follow('telegram', 'ada')
    await tell('first')
    await outbox.pause((await claim()).destination.id, 'blocked')
    expect(settled).toEqual([{ platform: 'telegram', outcome: 'dropped', deliveries: 1 }])
  })

  test('not what somebody else holds by now', async () => {
    await follow('telegram', 'ada')
    await tell('first')
    const held = await claim()
    clock += 120_000
    const [other] = await new StoredOutbox(store, () => clock).claim('telegram', limits)
    expect(other).toBeDefined()
    await outbox.record(held, held.news, { kind: 'dropped', reason: 'too late' }, clock)
    expect(settled).toEqual([])
  })
})
