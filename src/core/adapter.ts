import { ExponentialBackoff, handleWhen, type RetryPolicy, retry } from 'cockatiel'
import type { Logger } from '../log.ts'
import type { CallbackStore } from './callback-data.ts'
import type { Dispatch } from './dispatch.ts'
import type { Inboxes, UpdateDeduplication } from './inbox.ts'
import type { PubSub } from './pubsub.ts'
import type { Task } from './task.ts'
import type { View } from './view.ts'

/** What every platform is made of. */
export interface AdapterParts {
  token: string
  /** Without a slash at the end. */
  apiRoot: string
  dispatch: Dispatch
  callbacks: CallbackStore
  log: Logger
  /** Tells other replicas what this one sends, so that whoever tells alerts keeps to what is permitted to the bot in all. */
  pubsub: PubSub
  inboxes: Inboxes
  heard: UpdateDeduplication
  /** Is told the bot's own id before it does anything. @throws PlatformError where the database is another bot's */
  claim?: (id: string) => Promise<void>
  /** The connection is lost for good; the message says why. */
  onFatal: (error: PlatformError) => void
  /** Hears of each thing that people did, by the platform's few kinds of them. */
  onUpdate?: (kind: string) => void
  /** Hears of each answer that says "too many requests". */
  onLimited?: () => void
}

/** How a platform's connection is doing, for /healthz. On standby another replica hears people. */
export type ConnectionState = 'starting' | 'connected' | 'standby' | 'reconnecting' | 'stopped'

/** A connection over which people are heard, or what sees that they are, and the name of the role whose holder has it. */
export interface Receiver {
  role: string
  begin: () => Task
}

/** Where the bot writes without being asked at that moment: a person's private chat, or a chat by its id. */
export interface ChatAddress {
  kind: 'person' | 'chat'
  /** The platform's own id. */
  id: string
  /** A topic of a forum, where the platform has such. */
  thread?: string
}

/** A message that was sent. */
export interface Sent {
  /** The platform's own id, by which it can be edited. */
  message: string
}

/**
 * Why nothing can be sent to a chat any more, until its people change something: the bot is blocked by the person,
 * was removed from the chat, the chat is gone, its topic is closed or gone, or the bot may not write there.
 */
export const losses = ['blocked', 'removed', 'gone', 'topic-closed', 'forbidden'] as const
export type Loss = (typeof losses)[number]

/** All that the house asks of Telegram or Discord. */
export interface Adapter {
  name: 'telegram' | 'discord'
  /**
   * Writes a message. `key` names it: where the platform knows how, a second send with the same key within minutes
   * gives no second message. A send is tried once. @throws SendError
   */
  send(to: ChatAddress, view: View, key: string): Promise<Sent>
  /**
   * Puts a view in the place of a message that `send` wrote. @throws SendError, final where the message is gone or
   * can't be edited any more
   */
  edit(to: ChatAddress, message: string, view: View): Promise<void>
  /**
   * Milliseconds until one more message that nobody waits for may begin within what the platform permits the bot in
   * all; 0 takes that place. What answers people is counted first and never waits here.
   */
  capacity(): number
  /** Seconds to leave between two messages in one chat, so that the platform refuses none. */
  gap(to: ChatAddress): number
  /** Whether the person may write in the chat, and so may have the bot write there; false where it can't tell. */
  isMember(chat: string, person: string): Promise<boolean>
  /**
   * Whether the person may decide what the bot writes in a group, channel or server channel: an administrator.
   * @throws SendError where the platform can't be asked, or the bot is not there
   */
  manages(chat: string, person: string): Promise<boolean>
  /** What a group or channel is called; undefined where the platform doesn't tell. */
  title(chat: string): Promise<string | undefined>
  /** Connections over which people are heard, and what sees that they are: each is one replica's at a time. */
  readonly receivers: readonly Receiver[]
  /** Answers the platform's own calls, each of them a POST; undefined where it makes none. */
  readonly webhook: ((request: Request) => Promise<Response>) | undefined
  /** Resolves once the bot can write, and be called. @throws PlatformError that says what to set where it can't. */
  start(): Promise<void>
  /**
   * Takes no more calls, lets the answers under way finish, for so many milliseconds at most, and closes everything. What
   * is heard has ended before.
   */
  stop(patience?: number): Promise<void>
  state(): ConnectionState
}

/** Where on the bot's own server a platform calls it. */
export function webhookPathOf(name: Adapter['name']): string {
  return `/${name}`
}

interface SendErrorDetail {
  final: boolean
  retryAfter?: number | undefined
  loss?: Loss | undefined
  movedTo?: string | undefined
  uncertain?: boolean
  cause?: unknown
}

/** A message could not be sent. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** Trying again can't mend it: blocked, kicked, gone, not allowed. */
  readonly final: boolean
  /** Seconds to wait before another try, where the platform said so. */
  readonly retryAfter: number | undefined
  /** Nothing else can be sent there either, and why. */
  readonly loss: Loss | undefined
  /** The chat goes on under this id. */
  readonly movedTo: string | undefined
  /** No answer came: it may have been sent. */
  readonly uncertain: boolean

  constructor(message: string, detail: SendErrorDetail) {
    super(message, { cause: detail.cause })
    this.final = detail.final
    this.retryAfter = detail.retryAfter
    this.loss = detail.loss
    this.movedTo = detail.movedTo
    this.uncertain = detail.uncertain ?? false
  }
}

/** A platform refused the start for a reason that the operator can mend. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
}

const maxReconnectMs = 30_000

/**
 * Tries again, ever more slowly, until a platform can be reached: a network that is down when the bot starts is
 * waited for. Only what `isFinal` ends it, such as a refused token, and what the operator has to mend.
 */
export function untilReachable(
  isFinal: (error: unknown) => boolean,
  onFailure: (error: unknown) => void,
): RetryPolicy {
  const policy = retry(
    handleWhen((error) => !(error instanceof PlatformError) && !isFinal(error)),
    {
      maxAttempts: Number.POSITIVE_INFINITY,
      backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: maxReconnectMs }),
    },
  )
  policy.onRetry((reason) => onFailure('error' in reason ? reason.error : undefined))
  return policy
}
