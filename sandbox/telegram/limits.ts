import { LRUCache } from 'lru-cache'
import { Refusal } from './params.ts'

interface Bucket {
  tokens: number
  /** Milliseconds. */
  at: number
}

interface Rate {
  burst: number
  /** Tokens a millisecond. */
  refill: number
}

// Telegram publishes the rates (one message a second in a chat, 20 a minute in a group, 30 a second in all),
// not how much of a burst it lets through.
const chatRate: Rate = { burst: 5, refill: 1 / 1000 }
const groupRate: Rate = { burst: 20, refill: 20 / 60_000 }
const overallRate: Rate = { burst: 30, refill: 30 / 1000 }

/** How much more than Telegram lets through, for tests of load; 1 is as much. */
export interface FloodOptions {
  factor: number
}

/** Telegram's flood control: token buckets for a chat, a group and the bot as a whole. */
export class FloodLimits {
  readonly #now: () => number
  readonly #chats = new LRUCache<number, Bucket>({ max: 20_000 })
  readonly #groups = new LRUCache<number, Bucket>({ max: 20_000 })
  readonly #overall: Bucket
  readonly #rates: Record<'chat' | 'group' | 'overall', Rate>
  #webhookAllowedAt = Number.NEGATIVE_INFINITY

  constructor(now: () => number, { factor }: FloodOptions = { factor: 1 }) {
    this.#now = now
    const times = ({ burst, refill }: Rate) => ({ burst: burst * factor, refill: refill * factor })
    this.#rates = { chat: times(chatRate), group: times(groupRate), overall: times(overallRate) }
    this.#overall = { tokens: this.#rates.overall.burst, at: now() }
  }

  /** Counts one message or edit; throws the 429 with `retry_after` in seconds, counting nothing then. */
  take(chatId: number, isGroup: boolean): void {
    const now = this.#now()
    const { chat, group, overall } = this.#rates
    const needed = [
      { bucket: this.#overall, rate: overall },
      { bucket: bucketOf(this.#chats, chatId, chat, now), rate: chat },
      ...(isGroup ? [{ bucket: bucketOf(this.#groups, chatId, group, now), rate: group }] : []),
    ]
    let wait = 0
    for (const { bucket, rate } of needed) {
      bucket.tokens = Math.min(rate.burst, bucket.tokens + (now - bucket.at) * rate.refill)
      bucket.at = now
      if (bucket.tokens < 1) wait = Math.max(wait, (1 - bucket.tokens) / rate.refill)
    }
    if (wait > 0) {
      const seconds = Math.max(1, Math.ceil(wait / 1000))
      throw new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds })
    }
    for (const { bucket } of needed) bucket.tokens--
  }

  /** Counts a setWebhook with an address: Telegram takes one a second (`process_set_webhook_query` of its server). */
  takeWebhook(): void {
    const now = this.#now()
    if (now < this.#webhookAllowedAt)
      throw new Refusal(429, 'Too Many Requests: retry after 1', { retry_after: 1 })
    this.#webhookAllowedAt = now + 1000
  }
}

function bucketOf(
  buckets: LRUCache<number, Bucket>,
  chatId: number,
  rate: Rate,
  now: number,
): Bucket {
  const known = buckets.get(chatId)
  if (known) return known
  const bucket = { tokens: rate.burst, at: now }
  buckets.set(chatId, bucket)
  return bucket
}
