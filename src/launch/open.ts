import type { Address } from 'viem'
import type { Read } from '../api/cache.ts'
import type { Api } from '../api/client.ts'
import type { TokenMetadata } from '../api/requests.ts'
import type { Asset } from '../api/schema.ts'
import type { Units } from '../api/units.ts'
import type { Chain } from '../chain/chains.ts'
import type { ChainNode } from '../chain/node.ts'
import type { Context, ShowProgress } from '../core/command.ts'
import type { View } from '../core/view.ts'
import type { Store } from '../db/schema.ts'
import { ApiError } from '../errors.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { LaunchConversation } from './conversation.ts'
import { Drafts } from './draft.ts'
import { HandOff, signingPlace } from './handoff.ts'
import { Pictures } from './images.ts'
import type { Publisher } from './ipfs.ts'
import type { MetadataCheck } from './metadata.ts'
import { forgetOld, type Messengers, Notices, sweepDrafts } from './notices.ts'
import { Payloads } from './payload.ts'
import { quoteUsd } from './quote-usd.ts'
import type { LaunchSettings } from './settings.ts'
import { SigningService } from './signing.ts'
import { Watch } from './watch.ts'

/** The dependencies of launches. */
export interface LaunchParts {
  settings: LaunchSettings
  chains: readonly Chain[]
  store: Store
  queue: Queue
  api: Api
  /** By chain id. */
  nodes: ReadonlyMap<number, ChainNode>
  publisher: Publisher | undefined
  /** Units of the API's figures. */
  units: Units
  /** Reads what a token URI names and compares it with the upload. */
  checkMetadata: (uri: string, typed: TokenMetadata) => Promise<MetadataCheck>
  /** Makes the card of an asset. */
  card: (read: Read<Asset>, chain: Chain) => View
  messengers: Messengers
  log: Logger
  /** Unix seconds. */
  now: () => number
}

/** The parts of launches that other modules use. */
export interface OpenedLaunches {
  launches: Launches
  signingService: SigningService
  /** Deletes old data and expires drafts, notifying their owners; returns how many drafts and pictures went. */
  sweep(): Promise<{ drafts: number; pictures: number }>
}

/** Wires up launches. The queue's handlers are registered when this returns. */
export function openLaunches(parts: LaunchParts): OpenedLaunches {
  const { settings, chains, store, queue, api, publisher, nodes, log, now, messengers } = parts
  const drafts = new Drafts(store, now)
  const payloads = new Payloads(store, now)
  const pictures = new Pictures(store, now)
  const conversation = new LaunchConversation({
    drafts,
    settings,
    pictures,
    publishes: publisher !== undefined,
    api,
    card: parts.card,
    waits: async (draft) => (await payloads.active(draft)) !== undefined,
  })
  const hasPage = signingPlace(settings) !== undefined
  const card = cardOf(parts)
  const notices = new Notices({ queue, drafts, payloads, messengers, card, hasPage, log, now })
  const watch = new Watch({ queue, drafts, payloads, notices, nodes, api, log, now })
  const handOff = new HandOff({
    drafts,
    settings,
    api,
    nodes,
    pictures,
    publisher,
    checkMetadata: parts.checkMetadata,
    usd: (chain, quote) => quoteUsd({ api, units: parts.units }, chain, quote),
    payloads,
    watch,
    review: (draft) => conversation.review(draft),
    log,
    now,
  })
  const publicRpcUrls = new Map(
    chains.flatMap(({ id, publicRpcUrl }) => (publicRpcUrl ? [[id, publicRpcUrl] as const] : [])),
  )
  const signingService = new SigningService({
    payloads,
    pictures,
    notices,
    watch,
    nodes,
    publicRpcUrls,
    log,
    now,
  })
  return {
    launches: { conversation, handOff },
    signingService,
    sweep: async () => {
      const expired = await sweepDrafts({ drafts, notices })
      const gone = await forgetOld({ drafts, payloads, pictures })
      return { ...gone, drafts: expired + gone.drafts }
    },
  }
}

/** Makes a function that returns a token's card; undefined if the API doesn't list the token (yet). */
function cardOf({ api, chains, card }: LaunchParts) {
  return async (token: Address, chainId: number): Promise<View | undefined> => {
    const chain = chains.find(({ id }) => id === chainId)
    if (!chain) return undefined
    try {
      return card(await api.asset(token, chainId), chain)
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'not-found') return undefined
      throw error
    }
  }
}

/** The parts of launches that commands use; absent if the operator configured no template. */
export interface Launches {
  conversation: LaunchConversation
  /** Building, the hand-off, and what follows. */
  handOff: {
    act(
      action: string,
      words: readonly string[],
      context: Context,
      show: ShowProgress,
    ): Promise<View>
    list(context: Context): Promise<View>
  }
}
