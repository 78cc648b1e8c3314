import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type DayOfAssets,
  DigestScheduler,
  DigestTimes,
  daysBetween,
  digestsOf,
} from '../../../src/alerts/digest-scheduler.ts'
import { readBody } from '../../../src/alerts/events.ts'
import type { Scope } from '../../../src/alerts/kinds/kind.ts'
import { chainsOfAny } from '../../../src/alerts/rule.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { createLogger } from '../../../src/log.ts'
import { auction, now } from './auction.ts'
import { chain, WatcherHarness } from './watcher-harness.ts'

const hour = 3600
const day = 24 * hour
const patient = { timeout: 20_000, interval: 5 }

describe('the scheduler', () => {
  let harness: WatcherHarness
  let clock: DigestScheduler | undefined
  let time: number
  beforeEach(async () => {
    harness = await WatcherHarness.start({ population: 20 })
    time = harness.now()
  })
  afterEach(async () => {
    await clock?.stop()
    await harness.stop()
  })

  /** The hour of UTC that begins next. */
  const nextHour = () => (Math.floor(harness.now() / hour) + 1) * hour
  const hourOf = (unix: number) => Math.floor(unix / hour) % 24

  /** Looks at the clock until nothing changes any more, then stops, as a bot that is there for a moment. */
  async function pollChain(unix: number, chains = [chain]): Promise<void> {
    time = unix
    let polls = 0
    const subscriptions = {
      inUse: () => {
        polls += 1
        return harness.subscriptions.inUse()
      },
    }
    const { store, assets, units, log } = harness
    clock = new DigestScheduler({
      store,
      assets,
      subscriptions,
      units,
      chains,
      interval: 0.01,
      log: createLogger('debug', [], log),
      now: () => time,
      onEvents: () => {
        harness.eventCalls += 1
      },
    })
    await vi.waitFor(() => expect(polls).toBeGreaterThan(2), patient)
    await clock.stop()
  }

  async function follow(at: number, chat = 'a'): Promise<void> {
    await harness.subscribe(chat, {
      kind: 'digest',
      setting: { hour: hourOf(at), zone: 'UTC' },
      scope: {},
    })
  }

  async function storedDigests() {
    const rows = await harness.store
      .selectFrom('events')
      .selectAll()
      .where('kind', '=', 'digest')
      .execute()
    return rows.map((row) => ({ ...row, body: readBody('digest', row.body) }))
  }

  test('writes a digest at its hour, once, and not on the day of a subscription after that hour', async () => {
    const due = nextHour()
    await follow(due)
    await harness.poll()
    const born = harness.world.announce(chain)
    await harness.poll()
    await pollChain(due - 60)
    expect(await storedDigests()).toEqual([])
    await pollChain(due)
    await pollChain(due + hour)
    const date = new Date(due * 1000).toISOString().slice(0, 10)
    expect(await storedDigests()).toMatchObject([
      {
        key: expect.stringMatching(new RegExp(`^digest:\\d+:${date}$`, 'u')),
        useful_until_s: due + 6 * hour,
        body: {
          date,
          zone: 'UTC',
          counts: { wentLive: 1 },
          newest: [{ asset: born.address.toLowerCase() }],
        },
      },
    ])
    await follow(due, 'b')
    await pollChain(due + 2 * hour)
    expect(await storedDigests()).toHaveLength(1)
    const deliveries = await harness.store.selectFrom('deliveries').selectAll().execute()
    expect(deliveries).toHaveLength(1)
    expect(harness.eventCalls).toBe(1)
  })

  test('sums up the last day alone, for each scope by itself', async () => {
    const due = nextHour()
    await follow(due)
    const setting = { hour: hourOf(due), zone: 'UTC' }
    await harness.subscribe('b', { kind: 'digest', setting, scope: { chain: 84532 } })
    await harness.poll()
    harness.world.announce(chain)
    await harness.poll()
    await harness.store
      .updateTable('watched_assets')
      .set({ phase: 'gone' })
      .where('phase', '!=', 'graduated')
      .execute()
    await pollChain(due - 60)
    await pollChain(due)
    await pollChain(due + day)
    const bodies = (on: number, rows: Awaited<ReturnType<typeof storedDigests>>) =>
      rows.filter((row) => row.chain === on).map(({ body }) => body)
    const all = await storedDigests()
    expect(bodies(84532, all)).toMatchObject([
      { scope: { chain: 84532 }, counts: { wentLive: 0 } },
      { movers: [] },
    ])
    expect(bodies(0, all)).toMatchObject([
      { counts: { wentLive: 1 }, movers: expect.arrayContaining([expect.anything()]) },
      { counts: { wentLive: 0 }, newest: [], movers: [] },
    ])
  })

  test('shows of a new asset its current state, not that of its event', async () => {
    const due = nextHour()
    await follow(due)
    await harness.poll()
    const born = harness.world.announce(chain)
    await harness.poll()
    harness.world.change(born, { sold: 0.77 })
    await harness.poll()
    await pollChain(due - 60)
    await pollChain(due)
    const [digest] = await storedDigests()
    expect(digest?.body).toMatchObject({ newest: [{ progress: '0.77' }] })
  })

  test('counts what went live on each chain, however many did on another', async () => {
    const due = nextHour()
    const quiet = 1
    await follow(due)
    await pollChain(due - 60)
    const body = JSON.stringify({ kind: 'live', asset: auction() })
    const row = { kind: 'live', asset: '', body, found_at_s: due - 1, useful_until_s: due + day }
    const busy = Array.from({ length: 2000 }, (_, index) => `busy ${index}`)
    await harness.store.transaction().execute(async (tx) => {
      for (let from = 0; from < busy.length; from += 100) {
        const rows = busy
          .slice(from, from + 100)
          .map((key) => ({ ...row, key, chain, happened_at_s: due - 1 }))
        await tx.insertInto('events').values(rows).execute()
      }
      const last = { ...row, key: 'quiet', chain: quiet, happened_at_s: due - hour }
      await tx.insertInto('events').values(last).execute()
    })
    await pollChain(due, [chain, quiet])
    expect(await storedDigests()).toMatchObject([
      { body: { counts: { wentLive: busy.length + 1 } } },
    ])
  })

  test.each(['muted', 'paused'] as const)(
    'sends a chat that was %s at the hour the next day’s digest, not the missed one',
    async (how) => {
      const due = nextHour()
      await follow(due)
      await pollChain(due - 60)
      const goOn = await harness.silence('a', how)
      await pollChain(due)
      await goOn()
      await pollChain(due + 60)
      expect(harness.eventCalls).toBe(0)
      await pollChain(due + day)
      expect(harness.eventCalls).toBe(1)
      const deliveries = await harness.store
        .selectFrom('deliveries')
        .select('state')
        .orderBy('event_id')
        .execute()
      expect(deliveries).toEqual([{ state: 'dropped' }, { state: 'waiting' }])
    },
  )

  test('that reads a rule for the first time after its hour begins the next day', async () => {
    const due = nextHour()
    await follow(due - hour)
    await pollChain(due)
    expect(await storedDigests()).toEqual([])
    expect(harness.log.of('info').join()).not.toContain('digests')
    await pollChain(due + day)
    expect(await storedDigests()).toHaveLength(1)
    await pollChain(due + day)
    expect(harness.log.lines.filter(({ msg }) => msg === 'digests')).toMatchObject([
      { digest: 1, deliveries: 1, late: 0 },
    ])
  })

  test('writes late digests after a downtime, and after a longer one drops and counts them', async () => {
    const due = nextHour()
    await follow(due)
    await pollChain(due - 60)
    await pollChain(due + 5 * hour)
    expect(await storedDigests()).toHaveLength(1)
    await pollChain(due + 3 * day + 7 * hour)
    expect(await storedDigests()).toHaveLength(1)
    expect(harness.log.of('info').join()).toContain('"late":3')
    await pollChain(due + 4 * day)
    expect(await storedDigests()).toHaveLength(2)
  })

  test('writes no digest twice if the clock is set back', async () => {
    const due = nextHour()
    await follow(due)
    await pollChain(due - 60)
    await pollChain(due + 60)
    await pollChain(due - hour)
    await pollChain(due + 120)
    expect(await storedDigests()).toHaveLength(1)
  })
})

