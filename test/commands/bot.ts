import { conversation } from '../../commands/conversation.ts'
import { commands } from '../../commands/index.ts'
import type { Services } from '../../commands/services.ts'
import { InterfaceServer } from '../../sandbox/interface/server.ts'
import { Api } from '../../src/api/client.ts'
import { defaultQueryNames } from '../../src/api/query-names.ts'
import { defaultUnits } from '../../src/api/units.ts'
import { chainById } from '../../src/chain/chains.ts'
import { Dispatch } from '../../src/chat/dispatch.ts'
import { createLogger } from '../../src/log.ts'
import { errorView } from '../../src/views/error.ts'

const log = createLogger('silent', [])
const key = 'an-interface-key-for-tests'

function services(baseUrl: string, cacheMs = 5_000): Services {
  const chains = [8453, 84532] as const
  return {
    api: new Api({ baseUrl, key, queryNames: { ...defaultQueryNames }, chains, log, cacheMs }),
    units: defaultUnits,
    chains: [chainById(8453), chainById(84532)],
    cards: new WeakMap(),
    launches: undefined,
    now: () => Math.floor(Date.now() / 1000),
  }
}

function dispatch(parts: Services): Dispatch<Services> {
  const floodLimits = { person: 1000, chat: 1000 }
  return new Dispatch({
    commands,
    conversation,
    services: parts,
    explain: errorView,
    log,
    floodLimits,
  })
}

/** What the platforms are told of the commands. */
export const menu = dispatch(services('http://127.0.0.1:1/v1')).menu

export interface CommandTown {
  upstream: InterfaceServer
  bot: Dispatch<Services>
  stop(): Promise<void>
}

/** All commands over the stand-in for the interface, without a platform. `cacheMs`: how long answers count as fresh. */
export async function startCommands(cacheMs?: number): Promise<CommandTown> {
  const upstream = await InterfaceServer.start({ key })
  const parts = services(upstream.baseUrl, cacheMs)
  return {
    upstream,
    bot: dispatch(parts),
    stop: async () => {
      await parts.api.close()
      await upstream.stop()
    },
  }
}
