import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { showcaseAddresses } from '../../sandbox/interface/showcase.ts'
import { startTown, type Town } from '../e2e/town.ts'
import { DiscordVisitor, TelegramVisitor } from '../e2e/visitor.ts'

vi.setConfig({ testTimeout: 120_000 })

const hour = 3600

let town: Town
beforeAll(async () => {
  town = await startTown({ hasOwnClock: true, telegramFloodLimits: true, discordRateLimits: true })
})
afterAll(() => town?.stop())

// People ask often enough to be counted, before and after each jump.
test('commands and buttons answer at once after the clock jumped ahead or back, and was put right', async () => {
  const visitors = [new TelegramVisitor(town), new DiscordVisitor(town)]
  const answers = async () => {
    for (const visitor of visitors) {
      await visitor.says('/help')
      await visitor.sees('/alerts')
      await visitor.says(`/asset ${showcaseAddresses.moonOtter}`)
      await visitor.sees('Moon Otter', '42 % sold')
      await visitor.presses('Auction')
      await visitor.sees('Auction of Moon Otter')
      await visitor.says('/assets live')
      await visitor.sees('Live assets on Base')
      await visitor.presses('Next ▶')
      await visitor.sees('Page 2')
    }
  }
  await answers()
  for (const ahead of [hour, 0, -hour, 0]) {
    await town.setClock(ahead)
    await answers()
  }
  expect(town.bot.logs.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
})
