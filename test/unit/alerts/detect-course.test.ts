import { describe, expect, test } from 'vitest'
import { address, look, now, seen, told } from './auction.ts'

const live = `live:8453:${address}`
const graduated = `graduated:8453:${address}`
const hour = 3600
const day = 24 * hour
const running = { startsAt: now - 60, endsAt: now + 2 * day, createdAt: now - hour }
const done = { migratedAt: now - 60, createdAt: now - day }

describe('progress', () => {
  const at = (sold: number | string | null) => seen('live', { ...running, sold })
  const key = (percent: number) => `progress:8453:${address}:${percent}`
  const cases: [what: string, shares: (number | string | null)[], keys: string[][]][] = [
    ['is told when it passes a mark', [10, 24.99, 25], [[live], [], [key(25)]]],
    ['is told once for all marks that it jumps over', [10, 80], [[live], [key(75)]]],
    ['is told from nothing where the auction is new', [30], [[live, key(25)]]],
    [
      'is not told again after it fell back',
      [60, 40, 60, 76],
      [[live, key(50)], [], [], [key(75)]],
    ],
    [
      'is not told again after it was unknown',
      [60, null, 60, 80],
      [[live, key(50)], [], [], [key(75)]],
    ],
    ['is not whole before it is', [92, '99.99999999999999999'], [[live, key(90)], []]],
    ['is whole when it is', [92, 100], [[live, key(90)], [key(100)]]],
    ['of over a hundred per cent is unknown', [10, 9000], [[live], []]],
  ]
  test.each(cases)('%s', (_what, shares, keys) => {
    expect(told(shares.map(at)).keys).toEqual(keys)
  })

  test('carries where it was told last and where it is', () => {
    const first = look(undefined, at(12.5), { begunAt: undefined })
    const second = look(first?.after, at(80))
    expect(second?.news).toMatchObject([
      { body: { kind: 'progress', from: '0.125', to: '0.8' }, at: now, usefulUntil: now + 2 * day },
    ])
  })

  test('that was made before the first look is not told, also where it became known later', () => {
    const first = look(undefined, at(null), { begunAt: undefined })
    const second = look(first?.after, at(60))
    const third = look(second?.after, at(80))
    expect([second, third].map((each) => each?.news.map((news) => news.key))).toEqual([
      [],
      [key(75)],
    ])
  })

  test('is told by the marks that somebody wants', () => {
    const first = look(undefined, at(10), { begunAt: undefined })
    const keys = (percents: number[]) =>
      look(first?.after, at(80), { percents })?.news.map((each) => each.key)
    expect(keys([33, 66])).toEqual([key(66)])
    expect(keys([])).toEqual([])
    expect(keys([10])).toEqual([])
  })

  test('past a mark is not told when somebody wants the mark later', () => {
    const first = look(undefined, at(10), { percents: [] })
    const second = look(first?.after, at(60), { percents: [] })
    expect(look(second?.after, at(61), { percents: [50] })?.news).toEqual([])
  })

  test('of an auction that is over is told only where it sold out', () => {
    const first = look(undefined, at(60))
    const end = (sold: number, by: 'graduated' | 'itself', status?: string) =>
      look(first?.after, seen(by, { ...done, sold, ...(status && { status }) }))?.news.map(
        (each) => each.key,
      )
    expect(end(80, 'graduated')).toEqual([graduated])
    expect(end(100, 'graduated')).toEqual([graduated, key(100)])
    expect(end(80, 'itself', 'stall')).toEqual([])
  })

  test('of an auction that is only announced is told once it is live', () => {
    const { keys } = told([seen('incoming', { ...running, sold: 30 }), at(30)])
    expect(keys).toEqual([[`incoming:8453:${address}`], [live, key(25)]])
  })

  test('is of use for a while where the end is over by our clock, and sold out for a day', () => {
    const over = { ...running, endsAt: now - 60 }
    const first = look(undefined, seen('live', { ...over, sold: 10 }))
    const usefulFor = (by: 'live' | 'graduated', sold: number) =>
      look(first?.after, seen(by, { ...done, ...over, sold }))
        ?.news.filter(({ body }) => body.kind === 'progress')
        .map(({ usefulUntil }) => usefulUntil - now)
    expect(usefulFor('live', 60)).toEqual([900])
    expect(usefulFor('graduated', 100)).toEqual([day])
  })
})

