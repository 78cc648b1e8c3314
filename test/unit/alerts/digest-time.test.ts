import { describe, expect, test } from 'vitest'
import { DigestTimes, daysBetween } from '../../../src/alerts/digest.ts'

const times = new DigestTimes()
const unix = (iso: string) => Date.parse(iso) / 1000

/** The digests that a bot finds due which looks at the clock every quarter of an hour. */
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

  test('yesterday where its hour is yet to come', () => {
    const setting = { hour: 23, zone: 'UTC' }
    const now = unix('2026-06-02T01:00Z')
    expect(times.lastDate(setting, now)).toBe('2026-06-01')
    expect(times.dueAt(setting, '2026-06-01', now)).toBe(unix('2026-06-01T23:00Z'))
    expect(daysBetween('2026-05-30', '2026-06-01')).toBe(2)
  })

  test('never in a zone that nobody knows', () => {
    expect(
      times.lastDate({ hour: 8, zone: 'Atlantis/Poseidonis' }, unix('2026-06-01T00:00Z')),
    ).toBeUndefined()
  })
})
