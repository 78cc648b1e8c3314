// What the console's page and its server tell each other.

/** How the bot behind the page is doing. */
export interface BotStatus {
  state: 'starting' | 'ready' | 'stopped'
  /** Why it stopped, in words for a person. */
  detail?: string
}

/** How the page's "API" menu lets the v1 API behave. */
export type Mode =
  | 'normal'
  | 'slow'
  | 'down'
  | 'rate-limited'
  | 'html'
  | 'forbidden'
  | 'broken-json'

/** What the page's top bar shows. */
export interface ShellState {
  bot: BotStatus
  mode: Mode
  /** How many times faster than the clock auctions run. */
  speed: number
  /** Accounts of the sandbox wallet, where there is a local chain. */
  accounts?: readonly string[]
}

/** How many times faster than the clock a person may let auctions run. */
export const speeds: readonly number[] = [1, 10, 60, 300]
