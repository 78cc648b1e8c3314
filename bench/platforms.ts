import { Pool } from 'undici'
import { z } from 'zod'
import * as discordCast from '../sandbox/discord/cast.ts'
import { DiscordServer } from '../sandbox/discord/server.ts'
import { crowdOfChannels } from '../sandbox/discord/world.ts'
import { TelegramServer } from '../sandbox/telegram/server.ts'
import { webhookPath } from '../src/telegram/updates.ts'

export const platforms = ['telegram', 'discord'] as const
export type Platform = (typeof platforms)[number]
export const titles: Record<Platform, string> = { telegram: 'Telegram', discord: 'Discord' }

/**
 * Number of users. Gavel limits a user to 30 commands in ten seconds; this many stay below that at every measured rate.
 */
const userCount = 8_000
const firstTelegramUser = 9_000_000
const timeoutMs = 60_000

// Fake credentials in a valid format: only the stand-ins accept them.
const telegramToken = '7000000002:AAbenchbenchbenchbenchbenchbenchben'
const discordToken = 'MTMwMDAwMDAwMDAwMDAwMDAwMQ.bench.benchbenchbenchbenchbench'

export type Message = Record<string, unknown>

/** A stand-in of a platform in this process, and its users. */
export interface PlatformServer {
  platform: Platform
  /** Settings for the bot. */
  env: Record<string, string>
  /** Sends `/asset` for each of these from a user of its own, all at once; resolves with the milliseconds to each answer. */
  send(addresses: readonly string[]): Promise<Iterable<number>>
  /** The bot's latest answers, without their recipients. */
  answers(count: number): Message[]
  /** Adds chats to notify; returns their ids. */
  addChats(count: number): string[]
  /** Calls back for each of the bot's messages; returns a function that stops it. */
  listen(received: (chat: string) => void): () => void
  /** Number of the bot's messages in this chat. */
  messagesIn(chat: string): number
  /** Number of 429 answers so far. */
  refused(): number
  /** Has messages sent to these servers' webhooks in turn; Telegram only. */
  callInTurn(origins: readonly string[]): void
  stop(): Promise<void>
}

interface ServerOptions {
  /** Whether the platform's rate limits are enforced. */
  limits: boolean
  /** Milliseconds by which the platform delays each answer. */
  answerDelayMs?: number
}

export function openPlatform(platform: Platform, options: ServerOptions): Promise<PlatformServer> {
  return platform === 'telegram' ? openTelegram(options) : openDiscord(options)
}

async function openTelegram({ limits, answerDelayMs = 0 }: ServerOptions): Promise<PlatformServer> {
  const server = await TelegramServer.start({
    token: telegramToken,
    floodLimits: limits,
    answerDelayMs,
  })
  const { tally, world } = server.api
  const nextUsers = cycleUsers()
  let close = async () => {}
  return {
    platform: 'telegram',
    env: { TELEGRAM_TOKEN: telegramToken, TELEGRAM_API_ROOT: server.root },
    send: async (addresses) => {
      const count = addresses.length
      const firstUserId = firstTelegramUser + nextUsers(count)
      const text = (index: number) => `/asset ${addresses[index]}`
      return server.people.flood({ count, text, firstUserId, timeoutMs })
    },
    answers: (count) =>
      server.calls
        .of('sendMessage')
        .slice(-count)
        .map(({ payload: { chat_id: _, ...message } }) => message),
    addChats: (count) => server.circumstances.crowd(count).map(String),
    listen: (received) => {
      const stored = ({ chat }: { chat: { id: number } }, { byBot }: { byBot: boolean }) => {
        if (byBot) received(String(chat.id))
      }
      world.events.on('stored', stored)
      return () => world.events.off('stored', stored)
    },
    messagesIn: (chat) => tally.in(Number(chat)),
    refused: () => tally.refused,
    callInTurn: (origins) => {
      close = callInTurn(server, origins)
    },
    stop: async () => {
      await close()
      await server.stop()
    },
  }
}

const callback = z.object({ data: z.record(z.string(), z.unknown()) })

async function openDiscord({ limits, answerDelayMs = 0 }: ServerOptions): Promise<PlatformServer> {
  const server = await DiscordServer.start({
    token: discordToken,
    ...(limits ? {} : { rateLimits: false }),
  })
  const { tally } = server.world
  const users = Array.from({ length: userCount }, (_, index) => server.world.join(`User ${index}`))
  server.answerDelayMs = answerDelayMs
  // Discord refuses answers after 3 s: on a machine with other work, some of the first ones come later.
  if (!limits) server.answerMs = timeoutMs
  const nextUsers = cycleUsers()
  return {
    platform: 'discord',
    env: { DISCORD_TOKEN: discordToken, DISCORD_API_ROOT: server.root },
    send: async (addresses) => {
      const count = addresses.length
      const first = nextUsers(count)
      const { latencies } = await server.people.burst({
        count,
        userId: (index) => users[first + index] ?? discordCast.ben.id,
        channelId: discordCast.club.id,
        name: 'asset',
        options: (index) => ({ asset: addresses[index] ?? '' }),
        timeoutMs,
      })
      return latencies
    },
    answers: (count) =>
      server.calls
        .filter(({ route }) => route.endsWith('/callback'))
        .slice(-count)
        .map(({ body }) => callback.parse(body).data)
        // A deferred answer follows by another route.
        .filter((data) => 'components' in data),
    addChats: (count) => crowdOfChannels(server.world, count),
    listen: (received) => server.people.on('change', received),
    messagesIn: (chat) => tally.in(chat),
    refused: () => tally.refused,
    callInTurn: () => {
      throw new Error('Discord’s replicas are not measured')
    },
    stop: () => server.stop(),
  }
}

/** Posts every update to these servers in turn, like Telegram through a load balancer. */
function callInTurn(
  { api: { queue, webhook } }: TelegramServer,
  origins: readonly string[],
): () => Promise<void> {
  const pools = origins.map((origin) => new Pool(origin, { connections: 128 }))
  const headers = {
    'content-type': 'application/json',
    'x-telegram-bot-api-secret-token': webhook.settings?.secret ?? '',
  }
  const post = async (pool: Pool, update: unknown) => {
    const body = JSON.stringify(update)
    const { statusCode, body: answer } = await pool.request({
      path: webhookPath,
      method: 'POST',
      headers,
      body,
    })
    await answer.dump()
    if (statusCode !== 200) throw new Error(`an update was answered with ${statusCode}`)
  }
  let count = 0
  queue.onEvents = () => {
    const updates = queue.pending
    queue.drop()
    for (const update of updates) {
      const pool = pools[count++ % pools.length]
      if (pool) void post(pool, update)
    }
  }
  return async () => {
    await Promise.all(pools.map((pool) => pool.close()))
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
