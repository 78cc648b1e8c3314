import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startBot } from '../../../sandbox/bot.ts'
import { claimDatabase } from '../../../src/db/bot-identity.ts'
import { TestDatabase } from '../../database.ts'
import {
  doctor,
  type Installation,
  install,
  type Misconfiguration,
  testMisconfigurations,
} from '../../slow/doctor-harness.ts'

// What the doctor and a start say of DATABASE_URL, on each engine. The rest is in test/e2e.

const setting = 'DATABASE_URL'
const onPostgres = inject('postgres') !== undefined

let installation: Installation
let database: TestDatabase
beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation?.stop())
beforeEach(async () => {
  // Not one that is used again: its list of migrations is changed.
  database = await (onPostgres ? TestDatabase.onEmptyPostgres() : TestDatabase.onSqlite())
})
afterEach(() => database.remove())

const url = () => (onPostgres ? database.address : `file:${database.address}`)

const onBoth: readonly Misconfiguration[] = [
  {
    what: 'a database that a newer version has changed',
    setting,
    env: async () => {
      const store = await database.open()
      const timestamp = new Date(0).toISOString()
      const name = '9999_of_tomorrow'
      const table = store.withTables<{ kysely_migration: { name: string; timestamp: string } }>()
      await table.insertInto('kysely_migration').values({ name, timestamp }).execute()
      await database.close()
      return { DATABASE_URL: url() }
    },
    says: /a newer version of Gavel has changed it/u,
    start: /a newer version of Gavel has changed it/u,
  },
  {
    what: 'a database of another bot',
    setting,
    env: async () => {
      await claimDatabase(await database.open(), 'discord', '777')
      await database.close()
      return { DATABASE_URL: url() }
    },
    says: /belongs to another bot on discord/u,
    start: /belongs to another bot on discord/u,
  },
]

const onPostgresAlone: readonly Misconfiguration[] = [
  {
    what: 'a database that does not run',
    setting,
    env: () => ({ DATABASE_URL: 'postgres://gavel:secret-of-it@127.0.0.1:1/gavel' }),
    says: /can't be opened: connect ECONNREFUSED/u,
    start: /can't be opened: connect ECONNREFUSED/u,
  },
  {
    what: 'a wrong password of the database',
    setting,
    env: () => ({ DATABASE_URL: database.address.replace(/:[^:@]+@/u, ':secret-of-it@') }),
    says: /password authentication failed/u,
    start: /password authentication failed/u,
  },
]

testMisconfigurations(() => installation, [...onBoth, ...(onPostgres ? onPostgresAlone : [])])

describe('beside a bot that runs', () => {
  test('nothing is wrong, and the bot goes on', async () => {
    const env = { ...installation.healthy, DATABASE_URL: url() }
    const bot = await startBot({ env })
    try {
      const { code, output, marked } = await doctor(env)
      expect(marked('FIX')).toEqual([])
      expect(code).toBe(0)
      expect(output).toMatch(/PORT +\d+, which the running bot has/u)
      expect(output).toMatch(/PUBLIC_URL +\S+ leads here/u)
      expect(output).toMatch(/TELEGRAM_UPDATES +polling, by the bot that runs/u)
      const engine = onPostgres ? 'PostgreSQL' : 'SQLite'
      expect(output).toMatch(new RegExp(`DATABASE_URL +${engine}.*a bot runs on it`, 'u'))
    } finally {
      const { code } = await bot.stop()
      expect(code).toBe(0)
    }
    expect(bot.logs.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
  })
})
