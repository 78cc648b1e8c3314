import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Token } from '../../../sandbox/api/token.ts'
import { pollChain } from '../../../src/alerts/chain-poll.ts'
import { PollMemory, startPosition } from '../../../src/alerts/poll-memory.ts'
import { Recorder } from '../../../src/alerts/recorder.ts'
import { ChainWatch } from '../../../src/alerts/watcher.ts'
import type { Api } from '../../../src/api/client.ts'
import { ApiError, type ApiErrorDetail, type ApiErrorKind } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'
import { silent } from '../../unit/api/server.ts'

let harness: WatcherHarness
let tokens: Token[]
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 20 })
  tokens = Array.from({ length: 45 }, () => harness.world.announce(chain))
  await harness.poll()
})
afterEach(() => harness.stop())

/** Looks at a chain whose lists are empty, so that each asset has to be asked for by itself. */
async function pollTimes(count: number, asset: Api['asset']) {
  const { api, assets, units, now } = harness
  const asked: string[] = []
  const forgetful: Pick<Api, 'assets' | 'asset'> = {
    asset: (address, on) => {
      asked.push(address)
      return asset(address, on)
    },
    assets: async (filter) => {
      const read = await api.assets(filter)
      return { ...read, value: { ...read.value, items: [], received: 0 } }
    },
  }
  const { signal } = new AbortController()
  const failures: unknown[] = []
  const partFailures: unknown[] = []
  const begunAt = now()
  const position = startPosition(false)
  const memory = await PollMemory.load(assets, { chain, units, position })
  for (let index = 0; index < count; index += 1) {
    const parts = { api: forgetful, assets, units, now, chain, begunAt, memory, rules: [], signal }
    const each = await pollChain(parts)
    if (each.failure) failures.push(each.failure)
    if (each.partFailure) partFailures.push(each.partFailure)
  }
  return { asked: new Set(asked), failures, partFailures }
}

/** What the API answers about one asset in the middle of the turn, while it knows all others. */
function failing(kind: ApiErrorKind, detail: ApiErrorDetail): Api['asset'] {
  const addresses = tokens.map(({ address }) => address.toLowerCase()).sort()
  return (address, on) => {
    if (address === addresses[5]) throw new ApiError(kind, 'GET: answered', detail)
    return harness.api.asset(address, on)
  }
}

describe('an asset for which alone the API fails', () => {
  test.each<[ApiErrorKind, ApiErrorDetail]>([
    ['unavailable', { status: 500 }],
    ['invalid', { status: 400 }],
    ['malformed', {}],
  ])('with an error %s is left out, and the poll is complete', async (kind, detail) => {
    const { asked, failures } = await pollTimes(4, failing(kind, detail))
    expect(failures).toEqual([])
    for (const { address } of tokens) expect(asked).toContain(address.toLowerCase())
  })

  test.each<[ApiErrorKind, ApiErrorDetail]>([
    ['rate-limited', { status: 429 }],
    ['unauthorised', { status: 401 }],
    ['forbidden', { status: 403 }],
  ])(
    'with an error %s, which any asset would have, makes the poll fail, and the next poll begins with the others',
    async (kind, detail) => {
      const { asked, failures } = await pollTimes(6, failing(kind, detail))
      expect(failures).toContainEqual(expect.objectContaining({ kind }))
      for (const { address } of tokens) expect(asked).toContain(address.toLowerCase())
    },
  )
})

test('an asset that gets no answer ends the reading of assets, not the poll, and the next poll begins with the others', async () => {
  const { asked, failures, partFailures } = await pollTimes(6, failing('unavailable', {}))
  expect(failures).toEqual([])
  expect(partFailures).toContainEqual(expect.objectContaining({ kind: 'unavailable' }))
  for (const { address } of tokens) expect(asked).toContain(address.toLowerCase())
})

