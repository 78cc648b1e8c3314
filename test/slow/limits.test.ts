import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import * as telegramCast from '../../sandbox/telegram/cast.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { TelegramUser } from '../e2e/users.ts'

let harness: Harness | undefined
afterEach(() => harness?.stop())

test('answers wait for Telegram’s limits: none is refused and none is lost', async () => {
  harness = await startHarness({ telegramFloodLimits: true })
  const { people, calls } = harness.telegram
  for (let count = 0; count < 9; count++) people.text(1, 1, '/help')
  const answers = () => people.messages(1).filter(({ sender }) => sender.isBot).length
  await expect.poll(answers, { timeout: 25_000 }).toBe(9)
  expect(calls.all.filter(({ status }) => status === 429)).toEqual([])
})

test('two hundred people who ask within a second are all answered, and none is refused', async () => {
  harness = await startHarness({ telegramFloodLimits: true })
  const { people, calls, api } = harness.telegram
  const latencies = await people.flood({ count: 200, text: '/help' })
  expect(Math.max(...latencies)).toBeLessThan(12_000)
  expect(api.tally.refused).toBe(0)
  const typing = calls.of('sendChatAction').length
  expect(typing).toBeGreaterThan(20)
  expect(typing).toBeLessThan(200)
})

test('a member who floods a group is told once where to go on, and the group has room for others and for alerts', async () => {
  harness = await startHarness({ telegramFloodLimits: true })
  const { people, calls } = harness.telegram
  const { ada, ben, club } = telegramCast
  for (let count = 0; count < 57; count++) {
    people.text(ada.id, club.id, '/asset moon')
    await delay(20)
  }
  const texts = () =>
    people.messages(club.id).flatMap(({ sender, text }) => (sender.isBot ? [text] : []))
  const told = ({ text }: { text: string }) => text.includes('Ask me in a DM')
  await people.waitFor(club.id, told, { timeoutMs: 40_000 })
  const before = texts().length
  expect(before).toBeLessThanOrEqual(12)
  people.text(ben.id, club.id, '/asset moon')
  await expect.poll(() => texts().length, { timeout: 25_000 }).toBe(before + 1)
  expect(texts().filter((text) => text.includes('Ask me in a DM'))).toHaveLength(1)
  expect(calls.all.filter(({ status }) => status === 429)).toEqual([])
  people.text(ada.id, ada.id, '/help')
  await people.waitFor(ada.id, ({ text }) => text.includes('Commands'))
})

test('a person over the limit is warned once, and others are answered meanwhile', async () => {
  harness = await startHarness()
  const { people } = harness.telegram
  for (let count = 0; count < 60; count++) people.text(1, 1, '/help')
  const ben = new TelegramUser(harness, telegramCast.ben.id)
  await ben.says(`/asset ${showcaseAddresses.lantern}`)
  await ben.sees('Paper Lantern')
  await people.waitFor(1, ({ text }) => text.includes('That’s a lot at once'))
  await delay(300)
  const texts = people.messages(1).filter(({ sender }) => sender.isBot)
  expect(texts.filter(({ text }) => text.includes('a lot at once'))).toHaveLength(1)
  expect(texts.length).toBeLessThan(60)
})

test('a person who blocks the bot causes one line in the log', async () => {
  harness = await startHarness()
  const { people } = harness.telegram
  people.text(telegramCast.ben.id, telegramCast.ben.id, '/help')
  people.block(telegramCast.ben.id)
  const ada = new TelegramUser(harness)
  await ada.says('/help')
  await ada.sees('Commands')
  expect(harness.output()).not.toMatch(/"level":"error"/u)
})
