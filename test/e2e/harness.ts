import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiServer, type ApiServerOptions } from '../../sandbox/api/server.ts'
import { type Bot, startBot } from '../../sandbox/bot.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { TestDatabase } from '../database.ts'
import { LoadBalancer } from '../load-balancer.ts'

const key = 'an-api-key-for-tests'
const telegramToken = '4242:telegram-token-for-tests'
const discordToken = 'discord.token-for.tests'

export interface HarnessOptions {
  apiServer?: Partial<ApiServerOptions>
  /** What is started instead of src/main.ts. */
  program?: string
  /** More settings for the bot. */
  env?: Record<string, string>
  /** Settings that are found out once the API is there. */
  prepare?: (apiUrl: string, key: string) => Promise<Record<string, string>>
  /**
   * How many bots there are, on one PostgreSQL database, by default the harness's own; Telegram calls them, whichever it
   * hits. One without it.
   */
  replicas?: { count: number; database?: string }
  /** The bot's clock can be set. */
  canSetClock?: boolean
  telegramFloodLimits?: boolean
  /** Milliseconds after which Telegram answers what it has done. */
  telegramAnswersAfter?: number
  discordRateLimits?: boolean
}

/** Everything that the bot talks to, and the real bot between it: each part can fail and come back. */
export interface Harness {
  apiServer: ApiServer
  telegram: TelegramServer
  discord: DiscordServer
  /** The bot that was started last. */
  bot: Bot
  /** All that were started, also those that have ended. */
  bots: readonly Bot[]
  /** The replicas' database, if the harness made it. */
  database: TestDatabase | undefined
  /** What stands before the replicas. */
  balancer: LoadBalancer | undefined
  /** All that every bot of this harness wrote. */
  output: () => string
  secrets: readonly string[]
  /** Starts one, with more settings of its own. */
  startBot(env?: Record<string, string>): Promise<void>
  /** The replicas that run. */
  running(): readonly Bot[]
  /** From now on the bot's clock, and no other, is ahead by so many seconds. */
  setClock(ahead: number): Promise<void>
  stop(): Promise<void>
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-e2e-'))
  const apiServer = await ApiServer.start({ key, ...options.apiServer })
  const telegram = await TelegramServer.start({
    token: telegramToken,
    floodLimits: options.telegramFloodLimits ?? false,
    answerDelayMs: options.telegramAnswersAfter ?? 0,
  })
  const discord = await DiscordServer.start({
    token: discordToken,
    rateLimits: options.discordRateLimits ?? false,
  })
  const { replicas } = options
  const database = replicas && !replicas.database ? await TestDatabase.make() : undefined
  const replicated = replicas?.database ?? database?.address
  const balancer = replicas && (await LoadBalancer.start())
  const clock = join(folder, 'clock')
  const setClock = async (ahead: number) => {
    await writeFile(`${clock}.new`, String(ahead))
    await rename(`${clock}.new`, clock)
  }
  await setClock(0)
  const settableClock = {
    CLOCK_FILE: clock,
    NODE_OPTIONS: `--import ${new URL('clock-offset.ts', import.meta.url).href}`,
  }
  const prepared = await options.prepare?.(apiServer.baseUrl, key)
  const lines: string[] = []
  const bots: Bot[] = []
  const ended = new Set<Bot>()
  const running = () => bots.filter((bot) => !ended.has(bot))
  if (balancer) {
    balancer.targets = () =>
      running().flatMap(({ healthUrl }) => (healthUrl ? [new URL(healthUrl).origin] : []))
  }
  const start = async (own: Record<string, string> = {}) => {
    const bot = await startBot({
      ...(options.program && { program: options.program }),
      env: {
        API_BASE_URL: apiServer.baseUrl,
        API_KEY: key,
        TELEGRAM_TOKEN: telegramToken,
        TELEGRAM_API_ROOT: telegram.root,
        DISCORD_TOKEN: discordToken,
        DISCORD_API_ROOT: discord.root,
        DATABASE_URL: `file:${join(folder, 'gavel.db')}`,
        CHAINS: '8453,84532',
        PORT: '0',
        LOG_LEVEL: 'trace',
        ...(options.telegramFloodLimits
          ? {}
          : { TELEGRAM_LIMITS: '{"all":100000,"person":100000,"group":100000}' }),
        // Alerts and pictures have tests of their own.
        WATCH_INTERVAL: '9999',
        CARDS: 'off',
        ...(balancer &&
          replicated && {
            DATABASE_URL: replicated,
            TELEGRAM_UPDATES: 'webhook',
            PUBLIC_URL: balancer.url,
          }),
        ...(options.canSetClock ? settableClock : {}),
        ...options.env,
        ...prepared,
        ...own,
      },
      onLog: (line) => lines.push(JSON.stringify(line)),
    })
    bots.push(bot)
    void bot.exited.then(() => ended.add(bot))
    return bot
  }
  const harness: Harness = {
    apiServer,
    telegram,
    discord,
    bot: await start(),
    bots,
    database,
    balancer,
    running,
    output: () => lines.join('\n'),
    secrets: [key, telegramToken, discordToken],
    startBot: async (env) => {
      harness.bot = await start(env)
    },
    setClock,
    stop: async () => {
      await Promise.all(running().map((bot) => bot.stop()))
      await balancer?.stop()
      await Promise.all([apiServer.stop(), telegram.stop(), discord.stop()])
      await database?.remove()
      await rm(folder, { recursive: true, force: true })
    },
  }
  for (let count = 1; count < (replicas?.count ?? 1); count += 1) await harness.startBot()
  return harness
}
