import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ApiServer } from '../../sandbox/api/server.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { App } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { createLogger } from '../../src/log.ts'
import { TestDatabase } from '../database.ts'
import { LogBook } from '../unit/core/log-book.ts'

const key = 'an-api-key-for-tests'
const telegramToken = '4242:telegram-token-for-tests'
const discordToken = 'discord.token-for.tests'

let database: TestDatabase
let apiServer: ApiServer
let telegram: TelegramServer
let discord: DiscordServer
let log: LogBook
/** Once, whoever wants it. */
let stop: () => Promise<void>
beforeEach(async () => {
  database = await TestDatabase.make()
  apiServer = await ApiServer.start({ key })
  telegram = await TelegramServer.start({ token: telegramToken, floodLimits: false })
  discord = await DiscordServer.start({ token: discordToken, rateLimits: false })
  log = new LogBook()
  stop = async () => undefined
})
afterEach(async () => {
  await stop()
  await Promise.all([apiServer.stop(), telegram.stop(), discord.stop()])
  await database.remove()
})

async function open(platform: 'telegram' | 'discord'): Promise<App> {
  const settings = {
    telegram: { TELEGRAM_TOKEN: telegramToken, TELEGRAM_API_ROOT: telegram.root },
    discord: { DISCORD_TOKEN: discordToken, DISCORD_API_ROOT: discord.root },
  }
  const config = await readConfig({
    API_BASE_URL: apiServer.baseUrl,
    API_KEY: key,
    ...settings[platform],
    DATABASE_URL: database.address,
    PORT: '0',
    HOST: '127.0.0.1',
  })
  const app = await App.create(config, createLogger('info', [], log), () => undefined)
  let stopped: Promise<void> | undefined
  stop = () => {
    stopped ??= app.stop()
    return stopped
  }
  return app
}

const said = () => log.lines.map(({ msg }) => msg)

test('a start logs that it is ready once it is', async () => {
  const app = await open('telegram')
  await app.start()
  expect(said().at(-1)).toBe('ready')
})

/** The processes that are alive on the database. */
const alive = async () => {
  const { rows } = await sql`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'gavel leadership'`.execute(
    await database.open(),
  )
  return rows
}

test('a stop while a platform starts ends the start, and nothing leads', async () => {
  const app = await open('telegram')
  telegram.fault = (method) => {
    if (method === 'getMe') void stop()
    return undefined
  }
  // It fails where the stop is quicker than the answer.
  await app.start().catch(() => undefined)
  await stop()
  expect(said()).not.toContain('ready')
  expect(await alive()).toEqual([])
})

test('a stop while background work begins ends the start, which never logs that it is ready', async () => {
  const app = await open('discord')
  discord.faults.set({ kind: 'silent', match: 'GET /gateway/bot' })
  const started = app.start()
  await expect.poll(() => discord.calls.map(({ route }) => route)).toContain('/gateway/bot')
  await stop()
  await started
  expect(said()).not.toContain('ready')
  expect(await alive()).toEqual([])
})
