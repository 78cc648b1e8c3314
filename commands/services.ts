import type { Alerts } from '../src/alerts/alerts.ts'
import type { Point } from '../src/alerts/snapshot.ts'
import type { Api } from '../src/api/client.ts'
import type { Asset } from '../src/api/schema.ts'
import type { Units } from '../src/api/units.ts'
import type { Cards } from '../src/cards/card.ts'
import type { Chain } from '../src/chain/chains.ts'
import { commandsOver } from '../src/core/command.ts'
import type { View } from '../src/core/view.ts'
import type { Launches } from '../src/launch/open.ts'

/** What commands work with. */
export interface Services {
  api: Api
  units: Units
  /** The configured chains; the first is the default. */
  chains: readonly [Chain, ...Chain[]]
  /** The cards of answers that are still in memory: to make one costs more than all else that answers a command. */
  cards: WeakMap<Asset, View>
  /** Undefined where the operator set up no template. */
  launches: Launches | undefined
  alerts: Alerts
  /** The pictures of cards; undefined where the operator wants none. */
  pictures: Cards | undefined
  /** The recorded course of an asset that is watched, oldest first; absent where nothing is recorded. */
  history?: (chain: number, asset: string) => Promise<readonly Point[]>
  /** Unix seconds. */
  now: () => number
}

export const command = commandsOver<Services>()
