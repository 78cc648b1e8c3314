import { AsyncLocalStorage } from 'node:async_hooks'
import {
  DefaultRestOptions,
  DefaultUserAgent,
  DefaultUserAgentAppendix,
  DiscordAPIError,
  type DiscordErrorData,
  type RESTOptions,
} from '@discordjs/rest'
import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import { type AdapterParts, SendError } from '../core/adapter.ts'
import { connectionsTo, type ProxySettings, proxiedConnections } from '../core/proxy.ts'
import { download, requestText } from '../core/request.ts'
import { type Priority, SendQueue } from '../core/send-queue.ts'
import { defaultRetryAfter, parseRetryAfter } from '../core/task.ts'

export interface Transport {
  makeRequest: RESTOptions['makeRequest']
  /**
   * Makes the calls of `work` in the background: over separate connections, and without the three immediate retries of
   * @discordjs/rest. @throws NoAnswer or SendError from the calls
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
 * Without a bound, a burst of 2,000 answers opens as many sockets, and waits for all of them.
 */
const maxConnections = 384
/** Enough for 50 calls a second at 2 s each. */
const maxBackgroundConnections = 100
const answerTimeout = 15_000
/** Milliseconds that a call may take with the wait for its turn, for @discordjs/rest. */
export const callTimeout = 10 * 60_000
const downloadTimeout = 20_000
/** Seconds before a retry of an answer, if a 429 names no number. */
const defaultWait = 1
/** Max bytes of any answer, such as the members of a large server, and of a file. */
const maxBytes = 32_000_000
/** Max bytes of the answer to an initial response: nothing, or why it is refused. */
const maxAnswer = 1_000_000
const emptyStatus = new Set([204, 205, 304])

type RequestInit = Parameters<RESTOptions['makeRequest']>[1]

/**
 * Makes the transport for the calls of @discordjs/rest and for downloads, which follows no redirects. `onLimited` is called
 * for each answer with status 429, and `onTokenRefused` if a call with the bot's token is answered with 401.
 */
export function boundedTransport(
  queue: SendQueue,
  onLimited?: () => void,
  onTokenRefused?: () => void,
  proxy?: ProxySettings,
): Transport {
  const agent = agentOf(maxConnections, proxy)
  const background = agentOf(maxBackgroundConnections, proxy)
  const once = new AsyncLocalStorage<true>()
  return {
    makeRequest: async (url, init) => {
      const isOnce = once.getStore() ?? false
      const calling = isOnce
        ? call(background, queue, 'background', url, init)
        : call(agent, queue, 'answer', url, init)
      const answer = await (isOnce ? calling.catch(throwNoAnswer) : calling)
      if (answer.status === 429) onLimited?.()
      // That of a call with an interaction's own token says that this one has ended.
      if (answer.status === 401 && hasToken(init)) onTokenRefused?.()
      if (!isOnce) return withWait(answer, defaultWait)
      if (answer.status < 500) return withWait(answer)
      // The answer says that the call was not executed.
      const message = `Discord answered with status ${answer.status}`
      throw new NoAnswer(message, { uncertain: false })
    },
    once: (work) => once.run(true, work),
    download: async (url, maxBytes) => {
      const signal = AbortSignal.timeout(downloadTimeout)
      return download(agent, { ...addressOf(url), signal }, maxBytes)
    },
    close: async () => {
      queue.close()
      await Promise.all([agent.destroy(), background.destroy()])
    },
  }
}

/** The type and data of an initial response to an interaction. */
export interface InitialResponse {
  type: number
  data?: object
}

/** Sends initial responses to interactions. */
export interface Responder {
  /**
   * Returns whether Discord took it; undefined if its answer doesn't say. Unless it did, make the same call with
   * @discordjs/rest, which waits or repeats it.
   * @throws DiscordAPIError if Discord refuses it
   */
  respond(route: `/${string}`, response: InitialResponse): Promise<boolean | undefined>
  close(): Promise<void>
}

const refusalSchema = z.object({
  code: z.number(),
  message: z.string(),
  errors: z.custom<NonNullable<DiscordErrorData['errors']>>().default({}),
})

/**
 * Makes the responder, with connections of its own. Discord counts these calls in no bucket, so all that @discordjs/rest does
 * for each, a third of a command's processor time, is of no use. `onLimited` is called for each answer with status 429.
 */
export function responder(
  apiRoot: string,
  onLimited?: () => void,
  proxy?: ProxySettings,
): Responder {
  const { origin, pathname } = new URL(apiRoot)
  const prefix = `${pathname.replace(/\/+$/u, '')}/v${DefaultRestOptions.version}`
  const pool = connectionsTo(origin, poolOptions(maxConnections), proxy)
  const headers = {
    'content-type': 'application/json',
    'user-agent': `${DefaultUserAgent} ${DefaultUserAgentAppendix}`,
  }
  const post = async (path: string, response: InitialResponse) => {
    const body = JSON.stringify(response)
    const request = { origin, path, method: 'POST' as const, headers, body }
    const { statusCode, text } = await requestText(pool, request, {
      ms: answerTimeout,
      maxBytes: maxAnswer,
    })
    if (statusCode === 429) onLimited?.()
    const refusal = statusCode < 300 ? undefined : refusalSchema.safeParse(JSON.parse(text)).data
    return { status: statusCode, refusal }
  }
  return {
    respond: async (route, response) => {
      const path = prefix + route
      const answer = await post(path, response).catch(() => undefined)
      if (answer === undefined) return undefined
      const { status, refusal } = answer
      if (refusal && status !== 429 && status < 500) {
        const detail = { body: response, files: undefined }
        throw new DiscordAPIError(refusal, refusal.code, status, 'POST', origin + path, detail)
      }
      return status < 500 ? status < 300 : undefined
    },
    close: () => pool.destroy(),
  }
}

function agentOf(connections: number, proxy: ProxySettings | undefined): Dispatcher {
  const options = poolOptions(connections)
  return proxy ? proxiedConnections(options, proxy) : new Agent(options)
}

function poolOptions(connections: number) {
  return {
    connections,
    headersTimeout: answerTimeout,
    bodyTimeout: answerTimeout,
    maxResponseSize: maxBytes,
  }
}

/** @discordjs/rest always passes a plain object. */
function headersOf({ headers }: RequestInit): Record<string, string> {
  return headers as Record<string, string>
}

function hasToken(init: RequestInit): boolean {
  return 'Authorization' in headersOf(init)
}

async function call(
  agent: Dispatcher,
  queue: SendQueue,
  priority: Priority,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const aborting = new AbortController()
  const { signal } = aborting
  const abort = () => aborting.abort()
  if (init.signal?.aborted) abort()
  init.signal?.addEventListener('abort', abort, { once: true })
  let timer = priority === 'background' ? setTimeout(abort, answerTimeout) : undefined
  try {
    // Answers to interactions are sent without the bot's token, and Discord does not count them.
    if (hasToken(init)) await acquire(queue, priority, signal)
    // The time that an answer has does not begin before its turn.
    timer ??= setTimeout(abort, answerTimeout)
    const answer = await agent.request({
      ...addressOf(url),
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: headersOf(init),
      body: requestBody(init.body),
      signal,
    })
    const content = await answer.body.text()
    const { 'retry-after': wait, 'x-ratelimit-global': global } = answer.headers
    if (answer.statusCode === 429 && global !== undefined) {
      // However long it says: one wrong number must not silence all chats for a day.
      queue.pause(Math.min((parseRetryAfter(wait) ?? defaultWait) * 1_000, callTimeout))
    }
    return new Response(emptyStatus.has(answer.statusCode) ? null : content, {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
    })
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Gives a 429 a Retry-After that @discordjs/rest can read: otherwise it would retry at once, forever. Returns other answers
 * unchanged. @throws SendError if a 429 has none and there is no `fallback`
 */
function withWait(answer: Response, fallback?: number): Response {
  if (answer.status !== 429) return answer
  const wait = parseRetryAfter(answer.headers.get('Retry-After')) ?? fallback
  if (wait === undefined) {
    const message = 'Discord accepts nothing more for now.'
    throw new SendError(message, { final: false, retryAfter: defaultRetryAfter })
  }
  answer.headers.set('Retry-After', String(wait))
  return answer
}

async function acquire(
  queue: SendQueue,
  priority: Priority,
  signal: AbortSignal | null,
): Promise<void> {
  try {
    // Limits of a channel are kept by @discordjs/rest.
    await queue.acquire(priority, '', signal)
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

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
}

/** Returns the body of a call of @discordjs/rest: JSON, or the form of `messageRequest`. @throws TypeError for anything else */
function requestBody(body: RequestInit['body']): string | Uint8Array | null {
  if (body === null || body === undefined || typeof body === 'string') return body ?? null
  if (!(body instanceof Uint8Array)) throw new TypeError('a body is JSON or bytes')
  return body
}

/**
 * Below Discord's limit of 50 requests in any second: https://docs.discord.com/developers/topics/rate-limits
 * With the burst the bot sends at most 49 in a second, and 50 if jitter squeezes 1.03 s into one. A single refusal would
 * pause all messages for a second.
 */
const defaultPerSecond = 47
const burst = 1.5

/** Makes the queue of requests that count against Discord's overall limit. `now` are milliseconds on a clock that never jumps. */
export function requestQueue(
  now: () => number,
  parts: Pick<AdapterParts, 'share'> = {},
  perSecond = defaultPerSecond,
): SendQueue {
  return new SendQueue({ ...parts, perSecond, burst, now })
}
