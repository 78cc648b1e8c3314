import { type Api, Context, GrammyError, type Transformer } from 'grammy'
import type { BotCommand, LanguageCode, Update, UserFromGetMe } from 'grammy/types'
import {
  type Adapter,
  type AdapterParts,
  type ChatAddress,
  type ConnectionState,
  memoize,
  PlatformError,
  type Receiver,
  reportingFailure,
  type Sent,
  untilReachable,
} from '../core/adapter.ts'
import { defaultLocale, type Locale, locales, localise, plainText } from '../core/catalogue.ts'
import { PlatformHealth } from '../core/platform-health.ts'
import type { MenuEntry } from '../core/runner.ts'
import { PollingLoop, type Task } from '../core/task.ts'
import { type LocalisedView, t, type View } from '../core/view.ts'
import type { Logger } from '../log.ts'
import { localeIn } from './answer.ts'
import { isFinal, isTokenRefused } from './errors.ts'
import { IncomingFiles } from './files.ts'
import { defaultMessageLimits, type MessageLimits, telegram } from './platform.ts'
import { handledUpdates, updateHandler, updateKinds } from './receive.ts'
import { renderTelegram } from './render.ts'
import { Pictures, Posts, Sender } from './send.ts'
import { Pacing, poolTransport, type Transport } from './transport.ts'
import {
  Polling,
  pollingRole,
  UpdateQueue,
  WebhookKeeper,
  webhookHandler,
  webhookPath,
  webhookRole,
  webhookSecret,
} from './updates.ts'

/** Default milliseconds that answers under way may take at a stop. */
const drainTime = 4_000
const defaultCheckEvery = 15_000

interface TelegramParts extends AdapterParts {
  /** Address of this bot's server for Telegram's webhook; undefined: long polling. */
  publicUrl?: string | undefined
  /** Messages that Telegram lets the bot send. */
  limits?: MessageLimits | undefined
  /** Milliseconds between two calls of getWebhookInfo, which says which webhook is set and how many updates wait. */
  checkEvery?: number
  /** Milliseconds between two interim views of an answer. */
  viewPauseMs?: number
  /** Milliseconds after which an update may be confirmed before it is handled. */
  confirmAfterMs?: number
  /** Milliseconds before polling again after another process polled or set a webhook. */
  conflictPauseMs?: number
}

/** Milliseconds; Telegram asks for at most about one message or edit a second in a chat. */
const defaultViewPauseMs = 1_100

/** Telegram by long polling or webhook. Handles updates of one chat in order, and of different chats concurrently. */
export class TelegramAdapter implements Adapter {
  static readonly updateKinds = updateKinds
  readonly name = 'telegram'
  readonly platform = telegram
  readonly startSpacing = 30
  readonly health: PlatformHealth
  readonly receivers: readonly Receiver[]
  readonly webhook: Adapter['webhook']
  readonly #parts: TelegramParts
  readonly #api: Api
  /** The bot as Telegram knows it, once it started. */
  #me: UserFromGetMe | undefined
  readonly #onUpdate: (ctx: Context) => Promise<void>
  readonly #transport: Transport
  readonly #pacing: Pacing
  readonly #sender: Sender
  readonly #stopping = new AbortController()
  readonly #updates: UpdateQueue
  readonly #webhookKeeper: WebhookKeeper | undefined
  #watching: PollingLoop | undefined
  #pendingUpdates: number | undefined
  /** The process was told that it can't go on. */
  #isLost = false
  #profiling: Promise<void> | undefined
  /** `stop` has ended: nothing can be answered any more. */
  #isClosed = false

