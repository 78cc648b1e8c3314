import { createHash, timingSafeEqual } from 'node:crypto'
import {
  ConstantBackoff,
  DelegateBackoff,
  ExponentialBackoff,
  handleAll,
  handleWhen,
  retry,
} from 'cockatiel'
import { type Api, GrammyError } from 'grammy'
import type { Update, WebhookInfo } from 'grammy/types'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import {
  type AdapterParts,
  hostOf,
  PlatformError,
  type SlowUpdates,
  type StoredUpdate,
  untilReachable,
  type Webhook,
  webhookPathOf,
} from '../core/adapter.ts'
import { bodyOf } from '../core/body.ts'
import { jsonWithoutSecrets } from '../core/secret.ts'
import { PollingLoop, parseRetryAfter, sleep, type Task, withTimeout } from '../core/task.ts'
import type { Logger } from '../log.ts'
import { isFinal } from './errors.ts'
import { handledUpdates } from './receive.ts'

interface UpdateQueueParts {
  /** Rejects only if the process stops before the update is handled. */
  handle: (update: Update) => Promise<void>
  /** Answers that there are too many updates in a chat. Never rejects. */
  refuse: (update: Update) => Promise<void>
  slow: SlowUpdates
  log: Logger
  /**
   * Milliseconds after which an update is stored, to be confirmed before it is handled. Default: 5 s, longer than a hundred
   * answers wait at thirty a second, so that only a command that is slow by itself is stored.
   */
  slowAfterMs?: number
  /** Milliseconds between two looks for updates of processes that died; after a start the first comes that late. */
  takeOverEveryMs?: number
}

/** Maximum updates of one chat that wait: nobody types that fast, and one chat must not hold up the others. */
const maxWaiting = 20
/** Maximum updates that are remembered, because Telegram may bring them again. */
const maxRemembered = 10_000
/** An update is given up if three processes died while handling it: it probably crashed them. */
const maxAttempts = 3
/**
 * Milliseconds after a start for which an update is stored before it is handled, if some waited: Telegram brings one whose
 * handling killed the process at once, or by webhook a minute later.
 */
const storeFirstMs = 120_000
/** Milliseconds that storing the updates under way may take at a stop. */
const storeTimeout = 1_000

/**
 * Deletes a stored update for some twenty minutes, as the database may be away: one that is left would be handled again after
 * the next start, if it comes weeks later.
 */
const throughOutages = retry(handleAll, {
  maxAttempts: 25,
  backoff: new ExponentialBackoff({ initialDelay: 500, maxDelay: 60_000 }),
}).dangerouslyUnref()

/** Why an update is no longer waited for: it takes long and is stored, or the process stops. */
type Interruption = 'slow' | 'stopped'

const stopping = 'this process stops'

interface ChatQueue {
  waiting: number
  /** Resolves once the last update is handled. */
  last: Promise<void>
  /** The chat was told that there are too many. */
  isNotified: boolean
}

/**
 * Handles updates: those of one chat in order, others at the same time. Telegram keeps an update, and brings it again,
 * until it is confirmed; this says when that may be.
 * @example
 *   await queue.take(update) // handled, or stored because it takes long
 *   confirm(update.update_id)
 */
export class UpdateQueue {
  readonly #parts: Required<UpdateQueueParts>
  readonly #chats = new Map<string, ChatQueue>()
  /** Updates that were taken, by their numbers. */
  readonly #taken = new LRUCache<number, Promise<void>>({ max: maxRemembered })
  /** Updates under way: the promise that one is handled, and what ends the wait for it. */
  readonly #underWay = new Map<Promise<void>, (reason: Interruption) => void>()
  /** Until then (`performance.now`) updates are stored first. */
  #storeFirstUntil = 0
  /** The updates that were under way when a process died, which are handled one at a time. */
  #suspectsInTurn: Promise<unknown> = Promise.resolve()
  #isStopping = false

  constructor(parts: UpdateQueueParts) {
    this.#parts = { slowAfterMs: 5_000, takeOverEveryMs: 5_000, ...parts }
  }

  /** Notes how many updates wait at Telegram before the first one is taken: processes may have died while they handled one. */
  noteBacklog({ pending_update_count: count }: Pick<WebhookInfo, 'pending_update_count'>): void {
    this.#storeFirstUntil = count === 0 ? 0 : performance.now() + storeFirstMs
  }

