import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'

vi.setConfig({ testTimeout: 480_000 })

/** A run prints what it was drawn by; `KILL_SEED` draws the same again. */
const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31))

let alerts: AlertHarness
beforeEach(async () => {
  alerts = await AlertHarness.start({
    telegramFloodLimits: true,
    discordRateLimits: true,
    env: { CARDS: 'off' },
  })
})
afterEach(() => alerts?.stop())

/** How many messages each of them got. */
function counts(subscribers: readonly Subscriber[]): number[] {
  const { telegram, discord } = alerts.harness
  return subscribers.map(({ platform, id }) =>
    platform === 'telegram' ? telegram.api.tally.in(Number(id)) : discord.world.tally.in(id),
  )
}

test('killed twenty times during 2,000 deliveries, the bot sends to everybody, and at most one message twice per kill', async () => {
  const kills = 20
  process.stdout.write(`KILL_SEED=${seed}\n`)
  const delays = fc.sample(fc.noBias(fc.integer({ min: 100, max: 1000 })), { seed, numRuns: kills })
  const subscribers = alerts.crowd(1000)
  await alerts.follows(subscribers)
  alerts.goesLive()
  await eventually(() => expect(counts(subscribers).some((count) => count > 0)).toBe(true))
  for (const each of delays) {
    await delay(each)
    await alerts.harness.bot.kill()
    await alerts.harness.startBot()
  }
  await eventually(
    () => expect(counts(subscribers).every((count) => count > 0)).toBe(true),
    240_000,
  )
  await eventually(async () => expect(await alerts.waiting()).toBe(0), 90_000)
  const [telegram, discord] = (['telegram', 'discord'] as const).map((platform) => {
    const own = counts(subscribers.filter((each) => each.platform === platform))
    return own.reduce((sum, count) => sum + count - 1, 0)
  })
  const duplicates = `${telegram} on Telegram and ${discord} on Discord`
  const said = `${subscribers.length} deliveries, ${kills} kills (KILL_SEED=${seed}), duplicates: ${duplicates}`
  process.stdout.write(`${said}\n`)
  expect(telegram).toBeLessThanOrEqual(kills)
  // Discord knows a message by its nonce.
  expect(discord).toBe(0)
  const refused = [
    alerts.harness.telegram.api.tally.refused,
    alerts.harness.discord.world.tally.refused,
  ]
  expect(refused).toEqual([0, 0])
})
