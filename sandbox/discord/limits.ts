/** One answer of the rate limiter: headers for the reply and, when refused, how long to wait. */
export interface Verdict {
  headers: Record<string, string>
  /** Seconds until the next try; undefined when the request may pass. */
  retryAfter: number | undefined
  global: boolean
}

interface Bucket {
  hash: string
  limit: number
  windowMs: number
}

interface Window {
  used: number
  resetAt: number
}

// Discord publishes no numbers: these are what its headers said in practice, in orders of magnitude.
const sends: Bucket = { hash: 'message-create', limit: 5, windowMs: 5_000 }
const edits: Bucket = { hash: 'message-edit', limit: 5, windowMs: 5_000 }
const deletes: Bucket = { hash: 'message-delete', limit: 5, windowMs: 1_000 }
const followUps: Bucket = { hash: 'webhook', limit: 5, windowMs: 2_000 }
const commands: Bucket = { hash: 'commands', limit: 5, windowMs: 20_000 }
const privateChats: Bucket = { hash: 'private-chats', limit: 10, windowMs: 10_000 }
const rest: Bucket = { hash: 'rest', limit: 50, windowMs: 1_000 }

const buckets: Readonly<Record<string, Bucket>> = {
  'POST /channels/:id/messages': sends,
  'PATCH /channels/:id/messages/:id': edits,
  'DELETE /channels/:id/messages/:id': deletes,
  'POST /webhooks/:id/:token': followUps,
  'GET /webhooks/:id/:token/messages/:id': followUps,
  'PATCH /webhooks/:id/:token/messages/:id': followUps,
  'DELETE /webhooks/:id/:token/messages/:id': followUps,
  'PUT /applications/:id/commands': commands,
  'PUT /applications/:id/guilds/:id/commands': commands,
  'POST /users/@me/channels': privateChats,
}

const globalLimit = 50
const sweepAbove = 10_000

/** Discord's rate limits: a bucket for each route and major parameter, and 50 a second in all. */
export class RateLimits {
  readonly #now: () => number
  readonly #factor: number
  readonly #windows = new Map<string, Window>()
  #global: Window = { used: 0, resetAt: 0 }

  /** @param factor by how much every limit is larger than Discord's, for load tests */
  constructor(now: () => number, factor = 1) {
    this.#now = now
    this.#factor = factor
  }

  /** Counts a request by its route and major parameter (channel, guild, webhook and token). */
  take(route: string, major: string, countsGlobally: boolean): Verdict {
    const now = this.#now()
    if (countsGlobally) {
      if (now >= this.#global.resetAt) this.#global = { used: 0, resetAt: now + 1_000 }
      if (++this.#global.used > globalLimit * this.#factor) return this.#refuseAll(now)
    }
    const bucket = buckets[route] ?? rest
    const window = this.#window(`${bucket === rest ? route : bucket.hash}:${major}`, bucket, now)
    const limit = bucket.limit * this.#factor
    const passes = window.used < limit
    if (passes) window.used++
    const wait = (window.resetAt - now) / 1_000
    const headers: Record<string, string> = {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(limit - window.used),
      'X-RateLimit-Reset': (window.resetAt / 1_000).toFixed(3),
      'X-RateLimit-Reset-After': wait.toFixed(3),
      'X-RateLimit-Bucket': bucket.hash,
    }
    if (passes) return { headers, retryAfter: undefined, global: false }
    headers['X-RateLimit-Scope'] = 'user'
    headers['Retry-After'] = String(Math.ceil(wait))
    return { headers, retryAfter: wait, global: false }
  }

  #refuseAll(now: number): Verdict {
    const wait = (this.#global.resetAt - now) / 1_000
    const headers = {
      'X-RateLimit-Global': 'true',
      'X-RateLimit-Scope': 'global',
      'Retry-After': String(Math.ceil(wait)),
    }
    return { headers, retryAfter: wait, global: true }
  }

  #window(key: string, bucket: Bucket, now: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && now < known.resetAt) return known
    if (this.#windows.size > sweepAbove) this.#sweep(now)
    const fresh = { used: 0, resetAt: now + bucket.windowMs }
    this.#windows.set(key, fresh)
    return fresh
  }

  #sweep(now: number): void {
    for (const [key, window] of this.#windows) if (now >= window.resetAt) this.#windows.delete(key)
  }
}
