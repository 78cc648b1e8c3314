import { conversation } from '../commands/conversation.ts'
import { commands } from '../commands/index.ts'
import { card } from '../commands/lookup.ts'
import type { Services } from '../commands/services.ts'
import { type OpenedAlerts, openAlerts } from './alerts/open.ts'
import { Api } from './api/client.ts'
import type { Cards } from './cards/card.ts'
import { LazyCards } from './cards/lazy.ts'
import { chainById } from './chain/chains.ts'
import type { ChainNode } from './chain/node.ts'
import { Dispatch } from './chat/dispatch.ts'
import type { Platform, PlatformParts } from './chat/platform.ts'
import type { Config } from './config.ts'
import type { LaunchParts, OpenedLaunches } from './launch/open.ts'
import type { Publisher } from './launch/publish.ts'
import type { Logger } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { Scrapes } from './metrics/scrapes.ts'
import { StoredInboxes } from './queue/inbox.ts'
import { openShared, type Shared } from './replicas/open.ts'
import type { Duty } from './replicas/roles.ts'
import { StoredLines } from './store/lines.ts'
import { errorView } from './views/error.ts'
import { Readiness } from './web/readiness.ts'
import { WebServer, webApp } from './web/server.ts'
import type { SigningSite } from './web/signing/routes.ts'

const hour = 3_600_000

interface Parts {
  port: number
  log: Logger
  shared: Shared
  lines: StoredLines
  api: Api
  publisher: Publisher | undefined
  opened: OpenedLaunches | undefined
  alerts: OpenedAlerts
  pictures: Cards | undefined
  signing: SigningSite | undefined
  platforms: readonly Platform[]
  readiness: Readiness
  scrapes: Scrapes
}

/** The running bot: every part it is made of, and the order in which they start and stop. */
export class Gavel {
  readonly #parts: Parts
  readonly #web: WebServer

  private constructor(parts: Parts) {
    this.#parts = parts
    const { readiness, scrapes, signing } = parts
    const health = () => this.#health()
    const ready = () => readiness.read()
    this.#web = new WebServer(webApp({ health, ready, metrics: () => scrapes.read(), signing }))
  }

  /** Opens the database and puts the parts together. `onFatal` hears of a connection that is lost for good. */
  static async open(
    config: Config,
    log: Logger,
    onFatal: (error: unknown) => void,
  ): Promise<Gavel> {
    const now = () => Math.floor(Date.now() / 1000)
    const shared = await openShared({ database: config.database, log, now, onFault: onFatal })
    const { store, queue, bulletin } = shared
    const lines = new StoredLines(store, now, log)
    const metrics = new Metrics()
    const api = new Api({ ...config.api, chains: config.chains, log, ...metrics.upstream })
    const [first, ...rest] = config.chains
    // Alerts and launches write through the platforms, and the platforms answer through the commands.
    const messengers: Record<Platform['name'], Platform | undefined> = {
      telegram: undefined,
      discord: undefined,
    }
    const pictures = picturesOf(config, log)
    const alerts = openAlerts({
      store,
      api: { ...config.api, chains: config.chains, ...metrics.upstream },
      units: config.api.units,
      settings: config.alerts,
      cards: pictures,
      messengers,
      bulletin,
      log,
      onSettled: metrics.onSettled,
    })
    const inboxes = new StoredInboxes({ store, log, now })
    const services: Services = {
      api,
      units: config.api.units,
      chains: [chainById(first), ...rest.map(chainById)],
      cards: new WeakMap(),
      launches: undefined,
      alerts: alerts.alerts,
      pictures,
      history: alerts.history,
      now,
    }
    const { opened, publisher } = await launchesOf(config, {
      chains: services.chains,
      store,
      queue,
      api,
      card: (read, chain) => card(services, read, chain),
      messengers,
      log,
      now,
    })
    services.launches = opened?.launches
    const { floodLimits, port } = config
    const explain = errorView
    const { onAnswered } = metrics
    const answering = { commands, conversation, services, explain, floodLimits, onAnswered }
    const bot = new Dispatch({ ...answering, log })
    const platforms = await platformsOf(config, metrics, {
      bot,
      lines,
      log,
      bulletin,
      inboxes,
      onFatal,
    })
    for (const platform of platforms) messengers[platform.name] = platform
    const signing = opened && (await signingSite(config, opened, log))
    const { registry } = metrics
    const lag = () => alerts.lag()
    const scrapes = new Scrapes({ registry, store, queue, platforms, lag, log })
    scrapes.watchProcess()
    const askDatabase = () => store.selectFrom('lines').select('id').limit(1).execute()
    const readiness = new Readiness({ platforms, askDatabase })
    const open = { shared, lines, api, publisher, opened, alerts, pictures, readiness, scrapes }
    return new Gavel({ port, log, ...open, signing, platforms })
  }

