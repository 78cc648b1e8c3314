import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scope } from '../../../src/alerts/kinds/kind.ts'
import { jittered, pauseAfter } from '../../../src/alerts/watcher.ts'
import { diskIsFull, fillDisk } from '../../failing-store.ts'
import { chain, Watching } from '../../unit/alerts/watching.ts'

const scope: Scope = {}
const patient = { timeout: 20_000, interval: 10 }

let watching: Watching
beforeEach(async () => {
  watching = await Watching.start()
})
afterEach(() => watching.stop())

function keyOf(kind: string, { address }: { address: string }): string {
  return `${kind}:${chain}:${address.toLowerCase()}`
}

async function deliveries(): Promise<{ key: string; chat: string }[]> {
  return watching.store
    .selectFrom('deliveries')
    .innerJoin('news', 'news.id', 'deliveries.news')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination')
    .select(['news.key', 'destinations.chat'])
    .execute()
}

describe('the watcher', () => {
  test('is silent about what it finds at first, also after a restart', async () => {
    const { world } = watching
    const first = watching.watch()
    await watching.seen(first)
    await first.stop()
    await watching.seen(watching.watch())
    expect(await watching.keys()).toEqual([])
    const kept = await watching.store.selectFrom('watched_assets').select('asset').execute()
    const listed = world.tokens.filter(({ status }) => status !== 'stall')
    expect(kept.map(({ asset }) => asset).sort()).toEqual(
      listed.map(({ address }) => address.toLowerCase()).sort(),
    )
  })

  test('tells an auction’s life to those who follow it, once, across restarts', async () => {
    const { world } = watching
    await watching.follow('all', { kind: 'live', setting: {}, scope })
    await watching.follow('sales', { kind: 'progress', setting: { percents: [25, 50] }, scope })
    await watching.follow('ends', { kind: 'graduated', setting: {}, scope })
    let watcher = watching.watch()
    await watching.seen(watcher)
    const token = world.announce(chain, { startsAt: watching.now() + 60 })
    await watching.seen(watcher)
    world.change(token, { status: 'live' })
    await watching.seen(watcher)
    await watcher.stop()
    watcher = watching.watch()
    world.change(token, { sold: 0.6 })
    await watching.seen(watcher)
    world.end(token, 'graduated')
    await watching.seen(watcher)
    const progress = `${keyOf('progress', token)}:50`
    const [incoming, live, graduated] = ['incoming', 'live', 'graduated'].map((kind) =>
      keyOf(kind, token),
    )
    expect(await watching.keys()).toEqual([incoming, live, progress, graduated])
    expect(await deliveries()).toEqual([
      { key: live, chat: 'all' },
      { key: progress, chat: 'sales' },
      { key: graduated, chat: 'ends' },
    ])
    expect(watching.rings).toBe(3)
  })

  test('tells after an outage what is still of use, once, and says in the log what happened', async () => {
    const { world, server } = watching
    await watching.follow('a', { kind: 'ending', setting: { minutes: 30 }, scope })
    const ending = world.announce(chain, { endsAt: watching.now() + 3600 })
    const lasting = world.announce(chain, { endsAt: watching.now() + 36_000 })
    const watcher = watching.watch()
    await watching.seen(watcher)
    server.faults.set({ kind: 'status', status: 503 })
    await vi.waitFor(
      () => expect(watching.log.of('warn').join()).toContain('can’t be seen'),
      patient,
    )
    const asked = server.requestCount
    await vi.waitFor(() => expect(server.requestCount).toBeGreaterThan(asked + 5), patient)
    world.end(ending, 'stall')
    world.end(lasting, 'graduated')
    const born = world.announce(chain)
    watching.ahead = 3700
    expect(await watching.keys()).toEqual([])
    server.faults.clear()
    await watching.seen(watcher)
    await watching.seen(watcher)
    const told = [keyOf('live', born), keyOf('graduated', lasting)]
    expect((await watching.keys()).filter((key) => !key.startsWith('ending')).sort()).toEqual(
      told.sort(),
    )
    expect(await watching.phase(ending.address)).toBe('ended')
    const [warnings, infos] = ['warn', 'info'].map((level) =>
      watching.log.of(level).filter((line) => line.includes('seen')),
    )
    expect(warnings).toHaveLength(1)
    expect(infos?.filter((line) => line.includes('seen again'))).toHaveLength(1)
    const looks = watching.log.lines.filter(({ msg }) => msg === 'looked at a chain')
    expect(looks).toContainEqual(
      expect.objectContaining({ graduated: 1, late: expect.toSatisfy((late) => late > 0) }),
    )
  })

  test('stores nothing of a look where the disk is full, and tells it later', async () => {
    const { world, store } = watching
    const watcher = watching.watch()
    await watching.seen(watcher)
    const free = await fillDisk(store, 'insert on watched_assets')
    const filling = Array.from({ length: 40 }, () => world.announce(chain))
    await vi.waitFor(() => expect(watching.log.of('error').join()).toMatch(diskIsFull), patient)
    expect(await watching.keys()).toEqual([])
    await free()
    await watching.seen(watcher)
    const expected = filling.map((token) => keyOf('live', token))
    expect((await watching.keys()).sort()).toEqual(expected.sort())
  })

  test('tells what is new after a clock was set right that ran ahead in the first look', async () => {
    watching.ahead = 3600
    await watching.look()
    watching.ahead = 0
    await watching.look()
    const token = watching.world.announce(chain)
    await watching.look()
    expect(await watching.keys()).toEqual([keyOf('live', token)])
  })

  test('stops in the middle of a look, and begins no chain that it has not seen whole', async () => {
    watching.server.faults.set({ kind: 'slow', delayMs: 100 })
    const watcher = watching.watch()
    const { server } = watching
    await vi.waitFor(() => expect(server.requestCount).toBeGreaterThan(0), patient)
    await watcher.stop()
    const asked = server.requestCount
    expect(asked).toBeLessThan(3)
    expect(await watching.store.selectFrom('watched_chains').selectAll().execute()).toEqual([])
    expect(watching.log.of('warn')).toEqual([])
  })
})

