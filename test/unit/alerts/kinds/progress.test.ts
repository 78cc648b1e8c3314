import { expect, test } from 'vitest'
import { progress } from '../../../../src/alerts/kinds/progress.ts'
import { address, found, keysOf, now, poll, polls } from '../auction.ts'

const live = `live:8453:${address}`
const graduated = `graduated:8453:${address}`
const day = 86_400
const running = { startsAt: now - 60, endsAt: now + 2 * day, createdAt: now - 3600 }
const done = { migratedAt: now - 60, createdAt: now - day }
const at = (sold: number | string | null) => found('live', { ...running, sold })
const key = (percent: number) => `progress:8453:${address}:${percent}`

test.each<[what: string, shares: (number | string | null)[], keys: string[][]]>([
  ['passing a mark', [10, 24.99, 25], [[live], [], [key(25)]]],
  ['jumping over several, once', [10, 80], [[live], [key(75)]]],
  ['the first share of a new auction', [30], [[live, key(25)]]],
  ['nothing again after falling back', [60, 40, 60, 76], [[live, key(50)], [], [], [key(75)]]],
  ['nothing again after an unknown', [60, null, 60, 80], [[live, key(50)], [], [], [key(75)]]],
  ['selling out only at the whole', [92, '99.99999999999999999'], [[live, key(90)], []]],
  ['selling out', [92, 100], [[live, key(90)], [key(100)]]],
  ['nothing impossible', [10, 9000], [[live], []]],
])('progress notifies of %s', (_what, shares, keys) => {
  expect(polls(shares.map(at)).keys).toEqual(keys)
})

test('an event has the share before and now, and is useful until the end', () => {
  const first = poll(undefined, at(12.5), { begunAt: undefined })
  expect(poll(first?.after, at(80))?.events).toMatchObject([
    { body: { from: '0.125', to: '0.8' }, at: now, usefulUntil: now + 2 * day },
  ])
})

test('a share from before the first poll is not notified, even if it becomes known later', () => {
  const first = poll(undefined, at(null), { begunAt: undefined })
  const second = poll(first?.after, at(60))
  expect([keysOf(second), keysOf(poll(second?.after, at(80)))]).toEqual([[], [key(75)]])
})

test('only percentages that somebody subscribed to count, from then on', () => {
  const first = poll(undefined, at(10), { begunAt: undefined })
  const rulesOf = (percents: number[]) => [{ kind: 'progress', setting: { percents } }] as const
  const keys = (percents: number[]) =>
    keysOf(poll(first?.after, at(80), { rules: rulesOf(percents) }))
  expect([[33, 66], [], [10]].map(keys)).toEqual([[key(66)], [], []])
  const unheard = poll(first?.after, at(60), { rules: [] })
  expect(keysOf(poll(unheard?.after, at(61), { rules: rulesOf([50]) }))).toEqual([])
})

test('after the auction only selling out counts; an announced one counts once it is live', () => {
  const first = poll(undefined, at(60))
  const end = (sold: number, by: 'graduated' | 'fetch', status?: string) =>
    keysOf(poll(first?.after, found(by, { ...done, sold, ...(status && { status }) })))
  expect(end(80, 'graduated')).toEqual([graduated])
  expect(end(100, 'graduated')?.sort()).toEqual([graduated, key(100)])
  expect(end(80, 'fetch', 'stall')).toEqual([])
  const announced = found('incoming', { ...running, sold: 30 })
  expect(polls([announced, at(30)]).keys).toEqual([[`incoming:8453:${address}`], [live, key(25)]])
})

test('after the end by our clock it is useful for a while; selling out for a day', () => {
  const over = { ...running, startsAt: now - 120, endsAt: now - 60 }
  const first = poll(undefined, found('live', { ...over, sold: 10 }))
  const usefulFor = (by: 'live' | 'graduated', sold: number) =>
    poll(first?.after, found(by, { ...done, ...over, sold }))?.events.find(
      ({ body }) => body.kind === 'progress',
    )?.usefulUntil
  expect(usefulFor('live', 60)).toBe(now + 900)
  expect(usefulFor('graduated', 100)).toBe(now + day)
})

test.each([
  ['reached to the digit', '0.2499', '0.25', true],
  ['just missed', '0.24', '0.2499999999999999999', false],
  ['passed before', '0.25', '0.4999', false],
  ['jumped over', '0.1', '0.9', true],
  ['fallen back', '0.6', '0.4', false],
  ['no number', '0.2', 'soon', false],
])(
  'a rule for 25 and 50%% matches a percentage that was passed: %s',
  (_what, from, to, isMatch) => {
    const { asset = undefined } = poll(undefined, at(1))?.after ?? {}
    const { detection } = progress
    if (detection.from !== 'asset-and-settings' || !asset) throw new Error('no settings')
    const body = { kind: 'progress', asset, from, to } as const
    expect(detection.matches({ percents: [25, 50] }, body)).toBe(isMatch)
  },
)
