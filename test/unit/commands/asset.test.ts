import { expect, onTestFinished, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { shown } from '../views/shown.ts'
import { startCommands } from './bot.ts'

test('a card is shown with its age while the API fails, and without once it answers', async () => {
  const harness = await startCommands({ cacheMs: 0 })
  onTestFinished(() => harness.stop())
  const context = {
    platform: telegram,
    user: 'ada',
    chat: 'ada',
    ephemeral: true,
    isPrivate: true,
    locale: 'en',
  } as const
  const line = `asset ${showcaseAddresses.moonOtter}`
  const card = async () => shown((await harness.bot.answer(harness.bot.parse(line), context)).view)
  const fresh = await card()
  harness.apiServer.faults.set({ kind: 'status', status: 500 })
  let stale: string[] = []
  const shownNow = async () => {
    stale = await card()
    return stale.join('\n')
  }
  await expect.poll(shownNow).toContain('Data provider unreachable – showing data from')
  expect(stale.slice(0, 2)).toEqual(fresh.slice(0, 2))
  harness.apiServer.faults.clear()
  await expect.poll(shownNow, { timeout: 20_000 }).not.toContain('does not answer')
})
