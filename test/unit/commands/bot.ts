import { commands } from '../../../commands/index.ts'
import { conversation } from '../../../commands/launch.ts'
import type { Services } from '../../../commands/services.ts'
import { ApiServer, type ApiServerOptions } from '../../../sandbox/api/server.ts'
import { ChatAlerts } from '../../../src/alerts/chat-alerts.ts'
import { Subscriptions } from '../../../src/alerts/subscriptions.ts'
import { Api } from '../../../src/api/client.ts'
import { AssetCards } from '../../../src/cards/asset-card.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { tokenDecimals } from '../../../src/chain/node.ts'
import type { Adapter } from '../../../src/core/adapter.ts'
import { Dispatcher } from '../../../src/core/dispatch.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { createLogger } from '../../../src/log.ts'
import { errorView } from '../../../src/views/error.ts'
import { commandSettings } from '../../settings.ts'
import { defaultTables } from '../api/server.ts'

const log = createLogger('silent', [])
const key = 'an-api-key-for-tests'

/** What alerts ask the platforms; without it nobody manages anything. */
export type Messenger = Pick<Adapter, 'manages' | 'send' | 'title'>

interface HarnessParts {
  /** How long answers count as fresh. */
  cacheMs?: number | undefined
  messenger?: Messenger | undefined
  /** Settings of commands, where the defaults won't do. */
  settings?: Partial<typeof commandSettings>
  /** Rules that one chat may follow. */
  perChat?: number
  apiServer?: Partial<ApiServerOptions>
}

function services(baseUrl: string, store: Store, parts: HarnessParts): Services {
  const { cacheMs = 5_000, messenger, perChat = 30 } = parts
  const settings = { ...commandSettings, ...parts.settings }
  const { units } = settings
  const chains = [8453, 84532] as const
  const now = () => Math.floor(Date.now() / 1000)
  const subscriptions = new Subscriptions({ store, now, perChat })
  return {
    api: new Api({
      baseUrl,
      key,
      ...defaultTables,
      chains,
      log,
      cacheMs,
      retryPauseMs: 1,
      units,
      decimals: tokenDecimals({ nodes: new Map() }),
    }),
    ...settings,
    chains: [chainById(8453), chainById(84532)],
    cards: new AssetCards({ units, pictures: undefined, now }),
    launches: undefined,
    alerts: new ChatAlerts({
      subscriptions,
      adapters: { telegram: messenger, discord: messenger },
      now,
    }),
    now,
  }
}

export function dispatch(parts: Services): Dispatcher<Services> {
  const floodLimits = { person: 1000, chat: 1000 }
  return new Dispatcher({
    commands,
    conversation,
    services: parts,
    explain: errorView,
    log,
    floodLimits,
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
  bot: Dispatcher<Services>
  /** The statements that the commands have made to the database. */
  statements: readonly string[]
  stop(): Promise<void>
}

/** All commands over the stand-in for the API and a database of their own, without a platform. */
export async function startCommands(harness: HarnessParts = {}): Promise<CommandHarness> {
  const apiServer = await ApiServer.start({ key, ...harness.apiServer })
  const store = await openStore(':memory:')
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
      await store.destroy()
    },
  }
}
