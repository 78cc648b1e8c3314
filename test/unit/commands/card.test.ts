import { afterEach, beforeEach, expect, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/interface/showcase.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { shown } from '../views/shown.ts'
import { type CommandTown, startCommands } from './bot.ts'

let town: CommandTown
beforeEach(async () => {
  town = await startCommands({ cacheMs: 1 })
})
afterEach(() => town.stop())

const context = {
  platform: telegram,
  user: 'ada',
  chat: 'ada',
  ephemeral: true,
  isPrivate: true,
} as const
const card = async () =>
  (await town.bot.answer(town.bot.parse(`asset ${showcaseAddresses.moonOtter}`), context)).view

test('a card that the interface no longer gives is shown with its age, and without once it does', async () => {
  const fresh = shown(await card())
  town.upstream.faults.set({ kind: 'status', status: 500 })
  let stale: string[] = []
  const shownNow = async () => {
    stale = shown(await card())
    return stale.join('\n')
  }
  await expect.poll(shownNow).toContain('The data source does not answer. As of')
  expect(stale.slice(0, 2)).toEqual(fresh.slice(0, 2))
  town.upstream.faults.clear()
  await expect
    .poll(async () => shown(await card()).join('\n'), { timeout: 20_000 })
    .not.toContain('does not answer')
})
