import type { AdminContext } from '../src/admin/action.ts'
import type { ChatAlerts } from '../src/alerts/chat-alerts.ts'
import type { Api } from '../src/api/client.ts'
import type { AssetCards, ShownCards } from '../src/cards/asset-card.ts'
import type { Authenticity } from '../src/cards/authenticity.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { Config } from '../src/config.ts'
import { commandDefiner } from '../src/core/command.ts'
import type { ChatSettings } from '../src/db/chat-settings.ts'
import type { PendingQuestions } from '../src/db/pending-questions.ts'
import type { Watchlists } from '../src/db/watchlists.ts'
import type { Launches } from '../src/launch/launches.ts'

type CommandSettings = Config['commands']

/** Dependencies of the commands, and their settings. */
export interface Services extends CommandSettings {
  api: Api
  /** The configured chains; the first is the default. */
  chains: readonly [Chain, ...Chain[]]
  cards: AssetCards
  /** Which tokens the API calls fakes. */
  fakes: Pick<Authenticity, 'known' | 'verdict'>
  /** Undefined if the operator configured no template. */
  launches: Pick<Launches, 'conversation' | 'press' | 'list' | 'launched' | 'notices'> | undefined
  alerts: ChatAlerts
  questions: PendingQuestions
  chatSettings: Pick<ChatSettings, 'of' | 'set'>
  shownCards: ShownCards
  watchlists: Watchlists
  /** The database and queue for /admin, and the administrators' ids with their platform. */
  admin: { context: AdminContext; admins: readonly string[] }
  /** Unix seconds. */
  now: () => number
}

export const command = commandDefiner<Services>()
