import { conversation } from '../commands/conversation.ts'
import { commands } from '../commands/index.ts'
import { card } from '../commands/lookup.ts'
import type { Services } from '../commands/services.ts'
import { type OpenedAlerts, openAlerts } from './alerts/open.ts'
import { Api } from './api/client.ts'
import { FigureWatch } from './api/figure-watch.ts'
import { HealthRecord } from './api/health.ts'
import type { Cards } from './cards/card.ts'
import { chainById } from './chain/chains.ts'
import { tokenDecimals } from './chain/decimals.ts'
import { Dispatch } from './chat/dispatch.ts'
import type { Platform } from './chat/platform.ts'
import { within } from './chat/within.ts'
import { CleanUp } from './clean-up.ts'
import type { Config } from './config.ts'
import {
  launchesOf,
  nodesOf,
  picturesOf,
  platformsOf,
  shardsUnheard,
  signingSite,
} from './configured.ts'
import type { OpenedLaunches } from './launch/open.ts'
import type { Logger } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { Scrapes } from './metrics/scrapes.ts'
import { StoredHeard } from './queue/heard.ts'
import { StoredInboxes } from './queue/inbox.ts'
import { openShared, type Shared } from './replicas/open.ts'
import { StoredLines } from './store/lines.ts'
import { errorView } from './views/error.ts'
import { Readiness } from './web/readiness.ts'
import { WebServer, webApp } from './web/server.ts'
import type { SigningSite } from './web/signing/routes.ts'

/** Milliseconds after the beginning of a stop at which work without an end is left: first what tells unasked, then answers. */
const tellUntil = 4_000
const answerUntil = 7_000
/** Milliseconds more for what still has to be closed. */
const closeWithin = 1_500
/** Milliseconds in which a platform that waits for nothing any more lets go. */
const letGoWithin = 500

interface Parts {
  port: number
  host: string | undefined
  log: Logger
  shared: Shared
  lines: StoredLines
  api: Api
  /** Connections to IPFS. */
  ipfs: readonly { close(): Promise<void> }[]
  opened: OpenedLaunches | undefined
  inboxes: StoredInboxes
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
  #isStopping = false

  private constructor(parts: Parts) {
    this.#parts = parts
    const { readiness, scrapes, signing, platforms, log } = parts
    const health = () => this.#health()
    const ready = () => readiness.read()
    const metrics = () => scrapes.read()
    this.#web = new WebServer(webApp({ health, ready, metrics, signing, platforms, log }))
  }

  /** Opens the database and puts the parts together. `onFatal` hears of a connection that is lost for good. */
  static async open(
    config: Config,
    log: Logger,
    onFatal: (error: unknown) => void,
  ): Promise<Gavel> {
    const now = () => Math.floor(Date.now() / 1000)
    const shared = await openShared({ database: config.database, log, now, onFault: onFatal })
    const { store, queue, bulletin, limiters } = shared
    const lines = new StoredLines(store, now, log)
    const metrics = new Metrics()
    const nodes = await nodesOf(config)
    // What the watcher finds counts as well, where nobody asks.
    const asking = {
      ...config.api,
      chains: config.chains,
      health: new HealthRecord(),
      decimals: tokenDecimals({ nodes }),
      figureWatch: new FigureWatch({
        units: config.api.units,
        onHidden: metrics.onHidden,
      }),
      ...metrics.upstream,
    }
    const api = new Api({ ...asking, log })
    const [first, ...rest] = config.chains
    // Alerts and launches write through the platforms, and the platforms answer through the commands.
    const messengers: Record<Platform['name'], Platform | undefined> = {
      telegram: undefined,
      discord: undefined,
    }
    const pictures = picturesOf(config, log)
    const alerts = openAlerts({
      store,
      api: asking,
      units: config.api.units,
      settings: config.alerts,
      cards: pictures,
      messengers,
      bulletin,
      log,
      onSettled: metrics.onSettled,
    })
    const inboxes = new StoredInboxes({ store, log })
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
    const { opened, ipfs } = await launchesOf(config, {
      chains: services.chains,
      nodes,
      store,
      queue,
      api,
      card: (read, chain) => card(services, read, chain),
      messengers,
      log,
      now,
    })
    services.launches = opened?.launches
    const { floodLimits, port, host } = config
    const explain = errorView
    const { onAnswered } = metrics
    const answering = { commands, conversation, services, explain, onAnswered }
    const bot = new Dispatch({ ...answering, floodLimits, limiters, log })
    const platforms = await platformsOf(config, metrics, store, {
      bot,
      lines,
      log,
      bulletin,
      inboxes,
      heard: new StoredHeard(store),
      onFatal,
    })
    for (const platform of platforms) messengers[platform.name] = platform
    const signing = opened && (await signingSite(config, opened, log))
    const { registry } = metrics
    const lag = () => alerts.lag()
    const roles = () => shared.roles.held()
    const unheard = () => shardsUnheard(config, store)
    const scrapes = new Scrapes({ registry, store, queue, platforms, lag, roles, unheard, log })
    scrapes.watchProcess()
    const askDatabase = () => store.selectFrom('lines').select('id').limit(1).execute()
    const readiness = new Readiness({ platforms, askDatabase })
    const open = {
      shared,
      lines,
      api,
      ipfs,
      opened,
      inboxes,
      alerts,
      pictures,
      readiness,
      scrapes,
    }
    return new Gavel({ port, host, log, ...open, signing, platforms })
  }