describe('a list for which alone the API fails', () => {
  const recorder = () => new Recorder({ ...harness, log: silent, chains: [8453] })

  /** An API that fails for these lists, and what it was asked: a list's status or an address. */
  function failingLists(lists: readonly string[], failure: (status: string) => ApiError) {
    const asked: string[] = []
    const api: Pick<Api, 'assets' | 'asset'> = {
      asset: (address, on) => {
        asked.push(address)
        return harness.api.asset(address, on)
      },
      assets: (filter) => {
        const { status = '' } = filter
        asked.push(status)
        if (lists.includes(status)) throw failure(status)
        return harness.api.assets(filter)
      },
    }
    return { api, asked }
  }

  /** Follows the prices of so many tokens; returns their addresses. */
  async function follow(count: number): Promise<string[]> {
    const followed = tokens.slice(0, count).map(({ address }) => address.toLowerCase())
    for (const asset of followed) {
      const scope = { asset, chain }
      await harness.subscribe('a', { kind: 'price', setting: { above: '100' }, scope })
    }
    return followed
  }

  test.each<[ApiErrorKind, ApiErrorDetail]>([
    ['unavailable', { status: 500 }],
    ['invalid', { status: 400 }],
    ['not-found', { status: 404 }],
  ])('with an error %s does not hide the others', async (kind, detail) => {
    const { address } = harness.world.announce(chain)
    const { api } = failingLists(['incoming'], () => new ApiError(kind, 'GET', detail))
    const { observations, failure, partFailure } = await harness.read(recorder(), api)
    expect(observations.get(address.toLowerCase())?.source).toBe('live')
    expect(failure).toBeUndefined()
    expect(partFailure).toMatchObject({ kind })
  })

  test.each<[ApiErrorKind, ApiErrorDetail]>([
    ['unavailable', {}],
    ['malformed', {}],
    ['rate-limited', { status: 429 }],
    ['unauthorised', { status: 401 }],
    ['forbidden', { status: 403 }],
    ['blocked', { status: 403 }],
  ])('with an error %s, which any request would have, ends the poll', async (kind, detail) => {
    const { api, asked } = failingLists(['incoming'], () => new ApiError(kind, 'GET', detail))
    expect((await harness.read(recorder(), api)).failure).toMatchObject({ kind })
    expect(asked).toEqual(['incoming'])
  })

  test('that is unreadable or gets no answer ends one poll; from then on it comes last, and hides no other', async () => {
    for (const kind of ['malformed', 'unavailable'] as const) {
      const { api, asked } = failingLists(['incoming'], () => new ApiError(kind, 'GET'))
      const { assets, units, now } = harness
      const position = startPosition(false)
      const memory = await PollMemory.load(assets, { chain, units, position })
      const { signal } = new AbortController()
      const parts = { api, assets, units, now, chain, begunAt: now(), memory, rules: [], signal }
      expect((await pollChain(parts)).failure).toMatchObject({ kind })
      asked.length = 0
      const next = await pollChain(parts)
      expect(asked.filter((each) => each === 'incoming')).toHaveLength(1)
      expect(asked.indexOf('incoming')).toBeGreaterThan(asked.indexOf('graduated'))
      expect(next.failure).toBeUndefined()
      expect(next.partFailure).toMatchObject({ kind })
    }
  })

  test('is not asked for pages of assets that are followed: those are read by their addresses', async () => {
    const followed = await follow(3)
    const { api, asked } = failingLists(
      ['live'],
      () => new ApiError('unavailable', 'GET', { status: 500 }),
    )
    await harness.read(recorder(), api)
    expect(asked.filter((each) => each === 'live')).toHaveLength(1)
    expect(asked).toEqual(expect.arrayContaining(followed))
  })

  test('is not alone if all fail: then the poll ends, and tells of the first failure', async () => {
    await follow(1)
    const lists = ['incoming', 'live', 'graduated']
    const { api, asked } = failingLists(
      lists,
      (status) => new ApiError('unavailable', status, { status: 500 }),
    )
    const { failure } = await harness.read(recorder(), api)
    expect(asked).toEqual(lists)
    expect(failure?.message).toBe('incoming')
  })

  test('is not the one by which an open circuit finds out whether the API answers', async () => {
    const { api } = failingLists(
      ['incoming'],
      () => new ApiError('unavailable', 'GET', { status: 500 }),
    )
    // Half open at the begin of each poll, as after an outage: the first request decides.
    let circuit: 'open' | 'half-open' | 'closed' = 'half-open'
    const poll = harness.poller(
      {},
      {
        asset: (...of) => api.asset(...of),
        assets: async (filter) => {
          if (circuit === 'open') throw new ApiError('unavailable', 'circuit is open')
          try {
            const listing = await api.assets(filter)
            circuit = 'closed'
            return listing
          } catch (error) {
            if (circuit === 'half-open') circuit = 'open'
            throw error
          }
        },
      },
    )
    const { address } = harness.world.announce(chain)
    for (let polls = 0; polls < 2; polls += 1) {
      circuit = 'half-open'
      await poll()
    }
    expect(await harness.keys()).toEqual([`live:${chain}:${address.toLowerCase()}`])
  })
})

test('nothing is concluded from a stale answer about one asset', async () => {
  const { failures, partFailures } = await pollTimes(1, async (address, on) => ({
    ...(await harness.api.asset(address, on)),
    stale: true,
  }))
  expect(failures).toEqual([])
  expect(partFailures).toMatchObject([{ kind: 'unavailable' }])
})

test('an API that repeats one page does not make a poll endless', async () => {
  const { api } = harness
  const asked: string[] = []
  const repeating: Pick<Api, 'assets' | 'asset'> = {
    asset: (address, on) => api.asset(address, on),
    assets: (filter) => {
      asked.push(filter.status ?? '')
      return api.assets({ ...filter, offset: 0 })
    },
  }
  for (let index = 0; index < 10; index += 1) harness.world.announce(chain)
  await harness.read(new Recorder({ ...harness, log: silent, chains: [8453] }), repeating)
  expect(asked.filter((status) => status === 'live')).toHaveLength(2)
})

