import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type Adapter,
  type ConnectionState,
  type Loss,
  SendError,
  type Sent,
} from '../core/adapter.ts'
import { backoff, pause, withTimeout } from '../core/task.ts'
import type { View } from '../core/view.ts'
import type { PlatformName } from '../db/schema.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Chat } from './chats.ts'
import type { StoredEvent } from './events.ts'
import {
  type Claim,
  type DeliveryResult,
  deliveryIds,
  type Outbox,
  ownMessage,
  quietHours,
  unreadable,
} from './outbox.ts'
import {
  isCombinable,
  isTimed,
  type NotificationViews,
  type ReadableEvent,
} from './views/notification.ts'

export interface NotifierParts extends MessagesParts, Pick<SendingParts, 'onDelivered' | 'onSent'> {
  platform: Pick<
    Adapter,
    'name' | 'send' | 'capacity' | 'gap' | 'startSpacing' | 'state' | 'localeOf'
  >
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
  /** Milliseconds to wait for sends in progress on stop; 3,000 by default. */
  drainMs?: number
}

/**
 * Chats claimed at once: as many as can be started within about a second. After a crash they wait until the lease ends.
 */
const batchSize = 8
/** Maximum events in one message: each has a line, and a message of either platform has room for ten. */
const maxEvents = 10
/** Maximum concurrent sends. */
const maxConcurrent = 16
/** Seconds of a claim's lease: longer than any send takes, including the wait before it. */
const leaseSeconds = 40
/** Claims that were not started within this time are released, well before their lease ends. */
const maxHeldMs = 5000
/** Maximum sleep: the wall clock may jump. */
const maxSleepMs = 5000
const minSleepMs = 20
/** Milliseconds to store, at the end of the process, that sends in progress are uncertain. */
const abandonMs = 500
/** Maximum pause while the database fails. */
const maxFaultPauseMs = 10_000
/** Seconds until an uncertain delivery is claimed again while it may not be retried. */
const uncertainRecheckSeconds = 60

/**
 * Sends the notifications of one platform, as fast as its limits and answers permit. Can be started again after a stop.
 */
export class Notifier {
  readonly #parts: NotifierParts
  readonly #messages: Messages
  readonly #breaker: CircuitBreaker
  readonly #refusals = new Refusals()
  readonly #lines = new EventLines()
  readonly #elapsed: () => number
  #stopping = new AbortController()
  /** Sends in progress, by the chat's row id. */
  readonly #inFlight = new Map<number, Sending>()
  #running: Promise<void> | undefined
  #wakeUp: (() => void) | undefined
  #isWoken = false
  #isIdle = false

  constructor(parts: NotifierParts) {
    this.#parts = parts
    this.#messages = new Messages(parts)
    const { log, platform, elapsed = () => performance.now() } = parts
    this.#elapsed = elapsed
    this.#breaker = new CircuitBreaker({ platform: platform.name, log, now: elapsed })
  }

  /** Whether nothing waits to be sent, nothing is being sent, and the platform is reachable. */
  get isIdle(): boolean {
    return this.#isIdle && this.#inFlight.size === 0 && !this.#breaker.isDown
  }

  /** Stops sending while a result can't be stored: a crash would resend it. */
  get #storeFault(): Error | undefined {
    return [...this.#inFlight.values()].find(({ unstored }) => unstored)?.unstored
  }

