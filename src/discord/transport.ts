import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RESTOptions } from 'discord.js'
import { Agent, type Dispatcher } from 'undici'
import { SendError } from '../core/adapter.ts'
import { noReplicas, type PubSub } from '../core/pubsub.ts'
import { boundedPause, defaultRetryAfter, parseRetryAfter } from '../core/retry.ts'

export interface Transport {
  makeRequest: RESTOptions['makeRequest']
  /**
   * Makes the calls of `work` in the background: over separate connections, and without the three immediate retries of
   * discord.js. @throws NoAnswer or SendError from the calls
   */
  once<T>(work: () => Promise<T>): Promise<T>
  /** Downloads a file; undefined if it has more than `maxBytes`. @throws Error if it can't be downloaded */
  download(url: string, maxBytes: number): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** A call without retries got no usable answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** Discord may have executed the call. */
  readonly uncertain: boolean

  constructor(message: string, detail: { uncertain: boolean; cause?: unknown }) {
    super(message, { cause: detail.cause })
    this.uncertain = detail.uncertain
  }
}

/**
 * Enough for 9,600 answers a second at 40 ms each. Without a bound, a burst of 2,000 answers opened as many sockets, and
 * its p99 was 16 times as long (docs/performance.md).
 */
const maxConnections = 384
/** Enough for 50 calls a second at 2 s each. */
const maxBackgroundConnections = 100
const answerTimeout = 15_000
const downloadTimeout = 20_000
/** Seconds before a retry of an answer, if a 429 names no number. */
const defaultWait = 1
const emptyStatus = new Set([204, 205, 304])

type RequestInit = Parameters<RESTOptions['makeRequest']>[1]

/**
 * Makes the transport for the calls of discord.js and for downloads, which follows no redirects. `onLimited` is called
 * for each answer with status 429.
 */
export function boundedTransport(limit: GlobalLimit, onLimited?: () => void): Transport {
  const agent = agentOf(maxConnections)
  const background = agentOf(maxBackgroundConnections)
  const once = new AsyncLocalStorage<true>()
  return {
    makeRequest: async (url, init) => {
      const isOnce = once.getStore() ?? false
      const calling = call(isOnce ? background : agent, limit, url, init)
      const answer = await (isOnce ? calling.catch(throwNoAnswer) : calling)
      if (answer.status === 429) onLimited?.()
      if (!isOnce) return withWait(answer, defaultWait)
      if (answer.status < 500) return withWait(answer)
      // The answer says that the call was not executed.
      const message = `Discord answered with status ${answer.status}`
      throw new NoAnswer(message, { uncertain: false })
    },
    once: (work) => once.run(true, work),
    download: async (url, maxBytes) => {
      const signal = AbortSignal.timeout(downloadTimeout)
      const { statusCode, headers, body } = await agent.request({
        ...addressOf(url),
        method: 'GET',
        signal,
      })
      if (statusCode !== 200) {
        await body.dump()
        throw new Error(`the file was answered with status ${statusCode}`)
      }
      if (Number(headers['content-length'] ?? 0) > maxBytes) return discard(body)
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of body) {
        size += chunk.length
        if (size > maxBytes) return discard(body)
        chunks.push(chunk)
      }
      return Buffer.concat(chunks)
    },
    close: async () => {
      await Promise.all([agent.destroy(), background.destroy()])
    },
  }
}

function agentOf(connections: number): Agent {
  return new Agent({ connections, headersTimeout: answerTimeout, bodyTimeout: answerTimeout })
}

async function call(
  agent: Agent,
  limit: GlobalLimit,
  url: string,
  init: RequestInit,
): Promise<Response> {
  // discord.js always passes a plain object here.
  const headers = init.headers as Record<string, string>
  const signal = init.signal ?? null
  // Answers to interactions are sent without the bot's token, and Discord does not count them.
  const release = 'Authorization' in headers ? await acquire(limit, signal) : undefined
  try {
    const answer = await agent.request({
      ...addressOf(url),
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      ...(await encodeBody(init.body, headers)),
      signal,
    })
    const content = await answer.body.text()
    const { 'retry-after': wait, 'x-ratelimit-global': global } = answer.headers
    if (answer.statusCode === 429 && global !== undefined) {
      limit.hold((parseRetryAfter(wait) ?? defaultWait) * 1_000)
    }
    return new Response(emptyStatus.has(answer.statusCode) ? null : content, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    })
  } finally {
    release?.()
  }
}

/**
 * Gives a 429 a Retry-After that discord.js can read: otherwise it would retry at once, forever. Returns other answers
 * unchanged. @throws SendError if a 429 has none and there is no `fallback`
 */
function withWait(answer: Response, fallback?: number): Response {
  if (answer.status !== 429) return answer
  const wait = parseRetryAfter(answer.headers.get('Retry-After')) ?? fallback
  if (wait === undefined) {
    const message = 'Discord takes no more for now.'
    throw new SendError(message, { final: false, retryAfter: defaultRetryAfter })
  }
  answer.headers.set('Retry-After', String(wait))
  return answer
}

async function acquire(limit: GlobalLimit, signal: AbortSignal | null): Promise<() => void> {
  try {
    return await limit.begin(signal)
  } catch (cause) {
    throw new NoAnswer('There was no room for a call to Discord.', { uncertain: false, cause })
  }
}

/** Error codes of connections that were not established: nothing was sent. */
const unconnected = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function throwNoAnswer(cause: unknown): never {
  if (cause instanceof NoAnswer) throw cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const uncertain = !unconnected.has(code)
  throw new NoAnswer('Discord did not answer.', { uncertain, cause })
}

