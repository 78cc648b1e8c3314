import { autoRetry } from '@grammyjs/auto-retry'
import { type RunnerHandle, run, sequentialize } from '@grammyjs/runner'
import {
  Api,
  type BotError,
  type Context,
  Bot as GrammyBot,
  GrammyError,
  type Transformer,
} from 'grammy'
import {
  type ConnectionState,
  type Destination,
  type Platform,
  PlatformError,
  type PlatformParts,
  type Sent,
} from '../chat/platform.ts'
import { untilReachable } from '../chat/reach.ts'
import type { View } from '../chat/view.ts'
import { within } from '../chat/within.ts'
import { IncomingFiles } from './incoming-files.ts'
import { Pacing } from './pacing.ts'
import { Pictures } from './pictures.ts'
import { Posts, shownPhotos } from './posts.ts'
import { Sender } from './sending.ts'
import { poolTransport, type Transport } from './transport.ts'
import { UnderWay } from './under-way.ts'
import { handledUpdates, updateHandlers } from './updates.ts'

/** Updates under way over all chats. */
const mostUnderWay = 5_000
/** How long answers under way may take when the bot stops. */
const drainTime = 5_000
/** Seconds for a call that somebody repeats or can do without; the others have what grammY gives them. */
const hastyTimeout = 30

/** Telegram by long polling: updates of one chat in order, of different chats side by side. */
export class TelegramPlatform implements Platform {
  readonly name = 'telegram'
  readonly #parts: PlatformParts
  readonly #grammy: GrammyBot
  readonly #transport: Transport
  readonly #pacing: Pacing
  readonly #sender: Sender
  readonly #stopping = new AbortController()
  readonly #underWay = new UnderWay()
  #runner: RunnerHandle | undefined
  #state: ConnectionState = 'starting'

