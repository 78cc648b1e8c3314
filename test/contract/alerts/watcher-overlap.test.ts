import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/api/token.ts'
import type { PollSummary } from '../../../src/alerts/recorder.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

const hour = 3600

let harness: WatcherHarness
let token: Token
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 5 })
  token = harness.world.announce(chain, {
    price: 1,
    startsAt: harness.now() - hour,
    endsAt: harness.now() + hour,
  })
})
afterEach(() => harness.stop())

const address = () => token.address.toLowerCase()

/** Polls as a watcher that is frozen before it stores anything; the returned function thaws it. */
async function frozen(): Promise<() => Promise<PollSummary>> {
  const hasRead = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const { subscriptions } = harness
  const polling = harness.poll(harness.api, {
    inUse: async () => {
      const inUse = await subscriptions.inUse()
      hasRead.resolve()
      await goesOn.promise
      return inUse
    },
  })
  await hasRead.promise
  return () => {
    harness.ahead += 20
    goesOn.resolve()
    return polling
  }
}

/** The events that each chat is notified of, oldest first. */
async function notified(): Promise<string[]> {
  const rows = await harness.store
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .select(['events.kind', 'chats.chat'])
    .orderBy('events.id')
    .orderBy('chats.chat')
    .execute()
  return rows.map(({ kind, chat }) => `${kind} to ${chat}`)
}

const snapshot = async () => (await harness.assets.read(chain, [address()])).get(address())

test('a watcher that was frozen while another took over notifies of nothing twice', async () => {
  await harness.subscribe('a', {
    kind: 'price',
    setting: { moves: 50 },
    scope: { asset: address(), chain },
  })
  await harness.subscribe('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await harness.subscribe('b', { kind: 'progress', setting: { percents: [75] }, scope: {} })
  harness.world.change(token, { sold: 0.3 })
  await harness.poll()
  harness.world.change(token, { sold: 0.55, price: 2 })
  const thaw = await frozen()
  harness.ahead += 10
  harness.world.change(token, { sold: 0.8, price: 3 })
  await harness.poll()
  await thaw()
  await harness.poll()
  expect((await notified()).toSorted()).toEqual(['price to a', 'progress to a', 'progress to b'])
})

test('a rule that lost its subscriber during a poll, and has a new one, starts without a memory', async () => {
  const rule = {
    kind: 'price',
    setting: { above: '2' },
    scope: { asset: address(), chain },
  } as const
  await harness.subscribe('a', rule)
  await harness.poll()
  harness.world.change(token, { price: 3 })
  const [inUse] = await harness.subscriptions.inUse()
  const thaw = await frozen()
  await harness.subscriptions.unsubscribe(
    { platform: 'telegram', kind: 'chat', id: 'a' },
    inUse?.id ?? 0,
  )
  await harness.subscribe('b', rule)
  await thaw()
  expect(await notified()).toEqual([])
  expect(await harness.subscriptions.inUse()).toMatchObject([{ memory: '' }])
})

test('an asset whose stored state this version can’t parse counts as new, and is stored again', async () => {
  await harness.subscribe('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await harness.poll()
  await harness.store.updateTable('watched_assets').set({ body: '{' }).execute()
  expect(await snapshot()).toMatchObject({ state: undefined })
  harness.world.change(token, { sold: 0.4 })
  await harness.poll()
  expect((await snapshot())?.state).toMatchObject({ phase: 'live', progress: '0.4' })
  harness.world.change(token, { sold: 0.6 })
  await harness.poll()
  expect(await notified()).toEqual(['progress to a'])
})