  /**
   * Takes an update. Resolves once Telegram may forget it: it was handled, or was stored since it takes long. Rejects if
   * Telegram has to bring it again, to this process or another one.
   */
  take(update: Update): Promise<void> {
    const { update_id } = update
    const takenBefore = this.#taken.get(update_id)
    if (takenBefore) return takenBefore
    if (this.#isStopping) return Promise.reject(new Error(stopping))
    const storesFirst = performance.now() < this.#storeFirstUntil
    const taken = storesFirst ? this.#stored(update) : this.#handleOrStore(update)
    this.#taken.set(update_id, taken)
    taken.catch(() => this.#taken.delete(update_id))
    return taken
  }

  /** Takes over the updates of processes that died, until it is stopped. */
  takeOver(): Task {
    const { slow, log, takeOverEveryMs: everyMs } = this.#parts
    return new PollingLoop({
      poll: async () => {
        for (const orphan of await slow.takeOver()) this.#takeStored(orphan)
      },
      everyMs,
      onFault: (err) => log.warn({ err }, 'telegram: updates of processes that died can’t be seen'),
    })
  }

  /** Waits up to `ms` milliseconds for the updates under way, and stores the others, so that all can be confirmed. */
  async drain(ms: number): Promise<void> {
    await this.#finish(ms, 'slow')
    await withTimeout(Promise.allSettled(this.#taken.values()), storeTimeout)
  }

  /** Takes no more updates, waits up to `ms` milliseconds for those under way, and leaves the others to other processes. */
  async stop(ms: number): Promise<void> {
    const { slow, log } = this.#parts
    this.#isStopping = true
    await this.#finish(ms, 'stopped')
    if (this.#underWay.size === 0) return
    try {
      await withTimeout(slow.leave(), storeTimeout)
    } catch (err) {
      log.warn({ err }, 'telegram: updates are left to others when this process’s lease ends')
    }
  }

  /** Waits for the updates under way, and ends the wait for the others in `#handleOrStore`. */
  async #finish(ms: number, reason: Interruption): Promise<void> {
    await withTimeout(Promise.allSettled(this.#underWay.keys()), ms)
    for (const interrupt of this.#underWay.values()) interrupt(reason)
  }

  async #handleOrStore(update: Update): Promise<void> {
    const { slow, log, handle } = this.#parts
    let isBegun = false
    let storing: Promise<number | undefined> | undefined
    const handled = this.#inTurn(update, async () => {
      isBegun = true
      const attempts = await storing
      return attempts === undefined ? handle(update) : this.#attempt(update, attempts)
    })
    const reason = await this.#waitFor(handled)
    if (reason === undefined) return
    if (reason === 'stopped') throw new Error(stopping)
    const { update_id: id } = update
    try {
      // One that only waits for those before it in its chat kills no process.
      const adding = slow.add({ id, body: jsonWithoutSecrets(update), attempts: isBegun ? 1 : 0 })
      storing = adding.catch(() => undefined)
      await adding
    } catch (err) {
      log.warn({ err, update: id }, 'telegram: an update that takes long could not be stored')
      return handled
    }
    void this.#removeOnce(handled, id)
  }

  /**
   * Stores an update before it is handled, so that processes that die of it are counted. It is confirmed once it was handled
   * all the same, or takes long: by webhook, Telegram would bring the chat's next one to another replica.
   */
  async #stored(update: Update): Promise<void> {
    const { slow, log, handle } = this.#parts
    const { update_id: id } = update
    const adding = slow
      .add({ id, body: jsonWithoutSecrets(update), attempts: 0 })
      .catch((err: unknown) => log.warn({ err, update: id }, 'telegram: an update is not stored'))
    const handled = this.#inTurn(update, async () => {
      const attempts = await adding
      return attempts === undefined ? handle(update) : this.#attempt(update, attempts)
    })
    void this.#removeOnce(handled, id)
    const waited = this.#waitFor(handled).catch(() => undefined)
    if ((await adding) === undefined) await handled
    else await waited
  }

  /** Waits until an update is handled. Returns why the wait ended before; rejects if the update was not handled. */
  #waitFor(handled: Promise<void>): Promise<Interruption | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Interruption | undefined>()
    const timer = setTimeout(resolve, this.#parts.slowAfterMs, 'slow')
    this.#underWay.set(handled, resolve)
    const forget = () => {
      clearTimeout(timer)
      this.#underWay.delete(handled)
    }
    handled.then(forget, forget)
    handled.then(() => resolve(undefined), reject)
    return promise
  }

  #takeStored({ id, body, attempts }: StoredUpdate): void {
    const update = parseUpdate(body)
    if (update === undefined) {
      this.#giveUp(id)
      void this.#removeOnce(Promise.resolve(), id)
      return
    }
    if (this.#taken.has(id)) return
    const handled = this.#inTurn(update, () => this.#attempt(update, attempts))
    this.#taken.set(id, handled)
    this.#waitFor(handled).catch(() => undefined)
    void this.#removeOnce(handled, id)
  }

  /**
   * Handles a stored update. Those that were under way when a process died are handled one at a time, so that the one that
   * killed it is found; one that takes long holds up the others no longer.
   */
  #attempt(update: Update, attemptsBefore: number): Promise<void> {
    const { slow, handle, slowAfterMs } = this.#parts
    const { update_id: id } = update
    const attempt = async () => {
      const attempts = await slow.countAttempt(id).catch(() => attemptsBefore + 1)
      if (attempts > maxAttempts) this.#giveUp(id)
      else await handle(update)
    }
    if (attemptsBefore === 0) return attempt()
    const handled = this.#suspectsInTurn.then(attempt)
    // The time is counted from its turn: `handled` has not begun yet.
    this.#suspectsInTurn = this.#suspectsInTurn.then(() =>
      withTimeout(Promise.allSettled([handled]), slowAfterMs),
    )
    return handled
  }

  #giveUp(id: number): void {
    this.#parts.log.error({ update: id }, 'telegram: an update was given up')
  }

  /** Deletes a stored update once it is handled; if that fails, another process handles it again after this one ends. */
  async #removeOnce(handled: Promise<void>, id: number): Promise<void> {
    const { slow, log } = this.#parts
    try {
      await handled
      await throughOutages.execute(() => slow.remove(id))
    } catch (err) {
      log.warn({ err, update: id }, 'telegram: an update is left to the next process')
    }
  }

  /** Handles an update after those before it in its chat, unless too many of them wait. */
  #inTurn(update: Update, handle: () => Promise<void>): Promise<void> {
    const { refuse } = this.#parts
    const key = chatOf(update)
    const chat = this.#chats.get(key) ?? {
      waiting: 0,
      last: Promise.resolve(),
      isNotified: false,
    }
    if (chat.waiting >= maxWaiting) {
      if (chat.isNotified) return Promise.resolve()
      chat.isNotified = true
      return refuse(update)
    }
    chat.waiting += 1
    this.#chats.set(key, chat)
    const handled = chat.last.then(handle)
    const end = () => {
      chat.waiting -= 1
      if (chat.waiting === 0) this.#chats.delete(key)
    }
    chat.last = handled.then(end, end)
    return handled
  }
}

