import { sequentialize } from '@grammyjs/runner'
import {
  type Api,
  Bot,
  type BotError,
  type Context,
  GrammyError,
  type Middleware,
  type Transformer,
} from 'grammy'
import {
  type Adapter,
  type AdapterParts,
  type ChatAddress,
  type ConnectionState,
  PlatformError,
  type Receiver,
  reportingFailure,
  SendError,
  type Sent,
  untilReachable,
} from '../core/adapter.ts'
import { defaultLocale, type Locale, localise } from '../core/catalogue.ts'
import { PlatformHealth } from '../core/platform-health.ts'
import { PollingLoop, type Task } from '../core/task.ts'
import type { LocalisedView, View } from '../core/view.ts'
import { isFinal, isTokenRefused } from './errors.ts'
import { IncomingFiles } from './files.ts'
import { handledUpdates, handlers, updateKinds } from './handlers.ts'
import { Intake } from './intake.ts'
import { Pacing } from './pacing.ts'
import { defaultMessageLimits, type MessageLimits, telegram } from './platform.ts'
import { Polling } from './polling.ts'
import { updateProfile } from './profile.ts'
import { renderTelegram } from './render.ts'
import { Pictures, Posts, Sender } from './send.ts'
import { type Transport, transportTo } from './transport.ts'
import { WebhookKeeper, webhookOf, webhookPath, webhookSecret } from './webhook.ts'

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
  readonly #bot: Bot
  readonly #transport: Transport
  readonly #pacing: Pacing
  readonly #sender: Sender
  readonly #stopping = new AbortController()
  readonly #intake = new Intake()
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
    const { token, callbacks, log, limits = defaultMessageLimits, elapsed, publicUrl } = parts
    this.#transport = transportTo(parts)
    this.#bot = new Bot(token, { client: this.#transport.client })
    const { api } = this.#bot
    const pictures = new Pictures()
    const now = () => performance.now()
    this.#pacing = new Pacing({ ...parts, limits, now, uploads: pictures })
    const isAnswered = (cause: unknown) => cause instanceof GrammyError
    this.health = new PlatformHealth({ platform: 'telegram', log, isAnswered, now: elapsed })
    // The last one sees a call first.
    api.config.use(this.#watchAnswers(), this.#pacing.transformer)
    const render = (view: LocalisedView) => {
      const hasInline = this.#bot.isInited() && this.#bot.botInfo.supports_inline_queries
      return renderTelegram(view, callbacks, hasInline)
    }
    const posts = new Posts(api, pictures)
    this.#sender = new Sender({ api, posts, render })
    this.#use(
      handlers({
        ...parts,
        files: new IncomingFiles({ api, transport: this.#transport, token, log }),
        posts,
        viewPauseMs: parts.viewPauseMs ?? defaultViewPauseMs,
        render,
        onChatChange: parts.onChatChange ?? (async () => undefined),
        health: this.health,
        asInterim: (work) => this.#pacing.run('interim', work),
      }),
    )
    if (publicUrl === undefined) {
      this.receivers = [{ name: 'telegram updates', begin: () => this.#poll() }]
      this.webhook = undefined
    } else {
      const secret = webhookSecret(token)
      const keeper = new WebhookKeeper({ api, url: `${publicUrl}${webhookPath}`, secret, log })
      this.#webhookKeeper = keeper
      this.receivers = [{ name: 'telegram webhook', begin: () => keeper.keep() }]
      this.webhook = webhookOf(this.#bot, secret, parts.confirmAfterMs)
    }
  }

  async start(): Promise<void> {
    const { dispatch, claim, log } = this.#parts
    const { api } = this.#bot
    const reach = untilReachable('telegram', isFinal, log)
    const { signal } = this.#stopping
    try {
      const { id } = await reach(async () => {
        const me = await api.getMe()
        this.#pendingUpdates = (await api.getWebhookInfo()).pending_update_count
        this.#bot.botInfo = me
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
    this.#profiling = updateProfile(api, dispatch.menu, log, signal)
  }

  async stop(patience = drainTime): Promise<void> {
    this.health.setConnection('stopped')
    this.#stopping.abort()
    void this.#watching?.stop()
    await this.#intake.stop(patience)
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
    return this.#bot.isInited() ? `https://t.me/${this.#bot.botInfo.username}` : undefined
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

  /** What each update passes: it is handled once, counted, after those before it in its chat, and its failure is reported. */
  #use(handling: Middleware): void {
    const { onUpdate } = this.#parts
    this.#bot.use(this.#intake.middleware)
    this.#bot.use((ctx, next) => {
      onUpdate?.(handledUpdates.find((kind) => kind in ctx.update) ?? 'other')
      return next()
    })
    this.#bot.use(sequentialize((ctx: Context) => String(ctx.chat?.id ?? ctx.from?.id ?? '')))
    this.#bot.errorBoundary((error) => this.#report(error), handling)
  }

  #poll(): Task {
    const polling = new Polling({
      ...this.#parts,
      bot: this.#bot,
      onFatal: (error) => this.#fail(error),
      onPolled: (error) => this.#onAnswered(error),
    })
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
   * Counts 429s, and ends the process if Telegram refuses its token, whatever was asked: polling, sending, or the question for the
   * webhook. Telegram says so of a token that was revoked; to ask again is of no use.
   */
  #watchAnswers(): Transformer {
    return async (previous, method, payload, signal) => {
      const answer = await previous(method, payload, signal)
      if (answer.ok) return answer
      if (answer.error_code === 429) this.#parts.onLimited?.()
      // The start itself says so.
      if (answer.error_code === 401 && this.health.connection !== 'starting') {
        const cause = new GrammyError(`Call to '${method}' failed!`, answer, method, payload)
        this.#fail(explainStart(cause))
      }
      return answer
    }
  }

  /**
   * Asks Telegram for the webhook from time to time, on each replica, also while polling: a replica that doesn't poll would
   * not notice otherwise that the token was revoked, nor know how many updates wait.
   */
  #watch(): PollingLoop {
    const { api } = this.#bot
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

  #onAnswered(fault: unknown): void {
    if (this.#isStopped || this.health.connection === 'standby') return
    this.health.checked(fault)
    this.health.setConnection(fault === undefined ? 'connected' : 'reconnecting')
  }

  /** @throws the error if the process stopped meanwhile, so that the update is not confirmed */
  #report({ error, ctx }: BotError): void {
    if (this.#isClosed) throw error
    const update = ctx.update.update_id
    if (error instanceof SendError && error.loss !== undefined) {
      this.#parts.log.info({ update, reason: error.message }, 'telegram: not allowed to answer')
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
