import type { Mode } from './modes.ts'

/** How the bot behind the page is doing. */
export interface BotStatus {
  state: 'starting' | 'ready' | 'stopped'
  /** Why it stopped, in words for a person. */
  detail?: string
}

/** What the page's top bar shows. */
export interface ShellState {
  bot: BotStatus
  mode: Mode
  /** How many times faster than the clock auctions run. */
  speed: number
  /** Accounts of the sandbox wallet, where there is a local chain. */
  accounts?: readonly string[]
}
