import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { Api, type ApiCallFn, HttpError, InputFile, type Transformer } from 'grammy'
import type { AdapterParts, ChatAddress } from '../core/adapter.ts'
import { connectionsTo, type ProxySettings } from '../core/proxy.ts'
import { download, requestText } from '../core/request.ts'
import { type ChatLimit, type Priority, SendQueue } from '../core/send-queue.ts'
import { backoff, parseRetryAfter, retry, sleep } from '../core/task.ts'
import { TokenBucket } from '../core/token-bucket.ts'
import { isBroken } from './errors.ts'
import type { MessageLimits } from './platform.ts'

export interface Transport {
  /** The client of the Bot API. */
  api: Api
  /**
   * Downloads the file at a path below the root, without following redirects; undefined, without reading on, if it has
   * more than `maxBytes`. Its errors never contain the path, which contains the token.
   */
  download(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** Enough for thousands of calls a second at 40 ms each, and bounded so that a burst does not open as many sockets. */
const maxConnections = 256
/** Milliseconds; long polls stay open for 30 s. */
const answerTimeout = 30_000
const pollTimeout = 60_000

/**
 * Seconds for a call as a whole, whether its answer is silent or trickles: for the longest poll, and for the upload of a picture
 * over a slow line.
 */
const callSeconds = 120

/** A call of grammY with a file: a multipart stream. */
interface Upload {
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

interface TransportParts {
  token: string
  apiRoot: string
  /** Seconds for a call as a whole. */
  timeoutSeconds?: number
  /** The operator's proxies; none by default. */
  proxy?: ProxySettings | undefined
  /** Called for each answer with status 429. */
  onLimited?: (() => void) | undefined
}

/**
 * Makes grammY's client on an undici pool. Calls without a file don't reach grammY's transport at all: the timers, signals and copies that it
 * makes for each cost as much as the call.
 */
export function poolTransport(parts: TransportParts): Transport {
  const { token, apiRoot, timeoutSeconds = callSeconds, proxy, onLimited } = parts
  const { origin, pathname } = new URL(apiRoot)
  const prefix = pathname.replace(/\/$/u, '')
  const connections = {
    connections: maxConnections,
    connect: { timeout: 10_000 },
    maxResponseSize: maxAnswer,
  }
  const pool = connectionsTo(origin, connections, proxy)
  const options = (path: string, headers = json) => {
    const timeout = path.endsWith('/getUpdates') ? pollTimeout : answerTimeout
    const timeouts = { headersTimeout: timeout, bodyTimeout: timeout }
    return { origin, path, method: 'POST' as const, ...timeouts, headers }
  }
  const noteStatus = (status: number) => {
    if (status === 429) onLimited?.()
  }
  // grammY's types for this function are those of node-fetch, which ships none.
  const fetch = async (input: string | URL, { body: sent, headers, signal }: Upload = {}) => {
    if (!(sent instanceof Readable)) throw new TypeError('an upload is a stream')
    // grammY's URL is the root, as it was given, and the method.
    const { statusCode, body } = await pool.request({
      ...options(prefix + String(input).slice(apiRoot.length), { ...headers }),
      body: sent,
      signal: signal ?? null,
    })
    noteStatus(statusCode)
    return { json: () => body.json() }
  }
  const post: Transformer = async (previous, method, payload, signal) => {
    if (hasFile(payload)) return previous(method, payload, signal)
    const body = JSON.stringify(payload)
    try {
      const { statusCode, text } = await requestText(
        pool,
        { ...options(`${prefix}/bot${token}/${method}`), body },
        { ms: timeoutSeconds * 1_000, maxBytes: maxAnswer, ...(signal && { signal }) },
      )
      noteStatus(statusCode)
      return JSON.parse(text)
    } catch (error) {
      throw new HttpError(`Network request for '${method}' failed!`, error)
    }
  }
  const api = new Api(token, { apiRoot, fetch, timeoutSeconds })
  api.config.use(post)
  return {
    api,
    download: (path, maxBytes, signal) =>
      download(pool, { origin, path: prefix + path, signal }, maxBytes),
    close: () => pool.destroy(),
  }
}

/**
 * Max bytes of an answer: a hundred updates, each as long as the webhook takes one (updates.ts). Updates that are refused here
 * would be asked for again, and none after them would ever come.
 */
const maxAnswer = 100 * 512 * 1024

const json: Record<string, string> = { 'content-type': 'application/json' }

/** Whether a call uploads a file, with which no JSON can be made of it. */
function hasFile(payload: object): boolean {
  return Object.values(payload).some(
    (value: unknown) =>
      value instanceof InputFile ||
      (typeof value === 'object' && value !== null && 'media' in value && hasFile(value)),
  )
}

/** Just below Telegram's limits, because the network bunches calls up. */
const usedPart = 0.99
/** Messages at once, as a part of those of a second: few enough that bunched calls stay within what Telegram accepts. */
const burstPart = 0.27
/** Telegram permits short bursts: this many times what it permits in a second, in a little more than as many seconds. */
const personBurst = 4
const burstMs = 4_200
/** Seconds between alerts to one chat. */
const gaps = { person: 1.1, chat: 3.1 }
/** Maximum alerts that wait for an upload of the same picture; `msUntilSlot` makes further ones wait `uploadPause` ms. */
const maxWaiting = 4
const uploadPause = 25
/** Milliseconds that an answer waits for its turn before "typing…" is shown, and after which that is tried again. */
const typingAfter = 2_000
const typingAgainAfter = 1_000
/** Signs of typing a second: Telegram refuses these, too, where there are too many. */
const maxTyping = 20
/**
 * Maximum milliseconds for which an answer is retried after 429s and a chat is paused, and for which other calls are retried,
 * such as those that answer presses.
 */
const maxHold = 10 * 60_000
const maxShortHold = 60_000
/** Retries calls that Telegram failed to execute, or that did not reach it, for some 15 seconds. */
const throughFaults = {
  canRetry: (error: unknown) => error instanceof ServerFault || isBroken(error),
  maxTries: 6,
  pause: (failures: number) => backoff(failures, 500, 8_000),
}
/** Milliseconds that a background message waits for its turn: well below the time after which an alert without a result is sent again. */
const backgroundWait = 10_000

/**
 * Marks a call that is no answer: an interim view, which can be left out, or a message in the background, which its sender
 * retries. Neither is retried here after a 429; an answer is.
 */
type CallPolicy = 'interim' | 'background'

interface PacingParts {
  limits: MessageLimits
  /** Milliseconds on a clock that never jumps. */
  now: () => number
  /** Number of calls that wait for a picture's upload. */
  uploads: { readonly waiting: number }
  share?: AdapterParts['share'] | undefined
}

/** Makes the calls of an API client keep Telegram's limits: answers wait in a queue for their turn, and alerts get what they leave. */
export class Pacing {
  readonly #queue: SendQueue
  readonly #typing: TokenBucket
  readonly #uploads: { readonly waiting: number }
  readonly #now: () => number
  readonly #policy = new AsyncLocalStorage<CallPolicy>()

  constructor(parts: PacingParts) {
    const { limits, now, share = () => 1 } = parts
    this.#now = now
    this.#uploads = parts.uploads
    this.#typing = new TokenBucket({ perSecond: maxTyping, burst: maxTyping, now })
    this.#queue = new SendQueue({
      now,
      share,
      perSecond: limits.all * usedPart,
      burst: Math.max(1, limits.all * burstPart),
      chatLimits: (chat) => limitsOf(chat, limits, share()),
    })
  }

  /** Makes the calls of `work` by this policy; all others are answers. */
  run<T>(policy: CallPolicy, work: () => Promise<T>): Promise<T> {
    return this.#policy.run(policy, work)
  }

  msUntilSlot(): number {
    return this.#uploads.waiting >= maxWaiting ? uploadPause : this.#queue.msUntilSlot()
  }

  waiting(): Record<Priority, number> {
    return this.#queue.waiting()
  }

  gap({ id }: ChatAddress): number {
    return Math.max(
      isShared(id) ? gaps.chat : gaps.person,
      this.#queue.hold('background', id) / 1_000,
    )
  }

  /** Ends all waits. */
  close(): void {
    this.#queue.close()
  }

  /**
   * For the client's `config.use`: makes each call once its turn has come. An answer is tried again after a 429, and for some
   * seconds after a fault of Telegram's or of the connection: it may come twice then, which is better than never.
   */
  readonly transformer: Transformer = async (previous, method, payload, signal) => {
    if (method === 'getUpdates') return previous(method, payload, signal)
    if (method === 'sendChatAction' && !this.#typing.tryTake()) return busy()
    const call = () => this.#call(previous, method, payload, signal)
    const isAnswer = isCounted(method) && this.#policy.getStore() === undefined
    if (!isAnswer) return call()
    try {
      return await retry(async () => okOrFault(await call()), throughFaults)
    } catch (error) {
      if (error instanceof ServerFault) return error.answer
      throw error
    }
  }

  /** Makes a call once its turn has come, and again after a 429 if it is an answer. */
  async #call(...[previous, method, payload, signal]: Parameters<Transformer>) {
    const startedAt = this.#now()
    for (;;) {
      const refusal = await this.#turn(previous, method, payload)
      const answer = refusal ?? (await previous(method, payload, signal))
      if (answer.ok && isCounted(method)) this.#queue.accepted(chatOf(payload))
      if (refusal || answer.ok || answer.error_code !== 429) return answer
      const ms = (parseRetryAfter(answer.parameters?.retry_after) ?? 1) * 1_000
      if (!(await this.#mayRetry(method, payload, ms, startedAt))) return answer
    }
  }

  /** Waits for the turn of a message or edit. Returns a refusal if it has to wait too long, an interim view if at all. */
  async #turn(
    previous: ApiCallFn,
    method: string,
    payload: object,
  ): Promise<ReturnType<typeof busy> | undefined> {
    if (!isCounted(method)) return undefined
    const chat = chatOf(payload)
    const policy = this.#policy.getStore()
    if (policy === undefined && this.#queue.tryAcquire(chat)) return undefined
    const wait = this.#queue.hold(policy === 'background' ? policy : 'answer', chat)
    if (wait > (policy === undefined ? maxHold : backgroundWait)) return busy(wait)
    if (policy === undefined) await this.#acquire(previous, method, payload)
    else if (policy === 'interim')
      return this.#queue.tryAcquire(chat, true) ? undefined : busy(wait)
    else if (!(await this.#acquireSoon(chat))) return busy()
    return undefined
  }

  /** Waits for the turn of a background message; false if it does not come soon: the sender tries again then. */
  async #acquireSoon(chat: string): Promise<boolean> {
    const signal = AbortSignal.timeout(backgroundWait)
    try {
      await this.#queue.acquire('background', chat, signal)
      return true
    } catch (error) {
      if (!signal.aborted) throw error
      return false
    }
  }

  /**
   * Notes a 429; true if the call is to be made again. That of an interim view does not hold up the answer.
   */
  async #mayRetry(
    method: string,
    payload: object,
    ms: number,
    startedAt: number,
  ): Promise<boolean> {
    const isMessage = isCounted(method)
    const policy = this.#policy.getStore()
    if (isMessage && policy !== 'interim') {
      // However long it says: one wrong number must not silence a chat for a day.
      this.#queue.pauseChat(policy ?? 'answer', chatOf(payload), Math.min(ms, maxHold))
    }
    const giveUpAt = startedAt + (isMessage ? maxHold : maxShortHold)
    if (policy !== undefined || this.#now() + ms > giveUpAt) return false
    // A message waits for its turn anyway.
    if (!isMessage) await sleep(ms)
    return true
  }

  /** Waits for the turn of an answer; if that takes long, shows that the bot is typing. */
  async #acquire(previous: ApiCallFn, method: string, payload: object): Promise<void> {
    const isEdit = method.startsWith('edit')
    let timer: NodeJS.Timeout | undefined
    const showTyping = () => {
      if (this.#typing.tryTake()) void type(previous, payload)
      else timer = setTimeout(showTyping, typingAgainAfter)
    }
    if (!isEdit) timer = setTimeout(showTyping, typingAfter)
    try {
      await this.#queue.acquire(isEdit ? 'edit' : 'answer', chatOf(payload))
    } finally {
      clearTimeout(timer)
    }
  }
}

type Answer = Awaited<ReturnType<ApiCallFn>>

/** Telegram answered that it failed. */
class ServerFault extends Error {
  readonly answer: Answer

  constructor(answer: Answer) {
    super('telegram failed')
    this.answer = answer
  }
}

function okOrFault(answer: Answer): Answer {
  if (!answer.ok && answer.error_code >= 500) throw new ServerFault(answer)
  return answer
}

/** The answer to a call that would be one too many now, as Telegram would give it. */
function busy(ms = 0) {
  return {
    ok: false,
    error_code: 429,
    description: 'Too Many Requests: others go first',
    parameters: { retry_after: Math.max(1, Math.ceil(ms / 1_000)) },
  } as const
}

/**
 * The limits of a chat for a process that may use `share` of them. For a group's messages a minute it is that share:
 * Telegram counts them strictly. For messages a second it is twice that, because load balancers don't spread evenly.
 */
function limitsOf(chat: string, { person, group }: MessageLimits, share: number): ChatLimit[] {
  // A message that was sent through inline mode is in no chat of the bot's.
  if (chat === '') return []
  const burst = Math.floor(personBurst * person)
  const atOnce = Math.max(1, Math.min(burst, Math.ceil(2 * burst * share)))
  const aMinute = Math.max(1, Math.floor((group - 1) * share))
  return [
    { count: atOnce, ms: burstMs, reserve: 1 },
    ...(isShared(chat) ? [{ count: aMinute, ms: 61_000, reserve: Math.floor(aMinute / 2) }] : []),
  ]
}

/** Shows that the bot is typing where the payload's message will come. A chat where this fails refuses the message, too. */
async function type(previous: ApiCallFn, payload: object): Promise<void> {
  const chat_id = chatOf(payload)
  const thread = 'message_thread_id' in payload ? Number(payload.message_thread_id) : undefined
  await previous('sendChatAction', {
    chat_id,
    action: 'typing',
    ...(thread !== undefined && { message_thread_id: thread }),
  }).catch(() => undefined)
}

/** Groups and channels have negative ids. */
function isShared(chat: string): boolean {
  return chat.startsWith('-')
}

function isCounted(method: string): boolean {
  return /^(?:send|edit|copy|forward)/u.test(method) && method !== 'sendChatAction'
}

function chatOf(payload: object): string {
  return 'chat_id' in payload ? String(payload.chat_id) : ''
}
