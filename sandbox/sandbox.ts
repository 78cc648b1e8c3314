import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BotLog, startBot } from './bot.ts'
import { ConsoleServer } from './console/server.ts'
import { discordConsole } from './discord/console.ts'
import { DiscordServer } from './discord/server.ts'
import { InterfaceServer } from './interface/server.ts'
import { Supervisor } from './supervisor.ts'
import { telegramConsole } from './telegram/console.ts'
import { TelegramServer } from './telegram/server.ts'

export interface SandboxOptions {
  /** The console's port, or the next free one; any free one without it. */
  port?: number
  /** Warnings and errors of the bot, and what else it says before it is ready. */
  onLog?: (line: BotLog) => void
}

export interface Sandbox {
  consoleUrl: string
  bot: Supervisor
  stop(): Promise<void>
}

// Valid in form and worth nothing: only the stand-ins of this process know them.
const credentials = {
  key: 'sandbox-key',
  telegram: '7000000001:AAsandboxsandboxsandboxsandboxsandb',
  discord: 'MTMwMDAwMDAwMDAwMDAwMDAwMQ.sandbox.sandboxsandboxsandboxsandbox',
} as const

/** Starts the three stand-ins, the console and the real bot behind them; all on 127.0.0.1. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const part of stops.splice(0).reverse()) await part()
  }
  const owned = async <T extends { stop(): Promise<unknown> }>(starting: Promise<T>) => {
    const part = await starting
    stops.push(() => part.stop())
    return part
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-sandbox-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const api = await owned(InterfaceServer.start({ key: credentials.key, tick: true }))
    const telegram = await owned(TelegramServer.start({ token: credentials.telegram }))
    const discord = await owned(DiscordServer.start({ token: credentials.discord }))
    const env = {
      API_BASE_URL: api.baseUrl,
      API_KEY: credentials.key,
      CHAINS: '8453,84532',
      TELEGRAM_TOKEN: credentials.telegram,
      TELEGRAM_API_ROOT: telegram.root,
      DISCORD_TOKEN: credentials.discord,
      DISCORD_API_ROOT: discord.root,
      DATABASE_URL: `file:${join(folder, 'gavel.db')}`,
      PORT: '0',
      LOG_LEVEL: 'info',
    }
    const { onLog = () => undefined } = options
    const bot = new Supervisor((signal) => startBot({ env, signal, onLog }))
    stops.push(() => bot.stop())
    const page = await owned(
      ConsoleServer.start({
        ...(options.port === undefined ? {} : { port: options.port }),
        panels: { telegram: telegramConsole(telegram), discord: discordConsole(discord) },
        faults: api.faults,
        bot,
      }),
    )
    bot.run()
    return { consoleUrl: page.url, bot, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
