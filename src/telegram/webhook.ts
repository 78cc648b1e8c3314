import { createHash, timingSafeEqual } from 'node:crypto'
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import { z } from 'zod'
import { PlatformError, webhookPathOf } from '../core/adapter.ts'
import type { Inbox } from '../core/inbox.ts'
import { PollingLoop, type Task } from '../core/task.ts'
import { bodyOf, hostOf, webhookConflict } from '../core/webhook.ts'
import type { Logger } from '../log.ts'
import { handledUpdates } from './receive.ts'

/** Where Telegram calls the bot's server. */
export const webhookPath = webhookPathOf('telegram')
const secretHeader = 'x-telegram-bot-api-secret-token'
/**
 * Longer than any update: a message and the one it answers, of 4,096 escaped UTF-16 units with 100 links each. What is
 * refused for its length would be brought again and again.
 */
const maxBytes = 512 * 1024

const chat = z.looseObject({ chat: z.looseObject({ id: z.int() }) })
const person = z.looseObject({ from: z.looseObject({ id: z.int() }) })
const updateSchema = z.looseObject({
  update_id: z.int().nonnegative(),
  message: chat.optional(),
  channel_post: chat.optional(),
  callback_query: person.extend({ message: chat.optional() }).optional(),
  inline_query: person.optional(),
})

/** What Telegram sends along so that nobody else can speak in its name: the same in each replica, and told to no one. */
export function webhookSecret(token: string): string {
  return createHash('sha256').update(`webhook of ${token}`).digest('base64url')
}

/** Takes Telegram's calls: an update that was answered with 200 is kept, and Telegram brings the others again. */
export function webhook(
  secret: string,
  inbox: Pick<Inbox, 'put'>,
  log: Logger,
): (request: Request) => Promise<Response> {
  return async (request) => {
    if (!isSame(request.headers.get(secretHeader) ?? '', secret)) {
      return Response.json({ error: 'not Telegram' }, { status: 401 })
    }
    const body = (await bodyOf(request, maxBytes))?.toString()
    if (body === undefined) return Response.json({ error: 'too large' }, { status: 413 })
    const read = updateSchema.safeParse(parsed(body))
    if (!read.success) return Response.json({ error: 'no update' }, { status: 400 })
    try {
      await inbox.put({ id: read.data.update_id, lane: laneOf(read.data), body })
      return new Response()
    } catch (error) {
      log.error({ err: error }, 'an update of Telegram’s could not be kept; it brings it again')
      return Response.json({ error: 'try again' }, { status: 503 })
    }
  }
}

/** What grammY reads in it is its own affair, as with polling. */
const keptSchema = z.custom<Update>((value) => updateSchema.safeParse(value).success)

/** An update that was kept. @throws where it is none */
export function keptUpdate(body: string): Update {
  return keptSchema.parse(JSON.parse(body))
}

/** The chat, as with polling: what happens in one is handled in turn. */
function laneOf(update: z.output<typeof updateSchema>): string {
  const { message, channel_post, callback_query, inline_query } = update
  const place = message ?? channel_post ?? callback_query?.message
  return String(place?.chat.id ?? callback_query?.from.id ?? inline_query?.from.id ?? '')
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** By digests, which are of one length: how long it takes says nothing of how much is right. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}

/** Of the one who asks Telegram, and of the one who sees that Telegram calls. */
export const pollingRole = 'telegram updates'
export const webhookRole = 'telegram webhook'

/** As many as Telegram opens: a call takes as long as it takes to keep an update. */
const webhookConnections = 100

interface KeeperParts {
  api: Api
  /** Where Telegram shall call, and with which secret. */
  url: string
  secret: string
  log: Logger
  /** Milliseconds between two looks. */
  every: number
}

/** Has Telegram call an address, and sees that it goes on: another process with the token can end it unasked. */
export class WebhookKeeper {
  readonly #parts: KeeperParts
  /** Unix seconds of the last fault that was told. */
  #told = 0

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /**
   * Sees that Telegram calls nobody else whom replicas here have it call. `held` are the roles that they have, of before
   * this is called: who has this one has set the address. @throws PlatformError
   */
  async check(held: readonly string[]): Promise<void> {
    if (!held.includes(webhookRole)) return
    const { api, url } = this.#parts
    const { url: known = '' } = await api.getWebhookInfo()
    if (known !== '' && known !== url) throw webhookConflict('Telegram', known, url)
  }

  async set(): Promise<void> {
    const { api, url, secret, log } = this.#parts
    await api.setWebhook(url, {
      secret_token: secret,
      allowed_updates: handledUpdates,
      max_connections: webhookConnections,
    })
    log.info({ url }, 'telegram: updates come to PUBLIC_URL')
  }

  keep(): Task {
    const { every, log } = this.#parts
    let isFirst = true
    return new PollingLoop({
      look: async (signal) => {
        await this.#look(signal, isFirst)
        isFirst = false
      },
      every,
      onFault: (err) => log.warn({ err }, 'telegram: where updates go can’t be seen or set'),
    })
  }

  async #look(signal: AbortSignal, isFirst: boolean): Promise<void> {
    const { api, url, log } = this.#parts
    const info = await api.getWebhookInfo()
    if (signal.aborted) return
    if (info.url !== url) {
      const found = info.url ? hostOf(info.url) : 'none'
      log.warn(
        { found },
        'telegram: another process with the same TELEGRAM_TOKEN, or a replica with another PUBLIC_URL, changed the webhook; it is set again. Stop the other one.',
      )
      return this.set()
    }
    const { last_error_date: date = 0, last_error_message: reason, pending_update_count } = info
    if (date <= this.#told) return
    this.#told = date
    // It may be of long ago, and all is well since.
    if (isFirst && pending_update_count === 0) return
    const last = new Date(date * 1_000).toISOString()
    log.warn(
      { reason, last, waiting: pending_update_count },
      'telegram could not bring updates to PUBLIC_URL',
    )
  }
}

/**
 * Sees that replicas on one database hear Telegram in one way: one that asks ends the calls of the others. `held` are
 * the roles that replicas have. @throws PlatformError
 */
export function checkMode(ours: 'polling' | 'webhook', held: readonly string[]): void {
  const theirs = ours === 'polling' ? 'webhook' : 'polling'
  if (!held.includes(theirs === 'webhook' ? webhookRole : pollingRole)) return
  throw new PlatformError(
    `Another replica on this database has TELEGRAM_UPDATES=${theirs}, and this one ${ours}. Set it alike, or stop all replicas before it is changed; after a kill, wait ten seconds.`,
  )
}
