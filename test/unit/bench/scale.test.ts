import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickScale } from '../../../bench/scale/checks.ts'
import { constants } from '../../../bench/scale/constants.ts'
import { looking, paceOf, sharding, storage, telling } from '../../../bench/scale/model.ts'
import { scaleMarkdown } from '../../../bench/scale/report.ts'
import { play } from '../../../bench/scale/simulation.ts'
import { errorOf, measureScale, type ScaleReport, tolerance } from '../../../bench/scale/study.ts'

const run = { command: 'npm run bench', node: '24', cores: 2, date: '2026-01-01', load: 0 }

let folder: string
let report: ScaleReport
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-scale-test-'))
  report = { ...run, ...(await measureScale(folder, quickScale, () => undefined)) }
}, 180_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the model', () => {
  test('says what the simulation comes to, and what was measured, within its tolerance', () => {
    expect(report.checks.length).toBeGreaterThan(10)
    for (const check of report.checks) {
      expect(Math.abs(errorOf(check)), check.what).toBeLessThanOrEqual(tolerance)
      const { model, measured = model } = check
      expect(Math.abs(model / measured - 1), check.what).toBeLessThanOrEqual(tolerance)
    }
  })

  test('counts the bytes that rows of SQLite take', () => {
    for (const name of ['deliveryBytes', 'followBytes', 'destinationBytes'] as const) {
      const share = report.database[name] / constants[name].value
      expect(share, name).toBeGreaterThan(0.8)
      expect(share, name).toBeLessThan(1.2)
    }
  })

  test('takes answers from what is left for alerts on Telegram, and not on Discord', () => {
    const load = { chats: 1_000, newsADay: 1, commandsASecond: 9.7 }
    expect(telling({ ...load, platform: 'telegram' }).rate).toBeCloseTo(20)
    expect(telling({ ...load, platform: 'discord' }).rate).toBe(paceOf('discord'))
  })

  test('tells nobody where answers take all that Telegram permits', () => {
    const load = { chats: 1_000, newsADay: 1, commandsASecond: 40 }
    const { lastSeconds, together } = telling({ ...load, platform: 'telegram' })
    expect({ lastSeconds, together }).toEqual({
      lastSeconds: Number.POSITIVE_INFINITY,
      together: 10,
    })
  })

  test('has a backlog that grows from where ten alerts in each message are too few', () => {
    const growthAt = (newsADay: number) =>
      telling({ platform: 'telegram', chats: 10_000, newsADay, commandsASecond: 0 }).backlogGrowth
    expect(growthAt(2_500)).toBe(0)
    expect(growthAt(2_600)).toBeGreaterThan(0)
  })

  test('counts auctions beyond those that are watched, and no pages for them', () => {
    expect(looking(25_000)).toMatchObject({ beyond: 5_000, requests: looking(20_000).requests })
  })

  test('needs a second shard for one server more than a shard may have', () => {
    expect([2_500, 2_501].map((guilds) => sharding(guilds).shards)).toEqual([1, 2])
  })

  test('has a database that grows with chats and with what they hear', () => {
    const one = storage(1_000, 10, 3)
    expect(storage(2_000, 10, 3).bytes).toBe(2 * one.bytes)
    expect(storage(1_000, 20, 3).deliveries).toBe(2 * one.deliveries)
  })
})

describe('the simulation', () => {
  const scenario = {
    platform: 'telegram',
    chats: 300,
    news: [0, 1, 400],
    commandsASecond: 5,
    way: { least: 40, spread: 40 },
    seed: 7,
  } as const

  test('comes to the same with the same seed, and to something else with another', async () => {
    const [first, again, other] = [
      await play(scenario),
      await play(scenario),
      await play({ ...scenario, seed: 8 }),
    ]
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  for (const platform of ['telegram', 'discord'] as const) {
    test(`tells every chat of ${platform} everything once, gathers what waits, and is refused nothing`, async () => {
      const played = await play({ ...scenario, platform })
      expect(played).toMatchObject({ told: 900, backlog: 0, refused: { alerts: 0, answers: 0 } })
      expect(played.lastSeconds.every((each) => each !== undefined)).toBe(true)
      expect(played.messages).toBeLessThan(900)
    })
  }
})

test('the page has the tables that the model comes to today', async () => {
  const page = await readFile(new URL('../../../docs/scale.md', import.meta.url), 'utf8')
  const tables = scaleMarkdown(report).split('\n### ')
  const computed = tables.filter((each) => /^(?:Chats|Assets)\n/u.test(each))
  expect(computed).toHaveLength(2)
  for (const each of computed) expect(page).toContain(each.trim())
  expect(scaleMarkdown(report)).not.toContain('NaN')
})
