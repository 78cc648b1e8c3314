import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlertBuilder } from '../../../src/alerts/alert-builder.ts'
import { createLogger } from '../../../src/log.ts'
import { NotifierHarness } from './notifier-harness.ts'

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
  const news = { ...harness.liveEvent('Otter'), usefulUntil: harness.seconds() + 1000 }
  await enqueue([news])
  const [claim] = await outbox.claim('telegram', { maxChats: 1, maxEvents: 10, lease: 60 })
  if (!claim) throw new Error('nothing was claimed')
  const now = () => (news.usefulUntil + offset) * 1000
  const log = createLogger('debug', [], harness.log)
  const builder = new AlertBuilder({ platform: harness.platform, outbox, views, log, now })
  const alert = await builder.next(claim)
  expect(alert !== undefined).toBe(isTold)
  expect(Object.keys(await states())).toEqual([isTold ? 'waiting' : 'dropped'])
})
