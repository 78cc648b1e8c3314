import * as discordCast from '../../sandbox/discord/cast.ts'
import { crowdOfChannels } from '../../sandbox/discord/crowd.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import type { Audience } from './audience.ts'

// Fake credentials in a valid format: only this process's stand-ins accept them.
const telegramToken = '7000000003:AAalertsalertsalertsalertsalertsale'
const discordToken = 'MTMwMDAwMDAwMDAwMDAwMDAwMQ.alert.alertsalertsalertsalertsalert'

/** Number of users who send commands: enough to stay below the rate limits per user and per chat. */
const userCount = 40
const firstUserId = 9_000_000
const patienceMs = 60_000

/** Opens private chats on a Telegram stand-in with its flood limits on. */
export async function openTelegram(chats: number): Promise<Audience> {
  const server = await TelegramServer.start({ token: telegramToken })
  const { tally, world } = server.api
  const ids = server.circumstances.crowd(chats)
  let asked = 0
  return {
    platform: 'telegram',
    env: { TELEGRAM_TOKEN: telegramToken, TELEGRAM_API_ROOT: server.root },
    followers: ids.map(String),
    countsAnswers: true,
    command: async (address) => {
      const userId = firstUserId + (asked++ % userCount)
      const text = `/asset ${address}`
      const { millis } = await server.people.flood({
        count: 1,
        text,
        firstUserId: userId,
        timeoutMs: patienceMs,
      })
      return millis
    },
    listen: (heard) => {
      const stored = ({ chat }: { chat: { id: number } }, { byBot }: { byBot: boolean }) => {
        if (byBot) heard(String(chat.id))
      }
      world.events.on('stored', stored)
      return () => world.events.off('stored', stored)
    },
    messagesIn: (chat) => tally.in(Number(chat)),
    tally: () => ({ edits: tally.edits, refused: tally.refused }),
  }
}

/** Opens channels on a Discord stand-in with its rate limits on. */
export async function openDiscord(chats: number): Promise<Audience> {
  const server = await DiscordServer.start({ token: discordToken })
  const { tally } = server.world
  const followers = crowdOfChannels(server.world, chats)
  const people = Array.from({ length: userCount }, (_, index) =>
    server.people.join(`Guest${index}`),
  )
  let asked = 0
  return {
    platform: 'discord',
    env: { DISCORD_TOKEN: discordToken, DISCORD_API_ROOT: server.root },
    followers,
    countsAnswers: false,
    command: async (address) => {
      const userId = people[asked++ % userCount] ?? discordCast.ben.id
      const { latencies } = await server.burst({
        count: 1,
        userId,
        channelId: discordCast.club.id,
        name: 'asset',
        options: { asset: address },
        timeoutMs: patienceMs,
      })
      return latencies[0] ?? Number.NaN
    },
    listen: (heard) => server.people.on('change', heard),
    messagesIn: (chat) => tally.sent.get(chat) ?? 0,
    tally: () => ({ edits: tally.edited, refused: tally.refusals }),
  }
}