describe('an end', () => {
  const ends = (endsAt: number | string | null) => seen('live', { startsAt: now - 60, endsAt })
  const endsAt = now + 2 * hour
  const key = (minutes: number, end = endsAt) => `ending:8453:${address}:${end}:${minutes}`
  const past = (minutes: number) => ({ now: now + minutes * 60 })
  const first = look(undefined, ends(endsAt))

  test('is told when the minutes pass, to those who are between the last look and this one', () => {
    const quiet = look(first?.after, ends(endsAt), past(59))
    expect(quiet?.news).toEqual([])
    const second = look(quiet?.after, ends(endsAt), past(60))
    expect(second?.news).toMatchObject([
      {
        key: key(60),
        usefulUntil: endsAt,
        body: { kind: 'ending', fromMinutes: 61, minutes: 60, endsAt },
      },
    ])
    const third = look(second?.after, ends(endsAt), past(61))
    expect(third?.news).toEqual([])
    expect(look(third?.after, ends(endsAt), past(111))?.news).toMatchObject([
      { key: key(10), body: { fromMinutes: 59, minutes: 9 } },
    ])
  })

  test('is told once for all minutes that passed unseen', () => {
    expect(look(first?.after, ends(endsAt), past(115))?.news).toMatchObject([
      { key: key(10), body: { fromMinutes: 120, minutes: 5 } },
    ])
  })

  test('of an auction that begins inside the minutes is told to all who are past', () => {
    const end = now + 30 * 60
    expect(look(undefined, ends(end))?.news).toMatchObject([
      { key: live },
      { key: key(60, end), body: { minutes: 30, fromMinutes: 1441 } },
    ])
  })

  test('that was near in the first look at a chain is told only from there on', () => {
    const end = now + 30 * 60
    const met = look(undefined, ends(end), { begunAt: undefined })
    expect(met?.news).toEqual([])
    expect(look(met?.after, ends(end), past(20))?.news).toMatchObject([{ key: key(10, end) }])
  })

  test('that moves away is counted down to anew, and one that wavers is not', () => {
    const near = look(first?.after, ends(endsAt), past(60))
    const later = endsAt + hour
    const moved = look(near?.after, ends(later), past(61))
    expect(moved?.news).toEqual([])
    expect(look(moved?.after, ends(later), past(120))?.news).toMatchObject([
      { key: key(60, later) },
    ])
    const wavers = look(near?.after, ends(endsAt + 500), past(61))
    expect(look(wavers?.after, ends(endsAt + 500), past(69))?.news).toEqual([])
  })

  test('that slips a little each time is counted down to anew once it has slipped far', () => {
    let state = look(first?.after, ends(endsAt), past(60))?.after
    for (const slip of [300, 600, 900]) state = look(state, ends(endsAt + slip), past(60))?.after
    expect(state?.ending).toMatchObject({ endsAt: endsAt + 900, minutes: 75 })
  })

  test('that jitters by hours is counted down to anew an hour apart, and three times at most', () => {
    const jitter = (each: (minutes: number) => number, minutes: readonly number[]) => {
      let state = first?.after
      return minutes.filter((at) => {
        const found = look(state, ends(each(at)), past(at))
        state = found?.after
        return found?.news.some(({ body }) => body.kind === 'ending')
      })
    }
    const minutes = Array.from({ length: 30 * 60 }, (_none, index) => index)
    const near = (at: number) => (at % 2 ? endsAt + 40 * hour : endsAt - at)
    expect(jitter(near, minutes)).toEqual([60, 62, 110])
    const running = (at: number) => past(at).now + (at % 2 ? 40 * hour : 50 * 60 - at)
    expect(jitter(running, minutes)).toEqual([0, 2, 62, 122])
  })

  test('that moves away by a clock that was ahead then is counted down to anew all the same', () => {
    const near = look(first?.after, ends(endsAt), past(60))
    const [later, latest] = [endsAt + 10 * hour, endsAt + 11 * hour]
    const ahead = look(near?.after, ends(later), past(11 * 60))
    const again = look(ahead?.after, ends(later), past(12 * 60 - 5))
    expect(again?.news).toMatchObject([{ key: key(10, later) }])
    const back = look(again?.after, ends(latest), past(61))
    expect(back?.after.ending).toMatchObject({ endsAt: latest })
  })

  test('of an auction that was seen only when it was over is not told, nor counted as late', () => {
    const over = look(undefined, seen('graduated', { ...done, endsAt: now - 30 }))
    expect(over?.news.map((news) => news.key)).toEqual([graduated])
  })

  test('that comes nearer is told at once', () => {
    expect(look(first?.after, ends(now + 50 * 60), past(1))?.news).toMatchObject([
      { key: key(60, now + 50 * 60) },
    ])
  })

  test('that turns unknown changes nothing', () => {
    const unknown = look(first?.after, ends(null), past(30))
    expect(unknown?.after.ending).toEqual(first?.after.ending)
    expect(look(unknown?.after, ends(endsAt), past(60))?.news).toMatchObject([{ key: key(60) }])
  })

  test.each([
    ['seconds', String(endsAt)],
    ['milliseconds', String(endsAt * 1000)],
    ['ISO', new Date(endsAt * 1000).toISOString()],
  ])('may be in %s', (_form, end) => {
    expect(look(first?.after, ends(end), past(60))?.news).toMatchObject([{ key: key(60) }])
  })

  test('that came unseen is too late to be told', () => {
    const over = look(first?.after, seen('itself', { status: 'stall', endsAt }), past(130))
    expect(over?.news).toMatchObject([{ key: key(10), usefulUntil: endsAt }])
    expect(look(over?.after, seen('itself', { status: 'stall', endsAt }), past(131))?.news).toEqual(
      [],
    )
  })

  test('by a clock that runs an hour ahead for a while is neither lost nor told twice', () => {
    const early = look(first?.after, ends(endsAt), past(30 + 60))
    expect(early?.news).toMatchObject([{ key: key(60) }])
    const ahead = look(early?.after, ends(endsAt), past(70 + 60))
    expect(ahead?.news).toEqual([])
    const back = look(ahead?.after, ends(endsAt), past(71))
    expect(back?.news).toEqual([])
    expect(look(back?.after, ends(endsAt), past(110))?.news).toMatchObject([{ key: key(10) }])
  })
})
