import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/interface/token.ts'
import type { PollSummary } from '../../../src/alerts/watcher.ts'
import { fenceOf, takeLease } from '../../../src/db/leases.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

const hour = 3600

let watching: Watching
let token: Token
beforeEach(async () => {
  watching = await Watching.start({ population: 5 })
  token = watching.world.announce(chain, {
    price: 1,
    startsAt: watching.now() - hour,
    endsAt: watching.now() + hour,
  })
})
afterEach(() => watching.stop())

const address = () => token.address.toLowerCase()

/** Polls as a watcher that is frozen before it stores anything; the returned function thaws it. */
async function frozen(): Promise<() => Promise<PollSummary>> {
  const hasRead = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const { follows } = watching
  const looking = watching.look(watching.api, {
    inUse: async () => {
      const inUse = await follows.inUse()
      hasRead.resolve()
      await goesOn.promise
      return inUse
    },
    remember: follows.remember.bind(follows),
  })
  await hasRead.promise
  return () => {
    watching.ahead += 20
    goesOn.resolve()
    return looking
  }
}

/** The events that each chat is notified of, oldest first. */
async function notified(): Promise<string[]> {
  const rows = await watching.store
    .selectFrom('deliveries')
    .innerJoin('news', 'news.id', 'deliveries.news')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination')
    .select(['news.kind', 'destinations.chat'])
    .orderBy('news.id')
    .orderBy('destinations.chat')
    .execute()
  return rows.map(({ kind, chat }) => `${kind} to ${chat}`)
}

const snapshot = async () => (await watching.assets.read(chain, [address()])).get(address())

/** Lets another replica lead the watch, whatever time is left to the one that does. */
async function lead(holder: string): Promise<void> {
  const { store } = watching
  await store.updateTable('roles').set({ held_until: 0 }).execute()
  const number = await takeLease(store, 'watch', holder, 60_000)
  watching.fence = fenceOf({ name: 'watch', holder, number: number ?? 0 })
}

test('a watcher that was frozen while another took over stores nothing', async () => {
  await watching.follow('a', {
    kind: 'price',
    setting: { moves: 50 },
    scope: { asset: address(), chain },
  })
  await watching.follow('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await watching.follow('b', { kind: 'progress', setting: { percents: [75] }, scope: {} })
  await lead('one')
  watching.world.change(token, { sold: 0.3 })
  await watching.look()
  watching.world.change(token, { sold: 0.55, price: 2 })
  const thaw = await frozen()
  await lead('other')
  watching.world.change(token, { sold: 0.8, price: 3 })
  await watching.look()
  const known = await snapshot()
  await expect(thaw()).rejects.toThrow('another replica has the role watch by now')
  expect(await snapshot()).toEqual(known)
  await watching.look()
  expect((await notified()).toSorted()).toEqual(['price to a', 'progress to a', 'progress to b'])
})

test('a filter that lost its subscriber during a poll, and has a new one, begins anew', async () => {
  const rule = {
    kind: 'price',
    setting: { above: '2' },
    scope: { asset: address(), chain },
  } as const
  await watching.follow('a', rule)
  await watching.look()
  watching.world.change(token, { price: 3 })
  const [filter] = await watching.follows.inUse()
  const thaw = await frozen()
  await watching.follows.unfollow({ platform: 'telegram', kind: 'chat', id: 'a' }, filter?.id ?? 0)
  await watching.follow('b', rule)
  await thaw()
  expect(await notified()).toEqual([])
  expect(await watching.follows.inUse()).toMatchObject([{ memory: '' }])
})

test('an asset whose stored state this version can’t parse counts as new, and is stored again', async () => {
  await watching.follow('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await watching.look()
  await watching.store.updateTable('watched_assets').set({ body: '{' }).execute()
  expect(await snapshot()).toMatchObject({ state: undefined })
  watching.world.change(token, { sold: 0.4 })
  await watching.look()
  expect((await snapshot())?.state).toMatchObject({ phase: 'live', progress: '0.4' })
  watching.world.change(token, { sold: 0.6 })
  await watching.look()
  expect(await notified()).toEqual(['progress to a'])
})
