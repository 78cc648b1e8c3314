import { commands } from '../commands/index.ts'
import type { Services } from '../commands/services.ts'
import { Api } from './api/client.ts'
import { chainById } from './chain/chains.ts'
import { Dispatch } from './chat/dispatch.ts'
import type { Platform, PlatformError } from './chat/platform.ts'
import type { Config } from './config.ts'
import { DiscordPlatform } from './discord/platform.ts'
import type { Logger } from './log.ts'
import { openStore, type Store } from './store/database.ts'
import { StoredLines } from './store/lines.ts'
import { TelegramPlatform } from './telegram/platform.ts'
import { errorView } from './views/error.ts'
import { WebServer, webApp } from './web/server.ts'

const hour = 3_600_000
/** The running bot: every part it is made of, and the order in which they start and stop. */
export class Gavel {
  readonly #config: Config
  readonly #log: Logger
  readonly #store: Store
  readonly #lines: StoredLines
  readonly #api: Api
  readonly #platforms: Platform[]
  readonly #web: WebServer
  #pruning: NodeJS.Timeout | undefined

  private constructor(
    config: Config,
    log: Logger,
    store: Store,
    onFatal: (error: PlatformError) => void,
  ) {
    const now = () => Math.floor(Date.now() / 1000)
    this.#config = config
    this.#log = log
    this.#store = store
    this.#lines = new StoredLines(store, now, log)
    this.#api = new Api({ ...config.api, chains: config.chains, log })
    const [first, ...rest] = config.chains
    const services: Services = {
      api: this.#api,
      units: config.api.units,
      chains: [chainById(first), ...rest.map(chainById)],
      now,
    }
    const { floodLimits } = config
    const bot = new Dispatch({ commands, services, explain: errorView, log, floodLimits })
    const common = { bot, lines: this.#lines, log, onFatal }
    this.#platforms = [
      ...(config.telegram ? [new TelegramPlatform({ ...config.telegram, ...common })] : []),
      ...(config.discord ? [new DiscordPlatform({ ...config.discord, ...common })] : []),
    ]
    this.#web = new WebServer(webApp(() => this.#health()))
  }

  /** Opens the database and puts the parts together. `onFatal` hears of a connection that is lost for good. */
  static async open(
    config: Config,
    log: Logger,
    onFatal: (error: PlatformError) => void,
  ): Promise<Gavel> {
    return new Gavel(config, log, await openStore(config.database), onFatal)
  }

  /** Resolves once every configured platform is connected. */
  async start(): Promise<void> {
    const port = await this.#web.start(this.#config.port)
    this.#log.info({ port }, 'listening')
    await this.#prune()
    this.#pruning = setInterval(() => void this.#prune(), hour)
    await Promise.all(this.#platforms.map((platform) => platform.start()))
    this.#log.info({ platforms: this.#platforms.map(({ name }) => name), port }, 'ready')
  }

  /** Takes no more work, finishes what is under way, and closes everything. */
  async stop(): Promise<void> {
    clearInterval(this.#pruning)
    await Promise.allSettled(this.#platforms.map((platform) => platform.stop()))
    await this.#web.stop()
    await this.#api.close()
    await this.#store.destroy()
  }

  async #prune(): Promise<void> {
    try {
      const gone = await this.#lines.prune()
      if (gone > 0) this.#log.info({ gone }, 'old buttons forgotten')
    } catch (error) {
      this.#log.error({ err: error }, 'old buttons could not be forgotten')
    }
  }

  #health() {
    const platforms = this.#platforms.map((platform) => [platform.name, platform.state()])
    return { interface: this.#api.state(), ...Object.fromEntries(platforms) }
  }
}
