import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import type { SeenMessage } from '../../../sandbox/telegram/shown.ts'
import { OnlyProcess } from '../../../src/cluster/leadership.ts'
import type { PlatformError } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { TelegramAdapter } from '../../../src/telegram/adapter.ts'
import { LogBook } from '../core/log-book.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { ScriptedBot } from '../core/scripted-bot.ts'
import { Front } from './fault-proxy.ts'

export const token = '4242:telegram-token-for-tests'

/** So many messages that none waits. */
const unlimited = { all: 1_000_000, person: 1_000_000, group: 1_000_000 }

/** Where the bot writes by itself: to a person, or into a group or channel. */
export const toPerson = (id: number) => ({ kind: 'person', id: String(id) }) as const
export const toChat = (id: number) => ({ kind: 'chat', id: String(id) }) as const

/** The platform as a process has it that does everything alone. */
class LoneTelegram extends TelegramAdapter {
  readonly #tasks = new OnlyProcess(createLogger('silent', []))

  override async start(): Promise<void> {
    await super.start()
    for (const { name, begin } of this.receivers) this.#tasks.run(name, begin)
    await this.#tasks.start()
  }

  override async stop(patience?: number): Promise<void> {
    await this.#tasks.stop()
    await super.stop(patience)
  }
}

export interface Connection {
  bot: ScriptedBot
  lines: ReturnType<typeof memoryCallbacks>
  log: LogBook
  /** What ended the connection for good. */
  fatal: PlatformError[]
  platform: LoneTelegram
}

export type ConnectionParts = Partial<ConstructorParameters<typeof TelegramAdapter>[0]>

/** The platform with a scripted bot behind it, not started yet. */
export function connection(
  apiRoot: string,
  withToken = token,
  lines = memoryCallbacks(),
  more: ConnectionParts = {},
): Connection {
  const bot = new ScriptedBot()
  const log = new LogBook()
  const fatal: PlatformError[] = []
  const platform = new LoneTelegram({
    token: withToken,
    apiRoot,
    dispatch: bot.dispatch,
    callbacks: lines,
    log: createLogger('debug', [], log),
    limits: unlimited,
    onFatal: (error) => fatal.push(error),
    ...more,
  })
  return { bot, lines, log, fatal, platform }
}

export interface Chat extends Connection {
  server: TelegramServer
  /** Waits for a message of the bot whose text has this. */
  sees(chatId: number, text: string, after?: number): Promise<SeenMessage>
  /** The texts of the bot's messages in a chat. */
  botTexts(chatId: number): string[]
  /** The same bot in a process of its own, with the lines that were kept. */
  restarted(): Promise<Connection>
  /** Resolves once everything that this person did before in the chat, their own unless told otherwise, was handled. */
  settled(userId: number, chatId?: number): Promise<void>
  stop(): Promise<void>
}

/** The stand-in for Telegram, and the running platform with a scripted bot. */
export async function startChat(
  { floodLimits = false }: { floodLimits?: boolean } = {},
  parts: ConnectionParts = {},
): Promise<Chat> {
  const server = await TelegramServer.start({ token, floodLimits })
  return chatOver(server, server.root, { ...parts, ...(floodLimits && { limits: undefined }) })
}

/** As `startChat`, with a door at which calls can come to grief. */
export async function startFrontedChat(
  parts: ConnectionParts = { viewPauseMs: 20 },
): Promise<Chat & { front: Front; another(): Promise<Connection> }> {
  const server = await TelegramServer.start({ token, floodLimits: false })
  const front = new Front(server.root)
  await front.open()
  const chat = await chatOver(server, front.root, parts)
  const others: Connection[] = []
  /** The same bot in another process, which does not listen. */
  const another = async () => {
    const other = connection(front.root)
    others.push(other)
    return other
  }
  const stop = async () => {
    await Promise.all([chat, ...others].map(({ platform }) => platform.stop()))
    await front.shut()
    await server.stop()
  }
  return { ...chat, front, another, stop }
}

async function chatOver(
  server: TelegramServer,
  root: string,
  more: ConnectionParts = {},
): Promise<Chat> {
  const parts = connection(root, token, memoryCallbacks(), more)
  await parts.platform.start()
  const later: Connection[] = []
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
    restarted: async () => {
      const again = connection(root, token, parts.lines)
      later.push(again)
      await again.platform.start()
      return again
    },
    stop: async () => {
      await Promise.all([parts, ...later].map(({ platform }) => platform.stop()))
      await server.stop()
    },
  }
}