/** The ordering key of an update: its chat, or its person if it has no chat. */
function chatOf(update: Update): string {
  const { message, channel_post, callback_query, inline_query, my_chat_member } = update
  const { chat } = message ?? channel_post ?? callback_query?.message ?? my_chat_member ?? {}
  return String(chat?.id ?? callback_query?.from.id ?? inline_query?.from.id ?? '')
}

interface PollingParts extends Pick<AdapterParts, 'log' | 'onFatal'> {
  api: Api
  queue: UpdateQueue
  /** Milliseconds before polling again after a 409: long enough for the other process to begin a poll, which ours then ends. */
  conflictPauseMs?: number
  /**
   * Milliseconds after its start in which a process that gets a 409 gives up: another one was there first. One that has
   * polled for longer tries again. Default: three conflict pauses, so that the other process has time to poll again.
   */
  newcomerMs?: number
}

/** Seconds that Telegram holds a poll if there is nothing. */
const longPoll = 30
/** Milliseconds between two polls while updates are under way: each brings them all again. */
const pollEvery = 50
/**
 * The same while the first of them is not handled: who asks Telegram for the same offset twice within half a second gets
 * a single update (`process_get_updates_query` of its Bot API server).
 */
const pollAgainEvery = 600
/** Telegram's maximum for one poll, and so the maximum under way. */
const maxUnconfirmed = 100
/** If a poll brought that many, more wait: the next one comes once so few are left, or after these milliseconds. */
const fewUnconfirmed = maxUnconfirmed / 2
const pollFullEvery = 150
/** Milliseconds for the updates under way at the end of a poller's role, and for the confirmation that follows. */
const drainMs = 2_000
const confirmMs = 1_000
/** Gives up after this many 409s in a row: two long-running pollers would alternate forever. */
const maxConflicts = 10
/** Milliseconds without a 409 after which the count starts again. */
const conflictsCountFor = 60_000

