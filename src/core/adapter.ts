import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../log.ts'
import type { CallbackStore } from './callback-data.ts'
import type { Locale } from './catalogue.ts'
import type { Platform, PlatformName, ShowProgress } from './command.ts'
import type { Dispatch } from './incoming.ts'
import type { ProxySettings } from './proxy.ts'
import type { Priority } from './send-queue.ts'
import { backoff, retry, sleep, type Task } from './task.ts'
import type { LocalisedView, Message, Picture, View } from './view.ts'

/** Dependencies of every adapter. */
export interface AdapterParts {
  token: string
  /** Without a slash at the end. */
  apiRoot: string
  /** The operator's proxies; default: none. */
  proxy?: ProxySettings | undefined
  dispatch: Dispatch
  callbacks: CallbackStore
  log: Logger
  /** The language of a chat to which the bot writes by itself; default: English. */
  localeOf?: (to: ChatAddress) => Locale
  /** Part of the platform's limit, between 0 and 1, that this process may use now; default: all. */
  share?: () => number
  /** Milliseconds on a clock that never jumps, for `health`. */
  elapsed?: () => number
  /** Called with the bot's own id before anything else. @throws PlatformError if the database belongs to another bot */
  claim?: (id: string) => Promise<void>
  /** Called if the connection is lost for good; the message says why. */
  onFatal: (error: PlatformError) => void
  /** Called for each update, with its kind, of which each platform has a few. */
  onUpdate?: (kind: string) => void
  /** Called for each answer with status 429. */
  onLimited?: () => void
  /** Called for each message of `send` that was not sent. */
  onSendFailed?: (failure: SendFailure) => void
  /** Called if the platform reports a change of chats. */
  onChatChange?: (change: ChatChange) => Promise<void>
}

/**
 * State of a platform's connection, for /healthz. `standby`: the leader, another process, receives the updates. `refusing`:
 * the platform accepts none of the bot's messages.
 */
export type ConnectionState =
  | 'starting'
  | 'connected'
  | 'standby'
  | 'reconnecting'
  | 'refusing'
  | 'stopped'

/** Receives updates, or keeps the webhook set that does. */
export interface Receiver {
  name: string
  begin: () => Task
  /** Each process receives what is its own; otherwise the leader receives all. */
  inEach?: boolean
}

/** The target of a message that answers nothing, such as an alert: a person's private chat, or a chat by its id. */
export interface ChatAddress {
  kind: 'person' | 'chat'
  /** The platform's own id. */
  id: string
  /** A forum topic, on platforms that have them. */
  thread?: string
}

/** A message that was sent. */
export interface Sent {
  /** The platform's own id, by which it can be edited. */
  message: string
}

/**
 * Why nothing can be sent to a chat any more, until its people change something: the bot is blocked by the person,
 * was removed from the chat, the chat is gone, its topic is closed or gone, the bot may not write there, or the platform has
 * refused one message after the other for a reason that is not known. `operator`: an administrator of the bot wants it so, and
 * only they end it.
 */
export const losses = [
  'blocked',
  'removed',
  'gone',
  'topic-closed',
  'forbidden',
  'refused',
  'operator',
] as const
export type Loss = (typeof losses)[number]

/**
 * Changes of chats that their platform reports by itself, by the platform's own ids: nothing can be sent there any more,
 * something can again, or a chat goes on under another id. Topics go with their chat.
 */
export type ChatChange =
  | { kind: 'lost'; chats: readonly string[]; loss: Loss }
  | { kind: 'back'; chats: readonly string[] }
  | { kind: 'migrated'; chat: string; to: string }

/** A role that a message notifies. */
export interface Mention {
  /** As a view's `mentions` name it. */
  role: string
  /** Its name as it was, such as `@Launches`. */
  name: string
}

/** Whether a platform answers messages, for senders; see `PlatformHealth`. */
export interface SendHealth {
  readonly isDown: boolean
  /** Whether an uncertain message may be tried again now, rather than saved until the platform answers. */
  readonly mayRetryUncertain: boolean
  /** Milliseconds until the next message may be tried; 0 for now. */
  wait(): number
  /** Whether a chat, rather than the messages or the platform, is the cause of refusals for reasons that are not known. */
  isChatToBlame(to: ChatAddress): boolean
}

/**
 * Telegram or Discord, as the rest of the code sees it.
 * @example
 *   await adapter.start()
 *   const { message } = await adapter.send({ kind: 'chat', id: '-100123' }, view, 'alert 7')
 *   await adapter.edit({ kind: 'chat', id: '-100123' }, message, newerView)
 */
