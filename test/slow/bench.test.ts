import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { measureDelivery } from '../../bench/alerts.ts'
import { answerFile, bareBots, storeAnswer, withBots } from '../../bench/bots.ts'
import { measureAtRate, measureMemory } from '../../bench/commands.ts'
import { platforms } from '../../bench/platforms.ts'
import { measurePolls } from '../../bench/polls.ts'

// Each study with as little as goes through every part.

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-bench-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each(platforms)(
  'on %s the bare bot answers with the same card as Gavel, at the same rate, after as many assets',
  async (platform) => {
    expect(await storeAnswer(platform, folder)).toBeGreaterThan(500)
    const card: unknown = JSON.parse(await readFile(answerFile(folder, platform), 'utf8'))
    const both = [{ name: 'Gavel', platform }, bareBots[platform]]
    const plan = { perSecond: 20, rounds: 2, secondsARound: 1 }
    for (const rows of await measureAtRate(both, folder, plan)) {
      expect(rows.map(({ latencies }) => latencies.length)).toEqual([40, 40])
      expect(rows[1]?.ratio).toBe(1)
    }
    for (const areDifferent of [false, true]) {
      const [gavel, bare] = await measureMemory(both, folder, { commands: 200, areDifferent })
      expect([gavel?.ratio, bare?.ratio]).toEqual([expect.any(Number), 1])
    }
    await withBots([bareBots[platform]], folder, async ([bot]) => {
      await bot?.send(['0x1'])
      expect(bot?.lastAnswer()).toMatchObject(Object(card))
      expect(() => bot?.check(['0x1'])).not.toThrow()
    })
    await withBots([{ name: 'Gavel', platform }], folder, async ([bot]) => {
      await bot?.send(['0x1'])
      expect(() => bot?.check(['0x1'])).toThrow('no card')
    })
  },
)

test('every chat is notified once', { timeout: 60_000 }, async () => {
  const rows = await measureDelivery(folder, { chats: 4, timeoutSeconds: 40 })
  for (const { chats, messages, refused, commands } of rows) {
    expect({ chats, messages, refused }).toEqual({ chats: 4, messages: 4, refused: 0 })
    expect(commands.length).toBeGreaterThan(0)
  }
})

test('polls tell of each new asset at once, and show each that is followed', async () => {
  const plan = { name: '', assets: 1_200, followed: 20, recent: 5, minutes: 5 }
  const { requests, polls, followedUnseen } = await measurePolls(join(folder, 'polls.db'), plan)
  expect(Math.max(...requests)).toBeLessThanOrEqual(25)
  expect(polls).toBe(1)
  expect(followedUnseen).toBeLessThan(60)
})
