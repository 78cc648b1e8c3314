import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureDelivery } from '../../bench/alerts.ts'
import { answerFile, withBots } from '../../bench/bots.ts'
import { baselines, measureDifferent, measureRates, storeAnswer } from '../../bench/commands.ts'
import { measureMatching } from '../../bench/matching.ts'
import { platforms } from '../../bench/platforms.ts'
import { measurePolls } from '../../bench/polls.ts'
import { measureRows } from '../../bench/scale.ts'

// Each study with as little as goes through every part.

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-bench-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(platforms)('the baselines of %s answer with the same card as Gavel', async (platform) => {
  expect(await storeAnswer(platform, folder)).toBeGreaterThan(500)
  const { bare, raw } = baselines[platform]
  const card: unknown = JSON.parse(await readFile(answerFile(folder, platform), 'utf8'))
  await withBots([raw, bare], folder, async (bots) => {
    const rows = await measureRates(bots, { warmUpBatches: 1, batchesPerRound: 2 }, 2)
    // The warm-up, and in each round one command before the two batches.
    expect(rows.map(({ commands }) => commands)).toEqual([502, 502])
    expect(rows[1]?.ratio).toBe(1)
    for (const bot of bots) expect(bot.lastAnswer()).toMatchObject(Object(card))
  })
})

test.each(platforms)(
  'each command for another asset asks the API for it on %s',
  async (platform) => {
    await storeAnswer(platform, folder)
    const setups = [{ name: 'Gavel', platform }, baselines[platform].bare]
    const plan = { warmUpBatches: 1, batchesPerRound: 2, rounds: 2 }
    const { first, again } = await measureDifferent(setups, folder, plan)
    const [asked = 0, askedByBare] = first.map(({ requests }) => requests)
    // The asset, and the two lists of its risks where only few cards ask for theirs.
    expect(asked).toBeGreaterThanOrEqual(1)
    expect(asked).toBeLessThanOrEqual(3)
    expect(askedByBare).toBe(0)
    const [askedAgain = 0] = again.map(({ requests }) => requests)
    expect(askedAgain).toBeLessThan(asked)
  },
)

test('every chat is notified once', { timeout: 60_000 }, async () => {
  const plan = { chats: 4, quietSeconds: 1, timeoutSeconds: 40 }
  const delivery = await measureDelivery(folder, plan)
  for (const { chats, messages, refused, busy } of delivery.platforms) {
    expect({ chats, messages, refused }).toEqual({ chats: 4, messages: 4, refused: 0 })
    expect(busy.length).toBeGreaterThan(0)
  }
})

test('both layouts match the same chats', async () => {
  // It throws if they differ.
  const plan = { subscriptions: 4_000, rounds: 1 }
  const [wide, narrow] = await measureMatching(join(folder, 'matching.db'), plan)
  expect(wide?.deliveries).toBeGreaterThan(narrow?.deliveries ?? 0)
})

test('polls tell of each new asset at once, and show each that is followed', async () => {
  const plan = { name: '', assets: 1_200, followed: 20, recent: 5, minutes: 5 }
  const { requests, polls, followedUnseen } = await measurePolls(join(folder, 'polls.db'), plan)
  expect(Math.max(...requests)).toBeLessThanOrEqual(25)
  expect(polls).toBe(1)
  expect(followedUnseen).toBeLessThan(60)
})

test('rows take as many bytes as docs/scale.md says', async () => {
  const bytes = await measureRows(join(folder, 'rows.db'), 20_000)
  for (const [name, counted] of [
    ['deliveries', 34],
    ['subscriptions', 23],
    ['chats', 73],
  ] as const) {
    expect((bytes.get(name) ?? 0) / counted, name).toBeCloseTo(1, 0.5)
  }
})