  /** Resolves once every configured platform is connected, and this replica does what falls to it. */
  async start(): Promise<void> {
    const { log, platforms, shared } = this.#parts
    const port = await this.#web.start(this.#parts.port)
    log.info({ port }, 'listening')
    await Promise.all(platforms.map((platform) => platform.start()))
    // What is told without being asked needs the platforms.
    shared.queue.start()
    this.#share()
    await shared.roles.start()
    log.info({ platforms: platforms.map(({ name }) => name), port }, 'ready')
  }

  /** Takes no more work, finishes what is under way, and closes everything. */
  async stop(): Promise<void> {
    this.#parts.readiness.stop()
    const { shared } = this.#parts
    await shared.roles.stop()
    await Promise.allSettled(this.#parts.platforms.map((platform) => platform.stop()))
    await this.#web.stop()
    await shared.queue.stop()
    await this.#parts.alerts.close()
    await this.#parts.publisher?.close()
    await this.#parts.pictures?.close()
    await this.#parts.api.close()
    await shared.close()
  }

  /** What one replica at a time does. */
  #share(): void {
    const { alerts, platforms, shared } = this.#parts
    const { roles } = shared
    for (const platform of platforms) {
      roles.share(`${platform.name} alerts`, () => alerts.telling(platform))
      for (const { role, begin } of platform.hearings) roles.share(role, begin)
    }
    roles.share('watch', () => alerts.watching())
    roles.share('daily summaries', () => alerts.summing())
    roles.share('clean-up', () => this.#sweeping())
  }

  #sweeping(): Duty {
    let round = this.#prune()
    const timer = setInterval(() => {
      round = this.#prune()
    }, hour)
    return {
      stop: async () => {
        clearInterval(timer)
        await round
      },
    }
  }

  async #prune(): Promise<void> {
    try {
      const gone = await this.#parts.lines.prune()
      if (gone > 0) this.#parts.log.info({ gone }, 'old buttons forgotten')
      const { drafts = 0, pictures = 0 } = (await this.#parts.opened?.sweep()) ?? {}
      if (drafts + pictures > 0)
        this.#parts.log.info({ drafts, pictures }, 'old launches forgotten')
      const told = await this.#parts.alerts.sweep()
      if (told > 0) this.#parts.log.info({ gone: told }, 'old alerts forgotten')
    } catch (error) {
      this.#parts.log.error({ err: error }, 'what is old could not be forgotten')
    }
  }

  #health() {
    const { api, alerts, platforms } = this.#parts
    const states = platforms.map((platform) => [platform.name, platform.state()])
    return { interface: api.state(), ...Object.fromEntries(states), watcher: alerts.lag() }
  }
}

/** What makes the pictures of cards, where there shall be any. */
function picturesOf({ cards }: Config, log: Logger): Cards | undefined {
  if (!cards) return undefined
  return new LazyCards(async () => {
    const { CardMaker } = await import('./cards/cards.ts')
    return new CardMaker({ log })
  })
}

/** Launches, where there is a template. Only then is all that they need loaded. */
async function launchesOf(
  config: Config,
  parts: Omit<LaunchParts, 'settings' | 'nodes' | 'publisher'>,
): Promise<{ opened: OpenedLaunches | undefined; publisher: Publisher | undefined }> {
  if (config.launch.templates.length === 0) return { opened: undefined, publisher: undefined }
  const { openLaunches } = await import('./launch/open.ts')
  const publisher = await publisherOf(config)
  const nodes = await nodesOf(config)
  const opened = openLaunches({ ...parts, settings: config.launch, nodes, publisher })
  return { opened, publisher }
}

async function publisherOf({ ipfs }: Config): Promise<Publisher | undefined> {
  if (!ipfs) return undefined
  const { kuboPublisher, pinataPublisher } = await import('./launch/publish.ts')
  return ipfs.kind === 'kubo' ? kuboPublisher(ipfs) : pinataPublisher(ipfs)
}

async function nodesOf({ rpcUrls }: Config): Promise<ReadonlyMap<number, ChainNode>> {
  const { ChainNode } = await import('./chain/node.ts')
  const nodes = Object.entries(rpcUrls).map(([id, rpcUrl]) => {
    const chainId = Number(id)
    return [chainId, new ChainNode({ rpcUrl, chainId })] as const
  })
  return new Map(nodes)
}

/** The bot's own pages, where it has an address for them. */
async function signingSite(
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
async function platformsOf(
  { telegram, discord }: Config,
  metrics: Metrics,
  common: Omit<PlatformParts, 'token' | 'apiRoot'>,
): Promise<Platform[]> {
  const platforms: Platform[] = []
  if (telegram) {
    const { TelegramPlatform } = await import('./telegram/platform.ts')
    platforms.push(
      new TelegramPlatform({ ...telegram, ...common, ...metrics.platform('telegram') }),
    )
  }
  if (discord) {
    const { DiscordPlatform } = await import('./discord/platform.ts')
    platforms.push(new DiscordPlatform({ ...discord, ...common, ...metrics.platform('discord') }))
  }
  return platforms
}
