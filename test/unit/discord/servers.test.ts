import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { club, gavel, news } from '../../../sandbox/discord/cast.ts'
import type { DiscordServer } from '../../../sandbox/discord/server.ts'
import type { ChatChange } from '../../../src/core/adapter.ts'
import { viewOf } from '../core/scripted-bot.ts'
import { type Connection, connection, startServer, token } from './discord-chat.ts'

let server: DiscordServer
let chat: Connection
let changes: ChatChange[]
beforeEach(async () => {
  server = await startServer({ shards: 2, maxConcurrency: 16 })
  changes = []
  const onChatChange = async (change: ChatChange) => {
    changes.push(change)
  }
  chat = connection(server.root, token, { onChatChange })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await chat.platform.stop()
  await server.stop()
})

const soon = () => expect.poll(() => changes, { timeout: 20_000 })
const lost = (...chats: string[]) => ({ kind: 'lost', chats, loss: 'removed' })
const back = (...chats: string[]) => ({ kind: 'back', chats })

/** Has Discord end all sessions, and waits for the next ones. */
async function newSessions(): Promise<void> {
  const { now } = Date
  // discord.js begins a session 5 s after the last one at the soonest.
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 6_000)
  const before = server.sessionStarts
  server.invalidateSessions()
  await expect.poll(() => server.sessionStarts, { timeout: 20_000 }).toBe(before + 2)
  await expect.poll(() => chat.platform.state(), { timeout: 20_000 }).toBe('connected')
}

test('a server that the bot was in at the start, or is in at the next session, is no news', async () => {
  await chat.platform.start()
  await newSessions()
  server.world.removeBot()
  await soon().toEqual([lost(club.id, news.id)])
})

test('a server that removes the bot takes its channels and threads with it, and brings them back', async () => {
  const thread = server.world.startThread(club.id, 'auctions')
  await chat.platform.start()
  server.world.removeBot()
  server.world.addBot()
  await soon().toEqual([lost(club.id, news.id, thread), back(club.id, news.id, thread)])
})

test('a channel or thread that was opened since counts too', async () => {
  await chat.platform.start()
  const thread = server.world.startThread(news.id, 'auctions')
  server.world.removeBot()
  await soon().toEqual([lost(club.id, news.id, thread)])
})

test('a server that is unavailable during an outage is not lost, and not back after it', async () => {
  await chat.platform.start()
  server.world.outage()
  server.world.outage(true)
  server.world.removeBot()
  await soon().toEqual([lost(club.id, news.id)])
})

test('a server that lets the bot in during an outage is back once it is there', async () => {
  server.world.leave(gavel.id)
  await chat.platform.start()
  const { guild, events } = server.world
  const json = JSON.stringify({ id: guild.id, unavailable: true })
  events.emit('dispatch', { name: 'GUILD_CREATE', guildId: guild.id, intents: 0, json: () => json })
  server.world.addBot()
  await soon().toEqual([back(club.id, news.id)])
})

test('a server that is missing in the next session of its shard was lost meanwhile', async () => {
  await chat.platform.start()
  server.world.leave(gavel.id)
  await newSessions()
  await soon().toEqual([lost(club.id, news.id)])
  server.world.addBot()
  await soon().toEqual([lost(club.id, news.id), back(club.id, news.id)])
})

test('a server that lets the bot in is greeted in the channel of Discord’s own messages, in its language and for its owner', async () => {
  await chat.platform.start()
  chat.bot.greeting = viewOf('Hello')
  Object.assign(server.world.guild, { system_channel_id: news.id, preferred_locale: 'es-ES' })
  server.world.removeBot()
  server.world.addBot()
  await expect
    .poll(() => chat.bot.entered, { timeout: 20_000 })
    .toMatchObject([{ chat: news.id, user: server.world.guild.owner_id, locale: 'es' }])
})
