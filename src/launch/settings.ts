import type { Address } from 'viem'
import type { Launcher } from '../chain/launchers.ts'
import type { Template } from './draft.ts'

/** What the operator set for launches. */
export interface LaunchSettings {
  /** None: nothing can be launched, and /launch says so. */
  templates: readonly Template[]
  /** By chain id. */
  launchers: Readonly<Record<number, Launcher>>
  /** What a symbol must match as a whole, and how that is said. */
  symbol: { pattern: RegExp; allowed: string }
  /** The integrator that every payload must name, where the operator set one. */
  integrator: Address | undefined
  /** Where the bot's own pages are, without a trailing slash. */
  publicUrl: string | undefined
  /** The operator's own signing page, with {token}, {chain}, {to} and {digest} to be filled in. */
  signingUrlTemplate: string | undefined
}