test('a chain that the interface ignores is not watched', async () => {
  const chains = [8453, 84532] as const
  const ignoring = await Watching.start({ chains, queryNames: { chain: 'network' } })
  try {
    const watcher = ignoring.watch(chains)
    await ignoring.seen(watcher)
    await vi.waitFor(
      () => expect(ignoring.log.of('warn').join()).toContain('ignores the chain'),
      patient,
    )
    const begun = await ignoring.store.selectFrom('watched_chains').select('chain').execute()
    expect(begun).toEqual([{ chain: 8453 }])
    expect(watcher.lag()).toMatchObject([{ chain: 8453 }, { chain: 84532, seconds: undefined }])
  } finally {
    await ignoring.stop()
  }
})

test('an interface is left alone for as long as it asks', async () => {
  const refused = await Watching.start({ population: 20, deadlineMs: 1500 })
  try {
    const watcher = refused.watch()
    await refused.seen(watcher)
    refused.server.faults.set({ kind: '429', retryAfter: 2, times: 1 })
    await refused.seen(watcher)
    const again = refused.log.lines.find(({ msg }) => msg === 'the chain is seen again')
    expect(again).toMatchObject({ failures: 1 })
  } finally {
    await refused.stop()
  }
})

test('polls are spread by a tenth of the interval, so that chains and bots don’t poll in step', () => {
  expect([0, 0.5, 1].map((chance) => jittered(10, chance))).toEqual([9, 10, 11])
})

test('the interface is asked ever less often while it fails, but every five minutes', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 1000].map((failures) => pauseAfter(failures, 15))
  expect(pauses).toEqual([30, 60, 120, 240, 300, 300, 300])
  expect([45, 600, 90_000].map((wish) => pauseAfter(1, 15, wish))).toEqual([45, 600, 3600])
})
