import type { Cards } from './cards/card.ts'
import { LazyCards } from './cards/lazy.ts'
import type { ChainNode } from './chain/node.ts'
import { type Platform, PlatformError, type PlatformParts } from './chat/platform.ts'
import type { Config } from './config.ts'
import { unheardShards } from './discord/shards.ts'
import type { IpfsReader } from './launch/ipfs-read.ts'
import type { LaunchParts, OpenedLaunches } from './launch/open.ts'
import type { Publisher } from './launch/publish.ts'
import type { Logger } from './log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { ownerOf } from './store/bots.ts'
import { isPostgres, type Store } from './store/database.ts'
import { heldRoles } from './store/roles.ts'
import type { SigningSite } from './web/signing/routes.ts'

/** What makes the pictures of cards, where there shall be any. */
export function picturesOf({ cards }: Config, log: Logger): Cards | undefined {
  if (!cards) return undefined
  return new LazyCards(async () => {
    const { CardMaker } = await import('./cards/cards.ts')
    return new CardMaker({ log })
  })
}

/** Launches, where there is a template. Only then is all that they need loaded. */
export async function launchesOf(
  config: Config,
  parts: Omit<LaunchParts, 'settings' | 'publisher' | 'checkMetadata' | 'units'>,
): Promise<{
  opened: OpenedLaunches | undefined
  /** What is to be closed behind them. */
  ipfs: readonly { close(): Promise<void> }[]
}> {
  if (config.launch.templates.length === 0) return { opened: undefined, ipfs: [] }
  const { openLaunches } = await import('./launch/open.ts')
  const { checkMetadata } = await import('./launch/metadata-check.ts')
  const publisher = await publisherOf(config)
  const reader = await readerOf(config)
  const opened = openLaunches({
    ...parts,
    settings: config.launch,
    publisher,
    units: config.api.units,
    checkMetadata: (uri, typed) => checkMetadata(reader, uri, typed),
  })
  return { opened, ipfs: [publisher, reader].filter((each) => each !== undefined) }
}

async function publisherOf({ ipfs }: Config): Promise<Publisher | undefined> {
  if (!ipfs) return undefined
  const { kuboPublisher, pinataPublisher } = await import('./launch/publish.ts')
  return ipfs.kind === 'kubo' ? kuboPublisher(ipfs) : pinataPublisher(ipfs)
}

/** A gateway that the operator names comes before the own node: it may be nearer to who uploads the metadata. */
async function readerOf({ ipfs, ipfsGateway }: Config): Promise<IpfsReader | undefined> {
  const { gatewayReader, kuboReader } = await import('./launch/ipfs-read.ts')
  if (ipfsGateway !== undefined) return gatewayReader({ url: ipfsGateway })
  return ipfs?.kind === 'kubo' ? kuboReader(ipfs) : undefined
}

/** A node for each chain that has one, by chain id. */
export async function nodesOf({ rpcUrls }: Config): Promise<ReadonlyMap<number, ChainNode>> {
  if (Object.keys(rpcUrls).length === 0) return new Map()
  const { ChainNode } = await import('./chain/node.ts')
  const nodes = Object.entries(rpcUrls).map(([id, rpcUrl]) => {
    const chainId = Number(id)
    return [chainId, new ChainNode({ rpcUrl, chainId })] as const
  })
  return new Map(nodes)
}

/** The bot's own pages, where it has an address for them. */
export async function signingSite(
  { launch: { publicUrl, signingUrlTemplate } }: Config,
  { desk }: OpenedLaunches,
  log: Logger,
): Promise<SigningSite | undefined> {
  if (publicUrl === undefined) return undefined
  const { bundlePage } = await import('./web/signing/bundle.ts')
  const pageOrigin = signingUrlTemplate && new URL(signingUrlTemplate).origin
  return { desk, publicUrl, pageOrigin, page: await bundlePage(), log }
}

/** The configured platforms. Only these are loaded: a library for one that is off is time and memory for nothing. */
export async function platformsOf(
  { telegram, discord, database }: Config,
  metrics: Metrics,
  store: Store,
  common: Omit<PlatformParts, 'token' | 'apiRoot'>,
): Promise<Platform[]> {
  const platforms: Platform[] = []
  const rolesHeld = () => heldRoles(store)
  if (telegram) {
    const { TelegramPlatform } = await import('./telegram/platform.ts')
    platforms.push(
      new TelegramPlatform({
        ...telegram,
        ...common,
        ...metrics.platform('telegram'),
        rolesHeld,
        claim: (id) => claim(store, 'telegram', id),
      }),
    )
  }
  if (discord) {
    const { DiscordPlatform } = await import('./discord/platform.ts')
    platforms.push(
      new DiscordPlatform({
        ...discord,
        ...common,
        ...metrics.platform('discord'),
        rolesHeld,
        claim: (id) => claim(store, 'discord', id),
        isAlone: !isPostgres(database),
      }),
    )
  }
  return platforms
}

/** How many of Discord's shards no replica hears, where it is said how many there are. */
export async function shardsUnheard(
  { discord }: Config,
  store: Store,
): Promise<number | undefined> {
  const shards = discord?.interactions === 'gateway' ? discord.shards : undefined
  return shards && unheardShards(shards, await heldRoles(store))
}

/** Two bots on one database would answer each other's people, and tell what the other is to tell. */
async function claim(store: Store, platform: Platform['name'], id: string): Promise<void> {
  const owner = await ownerOf(store, platform, id).catch((cause: unknown) => {
    throw new PlatformError('The database does not say whose it is. Start again.', { cause })
  })
  if (owner === id) return
  throw new PlatformError(
    `The database is that of another bot on ${platform} (${owner}; this one is ${id}). Give this bot a database of its own with DATABASE_URL, or set ${platform.toUpperCase()}_TOKEN to that bot's.`,
  )
}
