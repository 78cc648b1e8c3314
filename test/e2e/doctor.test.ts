import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ApiServer } from '../../sandbox/api/server.ts'
import { BotStartError, compileCache, startBot } from '../../sandbox/bot.ts'
import { type LocalChain, startChain } from '../../sandbox/chain/chain.ts'
import { moduleEntries } from '../../sandbox/chain/modules.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { KuboServer } from '../../sandbox/ipfs/kubo.ts'
import { PinataServer } from '../../sandbox/ipfs/pinata.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { claimDatabase } from '../../src/core/adapter.ts'
import { openStore } from '../../src/db/database.ts'
import { PostgresCluster } from '../postgres-cluster.ts'
import { PostgresDatabases } from '../postgres-databases.ts'

const key = 'the-doctor-never-tells-this-key'
const telegramToken = '4242:the-doctor-never-tells-this-token'
const discordToken = 'the-doctor.never-tells.this-either'
const jwt = 'the.doctor-never-tells-this.jwt'
const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'

type Env = Record<string, string>

let folder: string
let api: ApiServer
let telegram: TelegramServer
let discord: DiscordServer
let ipfs: KuboServer
let pinata: PinataServer
let chain: LocalChain
let cluster: PostgresCluster
let postgres: string
/** Answers everything with a page, as another site does. */
let site: Server
let healthy: Env
/** Where nothing answers. */
let dead: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-doctor-'))
  chain = await startChain({ chainId: 8453, launcher: { to: airlock, airlock } })
  ipfs = await KuboServer.start()
  pinata = await PinataServer.start({ jwt })
  const local = [{ ...chain, launcher: { to: airlock, airlock } as const }]
  api = await ApiServer.start({ key, local, ipfs })
  telegram = await TelegramServer.start({ token: telegramToken, floodLimits: false })
  discord = await DiscordServer.start({ token: discordToken, rateLimits: false })
  cluster = await PostgresCluster.start({ mayLose: true })
  const databases = new PostgresDatabases(cluster.url)
  await databases.prepare()
  postgres = databases.urlOf(await databases.take())
  site = createServer((_, response) => response.end('<h1>Welcome to nginx!</h1>'))
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const port = await freePort()
  dead = `http://127.0.0.1:${await freePort()}`
  healthy = {
    API_BASE_URL: api.baseUrl,
    API_KEY: key,
    CHAINS: '8453,84532',
    TELEGRAM_TOKEN: telegramToken,
    TELEGRAM_API_ROOT: telegram.root,
    DISCORD_TOKEN: discordToken,
    DISCORD_API_ROOT: discord.root,
    DATABASE_URL: `file:${join(folder, 'gavel.db')}`,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    IPFS_API_URL: ipfs.url,
    TEMPLATES: JSON.stringify(sandboxTemplates),
    MODULES: JSON.stringify({ 8453: moduleEntries }),
    RPC_URLS: JSON.stringify({ 8453: chain.rpcUrl }),
    LOG_LEVEL: 'info',
  }
}, 120_000)

