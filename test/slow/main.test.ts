import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ApiServer } from '../../sandbox/api/server.ts'
import { type Bot, type BotLog, BotStartError, startBot } from '../../sandbox/bot.ts'
import { club, ada as discordAda } from '../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { ada } from '../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'

const key = 'an-api-key-for-tests'
const telegramToken = '4242:telegram-token-for-tests'
const discordToken = 'discord.token-for.tests'
const patience = { timeout: 20_000 }

let folder: string
let apiServer: ApiServer
let telegram: TelegramServer
let discord: DiscordServer
let bots: Bot[]
let logs: BotLog[]
let onLog: (line: BotLog) => void
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-main-'))
  apiServer = await ApiServer.start({ key })
  telegram = await TelegramServer.start({ token: telegramToken, floodLimits: false })
  discord = await DiscordServer.start({ token: discordToken, rateLimits: false })
  bots = []
  logs = []
  onLog = () => undefined
})
afterEach(async () => {
  await Promise.all(bots.map((bot) => bot.kill()))
  await Promise.all([apiServer.stop(), telegram.stop(), discord.stop()])
  await rm(folder, { recursive: true, force: true })
})

function settings(): Record<string, string> {
  return {
    API_BASE_URL: apiServer.baseUrl,
    API_KEY: key,
    TELEGRAM_TOKEN: telegramToken,
    TELEGRAM_API_ROOT: telegram.root,
    DISCORD_TOKEN: discordToken,
    DISCORD_API_ROOT: discord.root,
    DATABASE_URL: `file:${join(folder, 'gavel.db')}`,
    PORT: '0',
  }
}

async function start(env: Record<string, string> = {}, signal?: AbortSignal): Promise<Bot> {
  const bot = await startBot({
    env: { ...settings(), ...env },
    onLog: (line) => {
      logs.push(line)
      onLog(line)
    },
    ...(signal && { signal }),
  })
  bots.push(bot)
  return bot
}

/** How a start that fails ends: the exit code and all that was written. */
async function failure(starting: Promise<Bot>): Promise<{ code: number | null; output: string }> {
  try {
    const bot = await starting
    // Where the stop came a moment too late, its end is what counts.
    const { code } = await bot.exited
    return { code, output: bot.logs.map((line) => JSON.stringify(line)).join('\n') }
  } catch (error) {
    if (error instanceof BotStartError) return { code: error.exit.code, output: error.output }
    throw error
  }
}

/** Resolves once the bot asks the API for both terms; the watcher asks for other things all the while. */
function asked(...terms: string[]): Promise<void> {
  const searches = () =>
    apiServer.requests
      .filter(({ path }) => path === '/assets/search')
      .map(({ query }) => query.term)
  return expect.poll(searches, patience).toEqual(expect.arrayContaining(terms))
}

async function asksForHelp(person: number): Promise<void> {
  telegram.people.text(person, person, '/help')
  await setImmediate()
}

function answers(person: number): number {
  return telegram.people.messages(person).filter(({ sender }) => sender.isBot).length
}

const fatal = () => logs.filter(({ level }) => level === 'fatal')

describe('an impossible start ends with exit code 1 and what to correct', () => {
  test('without settings: each one that is missing, and a hint at the sandbox', async () => {
    const { code, output } = await failure(startBot({ env: {} }))
    expect(code).toBe(1)
    expect(output.split('\n')).toEqual([
      'Gavel cannot start: these settings are missing or wrong.',
      '  API_KEY: is needed',
      '  TELEGRAM_TOKEN or DISCORD_TOKEN: at least one of them is needed',
      '.env.example explains each one. To try Gavel without any account: npm run sandbox',
    ])
  })

  test('with malformed settings: by name, and never a secret’s value', async () => {
    const { code, output } = await failure(
      start({ TELEGRAM_TOKEN: 's3cr3t', PORT: 'x', API_KEY: 's3cr3t with spaces' }),
    )
    expect(code).toBe(1)
    expect(output).toMatch(/API_KEY: .*\n {2}TELEGRAM_TOKEN: .*\n {2}PORT: /u)
    expect(output).not.toMatch(/s3cr3t|\n\s+at |node:/u)
  })

  test('a port in use', async () => {
    const other = createServer().listen(0)
    try {
      const { port } = other.address() as AddressInfo
      const { code, output } = await failure(start({ PORT: String(port) }))
      expect(code).toBe(1)
      expect(fatal().map(({ msg }) => msg)).toEqual([
        `PORT ${port} of HOST 127.0.0.1 is not available. Set another one.`,
      ])
      expect(output).not.toMatch(/\n\s+at |\\n\s+at /u)
    } finally {
      other.close()
    }
  })

  test('a database that another one uses already, until that one is gone', async () => {
    const first = await start()
    const { code, output } = await failure(start())
    expect(code).toBe(1)
    expect(output).toContain('Another Gavel uses the database')
    expect(
      output
        .trim()
        .split('\n')
        .filter((line) => line.includes('"fatal"')),
    ).toHaveLength(1)
    await first.kill()
    await start()
  })

  test.each([
    ['TELEGRAM_TOKEN', '4242:another-token-for-tests'],
    ['DISCORD_TOKEN', 'another.token-for.tests'],
  ])('a wrong %s', async (name, value) => {
    const { code, output } = await failure(start({ [name]: value }))
    expect(code).toBe(1)
    expect(fatal().map(({ msg }) => msg)).toEqual([expect.stringContaining(name)])
    expect(fatal()[0]?.reason).toContain('401: Unauthorized')
    expect(output).not.toContain(value)
    expect(output).not.toMatch(/\n\s+at |\\n\s+at /u)
  })
})

