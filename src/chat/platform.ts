import type { Logger } from '../log.ts'
import type { LineKeeper } from './control.ts'
import type { Bot } from './dispatch.ts'

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

/** All that the house asks of Telegram or Discord. */
export interface Platform {
  name: 'telegram' | 'discord'
  /** Resolves once connected and listening. @throws PlatformError that says what to set where it can't connect. */
  start(): Promise<void>
  /** Stops taking updates, lets the answers under way finish, and closes the connection. */
  stop(): Promise<void>
  state(): ConnectionState
}

/** A platform refused the start for a reason that the operator can mend. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError'
}
