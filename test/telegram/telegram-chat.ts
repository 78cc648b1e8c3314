import { TelegramServer } from '../../sandbox/telegram/server.ts'
import type { SeenMessage } from '../../sandbox/telegram/shown.ts'
import type { PlatformError } from '../../src/chat/platform.ts'
import { createLogger } from '../../src/log.ts'
import { TelegramPlatform } from '../../src/telegram/platform.ts'
import { keptLines } from '../chat/kept-lines.ts'
import { LogBook } from '../chat/log-book.ts'
import { ScriptedBot } from '../chat/scripted-bot.ts'
import { Front } from './front.ts'

export const token = '4242:telegram-token-for-tests'

export interface Connection {
  bot: ScriptedBot
  lines: ReturnType<typeof keptLines>
  log: LogBook
  /** What ended the connection for good. */
  fatal: PlatformError[]
  platform: TelegramPlatform
}

/** The platform with a scripted bot behind it, not started yet. */
export function connection(apiRoot: string, withToken = token): Connection {
  const bot = new ScriptedBot()
  const lines = keptLines()
  const log = new LogBook()
  const fatal: PlatformError[] = []
  const platform = new TelegramPlatform({
    token: withToken,
    apiRoot,
    bot,
    lines,
    log: createLogger('debug', [], log),
    onFatal: (error) => fatal.push(error),
  })
  return { bot, lines, log, fatal, platform }
}

export interface Chat extends Connection {
  server: TelegramServer
  /** Waits for a message of the bot whose text has this. */
  sees(chatId: number, text: string, after?: number): Promise<SeenMessage>
  /** The texts of the bot's messages in a chat. */
  botTexts(chatId: number): string[]
  /** Resolves once everything that this person did before in the chat, their own unless told otherwise, was handled. */
  settled(userId: number, chatId?: number): Promise<void>
  stop(): Promise<void>
}

/** The stand-in for Telegram, and the running platform with a scripted bot. */
export async function startChat(options: { floodLimits?: boolean } = {}): Promise<Chat> {
  const server = await TelegramServer.start({ token, floodLimits: false, ...options })
  return chatOver(server, server.root)
}

/** As `startChat`, with a door at which calls can come to grief. */
export async function startFrontedChat(): Promise<Chat & { front: Front }> {
  const server = await TelegramServer.start({ token, floodLimits: false })
  const front = new Front(server.root)
  await front.open()
  const chat = await chatOver(server, front.root)
  const stop = async () => {
    await chat.platform.stop()
    await front.shut()
    await server.stop()
  }
  return { ...chat, front, stop }
}

async function chatOver(server: TelegramServer, root: string): Promise<Chat> {
  const parts = connection(root)
  await parts.platform.start()
  const sees = (chatId: number, text: string, after = 0) =>
    server.people.waitFor(chatId, (message) => message.text.includes(text), {
      after,
      timeoutMs: 20_000,
    })
  return {
    ...parts,
    server,
    sees,
    botTexts: (chatId) =>
      server.people
        .messages(chatId)
        .filter(({ sender, viaBot }) => sender.isBot && viaBot === undefined)
        .map(({ text }) => text),
    settled: async (userId, chatId = userId) => {
      const { message_id } = server.people.text(userId, chatId, '/ask settled')
      await sees(chatId, 'ask settled', message_id)
    },
    stop: async () => {
      await parts.platform.stop()
      await server.stop()
    },
  }
}
