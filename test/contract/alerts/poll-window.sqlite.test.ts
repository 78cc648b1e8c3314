import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Token } from '../../../sandbox/api/token.ts'
import { baseToken } from '../../../src/api/asset.ts'
import type { Api } from '../../../src/api/client.ts'
import { ApiError } from '../../../src/errors.ts'
import { chain, WatcherHarness } from '../../unit/alerts/watcher-harness.ts'

/** More pages than a poll may read. */
const bounds = { maxRequests: 8, maxWhole: 2 }
/** A tenth of the time in which the window passes all assets. */
const tenth = 180

let harness: WatcherHarness
let tokens: Token[]
beforeEach(async () => {
  harness = await WatcherHarness.start({ population: 5 })
  tokens = announce(320, { price: 1e-6, endsAt: harness.now() + 90_000 })
})
afterEach(() => harness.stop())

/** New auctions, the newest first. */
function announce(count: number, change: Partial<Token> = {}): Token[] {
  return Array.from({ length: count }, () => harness.world.announce(chain, change)).reverse()
}

const keyOf = (kind: string, { address }: Pick<Token, 'address'>) =>
  `${kind}:${chain}:${address.toLowerCase()}`

async function begun(): Promise<boolean> {
  const rows = await harness.store.selectFrom('watched_chains').select('chain').execute()
  return rows.length > 0
}

/** A bot that has read all lists. */
async function start(api: Pick<Api, 'assets' | 'asset'> = harness.api) {
  const poll = harness.poller(bounds, api)
  for (let polls = 0; polls < 20 && !(await begun()); polls += 1) await poll()
  expect(await begun()).toBe(true)
  return poll
}

type Filter = Parameters<Api['assets']>[0]

/** An API that answers requests of lists with 500 if `isBroken`. */
function failing(isBroken: (filter: Filter) => boolean): Pick<Api, 'assets' | 'asset'> {
  return {
    asset: (...of) => harness.api.asset(...of),
    assets: (filter) => {
      if (isBroken(filter)) throw new ApiError('unavailable', 'GET: 500', { status: 500 })
      return harness.api.assets(filter)
    },
  }
}

/** The first time that `isBroken`. */
function once(isBroken: (filter: Filter) => boolean): (filter: Filter) => boolean {
  let isOver = false
  return (filter) => {
    const isNow = !isOver && isBroken(filter)
    isOver ||= isNow
    return isNow
  }
}

async function repeat(count: number, poll: () => Promise<number>, seconds = 15): Promise<number[]> {
  const requests: number[] = []
  for (let polls = 0; polls < count; polls += 1) {
    harness.ahead += seconds
    requests.push(await poll())
  }
  return requests
}

async function stored(of: readonly Token[]) {
  const addresses = of.map(({ address }) => address.toLowerCase())
  return [...(await harness.assets.read(chain, addresses)).values()]
}

/** How many of these were seen under their new name. */
async function seenRenamed(of: readonly Token[]): Promise<number> {
  const names = (await stored(of)).map(({ state }) => state && baseToken(state.asset)?.token_name)
  return names.filter((name) => name === 'Renamed').length
}

function rename(of: readonly Token[]): void {
  for (const token of of) harness.world.change(token, { name: 'Renamed' })
}

async function follow(of: readonly Token[]): Promise<void> {
  for (const { address } of of) {
    const scope = { asset: address.toLowerCase(), chain }
    await harness.subscribe('a', { kind: 'price', setting: { above: '100' }, scope })
  }
}

/** Every tenth: they stand on all pages. */
const spread = () => tokens.filter((_, index) => index % 10 === 0)

