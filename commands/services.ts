import type { Api } from '../src/api/client.ts'
import type { Units } from '../src/api/units.ts'
import type { Chain } from '../src/chain/chains.ts'
import { commandsOver } from '../src/chat/command.ts'

/** What commands work with. */
export interface Services {
  api: Api
  units: Units
  /** The configured chains; the first is the default. */
  chains: readonly [Chain, ...Chain[]]
  /** Unix seconds. */
  now: () => number
}

export const command = commandsOver<Services>()
