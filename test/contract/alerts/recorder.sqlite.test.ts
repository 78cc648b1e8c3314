import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/interface/token.ts'
import { pollChain } from '../../../src/alerts/poll.ts'
import { Recorder } from '../../../src/alerts/watcher.ts'
import type { Api } from '../../../src/api/client.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

const minute = 60

let watching: Watching
afterEach(() => watching.stop())

const address = (token: Pick<Token, 'address'>) => token.address.toLowerCase()
const keyOf = (kind: string, token: Pick<Token, 'address'>) => `${kind}:${chain}:${address(token)}`

function countOf(phase: string) {
  return watching.store
    .selectFrom('watched_assets')
    .select('asset')
    .where('phase', '=', phase)
    .execute()
    .then((rows) => rows.length)
}

/** What somebody sees who looks at the world itself: the steps that tokens were seen at since the first look. */
class Truth {
  readonly steps = new Set<string>()
  readonly #before = new Set<string>()

  look(isFirst = false): void {
    const order = ['incoming', 'live', 'graduated']
    for (const token of watching.world.tokens) {
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

describe('over hours of a busy interface', () => {
  beforeEach(async () => {
    watching = await Watching.start({ population: 60 })
  })

  async function life(
    seconds: number,
    looks: number,
    before: (index: number) => void = () => undefined,
  ) {
    const truth = new Truth()
    await watching.look()
    truth.look(true)
    for (let index = 0; index < looks; index += 1) {
      watching.world.tick(seconds)
      before(index)
      await watching.look()
      truth.look()
    }
    watching.ahead = 0
    await watching.look()
    const told = (await watching.keys()).filter((key) => /^(?:incoming|live|graduated):/u.test(key))
    return { told, truth: [...truth.steps] }
  }

  test('each step that a look falls on is told once, and no other', async () => {
    const { told, truth } = await life(120, 40)
    expect(told.toSorted()).toEqual(truth.toSorted())
    expect(truth.length).toBeGreaterThan(30)
  })

  test('a clock that jumps an hour either way changes nothing of that', async () => {
    const { told, truth } = await life(120, 40, (index) => {
      watching.ahead = [0, 3600, 0, -3600][Math.floor(index / 8) % 4] ?? 0
    })
    expect(told.toSorted()).toEqual(truth.toSorted())
  })

  test('long gaps lose only what was not there to be seen', async () => {
    const { told, truth } = await life(1800, 12)
    expect(told.toSorted()).toEqual(truth.toSorted())
  })
})

describe('a look', () => {
  beforeEach(async () => {
    watching = await Watching.start({ population: 20 })
  })

  const crowd = (count: number) =>
    Array.from({ length: count }, () => watching.world.announce(chain))

  test('neither makes up nor skips news where pages shift while they are read', async () => {
    const { world, api } = watching
    const [oldest, ...others] = crowd(130)
    await watching.look()
    expect(await watching.keys()).toEqual([])
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
    for (let looks = 0; looks < 5; looks += 1) await watching.look(shifting)
    await watching.look()
    expect((await watching.keys()).sort()).toEqual(late.map((token) => keyOf('live', token)).sort())
    expect(oldest && (await watching.phase(oldest.address))).toBe('live')
    expect(await countOf('gone')).toBe(0)
  })

  test('that breaks off concludes nothing about what it did not see', async () => {
    const { world, api, server } = watching
    const tokens = crowd(120)
    await watching.look()
    const back = tokens.slice(0, 30).map((token) => world.remove(token))
    const born = world.announce(chain)
    const failing: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: (filter) => {
        if (filter.status === 'live' && filter.offset === 50) server.faults.set({ kind: 'reset' })
        return api.assets(filter)
      },
    }
    for (let looks = 0; looks < 4; looks += 1) {
      await watching.look(failing)
      server.faults.clear()
    }
    expect(await watching.keys()).toEqual([keyOf('live', born)])
    expect(await countOf('gone')).toBe(0)
    for (const restore of back) restore()
    await watching.look()
    expect(await watching.keys()).toEqual([keyOf('live', born)])
  })

  test('concludes nothing from an old answer', async () => {
    const { world, api } = watching
    const token = world.announce(chain)
    await watching.look()
    world.end(token, 'graduated')
    await watching.look({
      asset: (...of) => api.asset(...of),
      assets: async (filter) => ({ ...(await api.assets(filter)), stale: true }),
    })
    expect(await watching.phase(token.address)).toBe('live')
    expect(await watching.keys()).toEqual([])
  })

  test('finds out some at a time what became of many that vanished, and does not tell of them when they return', async () => {
    const { world } = watching
    const tokens = crowd(50)
    await watching.look()
    const back = tokens.map((token) => world.remove(token))
    const asked = watching.server.requestCount
    await watching.look()
    expect(watching.server.requestCount - asked).toBe(3 + 20)
    for (let looks = 0; looks < 10; looks += 1) await watching.look()
    expect(await countOf('gone')).toBe(50)
    for (const restore of back) restore()
    await watching.look()
    expect(await countOf('gone')).toBe(0)
    expect(await watching.keys()).toEqual([])
  })

  test('asks in turn for those that no list has, so that none is forgotten', async () => {
    const { world, api } = watching
    const tokens = crowd(50)
    await watching.look()
    const forgetful: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: async (filter) => {
        const read = await api.assets(filter)
        return { ...read, value: { ...read.value, items: [], received: 0 } }
      },
    }
    await watching.look(forgetful)
    const last = tokens.toSorted((one, other) => (address(one) < address(other) ? 1 : -1))[0]
    if (last) world.end(last, 'stall')
    for (let looks = 0; looks < 5; looks += 1) await watching.look(forgetful)
    expect(last && (await watching.phase(last.address))).toBe('ended')
  })

  test('asks as much with a thousand subscriptions as with none', async () => {
    const { world, server } = watching
    crowd(70)
    await watching.look()
    const cost = async () => {
      const before = server.requestCount
      await watching.look()
      return server.requestCount - before
    }
    const alone = await cost()
    const [token] = world.tokens
    for (let index = 0; index < 1000; index += 1) {
      await watching.follow(`chat ${index % 100}`, {
        kind: 'price',
        setting: { moves: 1 + Math.floor(index / 100) },
        scope: { asset: token?.address, chain },
      })
    }
    expect(await cost()).toBe(alone)
    expect(alone).toBe(4)
  })

  test('comes round to every graduated asset, so that its price is known', async () => {
    const { world } = watching
    const tokens = crowd(160)
    await watching.look()
    for (const token of tokens) world.end(token, 'graduated')
    for (let looks = 0; looks < 10; looks += 1) await watching.look()
    expect(await countOf('live')).toBe(
      world.tokens.filter(({ status }) => status === 'live').length,
    )
    watching.ahead = 2 * minute
    for (const token of tokens) world.change(token, { price: 77 })
    for (let looks = 0; looks < 5; looks += 1) await watching.look()
    const [deepest] = tokens
    const found = deepest && (await watching.assets.find(chain, deepest.address))
    expect(found?.history.at(-1)).toMatchObject({ price: '77' })
  })

  test('writes only what changed', async () => {
    const updates = () =>
      watching.store
        .selectFrom('watched_assets')
        .select(['asset', 'updated_at'])
        .orderBy('asset')
        .execute()
    await watching.look()
    const before = await updates()
    const token = watching.world.tokens.find(({ status }) => status === 'live')
    watching.ahead = 5 * minute
    if (token) watching.world.change(token, { sold: 0.99 })
    await watching.look()
    const changed = (await updates()).filter(
      (row, index) => row.updated_at !== before[index]?.updated_at,
    )
    expect(changed.map(({ asset }) => asset)).toContain(token && address(token))
    expect(changed.length).toBeLessThan(before.length / 2)
  })

  test('forgets what ended long ago, and does not take it for new', async () => {
    const { world } = watching
    const token = world.announce(chain, { startsAt: watching.now() - 60 * minute })
    await watching.look()
    world.end(token, 'stall')
    await watching.look()
    const listed = await countOf('graduated')
    expect(await watching.assets.prune(watching.now() + 29 * 86_400)).toBe(0)
    expect(await watching.assets.prune(watching.now() + 31 * 86_400)).toBe(1)
    expect(await countOf('graduated')).toBe(listed)
    world.change(token, { status: 'live' })
    await watching.look()
    expect(await watching.keys()).toEqual([])
  })
})

test('an asset that is as it was costs no detection, whatever else changed', async () => {
  watching = await Watching.start({ population: 30 })
  const { store, follows, fence, now, api, assets, world } = watching
  // The figures of an asset can't be read without the units.
  let reads = 0
  const units = new Proxy(watching.units, {
    get: (target, name, receiver) => {
      reads += 1
      return Reflect.get(target, name, receiver)
    },
  })
  const recorder = new Recorder({ store, follows, fence, units, now })
  const readsOfPoll = async () => {
    const state = await recorder.state(chain)
    const { position } = state
    const { signal } = new AbortController()
    const poll = await pollChain({ api, assets, units, now, chain, position, signal })
    reads = 0
    await recorder.record(chain, state, poll, now())
    return reads
  }
  const [one, other] = [world.announce(chain), world.announce(chain)]
  expect(await readsOfPoll()).toBeGreaterThan(0)
  expect(await readsOfPoll()).toBe(0)
  world.change(one, { sold: 0.1 })
  const forOne = await readsOfPoll()
  expect(forOne).toBeGreaterThan(0)
  watching.ahead += 61
  world.change(other, { sold: 0.1 })
  await readsOfPoll()
  expect(await readsOfPoll()).toBe(0)
})
