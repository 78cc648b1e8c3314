import { commands } from '../commands/index.ts'
import type { Services } from '../commands/services.ts'
import { Api } from './api/client.ts'
import { chainById } from './chain/chains.ts'
import { Dispatch } from './chat/dispatch.ts'
import type { Platform, PlatformError, PlatformParts } from './chat/platform.ts'
import type { Config } from './config.ts'
import type { Logger } from './log.ts'
import { openStore, type Store } from './store/database.ts'
import { StoredLines } from './store/lines.ts'
import { errorView } from './views/error.ts'
import { WebServer, webApp } from './web/server.ts'

const hour = 3_600_000

interface Parts {
  port: number
  log: Logger
  store: Store
  lines: StoredLines
  api: Api
  platforms: readonly Platform[]
}

/** The running bot: every part it is made of, and the order in which they start and stop. */
export class Gavel {
  readonly #parts: Parts
  readonly #web: WebServer
  #pruning: NodeJS.Timeout | undefined

  private constructor(parts: Parts) {
    this.#parts = parts
    this.#web = new WebServer(webApp(() => this.#health()))
  }

  /** Opens the database and puts the parts together. `onFatal` hears of a connection that is lost for good. */
  static async open(
    config: Config,
    log: Logger,
    onFatal: (error: PlatformError) => void,
  ): Promise<Gavel> {
    const now = () => Math.floor(Date.now() / 1000)
    const store = await openStore(config.database)
    const lines = new StoredLines(store, now, log)
    const api = new Api({ ...config.api, chains: config.chains, log })
    const [first, ...rest] = config.chains
    const services: Services = {
      api,
      units: config.api.units,
      chains: [chainById(first), ...rest.map(chainById)],
      cards: new WeakMap(),
      now,
    }
    const { floodLimits, port } = config
    const bot = new Dispatch({ commands, services, explain: errorView, log, floodLimits })
    const platforms = await platformsOf(config, { bot, lines, log, onFatal })
    return new Gavel({ port, log, store, lines, api, platforms })
  }

  /** Resolves once every configured platform is connected. */
  async start(): Promise<void> {
    const { log, platforms } = this.#parts
    const port = await this.#web.start(this.#parts.port)
    log.info({ port }, 'listening')
    await this.#prune()
    this.#pruning = setInterval(() => void this.#prune(), hour)
    await Promise.all(platforms.map((platform) => platform.start()))
    log.info({ platforms: platforms.map(({ name }) => name), port }, 'ready')
  }

  /** Takes no more work, finishes what is under way, and closes everything. */
  async stop(): Promise<void> {
    clearInterval(this.#pruning)
    await Promise.allSettled(this.#parts.platforms.map((platform) => platform.stop()))
    await this.#web.stop()
    await this.#parts.api.close()
    await this.#parts.store.destroy()
  }

  async #prune(): Promise<void> {
    try {
      const gone = await this.#parts.lines.prune()
      if (gone > 0) this.#parts.log.info({ gone }, 'old buttons forgotten')
    } catch (error) {
      this.#parts.log.error({ err: error }, 'old buttons could not be forgotten')
    }
  }

  #health() {
    const { api, platforms } = this.#parts
    const states = platforms.map((platform) => [platform.name, platform.state()])
    return { interface: api.state(), ...Object.fromEntries(states) }
  }
}

/** The configured platforms. Only these are loaded: a library for one that is off is time and memory for nothing. */
async function platformsOf(
  { telegram, discord }: Config,
  common: Omit<PlatformParts, 'token' | 'apiRoot'>,
): Promise<Platform[]> {
  const platforms: Platform[] = []
  if (telegram) {
    const { TelegramPlatform } = await import('./telegram/platform.ts')
    platforms.push(new TelegramPlatform({ ...telegram, ...common }))
  }
  if (discord) {
    const { DiscordPlatform } = await import('./discord/platform.ts')
    platforms.push(new DiscordPlatform({ ...discord, ...common }))
  }
  return platforms
}
