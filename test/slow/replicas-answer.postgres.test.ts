import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { launchBrowser } from '../../sandbox/browser.ts'
import { type LaunchHarness, startLaunchHarness } from '../e2e/launch-harness.ts'
import { connects, opensLink, reviewed, signs } from '../e2e/launch-steps.ts'
import { TelegramUser } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let harness: LaunchHarness
let browser: Browser
beforeAll(async () => {
  ;[harness, browser] = await Promise.all([
    startLaunchHarness({}, undefined, { count: 3 }),
    launchBrowser(),
  ])
})
afterAll(async () => {
  await browser?.close()
  await harness?.stopAll()
})

/** How many replicas were called since. */
function called(before: ReadonlyMap<string, number>): number {
  const calls = harness.balancer?.calls ?? new Map<string, number>()
  return [...calls].filter(([target, count]) => count > (before.get(target) ?? 0)).length
}

test('commands that hit replicas at random are answered once each, and in each chat in order', async () => {
  const { telegram, balancer } = harness
  const before = new Map(balancer?.calls)
  const people = telegram.circumstances.crowd(20)
  const commands = ['/help search', '/help asset', '/help assets', '/help alerts', '/help launch']
  for (const line of commands)
    for (const person of people) telegram.people.text(person, person, line)
  const answers = (person: number) =>
    telegram.people
      .messages(person)
      .filter(({ sender }) => sender.isBot)
      .map(({ text }) => text.replace(/\u2060/gu, '').split(/[\s:]/u)[0])
  await vi.waitFor(
    () => {
      for (const person of people) expect(answers(person)).toHaveLength(commands.length)
    },
    { timeout: 60_000, interval: 100 },
  )
  for (const person of people) {
    expect(answers(person)).toEqual(['/search', '/asset', '/assets', '/alerts', '/launch'])
  }
  expect(called(before)).toBe(3)
})

test('a launch whose every step hits another replica ends on the chain, by a link that any of them serves', async () => {
  const before = new Map(harness.balancer?.calls)
  harness.balancer?.inTurn()
  const ada = new TelegramUser(harness)
  await reviewed(ada, harness, 'TURNS')
  await ada.presses('Confirm')
  await ada.sees('Ready to sign')
  const page = await opensLink(ada, harness, browser)
  await connects(page)
  await signs(page)
  await ada.hears('Launched', 'TURNS')
  await page.context().close()
  expect(called(before)).toBe(3)
  const { uploaded, built } = harness.apiServer.launches
  expect([uploaded.length, built.length]).toEqual([1, 1])
})
