import type { Api } from 'grammy'
import type { Duty } from '../chat/duty.ts'
import { calledElsewhere, hostOf } from '../chat/host.ts'
import { Looking } from '../chat/looking.ts'
import { PlatformError } from '../chat/platform.ts'
import type { Logger } from '../log.ts'
import { handledUpdates } from './updates.ts'

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
    if (known !== '' && known !== url) throw calledElsewhere('Telegram', known, url)
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

  keep(): Duty {
    const { every, log } = this.#parts
    let isFirst = true
    return new Looking({
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
