import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BotStartError } from '../../sandbox/bot.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ replicas: { count: 1 }, env: { DISCORD_SHARDS: '0-1/4' } })
})
afterEach(() => harness?.stop())

/** Why another replica with these settings does not start: its exit code, and what it says of that. */
async function refusal(
  env: Record<string, string>,
): Promise<{ code: number | null; said: string[] }> {
  const error: unknown = await harness.startBot(env).catch((reason: unknown) => reason)
  if (!(error instanceof BotStartError)) throw new Error('it started', { cause: error })
  const said = error.output.split('\n').filter((line) => line.includes('"level":"fatal"'))
  return { code: error.exit.code, said }
}

/** Resolves once so many of the shards are heard by nobody. */
async function seesUnheard(count: number): Promise<void> {
  const metrics = new URL('/metrics', harness.running()[0]?.healthUrl)
  const read = async () => (await fetch(metrics)).text()
  const figure = `gavel_discord_shards_unheard ${count}\n`
  await vi.waitFor(async () => expect(await read()).toContain(figure), 30_000)
}

test('a replica whose shards overlap those of another says so and ends with code 1; the same or others go well', async () => {
  const { code, said } = await refusal({ DISCORD_SHARDS: '1-2/4' })
  expect([code, said]).toEqual([1, [expect.stringContaining('shards 0-1/4')]])
  await seesUnheard(2)
  await harness.startBot({ DISCORD_SHARDS: '2-3/4' })
  await seesUnheard(0)
  await harness.startBot()
  expect(harness.running()).toHaveLength(3)
})

test('a replica that would receive in another way than those that run does not start, and disturbs none', async () => {
  const before = harness.telegram.api.webhook.settings?.url
  const polling = await refusal({ TELEGRAM_UPDATES: 'polling' })
  expect([polling.code, polling.said]).toEqual([1, [expect.stringContaining('stop all replicas')]])
  const called = await refusal({ DISCORD_INTERACTIONS: 'http', DISCORD_SHARDS: 'auto' })
  expect([called.code, called.said]).toEqual([1, [expect.stringContaining('stop all replicas')]])
  expect(before).toBe(`${harness.balancer?.url}/telegram`)
  expect(harness.telegram.api.webhook.settings?.url).toBe(before)
  expect(harness.discord.endpoint.url).toBeNull()
})

test('a replica with another PUBLIC_URL does not start, and the webhook stays with the others', async () => {
  const before = harness.telegram.api.webhook.settings?.url
  const { code, said } = await refusal({ PUBLIC_URL: 'http://127.0.0.1:9' })
  const { host } = new URL(harness.balancer?.url ?? '')
  expect([code, said]).toEqual([1, [expect.stringContaining(`Telegram calls ${host},`)]])
  expect(said.join()).toContain('stop all replicas before it is changed')
  expect(harness.telegram.api.webhook.settings?.url).toBe(before)
})