export interface Adapter {
  readonly name: PlatformName
  readonly platform: Platform
  /** https link to where people have their private chat with the bot; undefined before the start. */
  readonly chatUrl?: string | undefined
  /** The language of messages to a chat. */
  localeOf(to: ChatAddress): Locale
  /**
   * Sends a message in the chat's language, without retries. `key` makes it idempotent on Discord: a second send with the same key within
   * minutes gives no second message. @throws SendError
   */
  send(to: ChatAddress, view: View, key: string): Promise<Sent>
  /**
   * Replaces the content of a message that `send` sent. @throws SendError, with `final` if the message is gone or can't be
   * edited any more
   */
  edit(to: ChatAddress, message: string, view: View): Promise<void>
  /**
   * Milliseconds until the platform’s overall limit allows one more message that nobody waits for; 0 if it may go now. Nothing
   * is reserved: answers to people that wait go first.
   */
  msUntilSlot(): number
  /** Number of messages that wait for their turn. */
  waiting(): Readonly<Record<Priority, number>>
  /** Seconds to leave between two messages in one chat, to stay within the platform's limit. */
  gap(to: ChatAddress): number
  /** Minimum milliseconds between the starts of two background messages while sends are slow. */
  readonly startSpacing: number
  /** Whether the person may write in the chat, and so may have the bot write there; false if the platform can't say. */
  isMember(chat: string, person: string): Promise<boolean>
  /**
   * Whether the person is an administrator who may decide what the bot writes in a group, channel or server channel.
   * @throws SendError if the platform can't be asked, or the bot is not in the chat
   */
  manages(chat: string, person: string): Promise<boolean>
  /**
   * Finds a role that a message in a chat may notify, for a person who wants it to; or says why it may not. Absent on platforms
   * without roles. @throws SendError if the platform can't be asked
   */
  mention?(chat: string, person: string, role: string): Promise<Mention | { refusal: Message }>
  /** Title of a group or channel; undefined if the platform doesn't give it. */
  title(chat: string): Promise<string | undefined>
  /** Sources of updates. The leader runs each of them, or every process runs its own. */
  readonly receivers: readonly Receiver[]
  /** Answers the platform's webhook calls, which are POSTs; undefined if updates come in another way. */
  readonly webhook: Webhook | undefined
  /** Resolves once the bot can send, and take webhook calls. @throws PlatformError that says which setting to change */
  start(): Promise<void>
  /**
   * Takes no more webhook calls, waits up to `patience` milliseconds for the answers under way, and closes everything.
   * The receivers must have been stopped before.
   */
  stop(patience?: number): Promise<void>
  state(): ConnectionState
  readonly health: SendHealth
  /** Number of updates that wait at the platform, as it last said; undefined if it does not say. */
  pendingUpdates?(): number | undefined
}

/** Path on the bot's own server that a platform calls. */
export function webhookPathOf(name: PlatformName): string {
  return `/${name}`
}

interface SendErrorDetail {
  final: boolean
  retryAfter?: number | undefined
  loss?: Loss | undefined
  movedTo?: string | undefined
  uncertain?: boolean
  isRefusal?: boolean
  isUnknown?: boolean
  cause?: unknown
}

/** A message could not be sent. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** A retry can't succeed: blocked, kicked, gone, not allowed. */
  readonly final: boolean
  /** Seconds to wait before another try, if the platform said so. */
  readonly retryAfter: number | undefined
  /** Why nothing else can be sent to this chat either. */
  readonly loss: Loss | undefined
  /** The chat goes on under this id. */
  readonly movedTo: string | undefined
  /** No answer came: it may have been sent. */
  readonly uncertain: boolean
  /** The platform itself said that it does not take it, for good or for now. */
  readonly isRefusal: boolean
  /** The platform gave a reason that is not known: it may be the chat's, and hold for its next messages. */
  readonly isUnknown: boolean

  constructor(message: string, detail: SendErrorDetail) {
    super(message, { cause: detail.cause })
    this.final = detail.final
    this.retryAfter = detail.retryAfter
    this.loss = detail.loss
    this.movedTo = detail.movedTo
    this.uncertain = detail.uncertain ?? false
    this.isRefusal = detail.isRefusal ?? false
    this.isUnknown = detail.isUnknown ?? false
  }
}

/** A message that was not tried, as others go first: this says nothing about the platform. */
export class NotSentError extends SendError {
  /** @param retryAfter seconds until there may be room for it */
  constructor(retryAfter: number) {
    super('A message was not sent: others go first.', {
      final: false,
      retryAfter: Math.max(1, Math.ceil(retryAfter)),
    })
  }
}

/** Why a message was not sent, for metrics: those of `losses` that platforms say, and other reasons. */
export const sendFailures = [
  'blocked',
  'removed',
  'gone',
  'topic-closed',
  'forbidden',
  /** The platform does not take the message. */
  'refused',
  /** The chat goes on under another id. */
  'moved',
  /** The platform's limit. */
  'limited',
  /** It may have been sent. */
  'no-answer',
  'unreachable',
] as const
export type SendFailure = (typeof sendFailures)[number]

/** Resolves or rejects as `sending` does, and reports why if it fails. */
export async function reportingFailure<T>(
  sending: Promise<T>,
  report: ((failure: SendFailure) => void) | undefined,
): Promise<T> {
  try {
    return await sending
  } catch (error) {
    report?.(failureOf(error))
    throw error
  }
}