/** Closes the connection, and discards the rest of the body. */
function discard(body: Dispatcher.ResponseData['body']): undefined {
  body.once('error', () => undefined).destroy()
}

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/** Encodes a body: JSON unchanged, and a form with files as multipart, with its content type. */
async function encodeBody(
  body: RequestInit['body'],
  headers: Record<string, string>,
): Promise<{ body: string | Uint8Array | null; headers: Record<string, string> }> {
  if (body === null || body === undefined || typeof body === 'string') {
    return { body: body ?? null, headers }
  }
  if (!(body instanceof FormData)) throw new TypeError('a body is JSON or a form')
  const form = new Response(body)
  const type = form.headers.get('content-type') ?? ''
  return { body: await form.bytes(), headers: { ...headers, 'Content-Type': type } }
}

/** Discord's limit of requests a second: https://docs.discord.com/developers/topics/rate-limits */
const perSecond = 50
/** Milliseconds; slightly longer than a second, since Discord's clock and ours may differ in speed. */
const second = 1_002
/** Milliseconds after which a reserved slot that was not used is free again. */
const reservationMs = 250
/** Milliseconds after which the slot of a request without an answer is free again. */
const maxSlotMs = 3_000
/** Milliseconds between two background requests. */
const spacing = second / perSecond
/** Milliseconds of unused spacing that may be made up for at once. */
const catchUp = 4 * spacing
/** Maximum round-trip time in milliseconds; more than this is a slow answer. */
const maxRoundTrip = 500
const roundTripsCountFor = 60_000

interface Slot {
  until: number
  begun: boolean
}

/**
 * Discord's overall limit: 50 requests in any second. It is not known when during its round trip Discord counted a
 * request, so its slot is free again only a second after its answer (less the shortest round-trip time): then no second
 * of Discord's clock has more than 50, however unevenly requests arrive. A token bucket that never exceeds the limit would
 * have to stay well below it. Requests that other replicas publish are counted too.
 */
export class GlobalLimit {
  readonly #now: () => number
  readonly #pubsub: PubSub
  #slots: Slot[] = []
  #pausedUntil = 0
  #queue: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #nextBackgroundAt = 0
  /** At first, the shortest round-trip time counts as 0: the first requests also open connections. */
  #roundTrips = { since: Number.NEGATIVE_INFINITY, shortest: 0, before: 0 }

  /** @param now milliseconds on a clock that never jumps */
  constructor(now: () => number, pubsub: PubSub = noReplicas) {
    this.#now = now
    this.#pubsub = pubsub
    pubsub.subscribe('discord', (requests) => {
      const until = this.#now() + second
      for (const _ of requests) this.#slots.push({ until, begun: true })
    })
  }

  /**
   * Milliseconds until a background request may begin; 0 reserves a slot for it. Background requests are evenly spaced, so
   * that an answer gets a slot within one `spacing`.
   */
  room(): number {
    const now = this.#now()
    const wait = Math.max(
      this.#wait(now),
      this.#nextBackgroundAt - now,
      this.#waiting > 0 ? spacing : 0,
    )
    if (wait > 0) return Math.ceil(wait)
    this.#nextBackgroundAt = Math.max(this.#nextBackgroundAt, now - catchUp) + spacing
    this.#slots.push({ until: now + reservationMs, begun: false })
    return 0
  }

  /**
   * Waits until a request may begin: not at all if a slot is reserved, and otherwise in turn, before background requests.
   * The caller must call the returned function once the request is over. @throws the signal's reason if it aborts the wait
   */
  async begin(signal?: AbortSignal | null): Promise<() => void> {
    const slot = this.#reserved() ?? (await this.#queued(signal))
    const since = this.#now()
    slot.begun = true
    slot.until = since + maxSlotMs
    this.#pubsub.publish('discord')
    return () => {
      const now = this.#now()
      slot.until = now + second - this.#shortestRoundTrip(now, now - since)
    }
  }

  /** Lets no request begin for this many milliseconds, as Discord asked. */
  hold(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + boundedPause(ms))
  }

  #reserved(): Slot | undefined {
    return this.#slots.find(({ begun }) => !begun)
  }

  #queued(signal: AbortSignal | null | undefined): Promise<Slot> {
    this.#waiting += 1
    const slot = this.#queue.then(() => this.#next(signal))
    this.#queue = slot
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1
      })
    return slot
  }

  async #next(signal: AbortSignal | null | undefined): Promise<Slot> {
    signal?.throwIfAborted()
    for (;;) {
      const wait = this.#wait(this.#now())
      if (wait <= 0) break
      await sleep(Math.ceil(wait), undefined, signal ? { signal } : {})
    }
    const slot = { until: Number.POSITIVE_INFINITY, begun: true }
    this.#slots.push(slot)
    return slot
  }

  #wait(now: number): number {
    this.#slots = this.#slots.filter(({ until }) => until > now)
    const pause = this.#pausedUntil - now
    if (this.#slots.length < perSecond) return pause
    const earliest = Math.min(...this.#slots.map(({ until }) => until - now))
    // An answer that arrives meanwhile frees its slot no sooner than this.
    return Math.max(pause, Math.min(earliest, second - maxRoundTrip))
  }

  /** The shortest round-trip time of the last one to two minutes. */
  #shortestRoundTrip(now: number, roundTrip: number): number {
    const { since, shortest, before } = this.#roundTrips
    const isCurrent = now - since < roundTripsCountFor
    this.#roundTrips = isCurrent
      ? { since, shortest: Math.min(shortest, roundTrip), before }
      : { since: now, shortest: Math.min(roundTrip, maxRoundTrip), before: shortest }
    return Math.min(this.#roundTrips.shortest, this.#roundTrips.before)
  }
}