  constructor(parts: PlatformParts) {
    this.#parts = parts
    this.#transport = poolTransport(parts.apiRoot)
    const { token, apiRoot, bot, lines, log } = parts
    const client = { apiRoot, fetch: this.#transport.fetch }
    const pictures = new Pictures()
    const now = () => performance.now()
    const shown = shownPhotos(now)
    this.#pacing = new Pacing(now, pictures)
    // Calls for what nobody asked, for what is shown on the way, and for answers.
    const unasked = new Api(token, { ...client, timeoutSeconds: hastyTimeout })
    unasked.config.use(this.#pacing.unasked)
    const hasty = new Api(token, { ...client, timeoutSeconds: hastyTimeout })
    hasty.config.use(this.#pacing.asked)
    this.#grammy = new GrammyBot(token, { client })
    this.#grammy.api.config.use(this.#pacing.asked, retryAnswers(), this.#watchPolling())
    this.#sender = new Sender({ api: unasked, posts: new Posts(unasked, pictures, shown), lines })
    const files = new IncomingFiles({ api: hasty, transport: this.#transport, token, log })
    this.#grammy.use(
      this.#underWay.middleware(chatOf),
      sequentialize(chatOf),
      updateHandlers({
        bot,
        lines,
        log,
        files,
        posts: new Posts(this.#grammy.api, pictures, shown),
        hasty: new Posts(hasty, pictures, shown),
      }),
    )
    this.#grammy.catch((error) => this.#report(error))
  }

  async start(): Promise<void> {
    const { bot, log } = this.#parts
    const { api } = this.#grammy
    const reach = untilReachable(isFinal, (err) =>
      log.warn({ err }, 'telegram can’t be reached; trying again'),
    )
    try {
      await reach.execute(async () => {
        this.#grammy.botInfo = await api.getMe()
        await api.deleteWebhook()
        await api.setMyCommands(
          bot.menu.map(({ name, about }) => ({ command: name, description: about })),
        )
      }, this.#stopping.signal)
    } catch (error) {
      throw explainStart(error)
    }
    this.#runner = run(this.#grammy, {
      sink: { concurrency: mostUnderWay },
      runner: {
        fetch: { allowed_updates: handledUpdates },
        silent: true,
        // Waits grow by 100 ms each, so that an hour's outage ends in waits of half a minute, not of an hour.
        retryInterval: 'quadratic',
        maxRetryTime: Number.MAX_SAFE_INTEGER,
      },
    })
    this.#runner.task()?.catch((error) => this.#parts.onFatal(explainPolling(error)))
    this.#state = 'connected'
  }

  async stop(): Promise<void> {
    this.#state = 'stopped'
    this.#stopping.abort()
    // While Telegram is out of reach the runner sleeps between its tries, longer than a stop may take.
    const stopped = this.#runner?.isRunning() ? this.#runner.stop() : Promise.resolve()
    await Promise.all([within(stopped, drainTime), this.#underWay.finish(drainTime)])
    await this.#transport.close()
  }

  send(to: Destination, view: View, _key: string): Promise<Sent> {
    return this.#sender.send(to, view)
  }

  edit(to: Destination, message: string, view: View): Promise<void> {
    return this.#sender.edit(to, message, view)
  }

  room(): number {
    return this.#pacing.room()
  }

  gap(to: Destination): number {
    return this.#pacing.gap(to)
  }

  manages(chat: string, person: string): Promise<boolean> {
    return this.#sender.manages(chat, person)
  }

  title(chat: string): Promise<string | undefined> {
    return this.#sender.title(chat)
  }

  isMember(chat: string, person: string): Promise<boolean> {
    return this.#sender.isMember(chat, person)
  }

  state(): ConnectionState {
    return this.#state
  }

  #watchPolling(): Transformer {
    return async (previous, method, payload, signal) => {
      if (method !== 'getUpdates') return previous(method, payload, signal)
      try {
        // One that waits for updates would say only after half a minute that Telegram is back.
        const asked = this.#state === 'reconnecting' ? { ...payload, timeout: 0 } : payload
        const answer = await previous(method, asked, signal)
        if (answer.ok && !Array.isArray(answer.result)) throw new TypeError('updates are no list')
        this.#polled(answer.ok ? undefined : answer.description)
        return answer
      } catch (error) {
        if (this.#state !== 'stopped') this.#polled(error)
        throw error
      }
    }
  }

  #polled(fault: unknown): void {
    if (this.#state === 'stopped') return
    const state = fault === undefined ? 'connected' : 'reconnecting'
    if (state === this.#state) return
    this.#state = state
    if (fault === undefined) this.#parts.log.info('telegram is back')
    else this.#parts.log.warn({ err: fault }, 'telegram does not answer; trying again')
  }

  #report({ error, ctx }: BotError<Context>): void {
    const update = ctx.update.update_id
    if (error instanceof GrammyError && error.error_code === 403) {
      this.#parts.log.info({ update, reason: error.description }, 'telegram: not allowed to answer')
      return
    }
    this.#parts.log.error({ err: error, update }, 'telegram: an update was not answered')
  }
}

/**
 * Waits out a 429 on answers for up to half a minute. Other faults are not retried: a send that timed out, or that
 * Telegram stumbled over, may have arrived.
 */
function retryAnswers(): Transformer {
  const retry = autoRetry({
    maxRetryAttempts: 3,
    maxDelaySeconds: 30,
    rethrowHttpErrors: true,
    rethrowInternalServerErrors: true,
  })
  return (previous, method, payload, signal) =>
    method === 'getUpdates'
      ? previous(method, payload, signal)
      : retry(previous, method, payload, signal)
}

function chatOf(ctx: Context): string | undefined {
  return (ctx.chat?.id ?? ctx.from?.id)?.toString()
}

/** What trying again can't mend: any refusal but that of too many requests. */
function isFinal(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code < 500 && error.error_code !== 429
}

function explainStart(error: unknown): PlatformError {
  const refused =
    error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404)
  const message = refused
    ? 'Telegram refuses TELEGRAM_TOKEN. Copy it again from @BotFather.'
    : 'Telegram refuses to start. Check TELEGRAM_API_ROOT.'
  return new PlatformError(message, { cause: error })
}

function explainPolling(error: unknown): PlatformError {
  if (error instanceof GrammyError && error.error_code === 409) {
    return new PlatformError(
      'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.',
      { cause: error },
    )
  }
  return new PlatformError('Telegram ended the connection.', { cause: error })
}
