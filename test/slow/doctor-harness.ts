import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ApiServer, type ApiServerOptions } from '../../sandbox/api/server.ts'
import { BotStartError, startBot } from '../../sandbox/bot.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { freePort } from '../free-port.ts'
import { runProgram } from '../run-program.ts'

const key = 'the-doctor-never-tells-this-key'
const telegramToken = '4242:the-doctor-never-tells-this-token'
const discordToken = 'the-doctor.never-tells.this-either'
/** The last two are the password of PostgreSQL, as it is and as it stands in a URL. */
const secrets = [key, telegramToken, discordToken, 'password for tests', 'password%20']

export type Env = Record<string, string>

/** What an installation talks to, with settings of which none is wrong. */
export interface Installation {
  healthy: Env
  api: ApiServer
  telegram: TelegramServer
  folder: string
  /** `DATABASE_URL` of a SQLite file in the folder. */
  fileUrl: (name: string) => string
  /** Where nothing answers. */
  dead: string
  /** Another site, which answers everything with a page. */
  site: string
  stop: () => Promise<void>
}

/** Starts stand-ins for the API and both platforms. Launches need more: `apiOptions` and `settings` add it. */
export async function install(
  apiOptions: Partial<ApiServerOptions> = {},
  settings: Env = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-doctor-'))
  const api = await ApiServer.start({ key, ...apiOptions })
  const telegram = await TelegramServer.start({ token: telegramToken, floodLimits: false })
  const discord = await DiscordServer.start({ token: discordToken, rateLimits: false })
  const [port, deadPort, sitePort] = [await freePort(), await freePort(), await freePort()]
  const site = createServer((_, response) => response.end('<h1>Welcome to nginx!</h1>'))
  await new Promise<void>((done) => site.listen(sitePort, '127.0.0.1', done))
  const fileUrl = (name: string) => `file:${join(folder, name)}`
  return {
    api,
    telegram,
    folder,
    fileUrl,
    dead: `http://127.0.0.1:${deadPort}`,
    site: `http://127.0.0.1:${sitePort}`,
    healthy: {
      API_BASE_URL: api.baseUrl,
      API_KEY: key,
      CHAINS: '8453,84532',
      TELEGRAM_TOKEN: telegramToken,
      TELEGRAM_API_ROOT: telegram.root,
      DISCORD_TOKEN: discordToken,
      DISCORD_API_ROOT: discord.root,
      DATABASE_URL: fileUrl('gavel.db'),
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      LOG_LEVEL: 'info',
      ...settings,
    },
    stop: async () => {
      site.close()
      await Promise.all([api.stop(), telegram.stop(), discord.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

interface Diagnosis {
  code: number | null
  output: string
  /** The lines with this mark. */
  marked: (mark: 'ok' | 'FIX' | '?' | '-') => string[]
}

/** Runs the doctor with these settings alone. What it prints holds none of the secrets. */
export async function doctor(env: Env): Promise<Diagnosis> {
  const { code, stdout, stderr } = await runProgram(['src/doctor/main.ts'], env)
  const lines = stdout.split('\n')
  expectNoSecret(`${stdout}${stderr}`)
  return {
    code,
    output: `${stdout}${stderr}`,
    marked: (mark) => lines.filter((line) => line.startsWith(`${mark} `)),
  }
}

function expectNoSecret(text: string): void {
  for (const secret of secrets) expect(text).not.toContain(secret)
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

/** Without Telegram: to see that nobody else polls takes five seconds. */
export function withoutTelegram({ healthy }: Installation): Env {
  return { ...healthy, TELEGRAM_TOKEN: '' }
}

export interface Misconfiguration {
  what: string
  /** The one that the doctor's line names. */
  setting: string
  /** What is set otherwise than in a healthy set-up. */
  env: () => Env | Promise<Env>
  says: RegExp
  /** What a start says as it ends with code 1; absent if the bot can start with it. */
  start?: RegExp
}

/** Tests of the doctor and of the start with each of these. Prints what the doctor said. */
export function testMisconfigurations(
  installed: () => Installation,
  misconfigurations: readonly Misconfiguration[],
): void {
  const baseOf = (setting: string) =>
    setting.startsWith('TELEGRAM') ? installed().healthy : withoutTelegram(installed())

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
      expect(output).not.toMatch(/secret-of-it|of-last-year-and-revoked|^\s+at /mu)
    })
  })

  const met = misconfigurations.flatMap((each) =>
    each.start ? [{ ...each, start: each.start }] : [],
  )
  if (met.length === 0) return
  describe('a start meets the same with one line, and code 1', () => {
    test.each(met)('$what', async ({ setting, env, start }) => {
      const { code, fatal } = await failedStart({ ...baseOf(setting), ...(await env()) })
      expect(fatal).toEqual([expect.stringMatching(start)])
      expect(code).toBe(1)
    })
  })
}
