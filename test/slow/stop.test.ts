import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as cast from '../../sandbox/discord/cast.ts'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'

vi.setConfig({ testTimeout: 90_000 })

const channel: Subscriber = { platform: 'discord', kind: 'chat', id: cast.news.id }

let alerts: AlertHarness
beforeEach(async () => {
  alerts = await AlertHarness.start()
})
afterEach(() => alerts?.stop())

test('a stop while Discord answers neither an alert nor a command ends with exit code 0', async () => {
  const { bot, discord } = alerts.harness
  await alerts.follows([channel])
  discord.faults.set({ kind: 'mute' })
  const name = alerts.goesLive()
  await eventually(() => expect(alerts.messagesWith(channel, name)).toHaveLength(1))
  await discord.people.slash(cast.ada.id, cast.club.id, 'help', {}).message()
  expect(await bot.stop()).toEqual({ code: 0, signal: null })
})