describe('running', () => {
  test('every part is ready, and its health can be asked', async () => {
    const bot = await start()
    const answer = await fetch(bot.healthUrl ?? '')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      parts: { telegram: 'connected', discord: 'connected' },
    })
  })

  test('seconds of its health have one decimal', async () => {
    const bot = await start()
    const health = async () => await (await fetch(bot.healthUrl ?? '')).text()
    await expect.poll(health, patience).toMatch(/"chain":8453,"seconds":\d+(?:\.\d)?,"unseen"/u)
  })

  test('with HOST it listens on one address alone', async () => {
    const { healthUrl = '' } = await start({ HOST: '127.0.0.2' })
    await expect(fetch(healthUrl)).rejects.toThrow()
    const there = healthUrl.replace('127.0.0.1', '127.0.0.2')
    expect((await fetch(there)).status).toBe(200)
  })

  test.each([
    ['telegram', { DISCORD_TOKEN: '' }, 'discord'],
    ['discord', { TELEGRAM_TOKEN: '' }, 'telegram'],
  ])('%s alone is enough', async (name, env, other) => {
    const bot = await start(env)
    const health: unknown = await (await fetch(bot.healthUrl ?? '')).json()
    expect(health).toHaveProperty(['parts', name], 'connected')
    expect(health).not.toHaveProperty(['parts', other])
    expect(await bot.stop()).toEqual({ code: 0, signal: null })
  })

  test('a connection that is lost for good ends it with exit code 1 and the reason', async () => {
    const bot = await start()
    await expect.poll(() => telegram.api.queue.isWaiting, patience).toBe(true)
    telegram.api.queue.terminate('other getUpdates request')
    expect(await bot.exited).toEqual({ code: 1, signal: null })
    expect(fatal().map(({ msg }) => msg)).toEqual([
      expect.stringContaining('Another process polls Telegram'),
    ])
  })
})

describe('a stop', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('by %s ends with exit code 0', async (signal) => {
    const bot = await start()
    process.kill(bot.pid, signal)
    expect(await bot.exited).toEqual({ code: 0, signal: null })
    expect(logs.at(-1)?.msg).toBe('stopped')
    expect(logs.filter(({ level }) => level === 'error')).toEqual([])
  })

  test.each(['TELEGRAM_API_ROOT', 'DISCORD_API_ROOT'])(
    'while %s is waited for ends with exit code 0',
    async (name) => {
      const stopping = new AbortController()
      const starting = failure(start({ [name]: 'http://127.0.0.1:1/api' }, stopping.signal))
      await expect
        .poll(() => logs.map(({ msg }) => msg).join(), patience)
        .toContain('can’t be reached')
      stopping.abort()
      expect((await starting).code).toBe(0)
      expect(fatal()).toEqual([])
    },
  )

  test('in the midst of the start ends with exit code 0', async () => {
    const stopping = new AbortController()
    const starting = failure(start({}, stopping.signal))
    onLog = ({ msg }) => msg === 'listening' && stopping.abort()
    expect((await starting).code).toBe(0)
    expect(fatal()).toEqual([])
  })

  test('lets answers under way arrive on both platforms', async () => {
    // Both are found on the second chain alone, so that each takes two calls, one after the other.
    const bot = await start({ CHAINS: '1,8453' })
    apiServer.faults.set({ kind: 'slow', delayMs: 1_000 })
    telegram.people.text(ada.id, ada.id, '/search lantern')
    const slash = discord.people.slash(discordAda.id, club.id, 'search', { term: 'paper lantern' })
    await asked('lantern', 'paper lantern')
    expect(await bot.stop()).toEqual({ code: 0, signal: null })
    expect(telegram.people.messages(ada.id).at(-1)?.text).toContain('Paper Lantern')
    expect(JSON.stringify(await slash.message())).toContain('Paper Lantern')
  })

  test('leaves no message sent meanwhile unanswered, nor answered twice', async () => {
    const bot = await start()
    const people = telegram.circumstances.crowd(60)
    const early = people.slice(0, 20)
    for (const each of early) await asksForHelp(each)
    const stopping = bot.stop()
    for (const each of people.slice(20)) await asksForHelp(each)
    expect(await stopping).toEqual({ code: 0, signal: null })
    const next = await start()
    await expect.poll(() => Math.min(...people.map(answers)), patience).toBeGreaterThan(0)
    await expect.poll(() => telegram.api.queue.pending, patience).toEqual([])
    expect(await next.stop()).toEqual({ code: 0, signal: null })
    expect(people.map(answers)).toEqual(people.map(() => 1))
  })

  test('says at /readyz that it stops, and does not hang if the API does', async () => {
    const bot = await start()
    apiServer.faults.set({ kind: 'hang' })
    telegram.people.text(ada.id, ada.id, '/search otter')
    discord.people.slash(discordAda.id, club.id, 'search', { term: 'lantern' })
    await asked('otter', 'lantern')
    const stopping = bot.stop()
    const readiness = async () => (await fetch(new URL('/readyz', bot.healthUrl))).json()
    await expect.poll(readiness, patience).toMatchObject({ status: 'stopping' })
    expect(await stopping).toEqual({ code: 0, signal: null })
    expect(logs.at(-1)?.msg).toBe('stopped')
  })
})
