import { conversation } from '../../../commands/conversation.ts'
import { commands } from '../../../commands/index.ts'
import type { Services } from '../../../commands/services.ts'
import { welcome } from '../../../commands/welcome.ts'
import { ApiServer, type ApiServerOptions } from '../../../sandbox/api/server.ts'
import { ChatAlerts, ManagedChats } from '../../../src/alerts/chat-alerts.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { Api } from '../../../src/api/client.ts'
import { AssetCards, ShownCards } from '../../../src/cards/asset-card.ts'
import { Authenticity } from '../../../src/cards/authenticity.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { tokenLookup } from '../../../src/chain/node.ts'
import type { Adapter } from '../../../src/core/adapter.ts'
import type { FloodLimits } from '../../../src/core/flood-control.ts'
import { CommandRunner } from '../../../src/core/runner.ts'
import { ChatSettings } from '../../../src/db/chat-settings.ts'
import { openStore } from '../../../src/db/database.ts'
import { PendingQuestions } from '../../../src/db/pending-questions.ts'
import type { Store } from '../../../src/db/schema.ts'
import { Watchlists } from '../../../src/db/watchlists.ts'
import { createLogger } from '../../../src/log.ts'
import { errorView } from '../../../src/views/error.ts'
import { TestDatabase } from '../../database.ts'
import { commandSettings, noJobs } from '../../settings.ts'
import { defaultTables } from '../api/server.ts'
import { AskedBot } from '../core/asked.ts'

const log = createLogger('silent', [])
const key = 'an-api-key-for-tests'

/** What alerts ask the platforms; without it nobody manages anything. */
export type Messenger = Pick<Adapter, 'manages' | 'send' | 'title' | 'mention'>

interface HarnessParts {
  /** How long answers count as fresh. */
  cacheMs?: number | undefined
  messenger?: Messenger | undefined
  /** Settings of commands, where the defaults won't do. */
  settings?: Partial<typeof commandSettings>
  /** Rules that one chat may follow. */
  perChat?: number
  apiServer?: Partial<ApiServerOptions>
  /** Who may use /admin. */
  admins?: readonly string[]
  /** The chain beside Base counts as no testnet. */
  areMainnets?: boolean
}

const { testnet: _, ...mainnet } = chainById(84532)

function services(baseUrl: string, store: Store, parts: HarnessParts): Services {
  const { cacheMs = 5_000, messenger, perChat = 30 } = parts
  const settings = { ...commandSettings, ...parts.settings }
  const { units } = settings
  const chains = [8453, 84532] as const
  const now = () => Math.floor(Date.now() / 1000)
  const subscriptions = new Subscriptions({ store, now, perChat })
  const api = new Api({
    baseUrl,
    key,
    ...defaultTables,
    chains,
    log,
    cacheMs,
    retryPauseMs: 1,
    units,
    token: tokenLookup({ nodes: new Map() }),
  })
  return {
    api,
    fakes: new Authenticity({ api }),
    ...settings,
    chains: [chainById(8453), parts.areMainnets ? mainnet : chainById(84532)],
    cards: new AssetCards({ units, pictures: undefined, now }),
    launches: undefined,
    chatSettings: new ChatSettings(store),
    shownCards: new ShownCards(),
    watchlists: new Watchlists(store),
    admin: { context: { store, now, jobs: noJobs }, admins: parts.admins ?? [] },
    questions: new PendingQuestions(store, now),
    alerts: new ChatAlerts({
      subscriptions,
      managed: new ManagedChats(store, now),
      adapters: { telegram: messenger, discord: messenger },
      now,
    }),
    now,
  }
}

export function dispatch(
  parts: Services,
  floodLimits: FloodLimits = { person: 1000, chat: 1000 },
): AskedBot {
  return new AskedBot({
    runner: new CommandRunner({ commands, conversation, welcome, services: parts }),
    explain: errorView,
    log,
    floodLimits,
    languageOf: (platform, chat) => parts.chatSettings.of(platform, chat).language,
  })
}

/** What the platforms are told of the commands. */
const unused = await openStore(':memory:')
export const { menu } = dispatch(services('http://127.0.0.1:1/v1', unused, {}))
await unused.destroy()

export interface CommandHarness {
  apiServer: ApiServer
  services: Services
  store: Store
  bot: AskedBot
  /** The statements that the commands have made to the database. */
  statements: readonly string[]
  stop(): Promise<void>
}

/** All commands over the stand-in for the API and a database of their own, without a platform. */
export async function startCommands(harness: HarnessParts = {}): Promise<CommandHarness> {
  const apiServer = await ApiServer.start({ key, ...harness.apiServer })
  const database = await TestDatabase.onSqlite()
  const store = await database.open()
  const statements: string[] = []
  const counted = store.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const parts = services(apiServer.baseUrl, counted, harness)
  return {
    apiServer,
    services: parts,
    store,
    bot: dispatch(parts),
    statements,
    stop: async () => {
      await parts.api.close()
      await apiServer.stop()
      await database.remove()
    },
  }
}