/**
 * Receives updates by long polling, which Telegram allows one process at a time. An update is confirmed, by the offset of
 * a later poll, once it and all before it were taken.
 */
export class Polling implements Task {
  readonly ready: Promise<void>
  readonly #parts: Required<PollingParts>
  readonly #stopping = new AbortController()
  /** Updates that were received and are not confirmed, in order, and whether they may be. */
  readonly #unconfirmed = new Map<number, boolean>()
  /** All updates before it may be confirmed; undefined until the first one was received. */
  #offset: number | undefined
  /** Offset and time of the last poll, and whether it brought as many as it can; no offset if it failed. */
  #polled: { offset: number | undefined; at: number; isFull: boolean } = {
    offset: undefined,
    at: 0,
    isFull: false,
  }
  /** Resolves when the offset has moved. */
  #moved = Promise.withResolvers<void>()
  #startedAt = performance.now()
  #running: Promise<void> | undefined
  #conflicts = 0

  constructor(parts: PollingParts) {
    const { conflictPauseMs = 3_000, newcomerMs = 3 * conflictPauseMs } = parts
    this.#parts = { ...parts, conflictPauseMs, newcomerMs }
    this.ready = this.#begin()
    this.ready.catch(() => undefined)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    await this.#parts.queue.drain(drainMs)
    await withTimeout(this.#confirm(), confirmMs)
  }

  /** Confirms what no later poll of this process will: the next poller would receive and answer it again. */
  async #confirm(): Promise<void> {
    const { api, log } = this.#parts
    if (this.#offset === this.#polled.offset) return
    try {
      await api.getUpdates({ ...this.#from(), limit: 1, timeout: 0 })
    } catch (error) {
      log.warn({ err: error }, 'telegram may bring updates again that were answered')
    }
  }

  async #begin(): Promise<void> {
    const { log } = this.#parts
    const reach = untilReachable('telegram', isFinal, log)
    await reach.execute(() => this.#deleteWebhook(), this.#stopping.signal)
    this.#startedAt = performance.now()
    this.#running = this.#poll()
  }

  /** Deletes a webhook, which excludes polling, and logs its host, which gets no more updates. */
  async #deleteWebhook(): Promise<void> {
    const { api, log, queue } = this.#parts
    const info = await api.getWebhookInfo()
    queue.noteBacklog(info)
    const { url } = info
    if (!url) return
    await api.deleteWebhook()
    log.warn(
      { host: hostOf(url) },
      'telegram brought updates to another address; from now on this bot asks for them, and nothing comes there',
    )
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopping
    const { log, onFatal, conflictPauseMs } = this.#parts
    while (!signal.aborted) {
      const polledFrom = performance.now()
      try {
        while (!signal.aborted) await pollRetry.execute(() => this.#pollOnce(signal), signal)
      } catch (error) {
        // If another replica took the lease, we are stopped during this pause.
        if (isConflict(error)) await sleep(conflictPauseMs, signal)
        if (signal.aborted) return
        if (this.#isLost(error, polledFrom)) return onFatal(explainPolling(error))
        log.error('another process polled Telegram with the same token; going on')
      }
    }
  }

  #isLost(error: unknown, polledFrom: number): boolean {
    if (!isConflict(error) || isWebhook(error)) return true
    const now = performance.now()
    this.#conflicts = now - polledFrom < conflictsCountFor ? this.#conflicts + 1 : 1
    return now - this.#startedAt < this.#parts.newcomerMs || this.#conflicts > maxConflicts
  }

  async #pollOnce(signal: AbortSignal): Promise<void> {
    await this.#untilDue()
    if (signal.aborted) return
    this.#polled = { offset: this.#offset, at: performance.now(), isFull: false }
    try {
      const updates = await this.#parts.api.getUpdates(
        {
          ...this.#from(),
          limit: maxUnconfirmed,
          timeout: this.#unconfirmed.size === 0 ? longPoll : 0,
          allowed_updates: handledUpdates,
        },
        // grammY has the type of a polyfill for old Nodes.
        signal as Parameters<Api['getUpdates']>[1],
      )
      this.#polled.isFull = updates.length >= maxUnconfirmed
      this.#noteAnew(updates)
      for (const update of updates) this.#take(update)
    } catch (error) {
      if (!signal.aborted) this.#polled.offset = undefined
      throw error
    }
  }

  /** Waits while updates are under way, unless a poll can bring more. */
  async #untilDue(): Promise<void> {
    const { signal } = this.#stopping
    while (this.#unconfirmed.size > 0 && !signal.aborted) {
      const wait = this.#polled.at + this.#pauseMs() - performance.now()
      if (wait <= 0 && this.#unconfirmed.size < maxUnconfirmed) return
      await withTimeout(this.#moved.promise, Math.max(wait, pollEvery))
    }
  }

  /** Milliseconds from the last poll to the next. */
  #pauseMs(): number {
    if (this.#offset === this.#polled.offset) return pollAgainEvery
    if (!this.#polled.isFull) return pollEvery
    return this.#unconfirmed.size > fewUnconfirmed ? pollFullEvery : 0
  }

  /**
   * Goes back to the first update if it comes before what was asked for: after a week without any, Telegram's numbers begin
   * anew, anywhere.
   */
  #noteAnew([first]: readonly Update[]): void {
    const isAnew = first !== undefined && first.update_id < (this.#polled.offset ?? 0)
    if (isAnew && this.#unconfirmed.size === 0) this.#offset = first.update_id
  }

  #take(update: Update): void {
    const id = update.update_id
    if (this.#unconfirmed.has(id) || id < (this.#offset ?? 0)) return
    this.#offset ??= id
    this.#unconfirmed.set(id, false)
    this.#parts.queue.take(update).then(
      () => this.#markConfirmable(id),
      // The process stops: Telegram brings it again to the next one.
      () => undefined,
    )
  }

  #markConfirmable(id: number): void {
    this.#unconfirmed.set(id, true)
    for (const [first, mayBeConfirmed] of this.#unconfirmed) {
      if (!mayBeConfirmed) return
      this.#unconfirmed.delete(first)
      this.#offset = first + 1
      this.#moved.resolve()
      this.#moved = Promise.withResolvers()
    }
  }

  #from(): { offset?: number } {
    return this.#offset === undefined ? {} : { offset: this.#offset }
  }
}

