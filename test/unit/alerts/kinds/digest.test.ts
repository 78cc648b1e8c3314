import { expect, test } from 'vitest'
import { parseZone, zonesLike } from '../../../../src/alerts/kinds/digest.ts'

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
