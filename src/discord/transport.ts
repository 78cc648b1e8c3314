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
   * Does this work's calls as those that nobody waits for: over connections of their own, and each tried once, where
   * discord.js would try three times more without a pause. @throws NoAnswer or SendError out of the calls
   */
  once<T>(work: () => Promise<T>): Promise<T>
  /** A file's bytes, or undefined where there are more than these. @throws Error where it can't be had. */
  download(url: string, maxBytes: number): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** A call that is tried once brought no answer to go by. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** It may have reached Discord, and been done. */
  readonly uncertain: boolean

  constructor(message: string, detail: { uncertain: boolean; cause?: unknown }) {
    super(message, { cause: detail.cause })
    this.uncertain = detail.uncertain
  }
}

/**
 * Unbounded, a burst of 2,000 answers opened as many sockets and its p99 was 16 times that of a bounded one; this many
 * still carry 9,600 answers a second where each takes 40 ms (docs/performance.md).
 */
const maxConnections = 384
/** Fifty calls a second, also where each takes two. */
const maxInBackground = 100
const answerTimeout = 15_000
const downloadTimeout = 20_000
/** Seconds before a call that somebody waits for is tried again. */
const minWait = 1
const emptyStatus = new Set([204, 205, 304])

type RequestInit = Parameters<RESTOptions['makeRequest']>[1]

/**
 * What discord.js sends its calls through, and what files are fetched with: follows no redirect. `onLimited` hears of
 * each answer with status 429.
 */
