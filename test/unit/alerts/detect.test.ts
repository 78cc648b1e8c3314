import { describe, expect, test } from 'vitest'
import type { Observation } from '../../../src/alerts/snapshot.ts'
import { absent, address, auction, begunAt, context, look, now, seen, told } from './auction.ts'

const live = `live:8453:${address}`
const incoming = `incoming:8453:${address}`
const graduated = `graduated:8453:${address}`
const hour = 3600
const day = 24 * hour
const soon = { startsAt: now + hour, createdAt: now - 60 }
const running = { startsAt: now - 60, endsAt: now + 2 * day, createdAt: now - hour }
const done = { migratedAt: now - 60, createdAt: now - day }

describe('a life', () => {
  const cases: [what: string, observations: Observation[], keys: string[][]][] = [
    [
      'is told step by step',
      [seen('incoming', soon), seen('live', running), seen('graduated', done)],
      [[incoming], [live], [graduated]],
    ],
    [
      'is told once, however often it is seen',
      [seen('live', running), seen('live', running)],
      [[live], []],
    ],
    [
      'goes on after it vanished',
      [seen('live', running), absent, absent, absent, seen('live', running)],
      [[live], [], [], [], []],
    ],
    [
      'goes on where it was announced, vanished and began',
      [seen('incoming', soon), absent, absent, absent, seen('live', running)],
      [[incoming], [], [], [], [live]],
    ],
    [
      'that falls back to an earlier list is not told again',
      [seen('live', running), seen('incoming', soon), seen('live', running)],
      [[live], [], []],
    ],
    [
      'that graduates and is listed as live again is told once of each',
      [
        seen('live', running),
        seen('graduated', done),
        seen('live', running),
        seen('graduated', done),
      ],
      [[live], [graduated], [], []],
    ],
    [
      'ends with a status that nobody knows, and may graduate yet',
      [
        seen('live', running),
        seen('itself', { ...running, status: 'stall' }),
        seen('graduated', done),
      ],
      [[live], [], [graduated]],
    ],
    [
      'that stalls and is live again is not told again',
      [seen('live', running), seen('itself', { status: 'paused?' }), seen('live', running)],
      [[live], [], []],
    ],
  ]
  test.each(cases)('%s', (_what, observations, keys) => {
    expect(told(observations).keys).toEqual(keys)
  })

  test('in the first look at a chain is known and not told, and what follows is', () => {
    const first = look(undefined, seen('incoming', soon), { begunAt: undefined })
    expect(first?.news).toEqual([])
    const second = look(first?.after, seen('live', running))
    expect(second?.news.map(({ key }) => key)).toEqual([live])
  })

  test('in a first look that broke off and is made again is not told either', () => {
    const broken = look(undefined, seen('incoming', soon), { begunAt: undefined })
    const again = look(broken?.after, seen('live', running), { begunAt: undefined })
    expect(again?.news).toEqual([])
    expect(look(again?.after, seen('live', running))?.news).toEqual([])
  })

  test('that graduated today, but before the chain was watched, is no news', () => {
    const since = { begunAt: now - hour }
    const at = (migratedAt: number) =>
      look(undefined, seen('graduated', { ...done, migratedAt }), since)?.news.map(({ key }) => key)
    expect(at(now - hour - 1)).toEqual([])
    expect(at(now - hour)).toEqual([graduated])
  })

  test('what is nowhere and was never seen is nothing', () => {
    expect(look(undefined, absent)).toBeUndefined()
  })
})

describe('an asset that was never seen', () => {
  const before = begunAt - hour
  const cases: [what: string, observation: Observation, keys: string[]][] = [
    ['is news where it went live since the chain is watched', seen('live', running), [live]],
    [
      'is no news where it was live before',
      seen('live', { startsAt: before, endsAt: now + day }),
      [],
    ],
    [
      'is news where it was created before and went live since',
      seen('live', { ...running, createdAt: before }),
      [live],
    ],
    [
      'is no news where it has no start and was created before',
      seen('live', { createdAt: before }),
      [],
    ],
    ['is news where it says nothing of its times', seen('live', {}), [live]],
    ['is news where it is announced', seen('incoming', soon), [incoming]],
    [
      'is no news where it was announced before',
      seen('incoming', { ...soon, createdAt: before }),
      [],
    ],
    ['is news where it graduated today', seen('graduated', done), [graduated]],
    [
      'is no news where it graduated before the chain was watched',
      seen('graduated', { migratedAt: before }),
      [],
    ],
    [
      'is no news where it graduated, nobody knows when',
      seen('graduated', { migratedAt: null }),
      [],
    ],
    [
      'is news by the asset’s own time of migration',
      seen('graduated', { assetMigratedAt: now - 60 }),
      [graduated],
    ],
  ]
  test.each(cases)('%s', (_what, observation, keys) => {
    expect(told([observation]).keys).toEqual([keys])
  })

  test('is no news where it graduated over a day ago', () => {
    const found = look(undefined, seen('graduated', { migratedAt: now - day - 1 }), { begunAt: 0 })
    expect(found?.news).toEqual([])
  })

  test.each([
    ['seconds', String(begunAt - hour)],
    ['milliseconds', String((begunAt - hour) * 1000)],
    ['ISO', new Date((begunAt - hour) * 1000).toISOString()],
  ])('is placed in time by a start in %s', (_form, startsAt) => {
    expect(told([seen('live', { startsAt })]).keys).toEqual([[]])
  })
})

