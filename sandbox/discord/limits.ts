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
const followUps: Bucket = { hash: 'webhook', limit: 5, windowMs: 2_000 }
const commands: Bucket = { hash: 'commands', limit: 5, windowMs: 20_000 }
const privateChats: Bucket = { hash: 'private-chats', limit: 10, windowMs: 10_000 }
const rest: Bucket = { hash: 'rest', limit: 50, windowMs: 1_000 }

const buckets: Readonly<Record<string, Bucket>> = {
  'POST /channels/:id/messages': sends,
  'PATCH /channels/:id/messages/:id': edits,
  'POST /webhooks/:id/:token': followUps,
  'PATCH /webhooks/:id/:token/messages/:id': followUps,
  'DELETE /webhooks/:id/:token/messages/:id': followUps,
  'PUT /applications/:id/commands': commands,
  'POST /users/@me/channels': privateChats,
}

const globalLimit = 50
const globalMs = 1_000
const sweepAbove = 10_000

/** Milliseconds between two looks at the clock, and by how much later than that a look is a stall. */
const lookMs = 10
const stallMs = 20
/** Milliseconds in which all is read that came during a stall. */
const readMs = 100

/**
 * Notices when this process stood still, as on a busy machine. What came meanwhile is read at once: unlike Discord, the
 * stand-in would take calls that came over a second and a half for those of one second.
 */
class Stalls {
  readonly #now: () => number
  readonly #timer: NodeJS.Timeout
  #lookedAt: number
  #latest: { end: number; ms: number }[] = []

  constructor(now: () => number) {
    this.#now = now
    this.#lookedAt = now()
    this.#timer = setInterval(() => this.#look(), lookMs).unref()
  }

  /** Milliseconds of stalls whose calls are read within the present second. */
  recent(): number {
    this.#look()
    return this.#latest.reduce((sum, { ms }) => sum + ms, 0)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = this.#now()
    const ms = Math.min(now - this.#lookedAt - lookMs, globalMs)
    this.#lookedAt = now
    if (ms > stallMs) this.#latest.push({ end: now, ms })
    this.#latest = this.#latest.filter(({ end }) => Math.abs(now - end) < globalMs + readMs)
  }
}

/** Discord's rate limits: a bucket for each route and major parameter, and 50 a second in all. */
export class RateLimits {
  readonly #now: () => number
  readonly #factor: number
  readonly #stalls: Stalls
  readonly #windows = new Map<string, Window>()
  #global: Window = { used: 0, resetAt: 0 }

  /** @param factor by how much every limit is larger than Discord's, for load tests */
  constructor(now: () => number, factor = 1) {
    this.#now = now
    this.#factor = factor
    this.#stalls = new Stalls(now)
  }

  stop(): void {
    this.#stalls.stop()
  }

  /** Counts a request by its route and major parameter (channel, guild, webhook and token). */
  take(route: string, major: string, countsGlobally: boolean): Verdict {
    const now = this.#now()
    if (countsGlobally) {
      if (now >= this.#global.resetAt) this.#global = { used: 0, resetAt: now + globalMs }
      const ms = globalMs + this.#stalls.recent()
      const limit = globalLimit * this.#factor * (ms / globalMs)
      if (++this.#global.used > limit) return this.#refuseAll(now)
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
