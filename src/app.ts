import { conversation } from '../commands/conversation.ts'
import { commands } from '../commands/index.ts'
import type { Services } from '../commands/services.ts'
import { welcome } from '../commands/welcome.ts'
import { type OpenedAlerts, openAlerts } from './alerts/open.ts'
import { AccessCheck } from './api/access.ts'
import { Api, type Call } from './api/client.ts'
import { FigureWatch } from './api/figure-watch.ts'
import { HealthRecord, KeyBudget } from './api/http.ts'
import { RecentAnswers } from './api/recent.ts'
import type { Backups } from './backup/backups.ts'
import { AssetCards, ShownCards } from './cards/asset-card.ts'
import { Authenticity } from './cards/authenticity.ts'
import type { CardPictures } from './cards/card-pictures.ts'
import { Risks } from './cards/risks.ts'
import { chainById, knownToken } from './chain/chains.ts'
import type { ChainNode, TokenLookup } from './chain/node.ts'
import { openShared, type Shared } from './cluster/cluster.ts'
import { shareOf } from './cluster/leadership.ts'
import { type Config, ownSecrets } from './config.ts'
import type { Adapter, AdapterParts, ChatAddress, ChatChange } from './core/adapter.ts'
import { defaultLocale, type Locale, localeFor } from './core/catalogue.ts'
import type { Context, PlatformName } from './core/command.ts'
import { asideLimits, type Blocked, Dispatcher } from './core/dispatch.ts'
import type { Sender } from './core/incoming.ts'
import { CommandRunner } from './core/runner.ts'
import { PollingLoop, type Task, withTimeout } from './core/task.ts'
import { AdminLog } from './db/admin-log.ts'
import { Blocklist } from './db/blocklist.ts'
import { claimDatabase } from './db/bot-identity.ts'
import { StoredCallbacks } from './db/callback-lines.ts'
import { ChatSettings } from './db/chat-settings.ts'
import { PendingQuestions } from './db/pending-questions.ts'
import type { Store } from './db/schema.ts'
import type { ConnectionPool } from './db/sql.ts'
import { Watchlists } from './db/watchlists.ts'
import type { Queue } from './jobs/queue.ts'
import type { Launches, LaunchParts } from './launch/launches.ts'
import type { Logger } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { Scrapes } from './metrics/scrapes.ts'
import { defaultMessageLimits, groupLimits } from './telegram/platform.ts'
import { version } from './version.ts'
import { errorView } from './views/error.ts'
import { type Identity, identityOf } from './web/identity.ts'
import { Readiness } from './web/readiness.ts'
import { type WebParts, WebServer } from './web/server.ts'

/** Milliseconds after the beginning of a stop until which it waits for notifications and jobs under way. */
const notifyUntil = 4_000
/** The same for answers under way. */
const answerUntil = 7_000
/** Milliseconds for closing connections after that. */
const closeTimeout = 1_500
/** Maximum milliseconds that work which nobody waits for, such as alerts, is put off at a start if a platform does not answer. */
const readyPatience = 1_000
/** Maximum milliseconds for which a platform that can't be reached holds up the others at a start. */
const platformPatience = 5_000
/**
 * The part of a platform's limit that is kept for answers, where several processes share it: most of it if the platform calls
 * them all, and little if the leader alone answers.
 */
const keptForAnswers = { called: 4 / 5, listening: 1 / 10 }
/** Milliseconds that a platform may take beyond the time given to its answers. */
const platformCloseTimeout = 500

interface Parts {
  port: number
  host: string | undefined
  log: Logger
  shared: Shared
  callbacks: StoredCallbacks
  api: Api
  access: AccessCheck
  /** IPFS clients to close. */
  ipfs: readonly { close(): Promise<void> }[]
  launches: Launches | undefined
  alerts: OpenedAlerts
  chatSettings: ChatSettings
  blocklist: Blocklist
  pictures: CardPictures | undefined
  backups: Backups | undefined
  keptDays: Config['keptDays']
  signing: WebParts['signing']
  platforms: readonly Adapter[]
  readiness: Readiness
  scrapes: Scrapes
  identity: Identity
}