describe('if the API repeats its last page past the end of a list', () => {
  /** Looks so often, and notes what was asked; what goes past the end is answered with the last page. */
  async function looksAtRepeats(times: number, hidden = '') {
    const { api, now } = harness
    const recorder = new Recorder({ ...harness, log: silent, chains: [8453] })
    const asked: string[] = []
    const clamping: Pick<Api, 'assets' | 'asset'> = {
      asset: (address, on) => {
        asked.push(address)
        return api.asset(address, on)
      },
      assets: async (filter) => {
        const { offset = 0 } = filter
        asked.push(`${filter.status} ${offset}`)
        let read = await api.assets(filter)
        for (let at = offset; at > 0 && read.value.receivedCount === 0; ) {
          at -= 50
          read = await api.assets({ ...filter, offset: at })
        }
        const items = read.value.items.filter((each) => each.asset_address !== hidden)
        return { ...read, value: { ...read.value, items } }
      },
    }
    for (let index = 0; index < times; index += 1) {
      const begun = await recorder.state(chain)
      const each = await harness.read(recorder, clamping)
      expect(each.failure).toBeUndefined()
      await recorder.record(chain, begun, each, now())
    }
    return asked
  }

  test('the incoming list counts as complete, and an asset that is missing is fetched by address', async () => {
    const startsAt = harness.now() + 3600
    const { address } = harness.world.announce(chain, { startsAt })
    await looksAtRepeats(1)
    const { value } = await harness.api.assets({ chain, status: 'incoming' })
    for (let index = value.receivedCount; index < 100; index += 1) {
      harness.world.announce(chain, { startsAt })
    }
    const asked = await looksAtRepeats(1, address)
    expect(asked.filter((each) => each.startsWith('incoming'))).toEqual([
      'incoming 0',
      'incoming 50',
      'incoming 100',
    ])
    expect(asked).toContain(address.toLowerCase())
  })

  test('the round through the graduated assets starts again', async () => {
    const { value } = await harness.api.assets({ chain, status: 'graduated' })
    for (let index = value.receivedCount; index < 150; index += 1) {
      harness.world.end(harness.world.announce(chain), 'graduated')
    }
    await looksAtRepeats(1)
    const asked = await looksAtRepeats(6)
    expect(asked.filter((each) => each.startsWith('graduated'))).toEqual(
      [50, 100, 150, 50, 100, 150].flatMap((context) => ['graduated 0', `graduated ${context}`]),
    )
  })
})

test('of an endless list assets are stored up to the maximum, and those are still watched', async () => {
  const { now, world } = harness
  const recorder = new Recorder({ ...harness, log: silent, chains: [8453], maxOpen: 100 })
  const rows = () =>
    harness.store
      .selectFrom('watched_assets')
      .select('asset')
      .where('phase', 'in', ['incoming', 'live'])
      .execute()
  const { length: before } = await rows()
  const pollOnce = async () => {
    const begun = await recorder.state(chain)
    return recorder.record(chain, begun, await harness.read(recorder), now())
  }
  for (let index = 0; index < 120; index += 1) world.announce(chain)
  expect(await pollOnce()).toMatchObject({ beyond: before + 120 - 100 })
  expect(await rows()).toHaveLength(100)
  const [known] = tokens
  if (known) world.end(known, 'graduated')
  expect(await pollOnce()).toMatchObject({ events: { graduated: 1 } })
})

test('an asset that is seen but not stored is forgotten at the next poll', async () => {
  const { assets, units } = harness
  const memory = await PollMemory.load(assets, { chain, units, position: startPosition(true) })
  const { length: before } = [...memory.entries()]
  for (let poll = 1; poll <= 3; poll += 1) {
    memory.begin(poll)
    for (let index = 0; index < 10; index += 1) memory.saw(`0x${poll}${index}`, 'live', poll)
    expect([...memory.entries()]).toHaveLength(before + 10)
  }
})

test('of followed assets the longest unseen comes first, also if the last one has lost its place', async () => {
  const { assets, units } = harness
  const memory = await PollMemory.load(assets, { chain, units, position: startPosition(true) })
  // The newest first, as they are listed.
  const [one = '', two = '', three = ''] = tokens
    .map(({ address }) => address.toLowerCase())
    .reverse()
  memory.begin(1)
  for (const address of [one, two, three]) memory.saw(address, 'live', 1)
  memory.begin(2)
  for (const address of [one, two]) memory.asked(address)
  memory.misplaced(two)
  expect(memory.byPlace(new Set([one, two, three]), two)).toEqual([three, one, two])
})

test('a chain with more open assets than are watched is logged once', async () => {
  const { api, assets, units, now } = harness
  const log = createLogger('debug', [], harness.log)
  const recorder = new Recorder({ ...harness, log: silent, chains: [8453], maxOpen: 10 })
  for (let index = 0; index < 5; index += 1) harness.world.announce(chain)
  const onEvents = () => undefined
  const parts = { api, assets, recorder, units, chain, interval: 0.01, log, now, onEvents }
  const watch = new ChainWatch(parts)
  const lines = (msg: string) => harness.log.lines.filter((line) => line.msg === msg)
  await vi.waitFor(() => expect(lines('a chain was polled').length).toBeGreaterThan(3), {
    timeout: 20_000,
  })
  await watch.stop()
  expect(lines('the chain has more open auctions than are watched')).toMatchObject([{ beyond: 5 }])
})