afterAll(async () => {
  site?.close()
  const parts = [api, telegram, discord, ipfs, pinata, chain, cluster]
  await Promise.all(parts.map((each) => each?.stop()))
  await rm(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

interface Diagnosis {
  code: number
  output: string
  /** The lines with this mark. */
  marked: (mark: 'ok' | 'FIX' | '?' | '-') => string[]
}

/** Runs `npm run doctor` with these settings alone. */
function doctor(env: Env, ...words: string[]): Promise<Diagnosis> {
  const { PATH = '', HOME = '' } = process.env
  return new Promise((done) => {
    const child = execFile(
      'npm',
      ['run', 'doctor', '--silent', '--', ...words],
      { env: { PATH, HOME, ...compileCache, ...env } },
      (_error, stdout, stderr) => {
        const output = `${stdout}${stderr}`
        const lines = stdout.split('\n')
        const marked = (mark: string) => lines.filter((line) => line.startsWith(`${mark} `))
        done({ code: child.exitCode ?? -1, output, marked })
      },
    )
  })
}

function expectNoSecret(text: string): void {
  for (const secret of [
    key,
    telegramToken,
    discordToken,
    jwt,
    'password for tests',
    'password%20',
  ]) {
    expect(text).not.toContain(secret)
  }
}

/** What is fatal in the log of a start with these settings, and the code that it ends with. */
async function failedStart(env: Env): Promise<{ code: number | null; fatal: string[] }> {
  const fatalIn = (lines: readonly string[]) =>
    lines.filter((line) => line.includes('"level":"fatal"'))
  try {
    const bot = await startBot({ env })
    const { code } = await bot.exited
    return { code, fatal: fatalIn(bot.logs.map((line) => JSON.stringify(line))) }
  } catch (error) {
    if (!(error instanceof BotStartError)) throw error
    expectNoSecret(error.output)
    return { code: error.exit.code, fatal: fatalIn(error.output.split('\n')) }
  }
}

test('a healthy set-up has a line for each setting, and code 0', async () => {
  const { code, output, marked } = await doctor(healthy)
  expectNoSecret(output)
  expect(marked('FIX')).toEqual([])
  expect(marked('?')).toEqual([])
  expect(code).toBe(0)
  expect(output).toContain('All is well.')
})

test('so has one that the platforms call', async () => {
  const called = { TELEGRAM_UPDATES: 'webhook', DISCORD_INTERACTIONS: 'http' }
  const { code, output } = await doctor({ ...healthy, ...called })
  expect(output).toMatch(/TELEGRAM_UPDATES +webhook; the start sets it/u)
  expect(output).toMatch(/DISCORD_INTERACTIONS +http; the start sets the address/u)
  expect(code).toBe(0)
})

/** A database whose schema a newer version has changed so that this one can't run on it. */
async function newerDatabase(database: string): Promise<string> {
  const store = await openStore(database)
  const timestamp = new Date(0).toISOString()
  const name = '9999_of_tomorrow'
  const table = store.withTables<{ kysely_migration: { name: string; timestamp: string } }>()
  await table.insertInto('kysely_migration').values({ name, timestamp }).execute()
  await store.destroy()
  return database
}

async function anothersDatabase(database: string): Promise<string> {
  const store = await openStore(database)
  await claimDatabase(store, 'discord', '777')
  await store.destroy()
  return database
}

async function freshPostgres(): Promise<string> {
  const databases = new PostgresDatabases(cluster.url)
  return databases.urlOf(await databases.take())
}

const fileUrl = (name: string) => `file:${join(folder, name)}`
const siteUrl = () => `http://127.0.0.1:${(site.address() as AddressInfo).port}`

interface Misconfiguration {
  what: string
  /** The one that the doctor's line names. */
  setting: string
  /** What is set otherwise than in a healthy set-up. */
  env: () => Env | Promise<Env>
  says: RegExp
  /** What a start says as it ends with code 1; absent if the bot can start with it. */
  start?: RegExp
}

const misconfigurations: readonly Misconfiguration[] = [
  {
    what: 'a key that the API refuses',
    setting: 'API_KEY',
    env: () => ({ API_KEY: 'the-key-of-another' }),
    says: /check API_KEY/u,
  },
  {
    what: 'an API address with a wrong path',
    setting: 'API_BASE_URL',
    env: () => ({ API_BASE_URL: api.baseUrl.replace('/v1', '/api/v1') }),
    says: /check API_BASE_URL/u,
  },
  {
    what: 'an API address where nothing answers',
    setting: 'API_BASE_URL',
    env: () => ({ API_BASE_URL: `${dead}/v1` }),
    says: /Nothing usable answers there/u,
  },
  {
    what: 'a Telegram token that was revoked',
    setting: 'TELEGRAM_TOKEN',
    env: () => ({ TELEGRAM_TOKEN: '4242:of-last-year-and-revoked' }),
    says: /Telegram refuses TELEGRAM_TOKEN/u,
    start: /Telegram refuses TELEGRAM_TOKEN/u,
  },
  {
    what: 'a Telegram token that another process polls with',
    setting: 'TELEGRAM_UPDATES',
    env: () => {
      const stop = pollBeside()
      onTestFinished(stop)
      return {}
    },
    says: /Another process polls Telegram/u,
    start: /Another process polls Telegram/u,
  },
  {
    what: 'a Telegram token whose webhook somebody else has',
    setting: 'TELEGRAM_UPDATES',
    env: async () => {
      const call = (method: string) => fetch(`${telegram.root}/bot${telegramToken}/${method}`)
      await call(`setWebhook?url=${encodeURIComponent('https://elsewhere.example.org/telegram')}`)
      onTestFinished(async () => void (await call('deleteWebhook')))
      return {}
    },
    says: /Telegram calls elsewhere\.example\.org/u,
  },
  {
    what: 'a Discord token that was reset',
    setting: 'DISCORD_TOKEN',
    env: () => ({ DISCORD_TOKEN: 'token.of-last.year' }),
    says: /Discord refuses DISCORD_TOKEN/u,
    start: /Discord refuses DISCORD_TOKEN/u,
  },
  {
    what: 'a database that does not run',
    setting: 'DATABASE_URL',
    env: () => ({ DATABASE_URL: 'postgres://gavel:secret-of-it@127.0.0.1:1/gavel' }),
    says: /can't be opened: connect ECONNREFUSED/u,
    start: /can't be opened: connect ECONNREFUSED/u,
  },
  {
    what: 'a wrong password of the database',
    setting: 'DATABASE_URL',
    env: () => ({ DATABASE_URL: postgres.replace(/:[^:@]+@/u, ':secret-of-it@') }),
    says: /password authentication failed/u,
    start: /password authentication failed/u,
  },
  {
    what: 'a file that a newer version has changed',
    setting: 'DATABASE_URL',
    env: async () => {
      const name = `${randomUUID()}.db`
      await newerDatabase(join(folder, name))
      return { DATABASE_URL: fileUrl(name) }
    },
    says: /a newer version of Gavel has changed it/u,
    start: /a newer version of Gavel has changed it/u,
  },
  {
    what: 'a PostgreSQL database that a newer version has changed',
    setting: 'DATABASE_URL',
    env: async () => ({ DATABASE_URL: await newerDatabase(await freshPostgres()) }),
    says: /a newer version of Gavel has changed it/u,
    start: /a newer version of Gavel has changed it/u,
  },
  {
    what: 'a database of another bot',
    setting: 'DATABASE_URL',
    env: async () => ({ DATABASE_URL: await anothersDatabase(await freshPostgres()) }),
    says: /that of another bot on discord/u,
    start: /that of another bot on discord/u,
  },
  {
    what: 'a port that another program has',
    setting: 'PORT',
    env: () => ({ PORT: new URL(siteUrl()).port, PUBLIC_URL: '' }),
    says: /can't be had\. Set another one/u,
    start: /can't be had\. Set another one/u,
  },
  {
    what: 'a public address where nothing answers',
    setting: 'PUBLIC_URL',
    env: () => ({ PUBLIC_URL: dead }),
    says: /can’t be reached \(ECONNREFUSED\)/u,
  },
  {
    what: 'a public address that leads to another site',
    setting: 'PUBLIC_URL',
    env: () => ({ PUBLIC_URL: siteUrl() }),
    says: /something else answers .*\(status 200\)/u,
  },
  {
    what: 'an IPFS node where nothing answers',
    setting: 'IPFS_API_URL',
    env: () => ({ IPFS_API_URL: dead }),
    says: /nothing answers there \(ECONNREFUSED\)/u,
  },
  {
    what: 'a key that Pinata refuses',
    setting: 'PINATA_JWT',
    env: () => ({
      IPFS_API_URL: '',
      PINATA_JWT: 'a-key-of-another-account',
      PINATA_API_ROOT: pinata.url,
    }),
    says: /refuses the key/u,
  },
  {
    what: 'a node of another chain',
    setting: 'RPC_URLS',
    env: () => ({ RPC_URLS: JSON.stringify({ 8453: chain.rpcUrl, 1: chain.rpcUrl }) }),
    says: /The node of chain 1 answers for chain 8453/u,
  },
  {
    what: 'a launch contract that is not there',
    setting: 'LAUNCHERS',
    env: () => ({
      LAUNCHERS: JSON.stringify({ 8453: '0x00000000000000000000000000000000000000AA' }),
      TEMPLATES: '',
    }),
    says: /there is no contract at 0x0+AA/u,
  },
  {
    what: 'a template that can’t be built',
    setting: 'TEMPLATES',
    env: () => ({ TEMPLATES: '[{"id":"of-last-year","label":"Old","chain":8453}]' }),
    says: /Old on Base .*does not know this template/u,
  },
  {
    what: 'settings that can’t be read',
    setting: 'PORT',
    env: () => ({ PORT: 'eighty', PUBLIC_URL: '' }),
    says: /must be a port number/u,
  },
]

/** A healthy set-up; without Telegram if that is not what it is about: to see that nobody else polls takes five seconds. */
function baseOf(setting: string): Env {
  return setting.startsWith('TELEGRAM') ? healthy : { ...healthy, TELEGRAM_TOKEN: '' }
}

/** Another process that polls with the same token, as a bot does; returns what stops it. */
function pollBeside(): () => Promise<void> {
  const stopping = new AbortController()
  const url = `${telegram.root}/bot${telegramToken}/getUpdates?timeout=30`
  const polling = (async () => {
    while (!stopping.signal.aborted) {
      await fetch(url, { signal: stopping.signal }).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      )
      await new Promise((done) => setTimeout(done, 200))
    }
  })()
  return () => {
    stopping.abort()
    return polling
  }
}

describe('each wrong setting is one line of the doctor’s, with code 1', () => {
  const table: string[] = []
  afterAll(() => void process.stdout.write(`\n${table.join('\n')}\n\n`))

  test.each(misconfigurations)('$what', async ({ what, setting, env, says }) => {
    const { code, output, marked } = await doctor({ ...baseOf(setting), ...(await env()) })
    const [line = '', ...more] = marked('FIX')
    table.push(`${what.padEnd(54)} ${code}  ${line}`)
    expect(more).toEqual([])
    expect(line).toMatch(new RegExp(`^FIX +${setting} `, 'u'))
    expect(line).toMatch(says)
    expect(output).toContain(`To fix: ${setting}.`)
    expect(code).toBe(1)
    expectNoSecret(output)
    expect(output).not.toMatch(/secret-of-it|of-last-year-and-revoked|^\s+at /mu)
  })
})

describe('npm start meets the same with one line, and code 1', () => {
  const met = misconfigurations.flatMap((each) =>
    each.start ? [{ ...each, start: each.start }] : [],
  )

  test.each(met)('$what', async ({ setting, env, start }) => {
    const { code, fatal } = await failedStart({ ...baseOf(setting), ...(await env()) })
    expect(fatal).toEqual([expect.stringMatching(start)])
    expect(code).toBe(1)
  })
})

describe('a set-up that is not finished', () => {
  test('is told what is missing, what for, and how the rest is', async () => {
    const { TELEGRAM_TOKEN = '', TELEGRAM_API_ROOT = '' } = healthy
    const { code, output, marked } = await doctor({
      TELEGRAM_TOKEN,
      TELEGRAM_API_ROOT,
      DATABASE_URL: fileUrl('none-yet.db'),
      PORT: '0',
    })
    expect(code).toBe(1)
    expect(marked('FIX')).toEqual([
      expect.stringMatching(/^FIX +API_BASE_URL +is needed$/u),
      expect.stringMatching(/^FIX +API_KEY +is needed$/u),
    ])
    expect(marked('ok').join('\n')).toMatch(/TELEGRAM_TOKEN +@gavel_bot/u)
    const missing = marked('-').map((line) => line.split(/ +/u)[1])
    expect(missing).toEqual([
      'DISCORD_TOKEN',
      'PUBLIC_URL',
      'TEMPLATES',
      'RPC_URLS',
      'IPFS_API_URL',
      'IPFS_GATEWAY',
    ])
    expect(marked('-').every((line) => line.includes('not set; needed for '))).toBe(true)
    expect(output).toContain('To fix: API_BASE_URL, API_KEY.')
  })

  test('without anything names what is needed first, and makes nothing', async () => {
    const { code, marked } = await doctor({ DATABASE_URL: fileUrl('never/made.db'), PORT: '0' })
    expect(code).toBe(1)
    expect(marked('FIX').map((line) => line.split(/ {2,}/u)[1])).toEqual([
      'API_BASE_URL',
      'API_KEY',
      'TELEGRAM_TOKEN or DISCORD_TOKEN',
    ])
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })
})

test('what can’t be told ends with code 2, and says why', async () => {
  const { code, output, marked } = await doctor({ ...baseOf('CHAINS'), CHAINS: '8453,777777' })
  expect(marked('FIX')).toEqual([])
  expect(marked('?')).toEqual([
    expect.stringMatching(/CHAINS +777777: the API lists nothing there, now or at all/u),
  ])
  expect(output).toContain('Can’t be told: CHAINS.')
  expect(code).toBe(2)
})

test('a clock that is wrong is told by the servers that were asked', async () => {
  const clock = join(folder, 'clock')
  await writeFile(clock, '-300')
  const { code, marked } = await doctor({
    ...baseOf('clock'),
    CLOCK_FILE: clock,
    NODE_OPTIONS: `--import ${new URL('clock-offset.ts', import.meta.url).href}`,
  })
  expect(marked('FIX')).toEqual([
    expect.stringMatching(/clock +(?:299|30\d) seconds behind \d servers/u),
  ])
  expect(code).toBe(1)
})

describe('beside a bot that runs', () => {
  test.each(['SQLite', 'PostgreSQL'])(
    'on %s nothing is wrong, and the bot goes on',
    async (engine) => {
      const own = engine === 'SQLite' ? fileUrl('running.db') : await freshPostgres()
      const env = { ...healthy, DATABASE_URL: own }
      const bot = await startBot({ env })
      try {
        const { code, output, marked } = await doctor(env)
        expect(marked('FIX')).toEqual([])
        expect(code).toBe(0)
        expect(output).toMatch(/PORT +\d+, which the bot that runs has/u)
        expect(output).toMatch(/PUBLIC_URL +\S+ leads here/u)
        expect(output).toMatch(/TELEGRAM_UPDATES +polling, by the bot that runs/u)
        expect(output).toMatch(new RegExp(`DATABASE_URL +${engine}.*a bot runs on it`, 'u'))
      } finally {
        const { code } = await bot.stop()
        expect(code).toBe(0)
      }
      expect(bot.logs.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    },
  )
})
