import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Scope } from '../../../src/alerts/kinds/kind.ts'
import { jittered, pauseAfter } from '../../../src/alerts/watcher.ts'
import type { Api } from '../../../src/api/client.ts'
import { KeyBudget } from '../../../src/api/http.ts'
import { ApiError } from '../../../src/errors.ts'
import { diskIsFull, fillDisk } from '../../failing-store.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

const scope: Scope = {}
const patient = { timeout: 20_000, interval: 10 }

let harness: WatcherHarness
beforeEach(async () => {
  harness = await WatcherHarness.start()
})
afterEach(() => harness.stop())

function keyOf(kind: string, { address }: { address: string }): string {
  return `${kind}:${chain}:${address.toLowerCase()}`
}

async function deliveries(): Promise<{ key: string; chat: string }[]> {
  return harness.store
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .select(['events.key', 'chats.chat'])
    .execute()
}

describe('the watcher', () => {
  test('notifies of nothing in its first poll, nor after a restart', async () => {
    const { world } = harness
    const first = harness.watch()
    await harness.polled(first)
    await first.stop()
    await harness.polled(harness.watch())
    expect(await harness.keys()).toEqual([])
    const kept = await harness.store.selectFrom('watched_assets').select('asset').execute()
    const listed = world.tokens.filter(({ status }) => status !== 'stall')
    expect(kept.map(({ asset }) => asset).sort()).toEqual(
      listed.map(({ address }) => address.toLowerCase()).sort(),
    )
  })

  test('notifies subscribers of each phase of an auction once, across restarts', async () => {
    const { world } = harness
    await harness.subscribe('all', { kind: 'live', setting: {}, scope })
    await harness.subscribe('sales', { kind: 'progress', setting: { percents: [25, 50] }, scope })
    await harness.subscribe('ends', { kind: 'graduated', setting: {}, scope })
    let watcher = harness.watch()
    await harness.polled(watcher)
    const token = world.announce(chain, { startsAt: harness.now() + 60 })
    await harness.polled(watcher)
    world.change(token, { status: 'live' })
    await harness.polled(watcher)
    await watcher.stop()
    watcher = harness.watch()
    world.change(token, { sold: 0.6 })
    await harness.polled(watcher)
    world.end(token, 'graduated')
    await harness.polled(watcher)
    const progress = `${keyOf('progress', token)}:50`
    const [incoming, live, graduated] = ['incoming', 'live', 'graduated'].map((kind) =>
      keyOf(kind, token),
    )
    expect(await harness.keys()).toEqual([incoming, live, progress, graduated])
    expect(await deliveries()).toEqual([
      { key: live, chat: 'all' },
      { key: progress, chat: 'sales' },
      { key: graduated, chat: 'ends' },
    ])
    expect(harness.eventCalls).toBe(3)
  })

  test('notifies after an outage of what is still useful, once, and logs the outage', async () => {
    const { world, server } = harness
    await harness.subscribe('a', { kind: 'ending', setting: { minutes: 30 }, scope })
    // An end in the second of the creation would be none.
    const begun = { createdAt: harness.now() - 60, startsAt: harness.now() - 60 }
    const ending = world.announce(chain, { ...begun, endsAt: harness.now() + 3600 })
    const lasting = world.announce(chain, { ...begun, endsAt: harness.now() + 36_000 })
    const watcher = harness.watch()
    await harness.polled(watcher)
    server.faults.set({ kind: 'status', status: 503 })
    await vi.waitFor(
      () => expect(harness.log.of('warn').join()).toContain('polls of the chain fail'),
      patient,
    )
    const asked = server.requestCount
    await vi.waitFor(() => expect(server.requestCount).toBeGreaterThan(asked + 5), patient)
    world.end(ending, 'stall')
    world.end(lasting, 'graduated')
    const born = world.announce(chain)
    harness.ahead = 3700
    expect(await harness.keys()).toEqual([])
    server.faults.clear()
    await harness.polled(watcher)
    await harness.polled(watcher)
    const expected = [keyOf('live', born), keyOf('graduated', lasting)]
    expect((await harness.keys()).filter((key) => !key.startsWith('ending')).sort()).toEqual(
      expected.sort(),
    )
    expect(await harness.phase(ending.address)).toBe('ended')
    const [warnings, infos] = ['warn', 'info'].map((level) =>
      harness.log.of(level).filter((line) => line.includes('polls of the chain')),
    )
    expect(warnings).toHaveLength(1)
    expect(infos?.filter((line) => line.includes('succeed again'))).toHaveLength(1)
    const polls = harness.log.lines.filter(({ msg }) => msg === 'a chain was polled')
    expect(polls).toContainEqual(
      expect.objectContaining({ graduated: 1, late: expect.toSatisfy((late) => late > 0) }),
    )
  })

  test('stores nothing of a poll if the disk is full, and notifies of it later', async () => {
    const { world, store } = harness
    const watcher = harness.watch()
    await harness.polled(watcher)
    const free = await fillDisk(store, 'insert on watched_assets')
    const filling = Array.from({ length: 40 }, () => world.announce(chain))
    await vi.waitFor(() => expect(harness.log.of('error').join()).toMatch(diskIsFull), patient)
    expect(await harness.keys()).toEqual([])
    await free()
    await harness.polled(watcher)
    const expected = filling.map((token) => keyOf('live', token))
    expect((await harness.keys()).sort()).toEqual(expected.sort())
  })

  test('notifies of new assets after a clock was corrected that ran ahead in the first poll', async () => {
    harness.ahead = 3600
    await harness.poll()
    harness.ahead = 0
    await harness.poll()
    const token = harness.world.announce(chain)
    await harness.poll()
    expect(await harness.keys()).toEqual([keyOf('live', token)])
  })

  test('stops in the middle of a poll, and an incomplete first poll does not count', async () => {
    harness.server.faults.set({ kind: 'slow', delayMs: 100 })
    const watcher = harness.watch()
    const { server } = harness
    await vi.waitFor(() => expect(server.requestCount).toBeGreaterThan(0), patient)
    await watcher.stop()
    const asked = server.requestCount
    expect(asked).toBeLessThan(3)
    expect(await harness.store.selectFrom('watched_chains').selectAll().execute()).toEqual([])
    expect(harness.log.of('warn')).toEqual([])
  })
})

