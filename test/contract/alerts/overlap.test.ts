import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/interface/token.ts'
import type { Rule } from '../../../src/alerts/rule.ts'
import type { Recorded } from '../../../src/alerts/watcher.ts'
import type { Api } from '../../../src/api/client.ts'
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

/**
 * A watcher that is frozen between its look and the storing of it, while others go on; what is returned thaws it, when
 * others have long taken over.
 */
async function frozen(): Promise<() => Promise<Recorded>> {
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

/** What each chat is told, in the order in which it was found. */
async function told(): Promise<string[]> {
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

const kept = async () => {
  const found = (await watching.assets.known(chain, [address()])).get(address())
  return { ...found, ...found?.state }
}

describe('two watchers that overlap tell once', () => {
  test.each<Pick<Rule, 'kind' | 'setting'>>([
    { kind: 'price', setting: { above: '2' } },
    { kind: 'price', setting: { moves: 50 } },
    { kind: 'mcap', setting: { moves: 50 } },
  ])('what $kind did by $setting', async (rule) => {
    const scope = { asset: address(), chain }
    await watching.follow('a', { ...rule, scope } as Rule)
    await watching.look()
    watching.world.change(token, { price: 3 })
    const thaw = await frozen()
    await watching.look()
    await thaw()
    expect(await told()).toEqual([`${rule.kind} to a`])
    await watching.look()
    expect(await told()).toEqual([`${rule.kind} to a`])
  })

  test('that something happened to an asset that neither knew', async () => {
    await watching.follow('a', { kind: 'live', setting: {}, scope: {} })
    await watching.follow('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
    await watching.follow('b', { kind: 'progress', setting: { percents: [75] }, scope: {} })
    await watching.look()
    token = watching.world.announce(chain, { sold: 0.55 })
    const thaw = await frozen()
    watching.world.change(token, { sold: 0.8 })
    await watching.look()
    const all = ['live to a', 'progress to a', 'progress to b']
    expect(await told()).toEqual(all)
    await thaw()
    await watching.look()
    expect(await told()).toEqual(all)
  })

  test('what was sold, though they saw different shares', async () => {
    await watching.follow('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
    await watching.follow('b', { kind: 'progress', setting: { percents: [75] }, scope: {} })
    watching.world.change(token, { sold: 0.3 })
    await watching.look()
    watching.world.change(token, { sold: 0.55 })
    const thaw = await frozen()
    watching.world.change(token, { sold: 0.8 })
    await watching.look()
    await thaw()
    expect(await told()).toEqual(['progress to a', 'progress to b'])
    expect(await kept()).toMatchObject({ progress: '0.8' })
  })

  test('when an auction ends, though they saw different ends', async () => {
    await watching.follow('a', { kind: 'ending', setting: { minutes: 30 }, scope: {} })
    await watching.look()
    watching.ahead = 31 * 60
    const thaw = await frozen()
    watching.world.change(token, { endsAt: token.endsAt - 5 })
    await watching.look()
    await thaw()
    expect(await told()).toEqual(['ending to a'])
  })
})

describe('a watcher that stores late undoes nothing that is known by then', () => {
  test('of the shares that were told', async () => {
    await watching.follow('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
    await watching.follow('b', { kind: 'progress', setting: { percents: [75] }, scope: {} })
    watching.world.change(token, { sold: 0.3 })
    await watching.look()
    watching.world.change(token, { sold: 0.35 })
    const thaw = await frozen()
    watching.world.change(token, { sold: 0.55 })
    await watching.look()
    await thaw()
    expect(await kept()).toMatchObject({ progress: '0.55' })
    watching.world.change(token, { sold: 0.8 })
    await watching.look()
    expect(await told()).toEqual(['progress to a', 'progress to b'])
  })

  test('of the time that was left', async () => {
    await watching.follow('a', { kind: 'ending', setting: { minutes: 30 }, scope: {} })
    await watching.follow('b', { kind: 'ending', setting: { minutes: 5 }, scope: {} })
    await watching.look()
    watching.ahead = 20 * 60
    const thaw = await frozen()
    watching.ahead = 31 * 60
    await watching.look()
    watching.ahead = 22 * 60
    await thaw()
    watching.ahead = 56 * 60
    await watching.look()
    expect(await told()).toEqual(['ending to a', 'ending to b'])
  })

  test('of its course and its phase', async () => {
    await watching.look()
    watching.ahead = 120
    watching.world.change(token, { sold: 0.4 })
    const thaw = await frozen()
    watching.world.change(token, { sold: 0.6 })
    await watching.look()
    watching.ahead = 240
    watching.world.end(token, 'graduated')
    await watching.look()
    const known = await kept()
    await thaw()
    expect(await kept()).toEqual(known)
    expect(known).toMatchObject({ phase: 'graduated' })
  })

  test('of a filter that begins anew', async () => {
    const rule = {
      kind: 'price',
      setting: { above: '2' },
      scope: { asset: address(), chain },
    } as const
    await watching.follow('a', rule)
    await watching.look()
    watching.world.change(token, { price: 3 })
    const [filter] = (await watching.follows.inUse()).movements
    const thaw = await frozen()
    await watching.follows.unfollow(
      { platform: 'telegram', kind: 'chat', id: 'a' },
      filter?.id ?? 0,
    )
    await watching.follow('b', rule)
    await thaw()
    expect(await told()).toEqual([])
    expect((await watching.follows.inUse()).movements).toMatchObject([{ memory: '' }])
  })
})

test('each of several looks in one second is told from the others', async () => {
  await watching.look()
  const times: (number | undefined)[] = []
  for (const sold of [0.1, 0.2, 0.3]) {
    watching.world.change(token, { sold })
    await watching.look()
    times.push((await kept()).updatedAt)
  }
  expect(new Set(times).size).toBe(3)
  watching.ahead = -2 * hour
  watching.world.change(token, { sold: 0.4 })
  await watching.look()
  expect((await kept()).updatedAt).toBe(watching.now())
})

test('an asset of which this version can’t read what is kept is taken for new, and kept again', async () => {
  await watching.follow('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
  await watching.look()
  await watching.store.updateTable('watched_assets').set({ body: '{' }).execute()
  expect(await kept()).toMatchObject({ state: undefined })
  watching.world.change(token, { sold: 0.4 })
  await watching.look()
  expect(await kept()).toMatchObject({ phase: 'live', progress: '0.4' })
  watching.world.change(token, { sold: 0.6 })
  await watching.look()
  expect(await told()).toEqual(['progress to a'])
})

test('what comes after the first look of one watcher is told by another whose first look is still under way', async () => {
  const { world, api } = watching
  await watching.follow('a', { kind: 'live', setting: {}, scope: {} })
  const slow: Pick<Api, 'assets' | 'asset'> = {
    asset: (...of) => api.asset(...of),
    assets: async (filter) => {
      if (filter.status === 'live') {
        await watching.look()
        world.announce(chain)
      }
      return api.assets(filter)
    },
  }
  await watching.look(slow)
  await watching.look()
  expect(await told()).toEqual(['live to a'])
})
