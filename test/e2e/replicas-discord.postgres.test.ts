import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { startTown, type Town } from './town.ts'
import { DiscordVisitor } from './visitor.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let database: TestDatabase
let town: Town
beforeAll(async () => {
  database = await TestDatabase.make()
  const replicas = { count: 2, database: database.address }
  town = await startTown({ replicas, env: { DISCORD_INTERACTIONS: 'http' } })
  await vi.waitFor(() => expect(town.discord.endpoint.url).toBe(`${town.spread?.url}/discord`), {
    timeout: 30_000,
  })
})
afterAll(async () => {
  await town?.stop()
  await database?.remove()
})

test('without a gateway each interaction is answered once, by whichever replica it hits', async () => {
  town.spread?.inTurn()
  const before = new Map(town.spread?.calls)
  const ada = new DiscordVisitor(town)
  const topics = [
    'search',
    'asset',
    'assets',
    'auction',
    'alerts',
    'launch',
    'launches',
    'metadata',
  ]
  for (const topic of topics) {
    await ada.says(`/help ${topic}`)
    await ada.sees(`/${topic}`)
  }
  const calls = town.spread?.calls ?? new Map<string, number>()
  const counts = [...calls].map(([target, count]) => count - (before.get(target) ?? 0))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(topics.length)
  expect(counts.filter((count) => count > 0)).toHaveLength(2)
})

test('a press is answered by another replica than the command', async () => {
  const ada = new DiscordVisitor(town)
  await ada.says('/assets live')
  await ada.sees('Live assets', 'Page 1')
  await ada.presses('Next ▶')
  await ada.sees('Live assets', 'Page 2')
})
