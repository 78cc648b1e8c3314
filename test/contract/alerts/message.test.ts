import { afterEach, beforeEach, expect, test } from 'vitest'
import { Messages } from '../../../src/alerts/notifier.ts'
import { createLogger } from '../../../src/log.ts'
import { Telling } from '../../unit/alerts/telling.ts'

let telling: Telling
beforeEach(async () => {
  telling = await Telling.start()
})
afterEach(() => telling.stop())

test.each([
  ['a second before its end', -1, true],
  ['at its end', 0, false],
  ['a second after its end', 1, false],
])('%s news is told or dropped', async (_, offset, isTold) => {
  const { outbox, views, follow, happen, states } = await telling.bot()
  await follow(telling.person(700_000))
  const news = { ...telling.news('Otter'), usefulUntil: telling.seconds() + 1000 }
  await happen([news])
  const [claim] = await outbox.claim('telegram', { maxChats: 1, maxEvents: 10, lease: 60 })
  if (!claim) throw new Error('nothing was claimed')
  const now = () => (news.usefulUntil + offset) * 1000
  const log = createLogger('debug', [], telling.log)
  const message = await new Messages({ outbox, views, log, now }).of(claim)
  expect(message !== undefined).toBe(isTold)
  expect(Object.keys(await states())).toEqual([isTold ? 'waiting' : 'dropped'])
})