  /**
   * Resolves once every configured platform is connected, and this replica does what falls to it. A stop may begin
   * meanwhile: then it ends without beginning anything more.
   */
  async start(): Promise<void> {
    const { log, platforms, shared } = this.#parts
    const port = await this.#web.start(this.#parts.port, this.#parts.host)
    if (this.#isStopping) return
    log.info({ port }, 'listening')
    await Promise.all(platforms.map((platform) => platform.start()))
    if (this.#isStopping) return
    // What is told without being asked needs the platforms.
    shared.queue.start()
    this.#share()
    await shared.roles.start()
    if (this.#isStopping) return
    this.#parts.readiness.start()
    log.info({ platforms: platforms.map(({ name }) => name), port }, 'ready')
  }

  /** Takes no more work, finishes what is under way, and closes everything: within nine seconds, whatever hangs. */
  async stop(): Promise<void> {
    const { readiness, shared, platforms } = this.#parts
    const begun = performance.now()
    this.#isStopping = true
    readiness.stop()
    // Both write through the platforms.
    const telling = Promise.allSettled([shared.roles.stop(), shared.queue.stop()])
    await this.#upTo(tellUntil, telling, 'roles and jobs')
    const left = answerUntil - (performance.now() - begun)
    const answering = Promise.allSettled(platforms.map((platform) => platform.stop(left)))
    await this.#upTo(left + letGoWithin, answering, 'answers')
    await this.#upTo(closeWithin, this.#close(), 'connections')
  }

  async #upTo(milliseconds: number, work: Promise<unknown>, what: string): Promise<void> {
    const hasEnded = work.then(() => true)
    if (await within(hasEnded, milliseconds)) return
    this.#parts.log.warn({ what }, 'stopping: not everything ended in time')
  }

  async #close(): Promise<void> {
    const { shared } = this.#parts
    // Until now the server said that this replica stops.
    await Promise.all([this.#web.stop(), this.#parts.alerts.close()])
    await Promise.all(this.#parts.ipfs.map((each) => each.close()))
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
    roles.share('clean-up', () => new CleanUp(this.#parts))
  }

  #health() {
    const { api, alerts, platforms } = this.#parts
    const states = platforms.map((platform) => [platform.name, platform.state()])
    const tenths = (seconds?: number) => seconds && Math.round(seconds * 10) / 10
    const watcher = alerts.lag().map(({ chain, seconds, unseen }) => ({
      chain,
      seconds: tenths(seconds),
      unseen: tenths(unseen),
    }))
    return { interface: api.state(), ...Object.fromEntries(states), watcher }
  }
}