describe('the first reading of many assets', () => {
  test('is spread over polls, tells nothing of what was there, and all of what comes after it', async () => {
    const poll = harness.poller(bounds)
    const requests: number[] = []
    while (!(await begun())) requests.push(await poll())
    expect(requests.length).toBeGreaterThan(1)
    expect(Math.max(...requests)).toBeLessThanOrEqual(bounds.maxRequests)
    expect(await stored(tokens)).toHaveLength(tokens.length)
    expect(await harness.keys()).toEqual([])
    const [born] = announce(1)
    await poll()
    expect(await harness.keys()).toEqual([born && keyOf('live', born)])
  })

  test('reads each list once, also if the graduated end many polls after the live', async () => {
    for (const token of announce(1000)) harness.world.end(token, 'graduated')
    // This one makes the window of the live ones as large as it may be.
    await harness.subscribe('a', { kind: 'progress', setting: { percents: [50] }, scope: {} })
    const poll = harness.poller(bounds)
    let requests = 0
    for (let polls = 0; polls < 20 && !(await begun()); polls += 1) requests += await poll()
    expect(await begun()).toBe(true)
    // The pages of the lists, and the tops of two of them in each of the five polls.
    expect(requests).toBeLessThanOrEqual(7 + 21 + 2 * 5)
    expect(await harness.keys()).toEqual([])
  })

  test('begins again after a restart, and tells nothing either', async () => {
    await harness.poller(bounds)()
    expect(await begun()).toBe(false)
    await start()
    expect(await stored(tokens)).toHaveLength(tokens.length)
    expect(await harness.keys()).toEqual([])
  })
})

describe('of many assets', () => {
  test('no poll makes more requests than the limit, whatever happens', async () => {
    const poll = await start()
    await follow(spread())
    const requests = await repeat(4, poll)
    announce(200)
    requests.push(...(await repeat(8, poll)))
    for (const token of tokens.slice(0, 60)) harness.world.end(token, 'stall')
    requests.push(...(await repeat(8, poll, tenth)))
    expect(Math.max(...requests)).toBeLessThanOrEqual(bounds.maxRequests)
  })

  test('nothing but the top of each list and one page is read if nobody follows any', async () => {
    const poll = await start()
    expect(await repeat(3, poll)).toEqual([4, 4, 4])
  })

  test('new ones are told in the first poll after they appear, if they fill more than a page, too', async () => {
    const poll = await start()
    const born = announce(120)
    await poll()
    expect((await harness.keys()).sort()).toEqual(born.map((each) => keyOf('live', each)).sort())
  })

  test('a page of new ones that can’t be read once is read in the next poll', async () => {
    await start()
    const isSecond = ({ status, offset }: Filter) => status === 'live' && offset === 50
    const poll = harness.poller(bounds, failing(once(isSecond)))
    const born = announce(120)
    await repeat(2, poll)
    expect((await harness.keys()).sort()).toEqual(born.map((each) => keyOf('live', each)).sort())
  })

  test('more new ones than a poll can read are told in the next ones, also by a bot that was started anew each time', async () => {
    await start()
    const born = announce(450)
    for (let polls = 0; polls < 4; polls += 1) await harness.poller(bounds)()
    expect((await harness.keys()).sort()).toEqual(born.map((each) => keyOf('live', each)).sort())
  })

  test('those that are followed are seen within few polls, by pages that several of them are on', async () => {
    const poll = await start()
    const followed = spread()
    await follow(followed)
    await poll()
    rename(followed)
    await repeat(3, poll)
    expect(await seenRenamed(followed)).toBe(followed.length)
  })

  test('each is seen within half an hour, also while others come and go', async () => {
    const poll = await start()
    rename(tokens)
    const gone = new Set<Token>()
    for (let polls = 0; polls < 12; polls += 1) {
      announce(3)
      for (const token of tokens.slice(20 * polls, 20 * polls + 3)) {
        harness.world.end(token, 'stall')
        gone.add(token)
      }
      await repeat(1, poll, tenth)
    }
    const others = tokens.filter((token) => !gone.has(token))
    expect(await seenRenamed(others)).toBe(others.length)
  })

  test('one that left its list is noticed after a round, and nothing is concluded about the others', async () => {
    const poll = await start()
    const [graduated, ended] = [tokens[200], tokens[250]]
    if (!graduated || !ended) throw new Error('there are no tokens')
    harness.world.end(graduated, 'graduated')
    harness.world.end(ended, 'stall')
    await repeat(13, poll, tenth)
    expect(await harness.keys()).toContain(keyOf('graduated', graduated))
    const phases = (await stored(tokens)).map(({ state }) => state?.phase)
    expect(phases.filter((phase) => phase !== 'live').sort()).toEqual(['ended', 'graduated'])
  })

  test('a followed one that left its list is noticed within few polls', async () => {
    const poll = await start()
    await follow(spread())
    await repeat(3, poll)
    const ended = tokens[200]
    if (ended) harness.world.end(ended, 'graduated')
    await repeat(5, poll)
    expect(await harness.keys()).toEqual([ended && keyOf('graduated', ended)])
  })

  test('a restart goes on with the round', async () => {
    await start()
    rename(tokens)
    for (let polls = 0; polls < 8; polls += 1) await repeat(1, harness.poller(bounds))
    expect(await seenRenamed(tokens)).toBe(tokens.length)
  })

  test('a page that can’t be read does not hide those below it', async () => {
    await start()
    rename(tokens)
    const api = failing(({ offset }) => offset === 100)
    await repeat(12, harness.poller(bounds, api), tenth)
    expect(await seenRenamed(tokens.slice(150))).toBe(tokens.length - 150)
  })

  test('one whose end has come is asked for less and less while the API says that it is live', async () => {
    const over = tokens[300]
    if (!over) throw new Error('there are no tokens')
    harness.world.change(over, { endsAt: harness.now() + 60 })
    const asked: string[] = []
    const poll = await start({
      assets: (filter) => harness.api.assets(filter),
      asset: (address, on) => {
        asked.push(address)
        return harness.api.asset(address, on)
      },
    })
    await repeat(16, poll)
    expect(new Set(asked)).toEqual(new Set([over.address.toLowerCase()]))
    // After 15, 30, 60, 120 seconds and so on, unless the window shows it.
    expect(asked.length).toBeLessThan(6)
  })

  test('an end that comes near is told in time, without reading all others', async () => {
    const setting = { minutes: 30 }
    await harness.subscribe('a', { kind: 'ending', setting, scope: {} })
    const [ending] = announce(1, { endsAt: harness.now() + 7200 })
    announce(100, { endsAt: harness.now() + 90_000 })
    const poll = await start()
    await repeat(1, poll)
    harness.ahead += 5460
    await repeat(1, poll, 0)
    const keys = (await harness.keys()).filter((key) => key.startsWith('ending'))
    expect(keys).toEqual([expect.stringContaining(ending?.address.toLowerCase() ?? '-')])
  })
})

