import type { Logger } from '../log.ts'
import type { LineKeeper } from './control.ts'
import type { Bot } from './dispatch.ts'
import type { View } from './view.ts'

/** What every platform is made of. */
export interface PlatformParts {
  token: string
  /** Without a slash at the end. */
  apiRoot: string
  bot: Bot
  lines: LineKeeper
  log: Logger
  /** The connection is lost for good; the message says why. */
  onFatal: (error: PlatformError) => void
}

/** How a platform's connection is doing, for /healthz. */
export type ConnectionState = 'starting' | 'connected' | 'reconnecting' | 'stopped'

/** Where the bot writes without being asked at that moment: a person's private chat, or a chat by its id. */
export interface Destination {
  kind: 'person' | 'chat'
  /** The platform's own id. */
  id: string
}

/** All that the house asks of Telegram or Discord. */
export interface Platform {
  name: 'telegram' | 'discord'
  /**
   * Writes a message. `key` names it: where the platform knows how, a second send with the same key within minutes
   * gives no second message. @throws SendError
   */
  send(to: Destination, view: View, key: string): Promise<void>
  /** Whether the person may write in the chat, and so may have the bot write there; false where it can't tell. */
  isMember(chat: string, person: string): Promise<boolean>
  /** Resolves once connected and listening. @throws PlatformError that says what to set where it can't connect. */
  start(): Promise<void>
  /** Stops taking updates, lets the answers under way finish, and closes the connection. */
  stop(): Promise<void>
  state(): ConnectionState
}

/** A message could not be sent. */
export class SendError extends Error {
  override readonly name = 'SendError'
  /** Trying again can't mend it: blocked, kicked, gone, not allowed. */
  readonly final: boolean
  /** Seconds to wait before another try, where the platform said so. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    detail: { final: boolean; retryAfter?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: detail.cause })
    this.final = detail.final
    this.retryAfter = detail.retryAfter
  }
}

/** A platform refused the start for a reason that the operator can mend. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
}