export function boundedTransport(limit: GlobalLimit, onLimited?: () => void): Transport {
  const agent = agentOf(maxConnections)
  const background = agentOf(maxInBackground)
  const once = new AsyncLocalStorage<true>()
  return {
    makeRequest: async (url, init) => {
      const isOnce = once.getStore() ?? false
      const asked = call(isOnce ? background : agent, limit, url, init)
      const answer = await (isOnce ? asked.catch(notHad) : asked)
      if (answer.status === 429) onLimited?.()
      if (!isOnce) return withWait(answer, minWait)
      if (answer.status < 500) return withWait(answer)
      // It says that it did not do what was asked.
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
      if (Number(headers['content-length'] ?? 0) > maxBytes) return stopped(body)
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of body) {
        size += chunk.length
        if (size > maxBytes) return stopped(body)
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
  // Answers to interactions go without the bot's token, and Discord does not count them.
  const over = 'Authorization' in headers ? await begun(limit, signal) : undefined
  try {
    const answer = await agent.request({
      ...addressOf(url),
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      ...(await written(init.body, headers)),
      signal,
    })
    const content = await answer.body.text()
    const { 'retry-after': wait, 'x-ratelimit-global': global } = answer.headers
    if (answer.statusCode === 429 && global !== undefined) {
      limit.hold((parseRetryAfter(wait) ?? minWait) * 1_000)
    }
    return new Response(emptyStatus.has(answer.statusCode) ? null : content, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    })
  } finally {
    over?.()
  }
}

/**
 * The answer, where it is a 429 with a wait that discord.js can read: from anything else it makes none, and asks again
 * at once, for ever. @throws SendError where the answer says no wait and there is none instead
 */
function withWait(answer: Response, instead?: number): Response {
  if (answer.status !== 429) return answer
  const wait = parseRetryAfter(answer.headers.get('Retry-After')) ?? instead
  if (wait === undefined) {
    const message = 'Discord takes no more for now.'
    throw new SendError(message, { final: false, retryAfter: defaultRetryAfter })
  }
  answer.headers.set('Retry-After', String(wait))
  return answer
}

async function begun(limit: GlobalLimit, signal: AbortSignal | null): Promise<() => void> {
  try {
    return await limit.begin(signal)
  } catch (cause) {
    throw new NoAnswer('There was no room for a call to Discord.', { uncertain: false, cause })
  }
}

/** Errors of connections that never came about: nothing was written to them. */
const unconnected = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

function notHad(cause: unknown): never {
  if (cause instanceof NoAnswer) throw cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const uncertain = !unconnected.has(code)
  throw new NoAnswer('Discord did not answer.', { uncertain, cause })
}

/** Ends the connection, and with it whatever would still come. */
function stopped(body: Dispatcher.ResponseData['body']): undefined {
  body.once('error', () => undefined).destroy()
}

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/** JSON as it stands; a form with files in the encoding of its own, with the header that names it. */
async function written(
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

/** Discord counts the bot's requests second by second: https://docs.discord.com/developers/topics/rate-limits */
const perSecond = 50
/** Its clock and ours need not run alike. */
const second = 1_002
/** Room that was given and not used by then is free again. */
const roomLasts = 250
/** A request without an answer keeps its place no longer than this. */
const maxKept = 3_000
const spacing = second / perSecond
/** How much of what was missed is made up for at once. */
const catchUp = 4 * spacing
/** More than this is no distance but a slow answer. */
const maxTrip = 500
const tripsCountFor = 60_000

interface Place {
  until: number
  begun: boolean
}

/**
 * What Discord permits the bot in all: 50 requests in any second. When within its way a request was counted is not
 * known, so a place is free again only when a second has passed since its answer (less the way there and back): then
 * no second of Discord's own clock holds more than 50, however unevenly requests arrive. A token bucket that never
 * exceeds the limit would have to stay well below it. Requests of other replicas count as they are told of.
 */
export class GlobalLimit {
  readonly #now: () => number
  readonly #pubsub: PubSub
  #places: Place[] = []
  #heldUntil = 0
  #line: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #nextRoom = 0
  /** At first nothing is taken for the way: the very first requests also open connections. */
  #trips = { since: Number.NEGATIVE_INFINITY, quickest: 0, before: 0 }

  /** @param now milliseconds on a clock that never jumps */
  constructor(now: () => number, pubsub: PubSub = noReplicas) {
    this.#now = now
    this.#pubsub = pubsub
    pubsub.subscribe('discord', (requests) => {
      const until = this.#now() + second
      for (const _ of requests) this.#places.push({ until, begun: true })
    })
  }

  /**
   * Milliseconds until a request that nobody waits for may begin; 0 keeps its place for it. Evenly spaced, so that what
   * people wait for finds a place within one space.
   */
  room(): number {
    const now = this.#now()
    const wait = Math.max(this.#wait(now), this.#nextRoom - now, this.#waiting > 0 ? spacing : 0)
    if (wait > 0) return Math.ceil(wait)
    this.#nextRoom = Math.max(this.#nextRoom, now - catchUp) + spacing
    this.#places.push({ until: now + roomLasts, begun: false })
    return 0
  }

  /**
   * Waits until a request may begin: at once where there is room kept, else in turn and before all that asks for room.
   * What it resolves to is to be called once the request is over. @throws where the signal ends the wait
   */
  async begin(signal?: AbortSignal | null): Promise<() => void> {
    const place = this.#kept() ?? (await this.#inTurn(signal))
    const since = this.#now()
    place.begun = true
    place.until = since + maxKept
    this.#pubsub.publish('discord')
    return () => {
      const now = this.#now()
      place.until = now + second - this.#quickest(now, now - since)
    }
  }

  /** Lets nothing begin for this many milliseconds: Discord said so. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#now() + boundedPause(ms))
  }

  #kept(): Place | undefined {
    return this.#places.find(({ begun }) => !begun)
  }

  #inTurn(signal: AbortSignal | null | undefined): Promise<Place> {
    this.#waiting += 1
    const context = this.#line.then(() => this.#next(signal))
    this.#line = context
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1
      })
    return context
  }

  async #next(signal: AbortSignal | null | undefined): Promise<Place> {
    signal?.throwIfAborted()
    for (;;) {
      const wait = this.#wait(this.#now())
      if (wait <= 0) break
      await sleep(Math.ceil(wait), undefined, signal ? { signal } : {})
    }
    const place = { until: Number.POSITIVE_INFINITY, begun: true }
    this.#places.push(place)
    return place
  }

  #wait(now: number): number {
    this.#places = this.#places.filter(({ until }) => until > now)
    const held = this.#heldUntil - now
    if (this.#places.length < perSecond) return held
    const earliest = Math.min(...this.#places.map(({ until }) => until - now))
    // An answer that comes in the meantime frees its place no sooner than this.
    return Math.max(held, Math.min(earliest, second - maxTrip))
  }

  /** The least way there and back of the last minutes. */
  #quickest(now: number, trip: number): number {
    const { since, quickest, before } = this.#trips
    const lasts = now - since < tripsCountFor
    this.#trips = lasts
      ? { since, quickest: Math.min(quickest, trip), before }
      : { since: now, quickest: Math.min(trip, maxTrip), before: quickest }
    return Math.min(this.#trips.quickest, this.#trips.before)
  }
}
