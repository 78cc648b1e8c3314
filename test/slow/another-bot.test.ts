import { afterEach, beforeEach, expect, test } from 'vitest'
import { BotStartError } from '../../sandbox/bot.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { TestDatabase } from '../database.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'

const otherToken = '77:another-telegram-token'

let harness: Harness
let other: TelegramServer
let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
  other = await TelegramServer.start({ token: otherToken, floodLimits: false })
  harness = await startHarness({ env: { DATABASE_URL: `file:${database.address}` } })
})
afterEach(async () => {
  await harness?.stop()
  await other.stop()
  await database.remove()
})

/** What a bot says that does not start. */
async function refusal(env: Record<string, string> = {}): Promise<string[]> {
  const error: unknown = await harness.startBot(env).catch((reason: unknown) => reason)
  if (!(error instanceof BotStartError)) throw new Error('it started', { cause: error })
  expect(error.exit).toEqual({ code: 1, signal: null })
  return error.output.split('\n').filter((line) => line.includes('"fatal"'))
}

test('another Telegram bot on the same database ends with code 1 before it does anything, and the first goes on', async () => {
  await harness.bot.stop()
  const said = await refusal({ TELEGRAM_TOKEN: otherToken, TELEGRAM_API_ROOT: other.root })
  const why =
    'The database belongs to another bot on telegram (4242; this one is 77). Give this bot a database of its own'
  expect(said).toEqual([expect.stringContaining(why)])
  const called = other.calls.all.map(({ method }) => method)
  // It may have begun to watch the token, which only asks.
  expect(called.filter((method) => method !== 'getWebhookInfo')).toEqual(['getMe'])
  await harness.startBot()
})

test('another Discord bot on the same database ends with code 1', async () => {
  await harness.bot.stop()
  const store = await database.open()
  await store.updateTable('bots').set({ id: '1' }).where('platform', '=', 'discord').execute()
  await database.close()
  const said = await refusal()
  expect(said).toEqual([expect.stringContaining('another bot on discord (1; this one is ')])
})