describe('asked for by itself, an asset', () => {
  const placeholder = '0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddead'
  const over = { startsAt: now - day, endsAt: now - 60 }
  const cases: [what: string, observation: Observation, phase: string][] = [
    ['is live by its status', seen('itself', { ...running, status: 'LIVE' }), 'live'],
    [
      'is live by its status though its end is over',
      seen('itself', { ...over, status: 'live' }),
      'live',
    ],
    ['has graduated by its status', seen('itself', { ...over, status: 'graduated' }), 'graduated'],
    [
      'is live by its status though the pool that comes after it has a price',
      seen('itself', {
        ...running,
        status: 'live',
        graduationPool: `0x${'9'.repeat(40)}`,
        price: '1',
      }),
      'live',
    ],
    ['has ended by any other status', seen('itself', { ...running, status: 'stall' }), 'ended'],
    [
      'has graduated by its pool where it has no status',
      seen('itself', { ...over, migratedAt: now }),
      'graduated',
    ],
    [
      'has ended by its end where its pool only stands for none',
      seen('itself', { ...over, graduationPool: placeholder }),
      'ended',
    ],
    [
      'has ended by its end where it has no status',
      seen('itself', { ...over, status: null }),
      'ended',
    ],
    ['is what it was where it says nothing', seen('itself', running), 'live'],
  ]
  test.each(cases)('%s', (_what, observation, phase) => {
    expect(told([seen('live', running), observation]).state?.phase).toBe(phase)
  })

  test('is gone once the interface did not know it three times in a row', () => {
    const phases = [1, 2, 3].map((times) => {
      const looks = [seen('live', running), ...Array.from({ length: times }, () => absent)]
      return told(looks).state?.phase
    })
    expect(phases).toEqual(['live', 'live', 'gone'])
    const broken = [seen('live', running), absent, absent, seen('live', running), absent, absent]
    expect(told(broken).state?.phase).toBe('live')
  })
})

describe('news is of use', () => {
  const until = (observation: Observation) => {
    const [news] = look(undefined, observation)?.news ?? []
    return news && news.usefulUntil - now
  }
  test.each([
    ['live, until the end', seen('live', running), 2 * day],
    ['live without an end, for a day', seen('live', {}), day],
    [
      'live by the interface after its end by our clock, for a while',
      seen('live', { startsAt: now - hour, endsAt: now - 60 }),
      900,
    ],
    ['incoming, until the start', seen('incoming', soon), hour],
    ['incoming without a start, for a day', seen('incoming', {}), day],
    ['graduated, for a day', seen('graduated', done), day - 60],
  ])('%s', (_what, observation, seconds) => {
    expect(until(observation)).toBe(seconds)
  })

  test('and says when it happened, in the past', () => {
    const at = (observation: Observation) => look(undefined, observation)?.news[0]?.at
    expect(at(seen('live', running))).toBe(now - 60)
    expect(at(seen('live', { startsAt: now + 60 }))).toBe(now)
    expect(at(seen('graduated', { migratedAt: now + 600 }))).toBe(now)
    const known = look(undefined, seen('live', running))?.after
    const late = look(known, seen('graduated', { migratedAt: now - 3 * day }))
    expect(late?.news).toMatchObject([{ key: graduated, usefulUntil: now - 2 * day }])
  })
})

test('addresses are in lower case, and the asset is as the interface gave it', () => {
  const shouted = '0x4200000000000000000000000000000000000AAA'
  const found = look(
    undefined,
    { by: 'live', asset: auction({ ...running, address: shouted }) },
    context,
  )
  expect(found?.news).toMatchObject([
    { key: live, asset: address, body: { asset: { asset_address: shouted } } },
  ])
})