describe('followed ones that are not where they were found', () => {
  /** Two groups, each on one page but for the last of it. With the four other pages a poll has room for both. */
  const groups = () => [200, 201, 202, 249, 260, 261, 262, 309].flatMap((at) => tokens[at] ?? [])

  test('are on the page that is read for them, if few others have left the list', async () => {
    const poll = await start()
    await follow(groups())
    await repeat(1, poll)
    for (const token of tokens.slice(100, 103)) harness.world.end(token, 'stall')
    rename(groups())
    await repeat(1, poll)
    expect(await seenRenamed(groups())).toBe(groups().length)
  })

  test('are looked for on a page once, and then read by their addresses', async () => {
    const poll = await start()
    const followed = tokens.slice(250, 255)
    await follow(followed)
    await repeat(1, poll)
    for (const token of tokens.slice(100, 150)) harness.world.end(token, 'stall')
    rename(followed)
    await repeat(2, poll)
    expect(await seenRenamed(followed)).toBe(followed.length)
  })

  test('are read by their addresses if no request is left for one that the page may lack', async () => {
    await start()
    const followed = tokens.slice(270, 272)
    await follow(followed)
    for (const token of tokens.slice(100, 150)) harness.world.end(token, 'stall')
    rename(followed)
    // Beside the tops of the lists a poll has one request.
    await repeat(2, harness.poller({ maxRequests: 4, maxWhole: 2 }))
    expect(await seenRenamed(followed)).toBe(followed.length)
  })

  test.each(['at once', 'once a page could be read that failed'])(
    'are further down by as many as were added, %s',
    async (when) => {
      await start()
      let isBroken = when !== 'at once'
      const isSecond = ({ status, offset }: Filter) => status === 'live' && offset === 50
      const poll = harness.poller(
        bounds,
        failing((filter) => isBroken && isSecond(filter)),
      )
      await follow(groups())
      isBroken = false
      await repeat(1, poll)
      isBroken = when !== 'at once'
      announce(60)
      await repeat(1, poll)
      isBroken = false
      await repeat(1, poll)
      rename(groups())
      await repeat(1, poll)
      expect(await seenRenamed(groups())).toBe(groups().length)
    },
  )
})

