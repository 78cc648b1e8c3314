import { afterEach, beforeEach, expect, test } from 'vitest'
import { Called } from '../unit/telegram/webhook-bot.ts'

/** Telegram and the bot, ten times as fast as they are. */
const factor = 10
const limits = { all: 30 * factor, person: factor, group: 20 * factor }
const count = 3

let called: Called
beforeEach(async () => {
  called = await Called.open({ floodLimits: { factor } })
})
afterEach(() => called.close())

const replica = () => called.replica({ limits, share: () => 1 / count })

test('a thousand people who ask three replicas within a second are all answered, in order, and none is refused', async () => {
  const { server } = called
  for (let each = 0; each < count; each += 1) await replica()
  // Calls of setWebhook that come together are refused, and made again.
  const { refused } = server.api.tally
  const people = Array.from({ length: 1_000 }, (_, index) => 5_000_000 + index)
  for (const [index, id] of people.entries()) {
    server.api.world.guest(id, index)
    server.people.text(id, id, '/ask moon')
    server.people.text(id, id, '/ask otter')
  }
  await expect.poll(() => server.api.tally.total, { timeout: 40_000 }).toBe(2 * people.length)
  expect(server.api.tally.refused).toBe(refused)
  for (const id of people) expect(called.texts(id)).toEqual(['ask moon', 'ask otter'])
})
