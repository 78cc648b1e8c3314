import type { RESTOptions } from 'discord.js'
import { Agent, type Dispatcher } from 'undici'
import type { AdapterParts } from '../core/adapter.ts'
import { type ProxySettings, proxiedConnections } from '../core/proxy.ts'
import { download, requestText } from '../core/request.ts'
import { type Priority, SendQueue } from '../core/send-queue.ts'
import { defaultRetryAfter, parseRetryAfter } from '../core/task.ts'

export interface Transport {
  /** Makes the calls of a discord.js `REST`: those that answer people go before those in the background. */
  makeRequest(priority: Priority): RESTOptions['makeRequest']
  /** Downloads a file; undefined if it has more than `maxBytes`. @throws Error if it can't be downloaded */
  download(url: string, maxBytes: number): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

interface TransportParts {
  queue: SendQueue
  /** Called for each answer with status 429. */
  onLimited?: (() => void) | undefined
  /** Called if a call with the bot's token is answered with 401. */
  onTokenRefused?: () => void
  proxy?: ProxySettings | undefined
}

/** No whole answer came to a call. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  /** With this code discord.js makes the call again, as far as its `retries` allow. */
  readonly code = 'ECONNRESET'
  /** Discord may have executed the call. */
  readonly uncertain: boolean

  constructor(cause: unknown, uncertain: boolean) {
    super('Discord did not answer.', { cause })
    this.uncertain = uncertain
  }
}

/** Without a bound, a burst of 2,000 answers opens as many sockets. Calls in the background hold up no answer. */
const maxConnections = { edit: 384, answer: 384, background: 100 }
const answerTimeout = 15_000
const downloadTimeout = 20_000
/** Seconds before the next try after a 429 that names no number; discord.js would try again at once, forever. */
const defaultWaits = { edit: 1, answer: 1, background: defaultRetryAfter }
/** However long a 429 says: one wrong number must not silence all chats for a day. */
const maxPauseMs = 10 * 60_000
/** Max bytes of any answer, and of a file. */
const maxBytes = 32_000_000
const emptyStatus = new Set([204, 205, 304])

/** Makes the transport of all calls to Discord. It follows no redirects. */
export function createTransport(parts: TransportParts): Transport {
  const { queue, onLimited, onTokenRefused, proxy } = parts
  const answers = agentOf(maxConnections.answer, proxy)
  const agents = {
    edit: answers,
    answer: answers,
    background: agentOf(maxConnections.background, proxy),
  }
  /** Makes one call, in its turn. @throws NoAnswer */
  const call = async (priority: Priority, url: string, init: RequestInit) => {
    let isSent = false
    try {
      // Calls with an interaction's own token need none of the bot's, and Discord does not count them.
      if (hasToken(init)) await queue.acquire(priority, '', init.signal)
      const request = await requestOf(url, init)
      isSent = true
      const limits = { ms: answerTimeout, maxBytes, ...(init.signal && { signal: init.signal }) }
      return await requestText(agents[priority], request, limits)
    } catch (cause) {
      throw new NoAnswer(cause, isSent && !isUnconnected(cause))
    }
  }
  return {
    makeRequest: (priority) => async (url, init) => {
      const { statusCode: status, headers, text } = await call(priority, url, init)
      if (status === 401 && hasToken(init)) onTokenRefused?.()
      if (status === 429) {
        onLimited?.()
        const seconds = parseRetryAfter(headers['retry-after']) ?? defaultWaits[priority]
        headers['retry-after'] = String(seconds)
        const isGlobal = headers['x-ratelimit-global'] !== undefined
        if (isGlobal) queue.pause(Math.min(seconds * 1_000, maxPauseMs))
      }
      return new Response(emptyStatus.has(status) ? null : text, {
        status,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      })
    },
    download: (url, maxBytes) => {
      const signal = AbortSignal.timeout(downloadTimeout)
      return download(answers, { ...addressOf(url), signal }, maxBytes)
    },
    close: async () => {
      queue.close()
      await Promise.all([answers.destroy(), agents.background.destroy()])
    },
  }
}

function agentOf(connections: number, proxy: ProxySettings | undefined): Dispatcher {
  const timeouts = { headersTimeout: answerTimeout, bodyTimeout: answerTimeout }
  const options = { connections, ...timeouts, maxResponseSize: maxBytes }
  return proxy ? proxiedConnections(options, proxy) : new Agent(options)
}

type RequestInit = Parameters<RESTOptions['makeRequest']>[1]

/** discord.js always passes a plain object. */
function headersOf({ headers }: RequestInit): Record<string, string> {
  return headers as Record<string, string>
}

function hasToken(init: RequestInit): boolean {
  return 'Authorization' in headersOf(init)
}

/** discord.js passes JSON, or a form with files, which becomes bytes: those can be sent again. */
async function requestOf(url: string, init: RequestInit): Promise<Dispatcher.DispatchOptions> {
  const { body, method = 'GET' } = init
  const request = { ...addressOf(url), method: method as Dispatcher.HttpMethod }
  const headers = headersOf(init)
  if (!(body instanceof FormData)) return { ...request, headers, body: body as string | null }
  const form = new Response(body)
  const type = { 'content-type': form.headers.get('content-type') ?? '' }
  return {
    ...request,
    headers: { ...headers, ...type },
    body: Buffer.from(await form.arrayBuffer()),
  }
}

function addressOf(url: string): { origin: string; path: string } {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search }
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

function isUnconnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && unconnected.has(String(error.code))
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