  constructor(parts: TelegramParts) {
    this.#parts = parts
    this.#transport = poolTransport(parts)
    const { token, dispatch, callbacks, log, limits = defaultMessageLimits } = parts
    const { api } = this.#transport
    this.#api = api
    const pictures = new Pictures()
    const now = () => performance.now()
    this.#pacing = new Pacing({ ...parts, limits, now, uploads: pictures })
    const isAnswered = (cause: unknown) => cause instanceof GrammyError
    const { elapsed } = parts
    this.health = new PlatformHealth({ platform: 'telegram', log, isAnswered, now: elapsed })
    api.config.use(this.#watchToken(), this.#pacing.transformer, this.#watchPolling())
    // A view that many people read is rendered once.
    const render = memoize((view: LocalisedView) => {
      return renderTelegram(view, callbacks, this.#me?.supports_inline_queries ?? false)
    })
    const posts = new Posts(this.#transport, pictures)
    this.#sender = new Sender({ api, posts, render })
    const files = new IncomingFiles({ transport: this.#transport, token, log })
    this.#onUpdate = updateHandler({
      dispatch,
      callbacks,
      log,
      files,
      posts,
      limits,
      viewPauseMs: parts.viewPauseMs ?? defaultViewPauseMs,
      render,
      onChatChange: parts.onChatChange ?? (async () => undefined),
      health: this.health,
      asInterim: (work) => this.#pacing.run('interim', work),
    })
    this.#updates = new UpdateQueue({
      handle: (update) => this.#handle(update),
      refuse: (update) => this.#refuse(update),
      confirmAfterMs: parts.confirmAfterMs,
    })
    if (parts.publicUrl === undefined) {
      this.receivers = [{ name: pollingRole, begin: () => this.#poll() }]
      this.webhook = undefined
    } else {
      const keeper = new WebhookKeeper({
        api,
        url: `${parts.publicUrl}${webhookPath}`,
        secret: webhookSecret(token),
        log,
      })
      this.#webhookKeeper = keeper
      this.receivers = [{ name: webhookRole, begin: () => keeper.keep() }]
      this.webhook = webhookHandler(webhookSecret(token), this.#updates)
    }
  }

  async start(): Promise<void> {
    const { dispatch, claim, log } = this.#parts
    const api = this.#api
    const reach = untilReachable('telegram', isFinal, log)
    try {
      const { signal } = this.#stopping
      const { id } = await reach(async () => {
        const me = await api.getMe()
        this.#pendingUpdates = (await api.getWebhookInfo()).pending_update_count
        this.#me = me
        return me
      }, signal)
      await claim?.(String(id))
      await reach(async () => this.#webhookKeeper?.set(), signal)
    } catch (error) {
      throw explainStart(error)
    }
    this.health.setConnection(this.#webhookKeeper ? 'connected' : 'standby')
    this.#watching = this.#watch()
    // Nobody has to wait for it.
    this.#profiling = updateProfile(api, dispatch.menu, log, this.#stopping.signal)
  }

  async stop(patience = drainTime): Promise<void> {
    this.health.setConnection('stopped')
    this.#stopping.abort()
    void this.#watching?.stop()
    await this.#updates.stop(patience)
    this.#isClosed = true
    this.#pacing.close()
    await this.#transport.close()
    await this.#profiling
  }

  send(to: ChatAddress, view: View, _key: string): Promise<Sent> {
    const shown = localise(view, this.localeOf(to))
    const sending = this.#inBackground(() => this.#sender.send(to, shown))
    return this.health.watch(to, reportingFailure(sending, this.#parts.onSendFailed))
  }

  edit(to: ChatAddress, message: string, view: View): Promise<void> {
    const shown = localise(view, this.localeOf(to))
    return this.#inBackground(() => this.#sender.edit(to, message, shown))
  }

  localeOf(to: ChatAddress): Locale {
    return this.#parts.localeOf?.(to) ?? defaultLocale
  }

  msUntilSlot(): number {
    return this.#pacing.msUntilSlot()
  }

  waiting(): ReturnType<Adapter['waiting']> {
    return this.#pacing.waiting()
  }

  gap(to: ChatAddress): number {
    return this.#pacing.gap(to)
  }

  manages(chat: string, person: string): Promise<boolean> {
    return this.#inBackground(() => this.#sender.manages(chat, person))
  }

  title(chat: string): Promise<string | undefined> {
    return this.#inBackground(() => this.#sender.title(chat))
  }

  isMember(chat: string, person: string): Promise<boolean> {
    return this.#inBackground(() => this.#sender.isMember(chat, person))
  }

  get chatUrl(): string | undefined {
    return this.#me && `https://t.me/${this.#me.username}`
  }

  state(): ConnectionState {
    return this.health.state
  }

  pendingUpdates(): number | undefined {
    return this.#pendingUpdates
  }

  #inBackground<T>(work: () => Promise<T>): Promise<T> {
    return this.#pacing.run('background', work)
  }

  #poll(): Task {
    const api = this.#api
    const onFatal = (error: PlatformError) => this.#fail(error)
    const polling = new Polling({ ...this.#parts, api, queue: this.#updates, onFatal })
    const ready = polling.ready.then(
      () => this.#setState('connected'),
      (error: unknown) => this.#fail(explainStart(error)),
    )
    const stop = async () => {
      this.#setState('standby')
      await polling.stop()
    }
    return { ready, stop }
  }

  /** @throws Error if the process stopped meanwhile, so that the update is not handled */
  async #handle(update: Update): Promise<void> {
    const ctx = this.#contextOf(update)
    this.#parts.onUpdate?.(handledUpdates.find((kind) => kind in update) ?? 'other')
    try {
      await this.#onUpdate(ctx)
    } catch (error) {
      if (this.#isClosed) throw error
      this.#report(error, ctx)
    }
  }

  async #refuse(update: Update): Promise<void> {
    const ctx = this.#contextOf(update)
    if (!ctx.chat) return
    await ctx
      .reply(plainText(t('telegram-too-many'), localeIn(ctx, { dispatch: this.#parts.dispatch })))
      .catch((error: unknown) => this.#report(error, ctx))
  }

  /** @throws Error if the bot has not started, so that the update is not handled */
  #contextOf(update: Update): Context {
    if (!this.#me) throw new Error('an update came before the bot has started')
    // grammY's `Bot` would make a client for each update.
    return new Context(update, this.#api, this.#me)
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted
  }

  #setState(state: ConnectionState): void {
    if (!this.#isStopped) this.health.setConnection(state)
  }

  /** Called with each error that ends the process; the first one is the cause of the others. */
  #fail(error: PlatformError): void {
    if (this.#isLost || this.#isStopped) return
    this.#isLost = true
    this.#parts.onFatal(error)
  }

  /**
   * Ends the process if Telegram refuses its token, whatever was asked: polling, sending, or the question for the webhook.
   * Telegram says so of a token that was revoked; to ask again is of no use.
   */
  #watchToken(): Transformer {
    return async (previous, method, payload, signal) => {
      const answer = await previous(method, payload, signal)
      if (answer.ok || answer.error_code !== 401) return answer
      // The start itself says so.
      if (this.health.connection === 'starting') return answer
      const cause = new GrammyError(`Call to '${method}' failed!`, answer, method, payload)
      this.#fail(explainStart(cause))
      return answer
    }
  }

  /**
   * Asks Telegram for the webhook from time to time, on each replica, also while polling: a replica that doesn't poll would
   * not notice otherwise that the token was revoked, nor know how many updates wait.
   */
  #watch(): PollingLoop {
    const api = this.#api
    return new PollingLoop({
      poll: async (signal) => {
        // grammY has the type of a polyfill for old Nodes.
        const info = await api.getWebhookInfo(signal as Parameters<Api['getWebhookInfo']>[0])
        this.#pendingUpdates = info.pending_update_count
        if (!this.#webhookKeeper || signal.aborted) return
        this.#onAnswered(undefined)
        await this.#webhookKeeper.look(info).catch((err: unknown) => {
          this.#parts.log.warn({ err }, 'telegram: the webhook can’t be set')
        })
      },
      everyMs: this.#parts.checkEvery ?? defaultCheckEvery,
      onFault: (error) => {
        this.#pendingUpdates = undefined
        if (this.#webhookKeeper) this.#onAnswered(error)
      },
    })
  }

  #watchPolling(): Transformer {
    return async (previous, method, payload, signal) => {
      if (method !== 'getUpdates') return previous(method, payload, signal)
      try {
        // A long poll would take up to 30 s to show that Telegram is back.
        const request =
          this.health.connection === 'reconnecting' ? { ...payload, timeout: 0 } : payload
        const answer = await previous(method, request, signal)
        if (answer.ok && !Array.isArray(answer.result)) throw new TypeError('updates are no list')
        this.#onAnswered(answer.ok ? undefined : answer.description)
        return answer
      } catch (error) {
        this.#onAnswered(error)
        throw error
      }
    }
  }

  #onAnswered(fault: unknown): void {
    if (this.#isStopped || this.health.connection === 'standby') return
    this.health.checked(fault)
    this.health.setConnection(fault === undefined ? 'connected' : 'reconnecting')
  }

  #report(error: unknown, ctx: Context): void {
    const update = ctx.update.update_id
    if (error instanceof GrammyError && error.error_code === 403) {
      this.#parts.log.info({ update, reason: error.description }, 'telegram: not allowed to answer')
      return
    }
    this.#parts.log.error({ err: error, update }, 'telegram: an update was not answered')
  }
}

/** Says what the operator can do about an error of the start. */
export function explainStart(error: unknown): PlatformError {
  if (error instanceof PlatformError) return error
  // A start with something that is no token at all is answered with 404.
  const isUnknown = error instanceof GrammyError && error.error_code === 404
  if (isTokenRefused(error) || isUnknown) {
    const message = 'Telegram refuses TELEGRAM_TOKEN. Copy it again from @BotFather.'
    return new PlatformError(message, { cause: error })
  }
  const isAddress = error instanceof GrammyError && error.method === 'setWebhook'
  const message = isAddress
    ? 'Telegram can’t call PUBLIC_URL. It must be an https address that the internet reaches, on port 443, 80, 88 or 8443.'
    : 'Telegram refuses to start. Check TELEGRAM_API_ROOT.'
  return new PlatformError(message, { cause: error })
}

/**
 * Sets the bot's profile for people who have not written to it yet, the commands that Telegram offers in each kind of chat,
 * and the button that lists them; in each language, and only where it differs: Telegram limits how often a bot may. A
 * description by the operator stays. A part that can't be set is logged, and doesn't prevent the start. Ends early if the
 * signal is aborted.
 */
async function updateProfile(
  api: Api,
  menu: readonly MenuEntry[],
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  const steps = [
    ...locales.flatMap((locale) => commandSteps(api, menu, locale)),
    () => updateDescription(api),
    () => updateShortDescription(api),
    () => updateMenuButton(api),
  ]
  for (const step of steps) {
    if (signal.aborted) return
    try {
      await step()
    } catch (err) {
      if (signal.aborted) return
      log.warn({ err }, 'telegram: a part of the bot’s profile could not be set')
    }
  }
}

/** The languages as Telegram names them: two letters of ISO 639-1. */
const languageCodes: Readonly<Record<Locale, LanguageCode>> = {
  en: 'en',
  es: 'es',
  ru: 'ru',
  tr: 'tr',
  'zh-CN': 'zh',
}

interface Language {
  language_code?: LanguageCode
}

/** Telegram shows the texts without a language to people whose language has none. */
function languageOf(locale: Locale): Language {
  return locale === defaultLocale ? {} : { language_code: languageCodes[locale] }
}

type Step = () => Promise<void>

/**
 * Updates the lists of commands. Telegram takes the most specific one: that of a group's administrators, that of groups, and
 * for private chats the default (https://core.telegram.org/bots/api#determining-list-of-commands).
 */
function commandSteps(api: Api, menu: readonly MenuEntry[], locale: Locale): Step[] {
  const inGroups = menu.filter(({ ephemeral, audience }) => !ephemeral && audience !== 'private')
  const forMembers = inGroups.filter(({ audience }) => audience !== 'managers')
  const lists = [
    { type: 'default', entries: menu },
    { type: 'all_group_chats', entries: forMembers },
    { type: 'all_chat_administrators', entries: inGroups },
  ] as const
  return lists.map(({ type, entries }) => async () => {
    const where = { scope: { type }, ...languageOf(locale) }
    const commands = entries.map(({ name, about }) => ({
      command: name,
      description: plainText(about, locale),
    }))
    if (!isSame(await api.getMyCommands(where), commands)) await api.setMyCommands(commands, where)
  })
}

function isSame(ones: readonly BotCommand[], others: readonly BotCommand[]): boolean {
  const key = (list: readonly BotCommand[]) =>
    JSON.stringify(list.map(({ command, description }) => [command, description]))
  return key(ones) === key(others)
}

/** In a chat in which nothing was written yet; at most 512 characters. */
async function updateDescription(api: Api): Promise<void> {
  await updateText(
    locales.map((locale) => plainText(t('profile-description'), locale)),
    async (language) => (await api.getMyDescription(language)).description,
    (text, language) => api.setMyDescription(text, language),
  )
}

/** On the bot's profile and with links to it; at most 120 characters. */
async function updateShortDescription(api: Api): Promise<void> {
  await updateText(
    locales.map((locale) => plainText(t('profile-short'), locale)),
    async (language) => (await api.getMyShortDescription(language)).short_description,
    (text, language) => api.setMyShortDescription(text, language),
  )
}

/** Sets a text in all languages, in the order of `locales`, unless the operator has given another one in any. */
async function updateText(
  texts: readonly string[],
  get: (language: Language) => Promise<string>,
  set: (text: string, language: Language) => Promise<unknown>,
): Promise<void> {
  const current: string[] = []
  for (const locale of locales) current.push(await get(languageOf(locale)))
  if (current.some((text) => text !== '' && !texts.includes(text))) return
  for (const [index, locale] of locales.entries()) {
    const text = texts[index] ?? ''
    if (current[index] !== text) await set(text, languageOf(locale))
  }
}

/** The button beside the message box lists the commands, unless the operator has made it open an app. */
async function updateMenuButton(api: Api): Promise<void> {
  const { type } = await api.getChatMenuButton()
  if (type === 'default') await api.setChatMenuButton({ menu_button: { type: 'commands' } })
}
