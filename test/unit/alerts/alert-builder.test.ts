import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlertBuilder } from '../../../src/alerts/alert-builder.ts'
import { createLogger } from '../../../src/log.ts'
import { auction, NotifierHarness } from './notifier-harness.ts'

let harness: NotifierHarness
beforeEach(async () => {
  harness = await NotifierHarness.start()
})
afterEach(() => harness.stop())

test.each([
  ['when it can arrive before its end', -11, true],
  ['when it would arrive at its end', -10, false],
  ['a second after its end', 1, false],
])('%s, an event is sent or dropped', async (_, offset, isTold) => {
  const { outbox, views, subscribe, enqueue, states } = await harness.bot()
  await subscribe(harness.person(700_000))
  const event = { ...harness.liveEvent('Otter'), usefulUntil: harness.seconds() + 1000 }
  await enqueue([event])
  const claim = await outbox.claim('telegram', 10)
  if (!claim) throw new Error('nothing was claimed')
  const now = () => (event.usefulUntil + offset) * 1000
  const log = createLogger('debug', [], harness.log)
  const builder = new AlertBuilder({ platform: harness.platform, outbox, views, log, now })
  const alert = await builder.next(claim)
  expect(alert !== undefined).toBe(isTold)
  expect(Object.keys(await states())).toEqual([isTold ? 'waiting' : 'dropped'])
})

/** What is told of two auctions, one of them a fake, and what became of the deliveries. */
async function toldOf(
  kind: 'incoming' | 'live' | 'graduated',
  isFake: (asset: string) => Promise<boolean>,
) {
  const { outbox, views, subscriptions, subscribe, enqueue, states } = await harness.bot()
  const chat = harness.person(700_000)
  await subscribe(chat)
  const to = { platform: 'telegram', kind: 'person', id: String(chat) } as const
  for (const each of ['incoming', 'graduated'] as const) {
    await subscriptions.subscribe(to, { kind: each, setting: {}, scope: {} })
  }
  const events = ['Otter', 'Heron'].map((name) => {
    const event = harness.liveEvent(name)
    return { ...event, body: { kind, asset: auction(name) } }
  })
  await enqueue(events)
  const claim = await outbox.claim('telegram', 10)
  if (!claim) throw new Error('nothing was claimed')
  const log = createLogger('debug', [], harness.log)
  const { platform, now } = harness
  const builder = new AlertBuilder({ platform, outbox, views, isFake, log, now })
  const alert = await builder.next(claim)
  return { told: alert?.events.map(({ asset }) => asset), states: Object.keys(await states()) }
}

const otter = auction('Otter').asset_address.toLowerCase()
const heron = auction('Heron').asset_address.toLowerCase()

test.each(['live', 'incoming'] as const)(
  'a fake is not told as a new auction: %s',
  async (kind) => {
    const { told, states } = await toldOf(kind, async (asset) => asset === otter)
    expect(told).toEqual([heron])
    expect(states.sort()).toEqual(['dropped', 'waiting'])
    expect(harness.log.of('info').join()).toContain('the API calls it a fake')
  },
)

test('a fake that people follow is told of otherwise', async () => {
  expect((await toldOf('graduated', async () => true)).told).toEqual([otter, heron])
})

test('an auction is told as usual while the API does not say whether it is a fake', async () => {
  const silent = () => new Promise<never>(() => undefined)
  expect((await toldOf('live', silent)).told).toEqual([otter, heron])
})

test('a message that may have arrived goes out again whole, although one of its events is over', async () => {
  const { outbox, views, subscribe, enqueue } = await harness.bot()
  await subscribe(harness.person(700_000))
  const from = harness.seconds()
  const events = [
    { ...harness.liveEvent('Otter'), usefulUntil: from + 1000 },
    { ...harness.liveEvent('Heron'), usefulUntil: from + 5000 },
  ]
  await enqueue(events)
  const first = await outbox.claim('telegram', 10)
  if (!first) throw new Error('nothing was claimed')
  const noAnswer = { kind: 'retry', runAt: from, reason: 'no answer', uncertain: true } as const
  await outbox.record(first, first.events, noAnswer, 0)
  const again = await outbox.claim('telegram', 10)
  if (!again) throw new Error('nothing was claimed again')
  const now = () => (from + 2000) * 1000
  const log = createLogger('debug', [], harness.log)
  const builder = new AlertBuilder({ platform: harness.platform, outbox, views, log, now })
  const alert = await builder.next(again)
  expect(alert?.events.map(({ id }) => id)).toEqual(first.events)
})
