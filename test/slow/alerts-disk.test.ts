import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertHarness, eventually, type Subscriber } from '../e2e/alert-harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'

// What is claimed and can't be given back waits for its lease to end.
vi.setConfig({ testTimeout: 240_000 })

const run = promisify(execFile)

let alerts: AlertHarness
let people: Subscriber[]
beforeEach(async () => {
  alerts = await AlertHarness.start({ telegramFloodLimits: true, discordRateLimits: true })
  people = alerts.crowd(60)
  await alerts.follows(people)
})
afterEach(() => alerts?.stop())

/** Up to what size the running bot may write files: one byte is what a full disk is to it. */
async function room(bytes: number | 'unlimited'): Promise<void> {
  await run('prlimit', [`--pid=${alerts.harness.bot.pid}`, `--fsize=${bytes}:unlimited`])
}

/** What of that is said in the log, once for each platform and once for the chain, and nothing worse. */
function said(began: number, ended: number): void {
  for (const platform of ['telegram', 'discord']) {
    const about = `"platform":"${platform}"`
    expect(alerts.logged('alerts are held up', 'disk I/O error', about)).toBe(began)
    expect(alerts.logged('"alerts go on"', about)).toBe(ended)
  }
  expect(alerts.logged('a poll of a chain could not be stored', 'disk I/O')).toBe(began)
  expect(alerts.logged('polls of a chain are stored again')).toBe(ended)
  expect(alerts.logged('"level":"fatal"')).toBe(0)
}

test('a disk that fills during deliveries: nothing is lost, nothing is sent twice, and the log says why', async () => {
  const { bot } = alerts.harness
  const names = [alerts.goesLive()]
  await eventually(() => expect(alerts.counts(people, names[0] ?? '')).toContain(1))
  await room(1)
  names.push(alerts.goesLive())
  await eventually(() => said(1, 0))
  for (const user of [new TelegramUser(alerts.harness), new DiscordUser(alerts.harness)]) {
    await user.says('/help')
    await user.sees('/alerts')
  }
  await alerts.polled()
  said(1, 0)
  const [first = [], second = []] = names.map((name) => alerts.counts(people, name))
  expect(first).toContain(0)
  expect(second).not.toContain(1)
  await room('unlimited')
  for (const name of names) await alerts.everybodyHas(people, name)
  await eventually(async () => expect(await alerts.waiting()).toBe(0))
  for (const name of names) expect(alerts.counts(people, name)).toEqual(people.map(() => 1))
  await eventually(() => said(1, 1))
  expect((await bot.stop()).code).toBe(0)
})
