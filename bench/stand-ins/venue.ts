import { z } from 'zod'
import * as discordCast from '../../sandbox/discord/cast.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { InterfaceServer } from '../../sandbox/interface/server.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { type AnswerBody, answerBody, type Opened, type PlatformName } from './protocol.ts'
import { callInTurn } from './webhooks.ts'

// Fake credentials in a valid format: only this process's stand-ins accept them.
const key = 'bench-interface-key'
const telegramToken = '7000000002:AAbenchbenchbenchbenchbenchbenchben'
const discordToken = 'MTMwMDAwMDAwMDAwMDAwMDAwMQ.bench.benchbenchbenchbenchbench'

const chain = 8453
const callback = z.object({ data: answerBody })
/**
 * Number of users. Gavel limits a user to 30 commands in ten seconds; this many stay below that at every measured rate.
 */
const userCount = 8_000
/** Discord's users share one channel, whose limit would be reached at once. */
const noLimit = '999999'
const firstTelegramId = 2_000_000
const patienceMs = 30_000

export interface VenueOptions {
  platform: PlatformName
  /** Milliseconds by which the platform delays each answer. */
  answerDelayMs: number
  /** Milliseconds that the interface takes for each answer. */
  upstreamMs: number
}

/** A stand-in of one platform with an interface, and users who write to the bot. */
export interface Venue {
  env: Opened['env']
  addresses: readonly string[]
  upstreamReads(): number
  /** Sends `/asset` from `count` users at once; resolves with the milliseconds to each answer. */
  send(address: string, count: number): Promise<readonly number[]>
  /** The bot's latest messages, without their recipients. */
  answers(count: number): readonly AnswerBody[]
  /** Sends users' messages to these servers' webhooks in turn; Telegram only. */
  callInTurn(targets: readonly string[]): void
  stop(): Promise<void>
}

/** Opens a stand-in on free ports of 127.0.0.1, with the platform's rate limits off. */
export async function openVenue(options: VenueOptions): Promise<Venue> {
  const upstream = await InterfaceServer.start({ key, latencyMs: options.upstreamMs })
  const platform =
    options.platform === 'telegram'
      ? await openTelegram(options.answerDelayMs)
      : await openDiscord(options.answerDelayMs)
  let reads = 0
  return {
    ...platform,
    env: {
      ...platform.env,
      API_BASE_URL: upstream.baseUrl,
      API_KEY: key,
      CHAINS: String(chain),
      COMMANDS_PER_CHAT: noLimit,
      PORT: '0',
      // The bots send only text, and don't poll.
      CARDS: 'off',
      WATCH_INTERVAL: '9999',
      LOG_LEVEL: 'info',
    },
    addresses: upstream.world.tokens
      .filter((token) => token.chain === chain)
      .map(({ address }) => address),
    upstreamReads: () => {
      const before = reads
      reads = upstream.requests.length
      return reads - before
    },
    stop: async () => {
      await platform.stop()
      await upstream.stop()
    },
  }
}

type Adapter = Pick<Venue, 'env' | 'send' | 'answers' | 'callInTurn' | 'stop'>

async function openTelegram(answerDelayMs: number): Promise<Adapter> {
  const server = await TelegramServer.start({
    token: telegramToken,
    floodLimits: false,
    answerDelayMs,
  })
  const take = cycleUsers()
  let hangUp = async () => {}
  return {
    env: { TELEGRAM_TOKEN: telegramToken, TELEGRAM_API_ROOT: server.root },
    send: async (address, count) => {
      const firstUserId = firstTelegramId + take(count)
      const text = `/asset ${address}`
      const { latencies } = await server.people.flood({
        count,
        text,
        firstUserId,
        timeoutMs: patienceMs,
      })
      return latencies
    },
    answers: (count) =>
      server.calls
        .of('sendMessage')
        .slice(-count)
        .map(({ payload: { chat_id: _, ...message } }) => message),
    callInTurn: (targets) => {
      hangUp = callInTurn(server, targets)
    },
    stop: async () => {
      await hangUp()
      await server.stop()
    },
  }
}

async function openDiscord(answerDelayMs: number): Promise<Adapter> {
  const server = await DiscordServer.start({ token: discordToken, rateLimits: false })
  const people = Array.from({ length: userCount }, (_, index) =>
    server.people.join(`Guest${index}`),
  )
  server.answerDelayMs = answerDelayMs
  const take = cycleUsers()
  return {
    env: { DISCORD_TOKEN: discordToken, DISCORD_API_ROOT: server.root },
    send: async (address, count) => {
      const first = take(count)
      const { latencies } = await server.burst({
        count,
        userId: (index) => people[first + index] ?? discordCast.ben.id,
        channelId: discordCast.club.id,
        name: 'asset',
        options: { asset: address },
        timeoutMs: patienceMs,
      })
      return [...latencies]
    },
    answers: (count) =>
      server.calls
        .filter(({ route }) => route.endsWith('/callback'))
        .slice(-count)
        .map(({ body }) => callback.parse(body).data),
    callInTurn: () => {
      throw new Error('Discord is heard over its gateway here')
    },
    stop: () => server.stop(),
  }
}

/** Cycles through the users: returns the number of the first of the next `count`. */
function cycleUsers(): (count: number) => number {
  let next = 0
  return (count) => {
    if (next + count > userCount) next = 0
    next += count
    return next - count
  }
}