const account = (digit: number) => `0x${String(digit).repeat(40)}`

describe('a digest', () => {
  const listed = (index: number, facts: Parameters<typeof auction>[0] = {}, on = chain) => ({
    chain: on,
    asset: auction({ address: account(index), name: `Otter ${index}`, ...facts }),
  })
  const at = { units: defaultUnits, isAny: chainsOfAny([chain, 84532]), now }
  const digestOf = async (of: DayOfAssets, scope: Scope) => (await digestsOf(of, at))(scope)
  const nothing = { wentLive: [], graduated: [], live: [], trading: [] }

  test('of a quiet day has zeros', async () => {
    expect(await digestOf(nothing, {})).toEqual({
      counts: { wentLive: 0, graduated: 0, live: 0 },
      endingSoon: [],
      newest: [],
      graduated: [],
      movers: [],
    })
  })

  test('has five of each, sorted by end and by change', async () => {
    const live = [3, 1, 2, 4, 5, 6, 7].map((index) =>
      listed(index, {
        endsAt: now + index * hour,
        change: String(index % 2 ? index / 10 : -index / 10),
        price: '1',
      }),
    )
    const late = [
      listed(8, { endsAt: now + 2 * day, change: '0' }),
      listed(9, { endsAt: now - 60 }),
    ]
    const of = { ...nothing, live: [...live, ...late], wentLive: live, graduated: late }
    const digest = await digestOf(of, {})
    const names = (entries: readonly { name: string }[]) =>
      entries.map(({ name }) => name.at(-1)).join('')
    expect(digest.counts).toEqual({ wentLive: 7, graduated: 2, live: 9 })
    expect(names(digest.endingSoon)).toBe('12345')
    expect(names(digest.movers)).toBe('76543')
    expect(names(digest.newest)).toBe('31245')
    expect(names(digest.graduated)).toBe('89')
    expect(digest.endingSoon[0]).toMatchObject({
      chain,
      symbol: 'OTTER',
      price: { amount: '1', currency: 'usd' },
      endsAt: now + hour,
    })
  })

  test('lists as ending soon what ends within the next day', async () => {
    const ends = [now, now + 1, now + day, now + day + 1]
    const live = ends.map((endsAt, index) => listed(index, { endsAt }))
    const { endingSoon } = await digestOf({ ...nothing, live }, {})
    expect(endingSoon.map(({ endsAt }) => endsAt)).toEqual([now + 1, now + day])
  })

  const scopes: [what: string, scope: Scope, count: number][] = [
    ['everything but testnets', {}, 2],
    ['one chain', { chain: 84532 }, 1],
    ['one numeraire, in any case', { numeraire: `0x${'A'.repeat(40)}` }, 2],
    ['one creator', { creator: account(7) }, 1],
    ['a name', { name: 'otter 2' }, 1],
    ['one category', { category: 'builder-coin' }, 1],
    ['all of these at once', { chain, numeraire: `0x${'a'.repeat(40)}`, creator: account(7) }, 1],
    ['what nothing has', { creator: account(9) }, 0],
  ]
  test.each(scopes)('is about %s', async (_what, scope, count) => {
    const live = [
      listed(1, { numeraire: `0x${'a'.repeat(40)}`, creator: account(7) }),
      listed(2, { numeraire: `0x${'a'.repeat(40)}`, categories: ['Builder-Coin', 'x'] }),
      listed(3, {}, 84532),
    ]
    expect((await digestOf({ ...nothing, live }, scope)).counts.live).toBe(count)
  })

  test('shares the entry of an asset with other digests, computed once', async () => {
    const live = [listed(1), listed(2, {}, 84532)]
    const digest = await digestsOf({ ...nothing, wentLive: live }, { ...at, isAny: () => true })
    const [all, some] = [digest({}), digest({ chain: 84532 })]
    expect(some.newest).toHaveLength(1)
    expect(some.newest[0]).toBe(all.newest[1])
  })

  test('can be parsed again whatever the names are', async () => {
    const hostile = listed(1, {
      name: '😀'.repeat(900),
      price: `0.${'1'.repeat(90)}`,
      change: '1e70',
    })
    const digest = await digestOf({ ...nothing, live: [hostile] }, {})
    const body = { kind: 'digest', scope: {}, date: '2026-06-01', zone: 'UTC', ...digest }
    expect(readBody('digest', JSON.stringify(body))).toBeDefined()
  })
})

