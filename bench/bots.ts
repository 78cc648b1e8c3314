import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiServer } from '../sandbox/api/server.ts'
import { showcaseAddresses } from '../sandbox/api/showcase.ts'
import { type Bot, startBot } from '../sandbox/bot.ts'
import { openPlatform, type Platform } from './platforms.ts'
import { cpuMillis, residentMegabytes } from './process.ts'

/** The asset that warm commands ask for: a live auction, whose card is the longest. */
export const warmAsset = showcaseAddresses.moonOtter

// A fake credential: only the stand-in accepts it.
export const apiKey = 'bench-api-key'
export const chain = 8453

/** What to start: a bot, or replicas of it, and how slow their stand-ins are. */
export interface BotSetup {
  name: string
  platform: Platform
  /** The program, relative to the project; Gavel by default. */
  program?: string
  /** Milliseconds by which the platform delays each answer. */
  answerDelayMs?: number
  /** Milliseconds that the API takes for each answer. */
  apiMs?: number
  /** Number of auctions that begin after the start, so that nothing has read them. */
  auctions?: number
  env?: Record<string, string>
  /** Replicas on one database, which Telegram calls by webhook in turn. */
  replicas?: number
}

export interface Load {
  /** The assets to ask for, one after the other; always the warm one by default. */
  addresses?: readonly string[]
  /** Commands sent at once; the next batch waits for their answers. */
  batch: number
  batches: number
  /** Number of concurrent sequences of batches. */
  inFlight: number
}

/** Cost of a load, in milliseconds. */
export interface Answered {
  commands: number
  /** From the first command to the last answer. */
  millis: number
  /** From each command to its answer, in no particular order. */
  latencies: number[]
  /** Processor time of the bots, and of this process with their stand-ins. */
  botCpu: number
  standInCpu: number
  /** Requests to the API. */
  requests: number
}

/** Running bots with stand-ins of their own in this process, which does nothing else meanwhile. */
export type RunningBots = Awaited<ReturnType<typeof startBots>>

/** @param folder for databases, and the messages that the baselines answer with */
export async function startBots(setup: BotSetup, folder: string) {
  const { name, platform, program, answerDelayMs = 0, apiMs = 0, auctions = 0, replicas } = setup
  const api = await ApiServer.start({ key: apiKey, latencyMs: apiMs, chains: [chain] })
  const server = await openPlatform(platform, { limits: false, answerDelayMs })
  const env = {
    ...server.env,
    API_BASE_URL: api.baseUrl,
    API_KEY: apiKey,
    CHAINS: String(chain),
    // Discord's users share one channel, whose limit would be reached at once.
    COMMANDS_PER_CHAT: '999999',
    // The stand-in takes any number, too.
    TELEGRAM_LIMITS: '{"all":1000000,"person":1000000,"group":1000000}',
    PORT: '0',
    // The bots send only text, and don't poll.
    CARDS: 'off',
    WATCH_INTERVAL: '9999',
    LOG_LEVEL: 'info',
    DATABASE_URL: `file:${join(folder, `${name.replaceAll(/\W+/gu, '-')}-${platform}.db`)}`,
    BENCH_ANSWER: answerFile(folder, platform),
    // Never called: the load balancer calls the replicas' own addresses.
    ...(replicas && { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: 'https://bots.invalid' }),
    ...setup.env,
  }
  const bots: Bot[] = []
  const stop = async () => {
    await Promise.all(bots.map((bot) => bot.stop()))
    await Promise.all([server.stop(), api.stop()])
  }
  let startMillis = 0
  try {
    for (let count = 0; count < (replicas ?? 1); count += 1) {
      const start = performance.now()
      bots.push(await startBot({ env, ...(program && { program }) }))
      startMillis = performance.now() - start
    }
  } catch (error) {
    await stop()
    throw error
  }
  if (replicas) server.callInTurn(bots.map(({ healthUrl = '' }) => new URL(healthUrl).origin))
  // The watcher, which lists all assets when it starts, must not read these.
  for (let before = -1; auctions > 0 && before !== api.requestCount; await delay(1000)) {
    before = api.requestCount
  }
  // The stand-in makes an asset when it is first asked for, which takes longer than to answer.
  for (let count = 0; count < auctions; count += 1) {
    const asset = api.world.asset(chain, api.world.announce(chain).address)
    if (asset) api.textOf(asset)
  }
  const pids = bots.map(({ pid }) => pid)
  let answered = 0
  return {
    name,
    /** Milliseconds from the start of the last process until it reported that it is ready. */
    startMillis,
    /** Assets that commands can ask for. */
    addresses: api.world.tokens.map(({ address }) => address),
    /** Returns the number of commands answered so far. */
    commands: () => answered,
    processes: pids.length,
    /** Returns the processor time of all processes so far, in milliseconds. */
    cpuMillis: () => cpuMillis(pids),
    /** @throws Error if a command is answered with something else than the card: that would be fast, but measure nothing */
    send: async ({
      addresses = [warmAsset],
      batch,
      batches,
      inFlight,
    }: Load): Promise<Answered> => {
      const latencies: number[] = []
      const commands = batch * batches
      const asked = Array.from(
        { length: commands },
        (_, at) => addresses[at % addresses.length] ?? '',
      )
      const sequence = async () => {
        while (asked.length > 0) latencies.push(...(await server.send(asked.splice(0, batch))))
      }
      const [botBefore, requestsBefore] = [await cpuMillis(pids), api.requestCount]
      const [cpuBefore, start] = [process.cpuUsage(), performance.now()]
      await Promise.all(Array.from({ length: inFlight }, sequence))
      const millis = performance.now() - start
      const { user, system } = process.cpuUsage(cpuBefore)
      const botCpu = (await cpuMillis(pids)) - botBefore
      answered += commands
      // The API may write the address in another letter case. The baselines answer with one card.
      const isBaseline = program?.startsWith('bench/')
      const shown = new Set(
        (isBaseline ? [warmAsset] : addresses).map((each) => each.toLowerCase()),
      )
      for (const answer of server.answers(Math.min(commands, 1_000))) {
        const text = JSON.stringify(answer)
        const named = text.toLowerCase().match(/0x[0-9a-f]{40}/gu) ?? []
        if (!named.some((address) => shown.has(address))) throw new Error(`no card: ${text}`)
      }
      const requests = api.requestCount - requestsBefore
      return { commands, millis, latencies, botCpu, standInCpu: (user + system) / 1000, requests }
    },
    lastAnswer: () => server.answers(1).at(-1),
    residentMegabytes: () => residentMegabytes(pids[0] ?? 0),
    stop,
  }
}

/** Path of the message that the baselines answer with. */
export function answerFile(folder: string, platform: Platform): string {
  return join(folder, `answer-${platform}.json`)
}

/** Starts bots one after another, and stops them when the work is done or has failed. */
export async function withBots<Result>(
  setups: readonly BotSetup[],
  folder: string,
  work: (bots: readonly RunningBots[]) => Promise<Result>,
): Promise<Result> {
  const bots: RunningBots[] = []
  try {
    for (const setup of setups) bots.push(await startBots(setup, folder))
    return await work(bots)
  } finally {
    await Promise.all(bots.map((bot) => bot.stop()))
  }
}