/** Pauses grow by 100 ms each up to 30 s, which they reach after an outage of an hour: doubled ones would in a minute. */
const pollRetry = retry(
  handleWhen((error) => !isFinal(error) && !isConflict(error)),
  {
    maxAttempts: Number.POSITIVE_INFINITY,
    backoff: new DelegateBackoff(({ attempt, result }) => {
      const error = 'error' in result ? result.error : undefined
      const asked = error instanceof GrammyError ? error.parameters.retry_after : undefined
      return Math.min(30_000, (parseRetryAfter(asked) ?? 0) * 1_000 || attempt * 100)
    }),
  },
)

/** Whether another poll, or a webhook, ended a poll. */
export function isConflict(error: unknown): boolean {
  return error instanceof GrammyError && error.error_code === 409
}

/** Whether a 409 says that a webhook is set, which excludes polling. */
function isWebhook(error: unknown): boolean {
  return isConflict(error) && error instanceof GrammyError && /webhook/iu.test(error.description)
}

/** What is wrong where another process polls. */
export const polledElsewhere =
  'Another process polls Telegram with the same TELEGRAM_TOKEN. Stop it, or use another bot.'

function explainPolling(cause: unknown): PlatformError {
  const polled = isConflict(cause) ? polledElsewhere : 'Telegram ended the connection.'
  const message = isWebhook(cause)
    ? 'Another process set a webhook with the same TELEGRAM_TOKEN. Stop it, set TELEGRAM_UPDATES=webhook here too, or use another bot.'
    : polled
  return new PlatformError(message, { cause })
}

/** Path on the bot's server that Telegram calls. */
export const webhookPath = webhookPathOf('telegram')
const secretHeader = 'x-telegram-bot-api-secret-token'
/**
 * Maximum size of an update: a message and the one it replies to, of 4,096 escaped characters with 100 links each.
 * Telegram would redeliver an update that is refused.
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
  my_chat_member: chat.optional(),
})

/** The secret token that authenticates Telegram's calls, derived from the bot's token so that all replicas have the same. */
export function webhookSecret(token: string): string {
  return createHash('sha256').update(`webhook of ${token}`).digest('base64url')
}