const times = new DigestTimes()
const unix = (iso: string) => Date.parse(iso) / 1000

/** The digests that are due for a bot that polls every quarter of an hour. */
function dues(setting: { hour: number; zone: string }, from: string, until: string): string[] {
  const found: string[] = []
  let known = times.lastDate(setting, unix(from))
  for (let now = unix(from); now < unix(until); now += 900) {
    const date = times.lastDate(setting, now)
    if (date === undefined || (known !== undefined && date <= known)) continue
    known = date
    const at = times.dueAt(setting, date, now + 7)
    found.push(`${date} at ${new Date(at * 1000).toISOString().slice(0, 16)}`)
  }
  return found
}

describe('a digest is due', () => {
  const cases: [
    what: string,
    zone: string,
    hour: number,
    from: string,
    until: string,
    expected: string[],
  ][] = [
    [
      'at its hour by UTC',
      'UTC',
      8,
      '2026-06-01T00:00Z',
      '2026-06-03T00:00Z',
      ['2026-06-01 at 2026-06-01T08:00', '2026-06-02 at 2026-06-02T08:00'],
    ],
    [
      'at midnight',
      'Asia/Tokyo',
      0,
      '2026-06-01T00:00Z',
      '2026-06-02T00:00Z',
      ['2026-06-02 at 2026-06-01T15:00'],
    ],
    [
      'by a zone of three quarters of an hour',
      'Asia/Kathmandu',
      9,
      '2026-06-01T00:00Z',
      '2026-06-02T00:00Z',
      ['2026-06-01 at 2026-06-01T03:15'],
    ],
    [
      'an hour earlier by UTC from summer time on',
      'Europe/Berlin',
      8,
      '2026-03-28T00:00Z',
      '2026-03-30T00:00Z',
      ['2026-03-28 at 2026-03-28T07:00', '2026-03-29 at 2026-03-29T06:00'],
    ],
    [
      'at the next hour where its own is left out',
      'Europe/Berlin',
      2,
      '2026-03-28T12:00Z',
      '2026-03-30T12:00Z',
      ['2026-03-29 at 2026-03-29T01:00', '2026-03-30 at 2026-03-30T00:00'],
    ],
    [
      'at the first of two where its own comes twice',
      'Europe/Berlin',
      2,
      '2026-10-24T12:00Z',
      '2026-10-26T12:00Z',
      ['2026-10-25 at 2026-10-25T00:00', '2026-10-26 at 2026-10-26T01:00'],
    ],
    [
      'where midnight is left out',
      'America/Havana',
      0,
      '2026-03-07T12:00Z',
      '2026-03-09T12:00Z',
      ['2026-03-08 at 2026-03-08T05:00', '2026-03-09 at 2026-03-09T04:00'],
    ],
    [
      'where midnight comes twice',
      'America/Havana',
      0,
      '2026-10-31T12:00Z',
      '2026-11-02T12:00Z',
      ['2026-11-01 at 2026-11-01T04:00', '2026-11-02 at 2026-11-02T05:00'],
    ],
    [
      'on both sides of the date line',
      'Pacific/Kiritimati',
      23,
      '2026-06-01T00:00Z',
      '2026-06-02T00:00Z',
      ['2026-06-01 at 2026-06-01T09:00'],
    ],
  ]
  test.each(cases)('%s', (_what, zone, hour, from, until, expected) => {
    expect(dues({ zone, hour }, from, until)).toEqual(expected)
  })

  test('yesterday if its hour is yet to come', () => {
    const setting = { hour: 23, zone: 'UTC' }
    const now = unix('2026-06-02T01:00Z')
    expect(times.lastDate(setting, now)).toBe('2026-06-01')
    expect(times.dueAt(setting, '2026-06-01', now)).toBe(unix('2026-06-01T23:00Z'))
    expect(daysBetween('2026-05-30', '2026-06-01')).toBe(2)
  })

  test('never in an unknown zone', () => {
    expect(
      times.lastDate({ hour: 8, zone: 'Atlantis/Poseidonis' }, unix('2026-06-01T00:00Z')),
    ).toBeUndefined()
  })
})
