import { autoRetry } from '@grammyjs/auto-retry'
import { type RunnerHandle, run, sequentialize } from '@grammyjs/runner'
import {
  type BotError,
  type Context,
  Bot as GrammyBot,
  GrammyError,
  type Transformer,
} from 'grammy'
import type { LineKeeper } from '../chat/control.ts'
import type { Bot } from '../chat/dispatch.ts'
import { type ConnectionState, type Platform, PlatformError } from '../chat/platform.ts'
import type { Logger } from '../log.ts'
import { poolTransport, type Transport } from './transport.ts'
import { handledUpdates, updateHandlers } from './updates.ts'

export interface TelegramParts {
  token: string
  /** Without a trailing slash. */
  apiRoot: string
  bot: Bot
  lines: LineKeeper
  log: Logger
  /** The connection is lost for good; the message says why. */
  onFatal: (error: PlatformError) => void
}

/** Telegram by long polling: updates of one chat in order, of different chats side by side. */
export class TelegramPlatform implements Platform {
  readonly name = 'telegram'
  readonly #parts: TelegramParts
  readonly #grammy: GrammyBot
  readonly #transport: Transport
  readonly #starting = new AbortController()
  #runner: RunnerHandle | undefined
  #state: ConnectionState = 'starting'

  constructor(parts: TelegramParts) {
    this.#parts = parts
    this.#transport = poolTransport(parts.apiRoot)
    this.#grammy = new GrammyBot(parts.token, {
      client: { apiRoot: parts.apiRoot, fetch: this.#transport.fetch },
    })
    this.#grammy.api.config.use(retryAnswers(), this.#watchPolling())
    this.#grammy.use(sequentialize(chatOf), updateHandlers(parts))
    this.#grammy.catch((error) => this.#report(error))
  }

  async start(): Promise<void> {
    const { api } = this.#grammy
    try {
      // grammY types its signals by another package's class; the two are the same at run time.
      await this.#grammy.init(this.#starting.signal as unknown as Parameters<GrammyBot['init']>[0])
      await api.deleteWebhook()
      await api.setMyCommands(
        this.#parts.bot.menu.map(({ name, about }) => ({ command: name, description: about })),
      )
    } catch (error) {
      throw explainStart(error)
    }
    this.#runner = run(this.#grammy, {
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
    this.#starting.abort()
    if (this.#runner?.isRunning()) await this.#runner.stop()
    await this.#transport.close()
  }

  state(): ConnectionState {
    return this.#state
  }

  #watchPolling(): Transformer {
    return async (previous, method, payload, signal) => {
      if (method !== 'getUpdates') return previous(method, payload, signal)
      try {
        const answer = await previous(method, payload, signal)
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
 * Waits out a 429 on answers for up to half a minute. Network faults are not retried: a send that timed out may have
 * arrived.
 */
function retryAnswers(): Transformer {
  const retry = autoRetry({ maxRetryAttempts: 3, maxDelaySeconds: 30, rethrowHttpErrors: true })
  return (previous, method, payload, signal) =>
    method === 'getUpdates'
      ? previous(method, payload, signal)
      : retry(previous, method, payload, signal)
}

function chatOf(ctx: Context): string | undefined {
  return (ctx.chat?.id ?? ctx.from?.id)?.toString()
}

function explainStart(error: unknown): PlatformError {
  if (error instanceof GrammyError && (error.error_code === 401 || error.error_code === 404)) {
    return new PlatformError('Telegram refuses TELEGRAM_TOKEN. Copy it again from @BotFather.', {
      cause: error,
    })
  }
  return new PlatformError(
    'Telegram could not be reached. Check TELEGRAM_API_ROOT and the network.',
    {
      cause: error,
    },
  )
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
