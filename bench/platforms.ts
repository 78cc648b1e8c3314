import { z } from 'zod'
import * as discordCast from '../sandbox/discord/cast.ts'
import { DiscordServer } from '../sandbox/discord/server.ts'
import { crowdOfChannels } from '../sandbox/discord/world.ts'
import { TelegramServer } from '../sandbox/telegram/server.ts'

export const platforms = ['telegram', 'discord'] as const
export type Platform = (typeof platforms)[number]
export const titles: Record<Platform, string> = { telegram: 'Telegram', discord: 'Discord' }
/** Requests per second that each platform permits a bot. */
export const permitted: Record<Platform, number> = { telegram: 30, discord: 50 }

/** Number of users: Gavel limits each to 30 commands in ten seconds, and these many stay below that. */
const userCount = 8_000
const firstTelegramUser = 9_000_000
const timeoutMs = 60_000

// Fake credentials in a valid format: only the stand-ins accept them.
const telegramToken = '7000000002:AAbenchbenchbenchbenchbenchbenchben'
const discordToken = 'MTMwMDAwMDAwMDAwMDAwMDAwMQ.bench.benchbenchbenchbenchbench'

/** A stand-in of a platform in this process, and its users. */
export interface PlatformServer {
  platform: Platform
  /** Settings for the bot. */
  env: Record<string, string>
  /** Sends `/asset` for each address from a user of its own, all at once; resolves with the milliseconds to each answer. */
  send(addresses: readonly string[]): Promise<Iterable<number>>
  /** The bot's latest answers, without their recipients. */
  answers(count: number): Record<string, unknown>[]
  /** Adds chats to notify; returns their ids. */
  addChats(count: number): string[]
  /** Calls back for each of the bot's messages; returns a function that stops it. */
  listen(received: (chat: string) => void): () => void
  /** Number of the bot's messages in this chat. */
  messagesIn(chat: string): number
  /** Number of 429 answers so far. */
  refused(): number
  stop(): Promise<void>
}

/** @param limits whether the platform's rate limits are enforced */
export function openPlatform(platform: Platform, limits: boolean): Promise<PlatformServer> {
  return platform === 'telegram' ? openTelegram(limits) : openDiscord(limits)
}

async function openTelegram(floodLimits: boolean): Promise<PlatformServer> {
  const server = await TelegramServer.start({ token: telegramToken, floodLimits })
  const { tally, world } = server.api
  const nextUsers = cycleUsers()
  return {
    platform: 'telegram',
    env: { TELEGRAM_TOKEN: telegramToken, TELEGRAM_API_ROOT: server.root },
    send: (addresses) => {
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
    stop: () => server.stop(),
  }
}

const callback = z.object({ data: z.record(z.string(), z.unknown()) })

async function openDiscord(rateLimits: boolean): Promise<PlatformServer> {
  const server = await DiscordServer.start({ token: discordToken, rateLimits })
  const { tally } = server.world
  const users = Array.from({ length: userCount }, (_, index) => server.world.join(`User ${index}`))
  // Discord refuses answers after 3 s: on a machine with other work, some of the first ones come later.
  if (!rateLimits) server.answerMs = timeoutMs
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
