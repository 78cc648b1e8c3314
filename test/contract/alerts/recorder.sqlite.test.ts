import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/api/token.ts'
import { Recorder } from '../../../src/alerts/recorder.ts'
import type { Api } from '../../../src/api/client.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'
import { silent } from '../../unit/api/server.ts'

const minute = 60

let harness: WatcherHarness
afterEach(() => harness.stop())

const address = (token: Pick<Token, 'address'>) => token.address.toLowerCase()
const keyOf = (kind: string, token: Pick<Token, 'address'>) => `${kind}:${chain}:${address(token)}`

function countOf(phase: string) {
  return harness.store
    .selectFrom('watched_assets')
    .select('asset')
    .where('phase', '=', phase)
    .execute()
    .then((rows) => rows.length)
}

/** The phases that the tokens of the stand-in were in at each poll since the first. */
class Truth {
  readonly steps = new Set<string>()
  readonly #before = new Set<string>()

  observe(isFirst = false): void {
    const order = ['incoming', 'live', 'graduated']
    for (const token of harness.world.tokens) {
      const reached = order.indexOf(token.status)
      // Who is seen at a step has been through those before it.
      for (const step of isFirst ? order.slice(0, reached + 1) : [token.status]) {
        const key = keyOf(step, token)
        if (isFirst) this.#before.add(key)
        else if (reached >= 0 && !this.#before.has(key)) this.steps.add(key)
      }
    }
  }
}

describe('over hours of many changes', () => {
  beforeEach(async () => {
    harness = await WatcherHarness.start({ population: 30 })
  })

  async function life(
    seconds: number,
    polls: number,
    before: (index: number) => void = () => undefined,
  ) {
    const truth = new Truth()
    await harness.poll()
    truth.observe(true)
    for (let index = 0; index < polls; index += 1) {
      harness.world.tick(seconds)
      before(index)
      await harness.poll()
      truth.observe()
    }
    harness.ahead = 0
    await harness.poll()
    const notified = (await harness.keys()).filter((key) =>
      /^(?:incoming|live|graduated):/u.test(key),
    )
    return { notified, truth: [...truth.steps] }
  }

  test('each phase that a poll observes is notified once, and no other', async () => {
    const { notified, truth } = await life(120, 30)
    expect(notified.toSorted()).toEqual(truth.toSorted())
    expect(truth.length).toBeGreaterThan(15)
  })

  test('a clock that jumps an hour either way makes no difference', async () => {
    const { notified, truth } = await life(120, 16, (index) => {
      harness.ahead = [0, 3600, 0, -3600][Math.floor(index / 4) % 4] ?? 0
    })
    expect(notified.toSorted()).toEqual(truth.toSorted())
  })

  test('long gaps between polls lose only phases that no poll observed', async () => {
    const { notified, truth } = await life(1800, 12)
    expect(notified.toSorted()).toEqual(truth.toSorted())
  })
})

describe('a poll', () => {
  beforeEach(async () => {
    harness = await WatcherHarness.start({ population: 20 })
  })

  const crowd = (count: number) =>
    Array.from({ length: count }, () => harness.world.announce(chain))

  test('neither invents nor misses events if pages shift while they are read', async () => {
    const { world, api } = harness
    const [oldest, ...others] = crowd(130)
    await harness.poll()
    expect(await harness.keys()).toEqual([])
    const late: Token[] = []
    let context = 0
    const shifting: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: async (filter) => {
        const read = await api.assets(filter)
        context += 1
        // What comes pushes others to the next page, and what goes draws them to this one.
        if (context % 2 === 0) late.push(...crowd(3))
        else for (const token of others.splice(-4)) world.end(token, 'stall')
        return read
      },
    }
    for (let polls = 0; polls < 5; polls += 1) await harness.poll(shifting)
    await harness.poll()
    expect((await harness.keys()).sort()).toEqual(late.map((token) => keyOf('live', token)).sort())
    expect(oldest && (await harness.phase(oldest.address))).toBe('live')
    expect(await countOf('gone')).toBe(0)
  })

  test('that fails concludes nothing about assets that it did not read', async () => {
    const { world, api, server } = harness
    const tokens = crowd(120)
    await harness.poll()
    const back = tokens.slice(0, 30).map((token) => world.remove(token))
    const born = world.announce(chain)
    const failing: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: (filter) => {
        if (filter.status === 'live' && filter.offset === 50) server.faults.set({ kind: 'reset' })
        return api.assets(filter)
      },
    }
    for (let polls = 0; polls < 4; polls += 1) {
      await harness.poll(failing)
      server.faults.clear()
    }
    expect(await harness.keys()).toEqual([keyOf('live', born)])
    expect(await countOf('gone')).toBe(0)
    for (const restore of back) restore()
    await harness.poll()
    expect(await harness.keys()).toEqual([keyOf('live', born)])
  })