/**
 * The running bot: creates its parts, and starts and stops them in order.
 * @example
 *   const app = await App.create(config, log, (error) => fail(error))
 *   await app.start()
 *   await app.stop()
 */
export class App {
  readonly #parts: Parts
  readonly #web: WebServer
  #settingsLoop: PollingLoop | undefined
  #blocklistLoop: PollingLoop | undefined
  /** Receivers of this process, whoever leads. */
  #listening: Task[] = []
  /** When each platform has started. */
  readonly #starts = new Map<Adapter, Promise<void>>()
  #isStopping = false
  readonly #ready = Promise.withResolvers<void>()

  private constructor(parts: Parts) {
    this.#parts = parts
    const { readiness, scrapes, signing, platforms, identity, log } = parts
    const health = () => this.#health()
    const ready = () => readiness.read()
    const metrics = () => scrapes.read()
    this.#web = new WebServer({ health, ready, metrics, signing, platforms, identity, log })
  }

  /** Opens the database and creates the parts. `onFatal` is called if a connection is lost for good. */
  static async create(
    config: Config,
    log: Logger,
    onFatal: (error: unknown) => void,
  ): Promise<App> {
    const now = () => Math.floor(Date.now() / 1000)
    const metrics = new Metrics(version)
    let pool: ConnectionPool | undefined
    const shared = await openShared({
      database: config.database,
      log,
      now,
      onFault: onFatal,
      watch: {
        onQuery: metrics.onQuery,
        onPool: (opened) => {
          pool = opened
        },
      },
      onGivenUp: metrics.onGivenUp,
    })
    const { store, queue, leadership } = shared
    const callbacks = new StoredCallbacks(store, now, log)
    const { nodes, token } = await nodesOf(config)
    // Shared by the commands' client and the watcher's, which have the same key, so that health and metrics cover both.
    const apiParts = {
      ...config.api,
      chains: config.chains,
      health: new HealthRecord(),
      budget: new KeyBudget(),
      token,
      figureWatch: new FigureWatch({
        units: config.api.units,
        onHidden: metrics.onHidden,
      }),
      recent: new RecentAnswers(config.api.units),
      ...metrics.api,
      onCall: (call: Call) => {
        metrics.api.onCall(call)
        access.note(call)
      },
    }
    const api = new Api({ ...apiParts, log })
    const access: AccessCheck = new AccessCheck({ ask: () => api.probe(), log })
    const [first, ...rest] = config.chains
    // Filled below: alerts and launches send through the adapters, which are made after them.
    const adapters: Record<PlatformName, Adapter | undefined> = {
      telegram: undefined,
      discord: undefined,
    }
    // A new token's picture is on no gateway yet: the one that its creator sent is drawn.
    const stored = async (url: string) => launches?.storedPicture(url)
    const pictures = await picturesOf(config, log, stored)
    const chatSettings = new ChatSettings(
      store,
      (platform, chat) => void alerts.onQuietHours(platform, chat),
    )
    const noteLanguage = (chat: string, context: Context) =>
      rememberLanguage(chat, context, chatSettings, log)
    const authenticity = new Authenticity({ api, budget: apiParts.budget })
    const alerts = openAlerts({
      store,
      api: apiParts,
      units: config.api.units,
      links: config.commands.links,
      settings: config.alerts,
      pictures,
      adapters,
      log,
      quietHours: (platform, chat) => {
        const { quiet, zone } = chatSettings.of(platform, chat)
        return quiet && { ...quiet, zone }
      },
      isFake: async (asset, chain) => (await authenticity.verdict(asset, chain))?.isFake === true,
      onPermitted: ({ id }, context) => noteLanguage(id, context),
      onResult: metrics.onResult,
      onPaused: metrics.onPaused,
      onSent: metrics.onSent,
    })
    const services: Services = {
      ...config.commands,
      api,
      chains: [chainById(first), ...rest.map(chainById)],
      cards: new AssetCards({
        ...config.commands,
        pictures,
        risks: new Risks({ api, authenticity, budget: apiParts.budget }),
        history: alerts.history,
        now,
      }),
      fakes: authenticity,
      launches: undefined,
      alerts: alerts.alerts,
      questions: new PendingQuestions(store, now),
      watchlists: new Watchlists(store),
      chatSettings,
      shownCards: new ShownCards(),
      admin: { context: { store, now, jobs: async () => queue }, admins: config.admins },
      now,
    }
    const { launches, ipfs } = await launchesOf(config, {
      chains: services.chains,
      nodes,
      store,
      queue,
      api,
      card: (read, chain) => services.cards.of(read, chain),
      pictured: (read, chain, locale, show) => services.cards.pictured(read, chain, locale, show),
      adapters,
      log,
      now,
    })
    services.launches = launches
    const blocklist = new Blocklist(store, now)
    // A platform that calls the bot spreads its updates over all processes.
    const isCalled: Record<PlatformName, boolean> = {
      telegram: config.telegram?.publicUrl !== undefined,
      discord: false,
    }
    const inGroup = groupLimits({ ...defaultMessageLimits, ...config.telegram?.limits })
    const dispatch = new Dispatcher({
      runner: new CommandRunner({ commands, conversation, welcome, services }),
      explain: errorView,
      onAnswered: metrics.onAnswered,
      floodLimits: { ...config.floodLimits, inGroup: { telegram: inGroup.commands } },
      asideLimits: { ...asideLimits, inGroup: { telegram: inGroup.invitations } },
      languageOf: (platform, chat) => chatSettings.of(platform, chat).language,
      onInput: (context) => noteLanguage(context.user, context),
      blocked: blockedBy(blocklist),
      processes: (platform) => (isCalled[platform] ? leadership.processes() : 1),
      log,
    })
    const chats = {
      localeOf: (platform: PlatformName, chat: string) => {
        const { language, seenLanguage } = chatSettings.of(platform, chat)
        return localeFor(language ?? seenLanguage)
      },
      onChange: async (platform: PlatformName, change: ChatChange) => {
        if (change.kind === 'migrated') await chatSettings.move(platform, change.chat, change.to)
        await alerts.onChatChange(platform, change)
      },
    }
    const platforms = await platformsOf(config, metrics, shared, isCalled, chats, {
      dispatch,
      callbacks,
      log,
      onFatal,
    })
    for (const platform of platforms) adapters[platform.name] = platform
    const signing = launches && (await signingOf(config, launches, log))
    const scrapes = new Scrapes({
      registry: metrics.registry,
      store,
      pool,
      queue,
      platforms,
      lag: () => alerts.lag(),
      isLeader: () => leadership.isLeader(),
      log,
    })
    scrapes.watchProcess()
    const backups = await backupsOf(config, now, log)
    if (backups) metrics.watchBackups(() => backups.age())
    const askDatabase = () => store.selectFrom('callback_lines').select('id').limit(1).execute()
    const obstacle = () => access.obstacleText()
    return new App({
      port: config.port,
      host: config.host,
      log,
      shared,
      callbacks,
      api,
      access,
      ipfs,
      launches,
      alerts,
      chatSettings,
      blocklist,
      pictures,
      backups,
      keptDays: config.keptDays,
      signing,
      platforms,
      readiness: new Readiness({ platforms, askDatabase, obstacle }),
      scrapes,
      identity: identityOf(ownSecrets(config)),
    })
  }

