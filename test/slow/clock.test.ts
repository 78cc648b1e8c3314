import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 120_000 })

const hour = 3600

let harness: Harness
beforeAll(async () => {
  harness = await startHarness({
    canSetClock: true,
    telegramFloodLimits: true,
    discordRateLimits: true,
  })
})
afterAll(() => harness?.stop())

// People ask often enough to be counted, before and after each jump.
test('commands and buttons are answered at once after the clock jumped ahead or back, and was corrected', async () => {
  const visitors = [new TelegramUser(harness), new DiscordUser(harness)]
  const answers = async () => {
    for (const user of visitors) {
      await user.says('/help')
      await user.sees('/alerts')
      await user.says(`/asset ${showcaseAddresses.moonOtter}`)
      await user.sees('Moon Otter', '42% sold')
      await user.presses('Auction')
      await user.sees('Auction of Moon Otter')
      await user.says('/assets live')
      await user.sees('Live auctions on Base')
      await user.presses('Next ▶')
      await user.sees('Page 2')
    }
  }
  await answers()
  for (const ahead of [hour, 0, -hour, 0]) {
    await harness.setClock(ahead)
    await answers()
  }
  expect(harness.bot.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
})
