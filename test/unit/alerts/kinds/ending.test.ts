import { expect, test } from 'vitest'
import { ending } from '../../../../src/alerts/kinds/ending.ts'
import { address, found, keysOf, now, poll } from '../auction.ts'

const hour = 3600
const endsAt = now + 2 * hour
const ends = (end: number | string | null) => found('live', { startsAt: now - 60, endsAt: end })
const key = (minutes: number, end = endsAt) => `ending:8453:${address}:${end}:${minutes}`
const past = (minutes: number) => ({ now: now + minutes * 60 })
const first = poll(undefined, ends(endsAt))

test('minutes notify when they pass, with those of the last poll', () => {
  const quiet = poll(first?.after, ends(endsAt), past(59))
  expect(quiet?.events).toEqual([])
  const second = poll(quiet?.after, ends(endsAt), past(60))
  expect(second?.events).toMatchObject([
    { key: key(60), usefulUntil: endsAt, body: { fromMinutes: 61, minutes: 60, endsAt } },
  ])
  const third = poll(second?.after, ends(endsAt), past(61))
  expect(third?.events).toEqual([])
  expect(poll(third?.after, ends(endsAt), past(111))?.events).toMatchObject([
    { key: key(10), body: { fromMinutes: 59, minutes: 9 } },
  ])
})

test('several minutes that passed between two polls are one event', () => {
  expect(poll(first?.after, ends(endsAt), past(115))?.events).toMatchObject([
    { key: key(10), body: { fromMinutes: 120, minutes: 5 } },
  ])
})

test('an auction that is shorter than the minutes notifies at once, unless it was there before', () => {
  const end = now + 30 * 60
  expect(keysOf(poll(undefined, ends(end)))).toEqual([`live:8453:${address}`, key(60, end)])
  const met = poll(undefined, ends(end), { begunAt: undefined })
  expect(met?.events).toEqual([])
  expect(keysOf(poll(met?.after, ends(end), past(20)))).toEqual([key(10, end)])
})

test('the countdown restarts if the end moves away, and not if it wavers', () => {
  const near = poll(first?.after, ends(endsAt), past(60))
  const later = endsAt + hour
  const moved = poll(near?.after, ends(later), past(61))
  expect(moved?.events).toEqual([])
  expect(keysOf(poll(moved?.after, ends(later), past(120)))).toEqual([key(60, later)])
  const wavers = poll(near?.after, ends(endsAt + 500), past(61))
  expect(poll(wavers?.after, ends(endsAt + 500), past(69))?.events).toEqual([])
  let slipping = near?.after
  for (const slip of [300, 600, 900]) {
    slipping = poll(slipping, ends(endsAt + slip), past(60))?.after
  }
  expect(slipping?.ending).toMatchObject({ endsAt: endsAt + 900, minutes: 75 })
})

test('an end that jitters by hours restarts the countdown an hour apart, three times at most', () => {
  const notified = (endAt: (minutes: number) => number) => {
    let state = first?.after
    return Array.from({ length: 30 * 60 }, (_none, index) => index).filter((at) => {
      const change = poll(state, ends(endAt(at)), past(at))
      state = change?.after
      return change?.events.some(({ body }) => body.kind === 'ending')
    })
  }
  expect(notified((at) => (at % 2 ? endsAt + 40 * hour : endsAt - at))).toEqual([60, 62, 110])
  const running = (at: number) => past(at).now + (at % 2 ? 40 * hour : 50 * 60 - at)
  expect(notified(running)).toEqual([0, 2, 62, 122])
})

test('a clock that was ahead neither loses nor repeats an event', () => {
  const near = poll(first?.after, ends(endsAt), past(60))
  const later = endsAt + 10 * hour
  const ahead = poll(near?.after, ends(later), past(11 * 60))
  const again = poll(ahead?.after, ends(later), past(12 * 60 - 5))
  expect(keysOf(again)).toEqual([key(10, later)])
  let state = first?.after
  const keys = [90, 130, 71, 110].flatMap((minutes) => {
    const change = poll(state, ends(endsAt), past(minutes))
    state = change?.after
    return keysOf(change) ?? []
  })
  expect(keys).toEqual([key(60), key(10)])
})

test('an end that comes nearer notifies at once; one that becomes unknown changes nothing', () => {
  const nearer = now + 50 * 60
  expect(keysOf(poll(first?.after, ends(nearer), past(1)))).toEqual([key(60, nearer)])
  const unknown = poll(first?.after, ends(null), past(30))
  expect(unknown?.after.ending).toEqual(first?.after.ending)
  expect(keysOf(poll(unknown?.after, ends(endsAt), past(60)))).toEqual([key(60)])
})

test.each([
  ['seconds', String(endsAt)],
  ['milliseconds', String(endsAt * 1000)],
  ['ISO', new Date(endsAt * 1000).toISOString()],
])('an end may be in %s', (_form, end) => {
  expect(keysOf(poll(first?.after, ends(end), past(60)))).toEqual([key(60)])
})

test('an end that passed unseen is an event of no use; one never seen before is none', () => {
  const over = found('fetch', { status: 'stall', endsAt })
  const late = poll(first?.after, over, past(130))
  expect(late?.events).toMatchObject([{ key: key(10), usefulUntil: endsAt }])
  expect(poll(late?.after, over, past(131))?.events).toEqual([])
  const done = found('graduated', { migratedAt: now - 60, endsAt: now - 30 })
  expect(keysOf(poll(undefined, done))).toEqual([`graduated:8453:${address}`])
})

test.each([
  ['reached', 30, 31, true],
  ['passed in one go', 12, 45, true],
  ['not reached', 31, 45, false],
  ['reached before', 29, 30, false],
])('a rule for 30 minutes matches if they were reached: %s', (_what, minutes, from, isMatch) => {
  const { detection } = ending
  const asset = first?.after.asset
  if (detection.from !== 'asset-and-settings' || !asset) throw new Error('no settings')
  const body = { kind: 'ending', asset, minutes, endsAt, fromMinutes: from } as const
  expect(detection.matches({ minutes: 30 }, body)).toBe(isMatch)
})
