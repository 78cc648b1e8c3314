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
