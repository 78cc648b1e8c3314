import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiServer } from '../sandbox/api/server.ts'
import { showcaseAddresses } from '../sandbox/api/showcase.ts'
import { startBot } from '../sandbox/bot.ts'
import { openPlatform, type Platform } from './platforms.ts'
import { cpuMillis, residentMegabytes } from './process.ts'

/** The asset that warm commands ask for: a live auction, whose card is the longest. */
export const warmAsset = showcaseAddresses.moonOtter

// A fake credential: only the stand-in accepts it.
export const apiKey = 'bench-api-key'
export const chain = 8453

export interface BotSetup {
  name: string
  platform: Platform
  /** The program, relative to the project; Gavel from its sources by default. */
  program?: string
  /** Number of auctions that begin after the start, so that nothing has read them. */
  auctions?: number
  /** The platform's limits are in force; without them more commands come than it would take answers. */
  hasLimits?: boolean
  env?: Record<string, string>
}

/** Gavel as the container image runs it; `bundle.ts` makes it. */
export const bundled = {
  name: 'Gavel',
  program: 'dist/main.js',
  env: { NODE_OPTIONS: '--max-semi-space-size=32' },
}

/** What Gavel is compared with: all that it does is to answer with one constant message, a card of Gavel's. */
export const bareBots: Record<Platform, BotSetup> = {
  telegram: {
    platform: 'telegram',
    name: 'bare grammY runner',
    program: 'bench/baselines/grammy.ts',
  },
  discord: {
    platform: 'discord',
    name: 'bare discord.js',
    program: 'bench/baselines/discord-js.ts',
  },
}

/** Path of the message that the bare bots answer with. */
export function answerFile(folder: string, platform: Platform): string {
  return join(folder, `answer-${platform}.json`)
}

/** A running bot with stand-ins of its own in this process, which does nothing else meanwhile. */
export type RunningBot = Awaited<ReturnType<typeof startWithStandIns>>

async function startWithStandIns(setup: BotSetup, folder: string) {
  const { name, platform, program, auctions = 0, hasLimits = false } = setup
  const api = await ApiServer.start({ key: apiKey, chains: [chain] })
  const server = await openPlatform(platform, hasLimits)
  const stopServers = () => Promise.all([server.stop(), api.stop()])
  const env = {
    ...server.env,
    API_BASE_URL: api.baseUrl,
    API_KEY: apiKey,
    CHAINS: String(chain),
    // Discord's users share one channel, whose limit would be reached at once.
    COMMANDS_PER_CHAT: '999999',
    ...(!hasLimits && { TELEGRAM_LIMITS: '{"all":1000000,"person":1000000,"group":1000000}' }),
    PORT: '0',
    // The bots send only text, and don't poll.
    CARDS: 'off',
    WATCH_INTERVAL: '9999',
    LOG_LEVEL: 'info',
    DATABASE_URL: `file:${join(folder, `${name.replaceAll(/\W+/gu, '-')}-${platform}.db`)}`,
    BENCH_ANSWER: answerFile(folder, platform),
    ...setup.env,
  }
  const begin = performance.now()
  const bot = await startBot({ env, ...(program && { program }) }).catch(async (error) => {
    await stopServers()
    throw error
  })
  const startMillis = performance.now() - begin
  // The watcher, which lists all assets when it starts, must not read the new ones.
  for (let before = -1; auctions > 0 && before !== api.requestCount; await delay(1000)) {
    before = api.requestCount
  }
  const addresses = Array.from({ length: auctions }, () => api.world.announce(chain).address)
  return {
    name,
    /** Milliseconds from the start of the process until it reported that it is ready. */
    startMillis,
    /** Auctions that nothing has read yet. */
    addresses,
    /** Sends a command for each address at once; resolves with the milliseconds to each answer. */
    send: server.send,
    /** Number of the bot's requests that the platform refused so far, as there were too many. */
    refused: server.refused,
    /** @throws Error if one of the latest answers is not a card of these assets: fast, but it would measure nothing */
    check: (assets: readonly string[]) => {
      // The API may write an address in another letter case. The bare bots answer with one card.
      const shown = new Set(
        (program?.startsWith('bench/') ? [warmAsset] : assets).map((each) => each.toLowerCase()),
      )
      for (const answer of server.answers(Math.min(assets.length, 100))) {
        const text = JSON.stringify(answer)
        const named = text.toLowerCase().match(/0x[0-9a-f]{40}/gu) ?? []
        if (!named.some((address) => shown.has(address))) throw new Error(`no card: ${text}`)
      }
    },
    lastAnswer: () => server.answers(1).at(-1),
    cpuMillis: () => cpuMillis(bot.pid),
    residentMegabytes: () => residentMegabytes(bot.pid),
    stop: () => bot.stop().then(stopServers),
  }
}

/** Starts bots one after another, and stops them when the work is done or has failed. */
export async function withBots<Result>(
  setups: readonly BotSetup[],
  folder: string,
  work: (bots: readonly RunningBot[]) => Promise<Result>,
): Promise<Result> {
  const bots: RunningBot[] = []
  try {
    for (const setup of setups) bots.push(await startWithStandIns(setup, folder))
    return await work(bots)
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()))
  }
}

/** Stores one of Gavel's cards as the message for the bare bots to answer with; returns its size in bytes. */
export async function storeAnswer(platform: Platform, folder: string): Promise<number> {
  return withBots([{ name: 'Gavel', platform }], folder, async ([gavel]) => {
    await gavel?.send([warmAsset])
    const answer = JSON.stringify(gavel?.lastAnswer())
    await writeFile(answerFile(folder, platform), answer)
    return Buffer.byteLength(answer)
  })
}