describe('an API', () => {
  test('that lists the oldest first is watched by the window alone', async () => {
    const { api, world } = harness
    const oldestFirst: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: async (filter) => {
        const { status, offset = 0, limit = 50 } = filter
        const all = world.tokens.filter((token) => token.status === status).length
        const end = Math.max(0, all - offset)
        const from = Math.max(0, end - limit)
        const read = await api.assets({ ...filter, offset: from, limit: Math.max(1, end - from) })
        const items = end === 0 ? [] : read.value.items.toReversed()
        return { ...read, value: { ...read.value, items, receivedCount: items.length } }
      },
    }
    const poll = await start(oldestFirst)
    const [born] = announce(1)
    await repeat(11, poll, tenth)
    expect(await harness.keys()).toEqual([born && keyOf('live', born)])
  })

  const rises = async (api: Pick<Api, 'assets' | 'asset'>) => {
    const scope = { mcap: '100000000' }
    await harness.subscribe('a', { kind: 'live', setting: {}, scope })
    const poll = await start(api)
    await repeat(1, poll)
    // Not each of the stand-in's tokens has a market cap.
    const all = await harness.assets.read(
      chain,
      tokens.slice(200).map(({ address }) => address.toLowerCase()),
    )
    const token = tokens
      .slice(200)
      .find(({ address }) => all.get(address.toLowerCase())?.state?.highest?.mcap !== undefined)
    if (token) harness.world.change(token, { price: 0.1 })
    await repeat(2, poll)
    return (await harness.keys()).filter((key) => token && key.startsWith(keyOf('live', token)))
  }

  test('that orders by market cap shows at once who has reached a minimum', async () => {
    expect(await rises(harness.api)).toHaveLength(1)
  })

  test.each(['ignores', 'refuses'])('that %s an order leaves it to the window', async (how) => {
    const { api } = harness
    const unordered: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: ({ ordering, ...filter }) => {
        if (ordering && how === 'refuses') throw new ApiError('invalid', 'GET', { status: 400 })
        return api.assets(filter)
      },
    }
    expect(await rises(unordered)).toEqual([])
    await repeat(11, harness.poller(bounds, unordered), tenth)
    expect(await harness.keys()).toHaveLength(1)
  })

  test.each<[string, ApiError | undefined, number]>([
    ['fails for', new ApiError('unavailable', 'GET', { status: 503 }), 120],
    ['refuses', new ApiError('invalid', 'GET', { status: 400 }), 3600],
    ['ignores', undefined, 3600],
  ])('that %s an order once is asked for it again after a while', async (_, refusal, pause) => {
    let isOrdering = true
    let askedAt: number[] = []
    const { api } = harness
    const once: Pick<Api, 'assets' | 'asset'> = {
      asset: (...of) => api.asset(...of),
      assets: ({ ordering, ...filter }) => {
        if (ordering) askedAt.push(harness.ahead)
        if (ordering && !isOrdering && refusal) throw refusal
        return api.assets(ordering && isOrdering ? { ...filter, ordering } : filter)
      },
    }
    await harness.subscribe('a', { kind: 'live', setting: {}, scope: { mcap: '100000000' } })
    const poll = await start(once)
    await repeat(1, poll)
    isOrdering = false
    await repeat(1, poll)
    isOrdering = true
    const pausedAt = harness.ahead
    askedAt = []
    // The time counts, not how often the bot polled meanwhile.
    await repeat(2, poll, pause / 2 - 5)
    expect(askedAt).toEqual([])
    await repeat(1, poll, 20)
    expect(askedAt[0]).toBe(pausedAt + pause + 10)
  })
})
