import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Api, type Bot, webhookCallback } from 'grammy'
import type { Update, WebhookInfo } from 'grammy/types'
import { hostOf, type Webhook, type WebhookAnswer, webhookPathOf } from '../core/adapter.ts'
import { bodyOf } from '../core/body.ts'
import { retry, type Task, withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { isConflict } from './errors.ts'
import { handledUpdates } from './handlers.ts'

/** Path on the bot's server that Telegram calls. */
export const webhookPath = webhookPathOf('telegram')
/**
 * Maximum size of an update: a message and the one it replies to, of 4,096 escaped characters with 100 links each.
 * Telegram would redeliver an update that is refused.
 */
const maxBytes = 512 * 1024

/** The secret token that authenticates Telegram's calls, derived from the bot's token so that all replicas have the same. */
export function webhookSecret(token: string): string {
  return createHash('sha256').update(`webhook of ${token}`).digest('base64url')
}

/**
 * Makes the webhook handler: answers 200 once an update was handled, or after `confirmAfterMs`; Telegram brings the others
 * again.
 */
export function webhookOf(bot: Bot, secretToken: string, confirmAfterMs = 10_000): Webhook {
  const options = { secretToken, timeoutMilliseconds: Number.POSITIVE_INFINITY }
  const handle = webhookCallback(bot, callOf, options)
  return async (request) => {
    // grammY would ask who it is itself, before the start is over.
    if (!bot.isInited()) return tryAgain
    // grammY's own `onTimeout` leaves an update that fails after it as an unhandled rejection.
    const answer = withTimeout(handle(request), confirmAfterMs)
    return (await answer.catch(() => tryAgain)) ?? { status: 200 }
  }
}

/** Without Retry-After, Telegram waits for up to two minutes. */
const tryAgain: WebhookAnswer = { status: 503, json: { error: 'try again' }, retryAfter: 1 }

/** The call as grammY reads and answers it, in the form of its adapters for web frameworks. */
function callOf(request: IncomingMessage) {
  const { promise: handlerReturn, resolve } = Promise.withResolvers<WebhookAnswer>()
  return {
    get update() {
      return updateOf(request)
    },
    header: String(request.headers['x-telegram-bot-api-secret-token']),
    unauthorized: () => resolve({ status: 401, json: { error: 'not Telegram' } }),
    // Not used: calls are made by the client, which paces them.
    respond: () => undefined,
    end: () => resolve({ status: 200 }),
    handlerReturn,
  }
}

/** @throws Error if it is too long, or none */
async function updateOf(request: IncomingMessage): Promise<Update> {
  const body = await bodyOf(request, maxBytes)
  const update: Update = JSON.parse(body?.toString() ?? '')
  if (Number.isInteger(update.update_id) && update.update_id >= 0) return update
  throw new Error('no update')
}

/** Telegram's maximum of updates that it waits for at the same time. */
const webhookConnections = 100

/** Telegram ends the call of one process with a 409 if another one calls while it still tries the address. */
const webhookRetry = { canRetry: isConflict, maxTries: 21, pause: () => 1_000 }

interface KeeperParts {
  api: Api
  /** URL of the webhook. */
  url: string
  secret: string
  log: Logger
}

/** Sets the webhook, and sets it again if another process with the same token changes it. */
export class WebhookKeeper {
  readonly #parts: KeeperParts
  /** This replica keeps it: undefined if another one does. */
  #keeping: { isFirst: boolean } | undefined
  /** Unix seconds of the last delivery error that was logged. */
  #loggedErrorAt = 0

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Several replicas that start together set it one after the other: Telegram takes one call a second. */
  async set(): Promise<void> {
    const { api, url, secret, log } = this.#parts
    const settings = {
      secret_token: secret,
      allowed_updates: handledUpdates,
      max_connections: webhookConnections,
    }
    await retry(() => api.setWebhook(url, settings), webhookRetry)
    log.info({ url }, 'telegram: updates come to PUBLIC_URL')
  }

  /** Keeps the webhook as `look` sees it, until it is stopped. */
  keep(): Task {
    this.#keeping = { isFirst: true }
    const stop = async () => {
      this.#keeping = undefined
    }
    return { stop }
  }

  /** Sets the webhook again if Telegram says that it is another one, and logs what Telegram could not bring. */
  async look({ url: found, ...info }: WebhookInfo): Promise<void> {
    const { url, log } = this.#parts
    const keeping = this.#keeping
    if (!keeping) return
    const { isFirst } = keeping
    keeping.isFirst = false
    if (found !== url) {
      log.warn(
        { found: found ? hostOf(found) : 'none' },
        'telegram: another process with the same TELEGRAM_TOKEN, or a replica with another PUBLIC_URL, changed the webhook; this bot has set it again. Stop the other one.',
      )
      return this.set()
    }
    const { last_error_date: date = 0, last_error_message: reason, pending_update_count } = info
    if (date <= this.#loggedErrorAt) return
    this.#loggedErrorAt = date
    // After the start, an old error without waiting updates is not worth a warning.
    if (isFirst && pending_update_count === 0) return
    log.warn(
      { reason, last: new Date(date * 1_000).toISOString(), waiting: pending_update_count },
      'telegram could not deliver updates to PUBLIC_URL',
    )
  }
}
