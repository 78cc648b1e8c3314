import { expect, test } from 'vitest'
import { LocalClock, parseZone, zonesLike } from '../../../src/alerts/local-time.ts'

const clock = new LocalClock()
const at = (time: string) => Date.parse(time) / 1000
const until = (from: number, to: number, zone: string, now: string) => {
  const end = clock.quietUntil({ from, to, zone }, at(now))
  return end && new Date(end * 1000).toISOString().slice(0, 16)
}

test.each([
  ['in the evening', '2026-11-21T23:30Z', '2026-11-22T06:00'],
  ['in the morning', '2026-11-22T05:59Z', '2026-11-22T06:00'],
  ['at the end', '2026-11-22T06:00Z', undefined],
  ['by day', '2026-11-22T12:00Z', undefined],
  // Berlin's clocks went back at 01:00 UTC.
  ['in a night of 25 hours', '2026-10-24T22:00Z', '2026-10-25T06:00'],
])('quiet hours over midnight, %s', (_when, now, end) => {
  expect(until(23, 7, 'Europe/Berlin', now)).toBe(end)
})

test('quiet hours of a day, in a zone with a half hour, and in an unknown zone', () => {
  expect(until(13, 15, 'Asia/Kolkata', '2026-11-22T08:00Z')).toBe('2026-11-22T09:30')
  expect(until(13, 15, 'Asia/Kolkata', '2026-11-22T07:00Z')).toBeUndefined()
  expect(until(0, 23, 'Nowhere', '2026-11-22T07:00Z')).toBeUndefined()
})

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['berlin', 'Europe/Berlin'],
  ['New York', 'America/New_York'],
  ['utc', 'UTC'],
  ['Buenos Aires', 'America/Buenos_Aires'],
])('%s is %s', (typed, zone) => {
  const found = parseZone(typed)
  const offset = (timeZone: string) => new Date(0).toLocaleString('en', { timeZone })
  expect(offset(found)).toBe(offset(zone))
})

test.each(['Kolkata', 'Kyiv', 'Saigon', 'Ho Chi Minh', 'Calcutta', 'Kathmandu'])(
  'the zone %s is found, whichever of its names the list has',
  (city) => {
    expect(() => new Intl.DateTimeFormat('en', { timeZone: parseZone(city) })).not.toThrow()
  },
)

test.each([
  ['Berln', 'Did you mean Europe/Berlin?'],
  ['Europe/Berln', 'Did you mean Europe/Berlin?'],
  ['+02:00', 'Use a city'],
  ['', 'Use a city'],
  ['x'.repeat(100), 'Use a city'],
  ['../../etc/passwd', 'Use a city'],
])('%j is no zone', (typed, words) => {
  expect(() => parseZone(typed)).toThrow(words)
})

test('suggestions contain the typed text anywhere in the name, up to the maximum', () => {
  expect(zonesLike('york', 5)).toEqual(['America/New_York'])
  expect(zonesLike('', 25)).toHaveLength(25)
})
