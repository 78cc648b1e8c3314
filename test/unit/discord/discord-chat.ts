import { type APIMessage, ComponentType, MessageFlags } from 'discord-api-types/v10'
import { expect } from 'vitest'
import { ada, club } from '../../../sandbox/discord/cast.ts'
import { DiscordServer, type DiscordServerOptions } from '../../../sandbox/discord/server.ts'
import { OnlyProcess } from '../../../src/cluster/leadership.ts'
import { type ChatAddress, type PlatformError, SendError } from '../../../src/core/adapter.ts'
import type { Answer } from '../../../src/core/incoming.ts'
import { DiscordAdapter, type DiscordParts } from '../../../src/discord/adapter.ts'
import { discord } from '../../../src/discord/platform.ts'
import { type AnswerTimes, defaultTimes } from '../../../src/discord/reply.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'
import { memoryCallbacks } from '../core/memory-callbacks.ts'
import { later, ScriptedBot } from '../core/scripted-bot.ts'

export const token = 'discord.token-for.tests'

export const toClub: ChatAddress = { kind: 'chat', id: club.id }

/** What the bot knows of Ada asking in the club for all to read. */
export const adasTurn = {
  platform: discord,
  user: ada.id,
  chat: club.id,
  ephemeral: false,
  isPrivate: false,
  locale: 'en',
  update: expect.any(String),
}

/** The platform as a process has it that does everything alone. */
class LoneDiscord extends DiscordAdapter {
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
  /** The platform reads them anew for each question. */
  times: AnswerTimes
  platform: LoneDiscord
}

/** Has a platform keep to Discord's overall limit, for which others would spend most of their time on waiting. */
export const limited: Partial<DiscordParts> = { requestsPerSecond: undefined }

/** The platform with a scripted bot behind it, not started yet; `parts` in place of the usual ones. */
export function connection(
  apiRoot: string,
  withToken = token,
  parts: Partial<DiscordParts> = {},
): Connection {
  const bot = new ScriptedBot()
  const lines = memoryCallbacks()
  const log = new LogBook()
  const fatal: PlatformError[] = []
  const times = { ...defaultTimes, viewPauseMs: 20 }
  const platform = new LoneDiscord({
    token: withToken,
    apiRoot,
    dispatch: bot.dispatch,
    callbacks: lines,
    log: createLogger('debug', [], log),
    onFatal: (error) => fatal.push(error),
    times,
    requestsPerSecond: 10_000,
    ...parts,
  })
  return { bot, lines, log, fatal, times, platform }
}

/** Has a line answered when the test says so, and whatever is asked from now on deferred at once. */
export function deferred({ bot, times }: Connection, line: string): (answer: Answer) => void {
  const slow = later()
  bot.on(line, slow.script)
  times.deferAfterMs = 0
  return slow.come
}

export function startServer(options: Partial<DiscordServerOptions> = {}): Promise<DiscordServer> {
  return DiscordServer.start({ token, rateLimits: false, ...options })
}

export interface Chat extends Connection {
  server: DiscordServer
  /** What a person reads in a channel, message by message, oldest first; of a pending one "…". */
  reads(channelId: string, viewerId: string): string[]
  stop(): Promise<void>
}

/** The stand-in for Discord, and the running platform with a scripted bot; a test may put others in their place. */
export async function startChat(more: Parameters<typeof connection>[2] = {}): Promise<Chat> {
  const server = await startServer()
  const chat: Chat = {
    ...connection(server.root, undefined, more),
    server,
    reads: (channelId, viewerId) => chat.server.people.messages(channelId, viewerId).map(textOf),
    stop: async () => {
      await chat.platform.stop()
      await chat.server.stop()
    },
  }
  await chat.platform.start()
  return chat
}

/** Waits for the refusal of what the bot was to send, and returns it. */
export async function failure(sending: Promise<unknown>): Promise<SendError> {
  const error: unknown = await sending.catch((reason: unknown) => reason)
  if (error instanceof SendError) return error
  throw new Error('nothing was refused', { cause: error })
}

/** What stands in a message of the bot or of a person. */
export function textOf({ content, components = [], flags }: APIMessage): string {
  if (((flags ?? 0) & MessageFlags.Loading) !== 0) return '…'
  const parts = components.flatMap((part) =>
    part.type === ComponentType.Container ? part.components : [part],
  )
  return [content, ...parts.map((part) => ('content' in part ? part.content : ''))]
    .filter(Boolean)
    .join('\n')
}

/** Whether only one person sees the message. */
export function isEphemeral({ flags }: APIMessage): boolean {
  return ((flags ?? 0) & MessageFlags.Ephemeral) !== 0
}

/** The id of the control with this label, to be pressed. */
export function controlOf({ components = [] }: APIMessage, label: string): string {
  const rows = components
    .flatMap((part) => (part.type === ComponentType.Container ? part.components : []))
    .flatMap((part) => (part.type === ComponentType.ActionRow ? part.components : []))
  for (const control of rows) {
    if ('label' in control && control.label === label && 'custom_id' in control) {
      return control.custom_id
    }
  }
  throw new Error(`no control ${label}`)
}