test('a chain that the API ignores is not watched', async () => {
  const chains = [8453, 84532] as const
  const ignoring = await WatcherHarness.start({ chains, queryNames: { chain: 'network' } })
  try {
    const watcher = ignoring.watch(chains)
    await ignoring.polled(watcher)
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

test('while one list can’t be read, the others are read as often as before, and it is logged once', async () => {
  const { world, log } = harness
  let isRefused = false
  const api: Pick<Api, 'assets' | 'asset'> = {
    asset: (address, on) => harness.api.asset(address, on),
    assets: (filter) => {
      if (isRefused && filter.status === 'incoming') {
        throw new ApiError('invalid', 'GET /assets', { status: 400 })
      }
      return harness.api.assets(filter)
    },
  }
  await harness.subscribe('a', { kind: 'live', setting: {}, scope })
  const watcher = harness.watch(undefined, { api })
  await harness.polled(watcher)
  isRefused = true
  const refused = () =>
    log.of('warn').filter((line) => line.includes('some of the chain’s auctions'))
  await vi.waitFor(() => expect(refused()).toHaveLength(1), patient)
  const polls = () => log.lines.filter(({ msg }) => msg === 'a chain was polled').length
  const before = polls()
  // With a pause that doubles after each failure this would take eight minutes.
  await vi.waitFor(() => expect(polls()).toBeGreaterThan(before + 12), patient)
  const born = world.announce(chain)
  await vi.waitFor(async () => expect(await harness.keys()).toEqual([keyOf('live', born)]), patient)
  isRefused = false
  await harness.polled(watcher)
  expect(refused()).toHaveLength(1)
  expect(log.of('info').join()).toContain('all of the chain’s auctions are read again')
  expect(log.of('warn').join()).not.toContain('polls of the chain fail')
})

test('no request is made before the API’s Retry-After has passed', async () => {
  const refused = await WatcherHarness.start({ population: 20, deadlineMs: 1500 })
  try {
    const watcher = refused.watch()
    await refused.polled(watcher)
    refused.server.faults.set({ kind: '429', retryAfter: 2, times: 1 })
    await refused.polled(watcher)
    const again = refused.log.lines.find(({ msg }) => msg === 'polls of the chain succeed again')
    expect(again).toMatchObject({ failures: 1 })
  } finally {
    await refused.stop()
  }
})

describe('after a 429 to anybody with the key', () => {
  test('each request of a poll waits for its turn', async () => {
    const limited = await WatcherHarness.start({ population: 20 })
    try {
      const budget = new KeyBudget()
      budget.limited()
      const begun = performance.now()
      limited.watch(undefined, { budget })
      await vi.waitFor(() => expect(limited.server.requestCount).toBe(3), patient)
      // Half a second before each; without that the three lists are read within milliseconds.
      expect(performance.now() - begun).toBeGreaterThan(1_400)
    } finally {
      await limited.stop()
    }
  })

  test('a watcher that waits for its turn stops at once', async () => {
    const limited = await WatcherHarness.start({ population: 20 })
    try {
      const turn = vi.fn(() => 60_000)
      const watcher = limited.watch(undefined, { budget: { takeTurn: turn } })
      await vi.waitFor(() => expect(turn).toHaveBeenCalledOnce(), patient)
      const begun = performance.now()
      await watcher.stop()
      expect(performance.now() - begun).toBeLessThan(1_000)
      expect(limited.server.requestCount).toBe(0)
    } finally {
      await limited.stop()
    }
  })
})

test('polls are spread by a tenth of the interval, so that chains and bots don’t poll in step', () => {
  expect([0, 0.5, 1].map((chance) => jittered(10, chance))).toEqual([9, 10, 11])
})

test('while the API fails polls are rarer and rarer, down to one in five minutes', () => {
  const pauses = [1, 2, 3, 4, 5, 6, 1000].map((failures) => pauseAfter(failures, 15))
  expect(pauses).toEqual([30, 60, 120, 240, 300, 300, 300])
  expect([45, 600, 90_000].map((wish) => pauseAfter(1, 15, wish))).toEqual([45, 600, 3600])
})