  /** Maximum concurrent sends; 1 while the platform is down, also for claims that were made before it went down. */
  get #maxInFlight(): number {
    return this.#breaker.isDown ? 1 : maxConcurrent
  }

  start(): void {
    if (this.#running) return
    this.#stopping = new AbortController()
    this.#running = this.#run()
  }

  /** Looks for due deliveries now, as there may be new ones. */
  wake(): void {
    this.#isIdle = false
    this.#isWoken = true
    this.#wakeUp?.()
  }

  /**
   * Starts no more sends, releases unstarted claims, and waits for sends in progress, `drainMs` at most. Sends that
   * take longer, or whose results can't be stored yet, continue on their own; another replica may take over meanwhile.
   */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#running
    this.#running = undefined
    const sends = [...this.#inFlight.values()]
    const { drainMs = 3000 } = this.#parts
    await withTimeout(Promise.all(sends.map(({ done }) => done)), drainMs)
  }

  /** Abandons what is still in progress. To be called after `stop`, when the process ends. */
  async close(): Promise<void> {
    const pending = [...this.#inFlight.values()]
    await withTimeout(Promise.all(pending.map((sending) => sending.abandon())), abandonMs)
  }

  async #run(): Promise<void> {
    const { log, platform } = this.#parts
    for (let faults = 0; !this.#stopping.signal.aborted; ) {
      try {
        await this.#poll()
        if (faults > 0) log.info({ platform: platform.name }, 'alerts go on')
        faults = 0
      } catch (error) {
        if (faults === 0) log.error({ err: error, platform: platform.name }, 'alerts are held up')
        faults += 1
        await pause(backoff(faults, 200, maxFaultPauseMs), this.#stopping.signal)
      }
    }
  }

  async #poll(): Promise<void> {
    const fault = this.#storeFault
    if (fault) throw fault
    const { platform, outbox } = this.#parts
    const wait = this.#breaker.wait(platform.state())
    const free = this.#maxInFlight - this.#inFlight.size
    if (wait > 0) return this.#sleep(Math.min(500, wait))
    if (free <= 0) return this.#sleep(maxSleepMs)
    this.#isWoken = false
    const limits = {
      maxChats: this.#breaker.isDown ? 1 : batchSize,
      maxEvents,
      lease: leaseSeconds,
    }
    const claims = await outbox.claim(platform.name, limits)
    if (claims.length === 0) return this.#sleepUntilDue()
    this.#isIdle = false
    const open = new Set(claims)
    try {
      await this.#sendAll(open)
    } finally {
      if (open.size > 0) await outbox.release([...open])
    }
  }

  /** An uncertain delivery has one retry left; don't spend it probing an outage. */
  #defer(claim: Claim): Promise<void> {
    const now = this.#parts.now()
    const runAt = Math.floor(now / 1000) + uncertainRecheckSeconds
    const reason = 'the platform can’t be reached'
    const retry = { kind: 'retry', runAt, reason, uncertain: true } as const
    return this.#parts.outbox.record(claim, claim.events, retry, now)
  }

  /** Sleeps until something is due. */
  async #sleepUntilDue(): Promise<void> {
    const { platform, outbox, now } = this.#parts
    const next = await outbox.nextAt(platform.name)
    const ms = next === undefined ? maxSleepMs : next - now()
    this.#isIdle = ms > 0
    await this.#sleep(Math.min(maxSleepMs, Math.max(minSleepMs, ms)))
  }

  /** Sends claims or defers them, and removes those from `open`; may end with some left. */
  async #sendAll(open: Set<Claim>): Promise<void> {
    const deadline = this.#elapsed() + maxHeldMs
    const { mayRetryUncertain } = this.#breaker
    for (const claim of open) {
      if (!claim.uncertain || mayRetryUncertain) continue
      await this.#defer(claim)
      open.delete(claim)
    }
    const messages = [...open].map((claim) => ({ claim, message: this.#messages.of(claim) }))
    for (const { message } of messages) message.catch(() => undefined)
    for (const { claim, message: making } of messages) {
      const message = await making
      if (message && !(await this.#hasCapacity(deadline))) return
      open.delete(claim)
      if (message) await withTimeout(this.#send(message), this.#parts.platform.startSpacing)
    }
  }

  /**
   * Waits for capacity within the platform's limits, and takes it; false if there is none before the deadline, or on
   * stop.
   */
  async #hasCapacity(deadline: number): Promise<boolean> {
    const { platform } = this.#parts
    while (!this.#stopping.signal.aborted && this.#elapsed() < deadline) {
      if (this.#breaker.wait(platform.state()) > 0) return false
      const isFull = this.#inFlight.size >= this.#maxInFlight || this.#storeFault !== undefined
      const ms = isFull ? 1000 : platform.capacity()
      if (ms === 0) return true
      await this.#sleep(Math.min(ms, 1000), isFull)
    }
    return false
  }

  #send(message: Message): Promise<void> {
    const { row } = message.claim.chat
    const breaker = this.#breaker
    const [refusals, lines] = [this.#refusals, this.#lines]
    const sending = new Sending({ ...this.#parts, ...message, breaker, refusals, lines })
    this.#inFlight.set(row, sending)
    void sending.done.finally(() => {
      this.#inFlight.delete(row)
      this.wake()
    })
    return sending.done
  }

  #sleep(ms: number, isWakeable = true): Promise<void> {
    if (isWakeable && this.#isWoken) {
      this.#isWoken = false
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wakeUp = undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      if (isWakeable) this.#wakeUp = done
      if (this.#stopping.signal.aborted) done()
    })
  }
}

/** A message that was delivered, with its events. `message` is the platform's id. */
export interface DeliveredMessage extends Pick<Claim, 'chat'> {
  events: readonly ReadableEvent[]
  view: View
  message: string
}

interface SendingParts extends Message {
  platform: Pick<Adapter, 'name' | 'send' | 'gap'>
  outbox: Outbox
  breaker: CircuitBreaker
  refusals: Refusals
  lines: EventLines
  /** Called for each delivered message, once its result is stored. */
  onDelivered: (delivered: DeliveredMessage) => Promise<void>
  /** Called for each event of a message that was sent, with the seconds since it; not for one that waited for quiet hours. */
  onSent?: ((platform: PlatformName, seconds: number) => void) | undefined
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/**
 * Maximum pause between attempts to store a result. Short, so that once the database is back the result is stored before
 * the lease ends and another replica resends.
 */
const maxStorePauseMs = 500
/** SQLite and PostgreSQL codes for a write that will never succeed; any other fault may pass. */
const permanentFault = /^(SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)|2[23]...$)/

/** One message in flight, until its result is stored. `done` never rejects. */
class Sending {
  readonly done: Promise<void>
  readonly #parts: SendingParts
  readonly #ids: readonly number[]
  #unstored: Error | undefined
  #isAbandoned = false

  constructor(parts: SendingParts) {
    this.#parts = parts
    this.#ids = parts.events.map(({ id }) => id)
    this.done = this.#run()
  }

  /** Why the result can't be stored at the moment; undefined if nothing waits to be stored. */
  get unstored(): Error | undefined {
    return this.#unstored
  }

  /** Gives up waiting, for the platform's answer and for the database, because the process ends. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true
    const { claim, now, log } = this.#parts
    if (this.#unstored) {
      const deliveries = deliveryIds(this.#ids, claim.chat)
      log.error({ deliveries, chat: claim.chat.row }, 'an alert that was sent may be sent again')
      return
    }
    const reason = 'the bot stopped before there was an answer'
    const runAt = Math.floor(now() / 1000)
    const result: DeliveryResult = claim.uncertain
      ? { kind: 'uncertain', reason }
      : { kind: 'retry', runAt, reason, uncertain: true }
    await this.#record(result).catch((error: unknown) => {
      log.error({ err: error }, 'the result of an alert could not be stored')
    })
  }

  async #run(): Promise<void> {
    const { claim, platform, view } = this.#parts
    try {
      const key = `${claim.chat.row}:${this.#ids.join('.')}`
      const sent = await platform.send(claim.chat, this.#mentioning(view), key)
      await this.#delivered(sent)
    } catch (error) {
      await this.#failed(error)
    }
  }

  /** With the roles that it notifies: not a part of the view that is edited later. */
  #mentioning(view: View): View {
    const { roles } = this.#parts.claim
    const mentions = new Set(this.#ids.flatMap((id) => roles?.get(id) ?? []))
    return mentions.size === 0 ? view : { ...view, mentions: [...mentions] }
  }

  async #delivered({ message }: Sent): Promise<void> {
    const { claim, breaker, refusals, lines, onDelivered, events, view, log, platform } =
      this.#parts
    breaker.answered()
    refusals.accepted(claim.chat.row)
    this.#reportTimes()
    await this.#store(() => this.#record({ kind: 'sent' }))
    const deliveries = deliveryIds(this.#ids, claim.chat)
    const { attempts } = claim
    log[lines.level(this.#ids)](
      { deliveries, platform: platform.name, attempts },
      'an alert was sent',
    )
    try {
      await onDelivered({ chat: claim.chat, events, message, view })
    } catch (error) {
      log.error({ err: error }, 'a live message could not be stored')
    }
  }

  #reportTimes(): void {
    const { claim, events, onSent, platform, now } = this.#parts
    for (const { id, at } of events) {
      if (!claim.postponed?.has(id)) onSent?.(platform.name, Math.max(0, now() / 1000 - at))
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { claim, breaker, refusals, log, now, platform } = this.#parts
    if (isAnswer(error)) breaker.answered()
    else breaker.failed(messageOf(error))
    const seconds = Math.floor(now() / 1000)
    const isRefused =
      error instanceof SendError && error.isUnknown && refusals.count(claim.chat.row)
    const outcome: SendOutcome = isRefused
      ? { kind: 'unreachable', loss: 'refused' }
      : sendOutcome(error, claim, { now: seconds, isDown: breaker.isDown })
    const about = {
      deliveries: deliveryIds(this.#ids, claim.chat),
      platform: platform.name,
      // The number of its row: in a private chat the platform's id is the person's.
      chat: claim.chat.row,
      attempts: claim.attempts,
    }
    if (outcome.kind === 'unreachable') {
      const { loss } = outcome
      const text = 'a chat can’t be written to: its alerts are paused'
      if (isRefused) log.warn({ ...about, loss, err: error }, text)
      else log.info({ ...about, loss, reason: messageOf(error) }, text)
      await this.#store(() => this.#parts.outbox.pause(claim.chat.row, outcome.loss))
    } else if (outcome.kind === 'migrated') {
      log.info(about, 'a chat has migrated to another id')
      await this.#store(() => this.#migrate(outcome.chat, seconds))
    } else {
      const { result, cooldown } = outcome
      const text = result.kind === 'retry' ? 'an alert is tried again' : 'an alert was given up'
      log.warn({ ...about, err: error, outcome: result.kind }, text)
      await this.#store(() => this.#record(result, cooldown))
    }
  }

  /** Makes the delivery due again before the chat's id changes, so that it moves along. */
  async #migrate(chat: string, seconds: number): Promise<void> {
    const { claim, outbox } = this.#parts
    const reason = `the chat is ${chat} now`
    await this.#record({ kind: 'retry', runAt: seconds, reason })
    await outbox.migrate(claim.chat.row, chat)
  }

  #record(result: DeliveryResult, cooldown = 0): Promise<void> {
    const { claim, outbox, platform, now } = this.#parts
    const seconds = Math.max(finite(cooldown), finite(platform.gap(claim.chat)))
    return outbox.record(claim, this.#ids, result, now() + Math.ceil(seconds * 1000))
  }

  /**
   * Retries until the result is stored: otherwise the message would be sent again. A result that the database refuses
   * for good is replaced by 'given-up'.
   */
  async #store(write: () => Promise<void>): Promise<void> {
    const { log } = this.#parts
    let next = write
    for (let tries = 0; !this.#isAbandoned; tries += 1) {
      const error = await next().then(() => undefined, asError)
      if (error === undefined || (isPermanent(error) && next !== write)) {
        this.#unstored = undefined
        return
      }
      if (tries === 0) log.error({ err: error }, 'the result of an alert could not be stored yet')
      if (isPermanent(error)) {
        const reason = `its result can’t be stored: ${error.message}`
        log.error({ err: error, events: this.#ids }, 'an alert is given up')
        next = () => this.#record({ kind: 'given-up', reason })
        continue
      }
      this.#unstored = error
      await delay(backoff(tries + 1, 50, maxStorePauseMs))
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function isPermanent(error: Error): boolean {
  return 'code' in error && permanentFault.test(String(error.code))
}

function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0
}

/** A message that is ready to be sent. */
interface Message {
  claim: Claim
  events: readonly ReadableEvent[]
  view: View
}

interface MessagesParts {
  platform: Pick<Adapter, 'localeOf'>
  views: Pick<NotificationViews, 'read' | 'of' | 'canRender'>
  outbox: Outbox
  /** Unix seconds until which alerts for a chat wait; undefined if they don't. Without it they never do. */
  quietUntil?: ((chat: Chat) => number | undefined) | undefined
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/** Events to remember for logging: an event that can't be sent fails in thousands of chats and is logged once. */
const maxLoggedEvents = 500
/** Seconds until an event that this version can't parse is claimed again: by then a newer version may send it. */
const unreadableRecheckSeconds = 60

/** Why a delivery was dropped: as stored. */
export const tooLate = 'too late to be of use'

/** Seconds that a message may take to arrive: an alert that is of no use any more then is not sent. */
const arrivalSeconds = 10

/**
 * Builds the messages of claims. Events that can't be sent now are recorded as such, so that they don't block others.
 */
export class Messages {
  readonly #parts: MessagesParts
  readonly #logged = new LRUCache<number, true>({ max: maxLoggedEvents })
  readonly #lines = new EventLines()

  constructor(parts: MessagesParts) {
    this.#parts = parts
  }

  /** Builds the next message of a claim; undefined if none of its events is useful any more. */
  async of(claim: Claim): Promise<Message | undefined> {
    const { views, log } = this.#parts
    const read = await views.read(claim.events)
    const seconds = this.#seconds()
    const current = read.filter(({ usefulUntil }) => usefulUntil > seconds + arrivalSeconds)
    // An uncertain message is resent unchanged or not at all: with fewer events it would be a second message.
    const useful = claim.uncertain && current.length > 0 ? read : current
    const late = missing(claim.events, useful)
    if (late.length > 0) {
      await this.#drop(claim, late, tooLate)
      const reason = tooLate
      const deliveries = deliveryIds(late, claim.chat)
      log[this.#lines.level(late)]({ deliveries, reason }, 'an alert was dropped')
    }
    const loud = await this.#loud(claim, useful)
    const events = await this.#readable(claim, loud)
    // Long ones go in messages of their own, after the others.
    const short = events.filter(isCombinable)
    return this.#messageOf(claim, events, short.length > 0 ? short : events.slice(0, 1))
  }

  /**
   * Defers events to the end of the chat's quiet hours, where they go out together. What a person has set an hour for does not
   * wait, nor does a message that may have arrived.
   */
  async #loud(claim: Claim, events: readonly StoredEvent[]): Promise<readonly StoredEvent[]> {
    const until = claim.uncertain ? undefined : this.#parts.quietUntil?.(claim.chat)
    if (until === undefined) return events
    const loud = events.filter(({ body }) => body && isTimed(body))
    const quiet = missing(ids(events), loud)
    const retry = { kind: 'retry', runAt: until, reason: quietHours, untried: true } as const
    await this.#parts.outbox.record(claim, quiet, retry, 0)
    if (quiet.length > 0) {
      const deliveries = deliveryIds(quiet, claim.chat)
      this.#parts.log.debug({ deliveries }, 'an alert waits for the end of quiet hours')
    }
    return loud
  }

  /**
   * Defers events that this version can't parse: during a rolling update a newer version detects while this one sends.
   * The events of an uncertain message stay together.
   */
  async #readable(claim: Claim, events: readonly StoredEvent[]): Promise<readonly ReadableEvent[]> {
    const readable = events.filter(isReadable)
    const others = missing(ids(events), readable)
    if (others.length === 0) return readable
    const maySplit = !claim.uncertain
    const reason = unreadable
    const runAt = this.#seconds() + unreadableRecheckSeconds
    const retry = { kind: 'retry', runAt, reason, untried: true } as const
    await this.#parts.outbox.record(claim, maySplit ? others : ids(events), retry, 0)
    this.#logOnce(others, 'an alert waits for a version that can read it', new Error(reason))
    return maySplit ? readable : []
  }

  /** Builds a message of some of the claim's events, and defers the others. */
  async #messageOf(
    claim: Claim,
    events: readonly ReadableEvent[],
    some: readonly ReadableEvent[],
  ): Promise<Message | undefined> {
    if (some.length === 0) return undefined
    const { views, platform } = this.#parts
    await this.#defer(claim, missing(ids(events), some))
    try {
      return { claim, events: some, view: await views.of(some, platform.localeOf(claim.chat)) }
    } catch (error) {
      return this.#withoutBroken(claim, some, error)
    }
  }

  /** Drops the events that can't be rendered, and builds a message of the others. */
  async #withoutBroken(
    claim: Claim,
    events: readonly ReadableEvent[],
    error: unknown,
  ): Promise<Message | undefined> {
    const renderable =
      events.length > 1 ? events.filter((each) => this.#parts.views.canRender(each)) : []
    await this.#dropBroken(claim, missing(ids(events), renderable), error)
    // If each can be rendered but not all together, send one at a time.
    const isAllRenderable = renderable.length === events.length
    return this.#messageOf(claim, renderable, isAllRenderable ? renderable.slice(0, 1) : renderable)
  }

  async #defer(claim: Claim, events: readonly number[]): Promise<void> {
    if (events.length === 0) return
    const runAt = this.#seconds()
    const retry = { kind: 'retry', runAt, reason: ownMessage, untried: true } as const
    await this.#parts.outbox.record(claim, events, retry, 0)
  }

  async #dropBroken(claim: Claim, broken: readonly number[], error: unknown): Promise<void> {
    if (broken.length === 0) return
    const reason = messageOf(error)
    await this.#drop(claim, broken, `it can’t be rendered: ${reason}`)
    this.#logOnce(broken, 'an alert can’t be rendered: it is dropped', error)
  }

  #logOnce(events: readonly number[], text: string, error: unknown): void {
    for (const id of events.filter((each) => !this.#logged.has(each))) {
      this.#logged.set(id, true)
      this.#parts.log.error({ err: error, event: id }, text)
    }
  }

  #drop(claim: Claim, events: readonly number[], reason: string): Promise<void> {
    return this.#parts.outbox.record(claim, events, { kind: 'dropped', reason }, 0)
  }

  #seconds(): number {
    return Math.floor(this.#parts.now() / 1000)
  }
}

function isReadable(event: StoredEvent): event is ReadableEvent {
  return event.body !== undefined
}

function ids(events: readonly { id: number }[]): number[] {
  return events.map(({ id }) => id)
}

function missing(all: readonly number[], present: readonly { id: number }[]): number[] {
  const presentIds = new Set(ids(present))
  return all.filter((id) => !presentIds.has(id))
}

/** Messages of one event that are logged, unless the log has what is for debugging. */
const maxLines = 20

/** Counts the lines of events in the log, so that an event for many chats doesn't fill it. */
class EventLines {
  readonly #counts = new LRUCache<number, number>({ max: maxLoggedEvents })

  /** The level of one more line about a message with these events. */
  level(events: readonly number[]): 'info' | 'debug' {
    const counts = events.map((event) => (this.#counts.get(event) ?? 0) + 1)
    for (const [index, event] of events.entries()) this.#counts.set(event, counts[index] ?? 0)
    return counts.some((count) => count <= maxLines) ? 'info' : 'debug'
  }
}

interface CircuitBreakerParts {
  /** The platform's name in the log. */
  platform: string
  log: Logger
  /** Milliseconds of a monotonic clock. */
  now: () => number
}

/** Consecutive faults after which the platform counts as down; fewer may be due to single messages. */
const faultsUntilDown = 3
/** Pauses between probes (single messages) while sends fail: doubled up to the maximum. */
const firstProbePauseMs = 1000
const maxProbePauseMs = 30_000
/**
 * Milliseconds between probes while the platform's update connection is down. It reports its own recovery, so
 * sending is rarely worth trying before.
 */
const disconnectedProbePauseMs = 600_000
/** An uncertain delivery has one retry left; during an outage it is not tried for this many milliseconds. */
const uncertainOutageMs = 600_000

/**
 * Stops sending while a platform is unreachable. Only single messages are tried from time to time, so that an outage
 * doesn't use up the attempts of the others. Logs when an outage begins and when it ends.
 */
export class CircuitBreaker {
  readonly #parts: CircuitBreakerParts
  #faults = 0
  #probePauseMs = firstProbePauseMs
  #nextProbe = 0
  #failedAt = 0
  #isDown = false
  #isConnected = true

  constructor(parts: CircuitBreakerParts) {
    this.#parts = parts
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Whether an uncertain delivery may be tried again now, rather than saved until the platform answers. */
  get mayRetryUncertain(): boolean {
    return !this.#isDown || this.#parts.now() >= this.#failedAt + uncertainOutageMs
  }

  /** Milliseconds until the next message may be tried; 0 for now. */
  wait(state: ConnectionState): number {
    // On standby another replica holds the update connection; sending does not depend on it. One that refuses messages takes
    // them again some day, which shows by sending.
    const isConnected = ['connected', 'standby', 'refusing'].includes(state)
    if (this.#isConnected && !isConnected) this.#goDown(disconnectedProbePauseMs, state)
    const isBack = !this.#isConnected && isConnected
    this.#isConnected = isConnected
    if (isBack) this.#reconnected()
    return Math.max(0, Math.ceil(this.#nextProbe - this.#parts.now()))
  }

  /** Records a send without an answer, or with one that shows a fault of the platform. */
  failed(reason: string): void {
    this.#faults += 1
    this.#failedAt = this.#parts.now()
    if (this.#faults < faultsUntilDown && !this.#isDown) return
    // Several sends were in progress at once and failed for the same reason; count the pause once.
    if (this.#parts.now() < this.#nextProbe) return
    this.#goDown(this.#isConnected ? this.#probePauseMs : disconnectedProbePauseMs, reason)
    this.#probePauseMs = Math.min(maxProbePauseMs, this.#probePauseMs * 2)
  }

  /** Records an answer of the platform, be it acceptance or a proper refusal. */
  answered(): void {
    this.#faults = 0
    this.#probePauseMs = firstProbePauseMs
    this.#nextProbe = 0
    if (!this.#isDown) return
    this.#isDown = false
    const { platform, log } = this.#parts
    log.info({ platform }, 'alerts go out again')
  }

  /** The update connection is back, so sending may work again. */
  #reconnected(): void {
    if (this.#faults < faultsUntilDown) this.answered()
    else {
      this.#nextProbe = 0
      this.#failedAt = Number.NEGATIVE_INFINITY
    }
  }

  #goDown(pauseMs: number, reason: string): void {
    this.#failedAt = this.#parts.now()
    this.#nextProbe = this.#failedAt + pauseMs
    if (this.#isDown) return
    this.#isDown = true
    const { platform, log } = this.#parts
    log.warn({ platform, reason }, 'alerts wait: the platform can’t be reached')
  }
}

/** Messages of a chat that are refused in a row, for reasons that are not known, until it is paused. */
const maxRefused = 5
/**
 * Chats that may refuse, without one that accepts, until the messages are taken for the cause: a mistake in them must not pause
 * every chat.
 */
const maxRefusing = 3
const maxCounted = 10_000

/** Counts messages that were refused for reasons that are not known, by the row of their chat, since the start of the process. */
class Refusals {
  readonly #inARow = new LRUCache<number, number>({ max: maxCounted })
  /** Chats that have refused since one has accepted. */
  readonly #refusing = new Set<number>()

  /** Counts a refusal; returns whether the chat is to be paused. */
  count(chat: number): boolean {
    if (this.#refusing.size <= maxRefusing) this.#refusing.add(chat)
    if (this.#refusing.size > maxRefusing) return false
    const count = (this.#inARow.get(chat) ?? 0) + 1
    this.#inARow.set(chat, count)
    if (count < maxRefused) return false
    this.#inARow.delete(chat)
    this.#refusing.delete(chat)
    return true
  }

  /** Starts anew: the chat has accepted a message. */
  accepted(chat: number): void {
    this.#inARow.delete(chat)
    this.#refusing.clear()
  }
}

/** The consequence of a failed send. */
type SendOutcome =
  /** The chat is unreachable: pause it. */
  | { kind: 'unreachable'; loss: Loss }
  | { kind: 'migrated'; chat: string }
  | { kind: 'result'; result: DeliveryResult; cooldown: number }

interface Circumstances {
  /** Unix seconds. */
  now: number
  /** Whether the platform is unreachable, so that the failure is not this message's fault. */
  isDown: boolean
}

/** Attempts before a message is given up while others succeed. */
const maxTries = 12
/** Maximum seconds between attempts. */
const maxRetryPause = 600
/**
 * The same while the platform is unreachable: waiting messages go out soon after it recovers.
 */
const maxRetryPauseDown = 30
/** Seconds until the one retry of an uncertain delivery: a platform that fails needs longer than a moment. */
const uncertainRetryPause = 30

/**
 * Decides what to do after a failed send. `cooldown` is for the chat, in seconds, beside the platform's own
 * gap between messages.
 */
export function sendOutcome(
  error: unknown,
  claim: Claim,
  circumstances: Circumstances,
): SendOutcome {
  const failure =
    error instanceof SendError ? error : new SendError(messageOf(error), { final: false })
  if (failure.loss !== undefined) return { kind: 'unreachable', loss: failure.loss }
  if (failure.movedTo !== undefined) return { kind: 'migrated', chat: failure.movedTo }
  const reason = reasonOf(failure)
  if (failure.final) return resultOf({ kind: 'given-up', reason })
  if (failure.uncertain && claim.uncertain) return resultOf({ kind: 'uncertain', reason })
  const { now, isDown } = circumstances
  if (failure.retryAfter !== undefined) {
    const { retryAfter } = failure
    const cooldown = Number.isFinite(retryAfter) ? Math.ceil(retryAfter) : maxRetryPause
    return resultOf({ kind: 'retry', runAt: now + cooldown, reason }, cooldown)
  }
  if (claim.attempts >= maxTries && !isDown) return resultOf({ kind: 'given-up', reason })
  const seconds = backoff(claim.attempts, 2, isDown ? maxRetryPauseDown : maxRetryPause)
  if (!failure.uncertain) return resultOf({ kind: 'retry', runAt: now + seconds, reason })
  const runAt = now + Math.max(uncertainRetryPause, seconds)
  return resultOf({ kind: 'retry', runAt, reason, uncertain: true })
}

/** Whether a failed send shows that the platform itself works: it refused this message properly. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof SendError)) return false
  const { final, retryAfter, loss, movedTo } = error
  return final || retryAfter !== undefined || loss !== undefined || movedTo !== undefined
}

function resultOf(result: DeliveryResult, cooldown = 0): SendOutcome {
  return { kind: 'result', result, cooldown }
}

function reasonOf({ message, cause }: SendError): string {
  const why = cause === undefined ? '' : ` (${messageOf(cause)})`
  return `${message}${why}`
}