  test('concludes nothing from a stale answer', async () => {
    const { world, api } = harness
    const token = world.announce(chain)
    await harness.poll()
    world.end(token, 'graduated')
    await harness.poll({
      asset: (...of) => api.asset(...of),
      assets: async (filter) => ({ ...(await api.assets(filter)), stale: true }),
    })
    expect(await harness.phase(token.address)).toBe('live')
    expect(await harness.keys()).toEqual([])
  })

  test('fetches assets that are in no list any more some at a time, and does not notify of them when they return', async () => {
    const { world } = harness
    const tokens = crowd(50)
    await harness.poll()
    const back = tokens.map((token) => world.remove(token))
    const asked = harness.server.requestCount
    await harness.poll()
    expect(harness.server.requestCount - asked).toBe(3 + 20)
    for (let polls = 0; polls < 10; polls += 1) await harness.poll()
    expect(await countOf('gone')).toBe(50)
    for (const restore of back) restore()
    await harness.poll()
    expect(await countOf('gone')).toBe(0)
    expect(await harness.keys()).toEqual([])
  })

  test('fetches those that no list has in turn, so that each is reached', async () => {
    const { world, api } = harness
    const tokens = crowd(50)
    await harness.poll()
    const forgetful: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: async (filter) => {
        const read = await api.assets(filter)
        return { ...read, value: { ...read.value, items: [], received: 0 } }
      },
    }
    await harness.poll(forgetful)
    const last = tokens.toSorted((one, other) => (address(one) < address(other) ? 1 : -1))[0]
    if (last) world.end(last, 'stall')
    for (let polls = 0; polls < 5; polls += 1) await harness.poll(forgetful)
    expect(last && (await harness.phase(last.address))).toBe('ended')
  })

  test('makes as many requests with a thousand subscriptions as with none', async () => {
    const { world, server } = harness
    crowd(70)
    await harness.poll()
    const cost = async () => {
      const before = server.requestCount
      await harness.poll()
      return server.requestCount - before
    }
    const alone = await cost()
    const [token] = world.tokens
    for (let index = 0; index < 1000; index += 1) {
      await harness.subscribe(`chat ${index % 100}`, {
        kind: 'price',
        setting: { moves: 1 + Math.floor(index / 100) },
        scope: { asset: token?.address, chain },
      })
    }
    expect(await cost()).toBe(alone)
    expect(alone).toBe(4)
  })

  test('reaches every graduated asset in a round, so that its price is known', async () => {
    const { world } = harness
    const tokens = crowd(160)
    await harness.poll()
    for (const token of tokens) world.end(token, 'graduated')
    for (let polls = 0; polls < 10; polls += 1) await harness.poll()
    expect(await countOf('live')).toBe(
      world.tokens.filter(({ status }) => status === 'live').length,
    )
    harness.ahead = 2 * minute
    for (const token of tokens) world.change(token, { price: 77 })
    for (let polls = 0; polls < 5; polls += 1) await harness.poll()
    const [deepest] = tokens
    const found = deepest && (await harness.assets.find(chain, deepest.address))
    expect(found?.history.at(-1)).toMatchObject({ price: '77' })
  })

  test('writes only what changed', async () => {
    const updates = () =>
      harness.store
        .selectFrom('watched_assets')
        .select(['asset', 'updated_at_s'])
        .orderBy('asset')
        .execute()
    await harness.poll()
    // The first lists teach what quote tokens are worth.
    await harness.poll()
    const before = await updates()
    const token = harness.world.tokens.find(({ status }) => status === 'live')
    harness.ahead = 5 * minute
    if (token) harness.world.change(token, { sold: 0.99 })
    await harness.poll()
    const changed = (await updates()).filter(
      (row, index) => row.updated_at_s !== before[index]?.updated_at_s,
    )
    expect(changed.map(({ asset }) => asset)).toContain(token && address(token))
    expect(changed.length).toBeLessThan(before.length / 2)
  })

  test('does not take for new an asset whose row was pruned long after its end', async () => {
    const { world } = harness
    const token = world.announce(chain, { startsAt: harness.now() - 60 * minute })
    await harness.poll()
    world.end(token, 'stall')
    await harness.poll()
    const listed = await countOf('graduated')
    expect(await harness.assets.prune(harness.now() + 29 * 86_400)).toBe(0)
    expect(await harness.assets.prune(harness.now() + 31 * 86_400)).toBe(1)
    expect(await countOf('graduated')).toBe(listed)
    world.change(token, { status: 'live' })
    await harness.poll()
    expect(await harness.keys()).toEqual([])
  })
})

