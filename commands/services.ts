import type { Alerts } from '../src/alerts/alerts.ts'
import type { Point } from '../src/alerts/snapshot.ts'
import type { Api } from '../src/api/client.ts'
import type { Asset } from '../src/api/schema.ts'
import type { Cards } from '../src/cards/cards.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { Config } from '../src/config.ts'
import { commandsOver } from '../src/core/command.ts'
import type { View } from '../src/core/view.ts'
import type { Launches } from '../src/launch/launches.ts'

type CommandSettings = Config['commands']

/** Dependencies of the commands, and their settings. */
export interface Services extends CommandSettings {
  api: Api
  /** The configured chains; the first is the default. */
  chains: readonly [Chain, ...Chain[]]
  /**
   * Rendered cards by asset, with the unix second of the API's answer: rendering one costs more than all other work of
   * a command.
   */
  cards: WeakMap<Asset, { view: View; fetchedAt: number }>
  /** Undefined if the operator configured no template. */
  launches: Pick<Launches, 'conversation' | 'press' | 'list'> | undefined
  alerts: Alerts
  /** Pictures of cards; undefined if they are disabled. */
  pictures: Cards | undefined
  /** The recorded history of an asset, oldest first; absent if nothing is recorded. */
  history?: (chain: number, asset: string) => Promise<readonly Point[]>
  /** Unix seconds. */
  now: () => number
}

export const command = commandsOver<Services>()