/** Makes the webhook handler: answers 200 once an update was taken; Telegram brings the others again. */
export function webhookHandler(secret: string, queue: Pick<UpdateQueue, 'take'>): Webhook {
  const endOfTurn = turnEnds()
  return async (request) => {
    const given = request.headers[secretHeader]
    if (!isSame(String(given), secret)) return { status: 401, json: { error: 'not Telegram' } }
    const body = (await bodyOf(request, maxBytes))?.toString()
    if (body === undefined) return { status: 413, json: { error: 'too large' } }
    await endOfTurn()
    const update = parseUpdate(body)
    if (update === undefined) return { status: 400, json: { error: 'no update' } }
    try {
      await queue.take(update)
      return { status: 200 }
    } catch {
      // Without Retry-After, Telegram waits for up to two minutes.
      return { status: 503, json: { error: 'try again' }, retryAfter: 1 }
    }
  }
}

/** Checks only what is read here; grammY reads the rest unchecked, as with polling. */
function isUpdate(value: unknown): value is Update {
  return updateSchema.safeParse(value).success
}

/** Parses an update; undefined if it is none. */
function parseUpdate(body: string): Update | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isUpdate(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes what waits until all connections that have something to read were read. All who wait go on by one promise: calls that come
 * at the same time go through each step together, as a poll's updates do, which takes the processor a quarter less than one by one.
 */
function turnEnds(): () => Promise<void> {
  let turn: Promise<void> | undefined
  const end = (resolve: () => void) => {
    turn = undefined
    resolve()
  }
  return () => {
    turn ??= new Promise((resolve) => setImmediate(end, resolve))
    return turn
  }
}

/** Compares in constant time; only the secret's length can be found out, which is no secret. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Lease names for long polling and for webhook upkeep. */
export const pollingRole = 'telegram updates'
export const webhookRole = 'telegram webhook'

/** Telegram's maximum of updates that it waits for at the same time. */
const webhookConnections = 100

/** Telegram ends the call of one replica with a 409 if another one calls while it still tries the address. */
const webhookRetry = retry(handleWhen(isConflict), {
  maxAttempts: 20,
  backoff: new ConstantBackoff(1_000),
})

interface KeeperParts {
  api: Api
  /** URL of the webhook. */
  url: string
  secret: string
  log: Logger
}

/** Sets the webhook, and sets it again if another process with the same token changes it. */
export class WebhookKeeper {
  readonly #parts: KeeperParts
  /** This replica keeps it: undefined if another one does. */
  #keeping: { isFirst: boolean } | undefined
  /** Unix seconds of the last delivery error that was logged. */
  #loggedErrorAt = 0

  constructor(parts: KeeperParts) {
    this.#parts = parts
  }

  /** Several replicas that start together set it one after the other: Telegram takes one call a second. */
  async set(): Promise<void> {
    const { api, url, secret, log } = this.#parts
    await webhookRetry.execute(() =>
      api.setWebhook(url, {
        secret_token: secret,
        allowed_updates: handledUpdates,
        max_connections: webhookConnections,
      }),
    )
    log.info({ url }, 'telegram: updates come to PUBLIC_URL')
  }

  /** Keeps the webhook as `look` sees it, until it is stopped. */
  keep(): Task {
    this.#keeping = { isFirst: true }
    const stop = async () => {
      this.#keeping = undefined
    }
    return { stop }
  }

  /** Sets the webhook again if Telegram says that it is another one, and logs what Telegram could not bring. */
  async look(info: WebhookInfo): Promise<void> {
    const { url, log } = this.#parts
    const keeping = this.#keeping
    if (!keeping) return
    const { isFirst } = keeping
    keeping.isFirst = false
    if (info.url !== url) {
      const found = info.url ? hostOf(info.url) : 'none'
      log.warn(
        { found },
        'telegram: another process with the same TELEGRAM_TOKEN, or a replica with another PUBLIC_URL, changed the webhook; it is set again. Stop the other one.',
      )
      return this.set()
    }
    const { last_error_date: date = 0, last_error_message: reason, pending_update_count } = info
    if (date <= this.#loggedErrorAt) return
    this.#loggedErrorAt = date
    // After the start, an old error without waiting updates is not worth a warning.
    if (isFirst && pending_update_count === 0) return
    const last = new Date(date * 1_000).toISOString()
    log.warn(
      { reason, last, waiting: pending_update_count },
      'telegram could not bring updates to PUBLIC_URL',
    )
  }
}