function failureOf(error: unknown): SendFailure {
  if (!(error instanceof SendError)) return 'unreachable'
  if (error.loss !== undefined && error.loss !== 'operator') return error.loss
  if (error.movedTo !== undefined) return 'moved'
  if (error.final) return 'refused'
  if (error.retryAfter !== undefined) return 'limited'
  return error.uncertain ? 'no-answer' : 'unreachable'
}

/** A platform refused the start for a reason that the operator can fix. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
}

/**
 * Makes a function that retries without limit, with pauses that grow to 30 s, until a platform can be reached: the bot may
 * start before the network does. Logs each failure. Errors that are `isFinal`, such as a refused token, and PlatformErrors
 * are not retried.
 * @example
 *   const reach = untilReachable('telegram', isFinal, log)
 *   const me = await reach(() => api.getMe(), signal)
 */
export function untilReachable(
  platform: PlatformName,
  isFinal: (error: unknown) => boolean,
  log: Logger,
): <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T> {
  return (work, signal) =>
    retry(work, {
      signal,
      canRetry: (error) => !(error instanceof PlatformError) && !isFinal(error),
      pause: (failures) => backoff(failures, 500, 30_000),
      onRetry: (err) => log.warn({ err }, `${platform} can’t be reached; trying again`),
    })
}

const maxChats = 10_000
/** Milliseconds after which pictures are tried again: somebody may have allowed them. */
const picturesAgainMs = 60 * 60_000

/** The refused thing: all pictures in the chat, or this picture. Undefined if the error has another cause. */
export type PhotoRefusal = 'chat' | 'picture' | undefined

/** Sends messages without pictures to chats in which the bot may write but not show pictures. */
export class PhotoFallback {
  readonly #chats: LRUCache<string, true>
  readonly #refusal: (error: unknown) => PhotoRefusal

  /**
   * @param refusal classifies an error of the platform
   * @param now milliseconds on a clock that never jumps
   */
  constructor(refusal: (error: unknown) => PhotoRefusal, now: () => number) {
    this.#refusal = refusal
    this.#chats = new LRUCache({
      max: maxChats,
      ttl: picturesAgainMs,
      ttlResolution: 0,
      perf: { now },
    })
  }

  /**
   * Shows a message with its picture; without it, if the picture is refused now or was refused in this chat within the
   * last hour. @throws what `show` throws
   */
  async show<T>(
    chat: string,
    picture: Picture | undefined,
    show: (picture: Picture | undefined) => Promise<T>,
  ): Promise<T> {
    if (!picture || this.#chats.has(chat)) return show(undefined)
    try {
      return await show(picture)
    } catch (error) {
      const refusal = this.#refusal(error)
      if (refusal === undefined) throw error
      const shown = await show(undefined)
      // The picture was the cause: the message was accepted without it.
      if (refusal === 'chat') this.#chats.set(chat, true)
      return shown
    }
  }
}

/** Result of showing a view: milliseconds until the next one may follow, and whether this one has to be retried. */
export interface Edited {
  pause: number
  retry?: boolean
}

/**
 * Shows interim views while an answer is being made, with a pause between them. Skips all but the latest waiting view.
 * @example
 *   const editor = new ThrottledEditor(async (view) => ({ pause: await edit(view) }))
 *   const view = await command.run(line, services, context, editor.show)
 *   await editor.end()
 */
export class ThrottledEditor {
  readonly #edit: (view: LocalisedView) => Promise<Edited>
  #isEnding = false
  /** Ends the pause after a view. */
  #endPause: AbortController | undefined
  #next: LocalisedView | undefined
  #work: Promise<void> | undefined

  /** @param edit shows one view; it must not reject */
  constructor(edit: (view: LocalisedView) => Promise<Edited>) {
    this.#edit = edit
  }

  /** Returns at once, so that commands don't wait for the platform. */
  readonly show: ShowProgress<string> = async (view) => {
    this.#next = view
    this.#work ??= this.#run()
  }

  /** Drops the waiting view, and waits for the one being shown. */
  async end(): Promise<void> {
    this.#isEnding = true
    this.#endPause?.abort()
    await this.#work
  }

  async #run(): Promise<void> {
    this.#endPause = new AbortController()
    const { signal } = this.#endPause
    while (this.#next !== undefined && !this.#isEnding) {
      const view = this.#next
      this.#next = undefined
      const { pause, retry = false } = await this.#edit(view)
      // A newer view replaces one that has to be retried.
      if (retry) this.#next ??= view
      await sleep(pause, signal)
    }
    // Synchronous with the last check of `#next`, so that no view is missed.
    this.#work = undefined
  }
}

/** The host of a URL, without its path, which may be secret. */
export function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'another address'
}

/** Answers a platform's call; if that throws, answers with 500. */
export type Webhook = (request: IncomingMessage) => Promise<WebhookAnswer>

export interface WebhookAnswer {
  status: number
  json?: unknown
  /** Seconds until the platform shall call again. */
  retryAfter?: number
}