  /**
   * Resolves once every configured platform is connected and people are answered. The background tasks of a leader begin
   * then. If a stop begins meanwhile, returns without starting anything more.
   */
  async start(): Promise<void> {
    const { log, platforms, shared } = this.#parts
    await this.#parts.chatSettings.load()
    await this.#parts.blocklist.load()
    if (this.#isStopping) return
    const port = await this.#web.start(this.#parts.port, this.#parts.host)
    if (this.#isStopping) return
    log.info({ port }, 'listening')
    this.#onceReady(() => this.#parts.access.start())
    this.#onceReady(() => void this.#web.load())
    for (const platform of platforms) this.#starts.set(platform, platform.start())
    const starting = Promise.all(this.#starts.values())
    await withTimeout(starting, platformPatience)
    if (this.#isStopping) return
    // Jobs and alerts send through the platforms.
    shared.queue.start()
    this.#registerTasks()
    this.#listening = this.#listen()
    const ready = this.#listening.map((task) => task.ready)
    await Promise.all([starting, shared.leadership.start(), ...ready])
    if (this.#isStopping) return
    this.#parts.readiness.start()
    // Another process may have changed some.
    this.#settingsLoop = new PollingLoop({
      poll: () => loadSettings(this.#parts.chatSettings, log),
      everyMs: 5_000,
      onFault: () => undefined,
    })
    this.#blocklistLoop = new PollingLoop({
      poll: () => this.#parts.blocklist.load(),
      everyMs: 10_000,
      onFault: (err) => log.warn({ err }, 'the blocklist could not be reloaded'),
    })
    log.info({ platforms: platforms.map(({ name }) => name), port }, 'ready')
    this.#ready.resolve()
  }

  /** Takes no more work, finishes the work under way, and closes everything: within nine seconds, whatever hangs. */
  async stop(): Promise<void> {
    const { readiness, shared, platforms } = this.#parts
    const startedAt = performance.now()
    this.#isStopping = true
    readiness.stop()
    this.#parts.access.stop()
    void this.#settingsLoop?.stop()
    void this.#blocklistLoop?.stop()
    // First, since both send through the platforms.
    const notifying = Promise.allSettled([
      shared.leadership.stop(),
      shared.queue.stop(),
      ...this.#listening.map((task) => task.stop()),
    ])
    await this.#waitFor(notifyUntil, notifying, 'background work and jobs')
    const left = answerUntil - (performance.now() - startedAt)
    const answers = Promise.allSettled(platforms.map((platform) => platform.stop(left)))
    await this.#waitFor(left + platformCloseTimeout, answers, 'answers')
    await this.#waitFor(closeTimeout, this.#close(), 'connections')
  }

  async #waitFor(milliseconds: number, work: Promise<unknown>, what: string): Promise<void> {
    const hasEnded = work.then(() => true)
    if (await withTimeout(hasEnded, milliseconds)) return
    this.#parts.log.warn({ what }, 'stopping: some work did not end in time')
  }

  async #close(): Promise<void> {
    const { shared } = this.#parts
    // Until now /readyz answered that this process stops.
    await Promise.all([this.#web.stop(), this.#parts.alerts.close()])
    await Promise.all(this.#parts.ipfs.map((each) => each.close()))
    await this.#parts.pictures?.close()
    await this.#parts.api.close()
    await shared.close()
  }

  /** Registers the tasks of the leader. */
  #registerTasks(): void {
    const { alerts, backups, platforms, shared } = this.#parts
    const { leadership } = shared
    const runLater = (name: string, begin: () => Task) =>
      leadership.run(name, () => this.#taskOnceReady(begin))
    for (const platform of platforms) {
      const started = this.#starts.get(platform)
      leadership.run(`${platform.name} alerts`, () =>
        taskAfter(started, () => this.#taskOnceReady(() => alerts.startNotifier(platform))),
      )
      for (const { name, begin, inEach } of platform.receivers)
        if (!inEach) leadership.run(name, () => taskAfter(started, begin))
    }
    runLater('watch', () => alerts.startWatcher())
    runLater('daily summaries', () => alerts.startDigest())
    runLater('clean-up', () => startRetention(this.#parts))
    if (backups) runLater('backups', () => backups.start())
  }

  /** Begins to receive what each process receives for itself. */
  #listen(): Task[] {
    return this.#parts.platforms.flatMap((platform) =>
      platform.receivers.flatMap(({ begin, inEach }) =>
        inEach ? [taskAfter(this.#starts.get(platform), begin)] : [],
      ),
    )
  }

  /** A task that the start does not wait for; it begins once people are answered. */
  #taskOnceReady(begin: () => Task): Task {
    const { stop } = taskAfter(withTimeout(this.#ready.promise, readyPatience), begin)
    return { stop }
  }

  /** Does this once people are answered, or soon if a platform takes long. */
  #onceReady(act: () => void): void {
    void withTimeout(this.#ready.promise, readyPatience).then(act)
  }

  #health() {
    const { access, api, alerts, backups, platforms } = this.#parts
    const states = platforms.map((platform) => [platform.name, platform.state()])
    const tenths = (seconds?: number) => seconds && Math.round(seconds * 10) / 10
    const watcher = alerts.lag().map(({ chain, seconds, unseen }) => ({
      chain,
      seconds: tenths(seconds),
      unseen: tenths(unseen),
    }))
    const backup = backups && { backup: backups.state() }
    const reason = access.obstacleText()
    const obstacle = reason !== undefined && { state: 'down', reason }
    return {
      interface: { ...api.state(), ...obstacle },
      ...Object.fromEntries(states),
      watcher,
      ...backup,
    }
  }
}

/** A task that begins after something else, unless it is stopped before. */
function taskAfter(before: Promise<unknown> | undefined, begin: () => Task): Task {
  let task: Task | undefined
  let isStopped = false
  const beginUnlessStopped = async () => {
    await before
    if (isStopped) return
    task = begin()
    await task.ready
  }
  const ready = beginUnlessStopped()
  const stop = async () => {
    isStopped = true
    await task?.stop()
  }
  // Whoever awaits it gets the error, too.
  ready.catch(() => undefined)
  return { ready, stop }
}

/**
 * Remembers the language of a person who may change a chat, or launches from their own, for what the bot sends by itself. That
 * of an administrator who hides behind the chat is unknown.
 */
async function rememberLanguage(
  chat: string,
  { platform, locale, asChat }: Context,
  settings: ChatSettings,
  log: Logger,
): Promise<void> {
  const { seenLanguage = defaultLocale } = settings.of(platform.name, chat)
  if (seenLanguage === locale || asChat) return
  await settings
    .set(platform.name, chat, { seenLanguage: locale })
    .catch((err: unknown) => log.warn({ err }, 'the language of a chat could not be stored'))
}

export function blockedBy(blocklist: Blocklist): Blocked {
  const personOf = ({ platform, user }: Sender) => ({ platform: platform.name, id: user })
  return {
    has: (context) => blocklist.has(personOf(context)),
    isNoticeDue: (context) => blocklist.isNoticeDue(personOf(context)),
  }
}

async function loadSettings(settings: ChatSettings, log: Logger): Promise<void> {
  await settings
    .load()
    .catch((err: unknown) => log.warn({ err }, 'the settings of chats could not be read'))
}

/** Opens launches. */
async function launchesOf(
  config: Config,
  parts: Omit<LaunchParts, 'settings' | 'publisher' | 'checkMetadata' | 'units'>,
): Promise<{
  launches: Launches
  /** IPFS clients to close after them. */
  ipfs: readonly { close(): Promise<void> }[]
}> {
  const { Launches } = await import('./launch/launches.ts')
  const { checkMetadata } = await import('./launch/metadata.ts')
  const { apiPublisher, publisherOf, readerOf } = await import('./launch/ipfs.ts')
  const reader = readerOf(config)
  const publisher = publisherOf(config) ?? apiPublisher(parts.api, reader)
  const launches = new Launches({
    ...parts,
    settings: config.launch,
    publisher,
    units: config.api.units,
    checkMetadata: (uri, typed, supply) => checkMetadata(reader, uri, typed, { supply }),
  })
  return { launches, ipfs: [publisher, ...(reader ? [reader] : [])] }
}

/** The configured nodes by chain id, and the lookup of tokens there. */
async function nodesOf({ rpcUrls, proxy }: Config): Promise<{
  nodes: ReadonlyMap<number, ChainNode>
  token: TokenLookup
}> {
  if (Object.keys(rpcUrls).length === 0) {
    return { nodes: new Map(), token: async (id, token) => knownToken(chainById(id), token) }
  }
  const { ChainNode, tokenLookup } = await import('./chain/node.ts')
  const entries = Object.entries(rpcUrls).map(([id, rpcUrl]) => {
    const chainId = Number(id)
    return [chainId, new ChainNode({ rpcUrl, chainId, proxy })] as const
  })
  const nodes = new Map(entries)
  return { nodes, token: tokenLookup({ nodes }) }
}

async function picturesOf(
  { api, cards }: Config,
  log: Logger,
  stored: (url: string) => Promise<Uint8Array | undefined>,
): Promise<CardPictures | undefined> {
  if (!cards) return undefined
  const { CardDrawer } = await import('./cards/card-pictures.ts')
  return new CardDrawer({ log, stored, download: { userAgent: api.userAgent } })
}

/** The routes of the signing page, whose bundling goes on meanwhile; undefined without a PUBLIC_URL. */
async function signingOf(
  { launch: { publicUrl, signingUrlTemplate } }: Config,
  { signingService }: Launches,
  log: Logger,
): Promise<WebParts['signing']> {
  if (publicUrl === undefined) return undefined
  const { bundlePage, signingRoutes } = await import('./web/signing/routes.ts')
  const pageOrigin = signingUrlTemplate && new URL(signingUrlTemplate).origin
  return signingRoutes({ signingService, publicUrl, pageOrigin, page: bundlePage(), log })
}

async function backupsOf(
  { backups, database: file }: Config,
  now: () => number,
  log: Logger,
): Promise<Backups | undefined> {
  if (!backups) return undefined
  const { Backups } = await import('./backup/backups.ts')
  return new Backups({ ...backups, file, now, log })
}

/** Creates the adapters of the configured platforms. Libraries of the others are not loaded, to save time and memory. */
async function platformsOf(
  { telegram, discord }: Config,
  metrics: Metrics,
  { store, leadership }: Pick<Shared, 'store' | 'leadership'>,
  isCalled: Readonly<Record<PlatformName, boolean>>,
  chats: {
    localeOf: (platform: PlatformName, chat: string) => Locale
    onChange: (platform: PlatformName, change: ChatChange) => Promise<void>
  },
  common: Omit<AdapterParts, 'token' | 'apiRoot'>,
): Promise<Adapter[]> {
  const partsOf = (platform: PlatformName, updates: readonly string[]) => ({
    ...common,
    ...metrics.platform(platform, { updates, commands: commands.map(({ name }) => name) }),
    claim: (id: string) => claimDatabase(store, platform, id),
    localeOf: ({ id }: ChatAddress) => chats.localeOf(platform, id),
    onChatChange: (change: ChatChange) => chats.onChange(platform, change),
    share: () => shareOf(leadership, keptForAnswers[isCalled[platform] ? 'called' : 'listening']),
  })
  const platforms: Adapter[] = []
  if (telegram) {
    const { TelegramAdapter } = await import('./telegram/adapter.ts')
    const limits = { ...defaultMessageLimits, ...telegram.limits }
    const parts = { ...telegram, limits, ...partsOf('telegram', TelegramAdapter.updateKinds) }
    platforms.push(new TelegramAdapter(parts))
  }
  if (discord) {
    const { DiscordAdapter } = await import('./discord/adapter.ts')
    const parts = { ...discord, ...partsOf('discord', DiscordAdapter.updateKinds) }
    platforms.push(new DiscordAdapter(parts))
  }
  return platforms
}

interface RetentionParts {
  callbacks: { prune(): Promise<number> }
  shared: { queue: Pick<Queue, 'prune'>; store: Store }
  launches: Pick<Launches, 'prune'> | undefined
  alerts: Pick<OpenedAlerts, 'prune'>
  keptDays: Config['keptDays']
  log: Logger
}

/** Prunes old data, at once and then every hour, until it is stopped. */
function startRetention(parts: RetentionParts): Task {
  return new PollingLoop({
    poll: () => prune(parts),
    everyMs: 3_600_000,
    firstAfterMs: 0,
    drainMs: notifyUntil,
    onFault: (err) => parts.log.error({ err }, 'old data could not be deleted'),
  })
}

/** Prunes old data once, and logs how much if there was any. */
export async function prune(parts: RetentionParts): Promise<void> {
  const { callbacks, shared, launches, alerts, keptDays, log } = parts
  const buttons = await callbacks.prune()
  const jobs = await shared.queue.prune()
  const { drafts = 0, pictures = 0 } = (await launches?.prune(keptDays)) ?? {}
  const now = () => Math.floor(Date.now() / 1000)
  const entries = await new AdminLog(shared.store, now).prune(keptDays.adminLog)
  const gone = {
    buttons,
    jobs,
    drafts,
    pictures,
    entries,
    alerts: await alerts.prune(keptDays.alerts),
  }
  if (Object.values(gone).some((count) => count > 0)) log.info(gone, 'old data was deleted')
}