test('an unchanged asset costs no detection, whatever else changed', async () => {
  harness = await WatcherHarness.start({ population: 30 })
  const { store, subscriptions, now, world } = harness
  // The figures of an asset can't be read without the units.
  let reads = 0
  const units = new Proxy(harness.units, {
    get: (target, name, receiver) => {
      reads += 1
      return Reflect.get(target, name, receiver)
    },
  })
  const recorder = new Recorder({
    store,
    subscriptions,
    units,
    chains: [8453],
    now,
    log: silent,
  })
  const readsOfPoll = async () => {
    const state = await recorder.state(chain)
    const poll = await harness.read(recorder)
    reads = 0
    await recorder.record(chain, state, poll, now())
    return reads
  }
  const [one, other] = [world.announce(chain), world.announce(chain)]
  expect(await readsOfPoll()).toBeGreaterThan(0)
  // The first lists teach what quote tokens are worth.
  await readsOfPoll()
  expect(await readsOfPoll()).toBe(0)
  world.change(one, { sold: 0.1 })
  const forOne = await readsOfPoll()
  expect(forOne).toBeGreaterThan(0)
  harness.ahead += 61
  world.change(other, { sold: 0.1 })
  await readsOfPoll()
  expect(await readsOfPoll()).toBe(0)
})

test('a figure that changed less than a minute after a point of the history is one as soon as the minute has passed', async () => {
  harness = await WatcherHarness.start({ population: 40 })
  // The first lists teach what quote tokens are worth.
  await harness.poll()
  // One that is live is compared each minute, because of its end.
  const token = harness.world.announce(chain, { price: 1, startsAt: harness.now() + 36_000 })
  const prices = async () => {
    const found = await harness.assets.find(chain, token.address)
    const [first = 0, ...others] = found?.history.map(({ price }) => Number(price)) ?? []
    return [first / first, ...others.map((price) => price / first)]
  }
  await harness.poll()
  harness.ahead = 20
  harness.world.change(token, { price: 2 })
  await harness.poll()
  expect(await prices()).toEqual([1])
  harness.ahead = 61
  await harness.poll()
  expect(await prices()).toEqual([1, expect.closeTo(2, 3)])
})

test('polls of two chains that end at once are stored one after the other: a rule about both remembers both', async () => {
  harness = await WatcherHarness.start({ population: 5 })
  const { subscriptions, now } = harness
  const token = harness.world.announce(chain, { price: 1 })
  const scope = { asset: address(token) }
  await harness.subscribe('ada', { kind: 'price', setting: { above: '2' }, scope })
  const recorder = new Recorder({ ...harness, log: silent, chains: [8453, 84532] })
  const state = await recorder.state(chain)
  const poll = await harness.read(recorder)
  await Promise.all([8453, 84532].map((each) => recorder.record(each, state, poll, now())))
  const memories = (await subscriptions.inUse()).map(({ memory }) => JSON.parse(memory))
  expect(memories.map(Object.keys)).toEqual([['8453', '84532']])
})
