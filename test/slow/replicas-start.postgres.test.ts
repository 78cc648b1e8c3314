import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Harness, startHarness } from '../e2e/harness.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ replicas: { count: 1 }, env: { DISCORD_SHARDS: '0-1/4' } })
})
afterEach(() => harness?.stop())

test('each process hears the shards of its own range, whichever leads', async () => {
  expect(harness.discord.shards).toEqual(['0/4', '1/4'])
  await harness.startBot({ DISCORD_SHARDS: '2-3/4' })
  expect(harness.discord.shards).toEqual(['0/4', '1/4', '2/4', '3/4'])
  const [leader] = harness.running()
  await leader?.stop()
  await expect.poll(() => harness.discord.shards, { timeout: 20_000 }).toEqual(['2/4', '3/4'])
})
