import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type Adapter,
  type ChatAddress,
  type ConnectionState,
  type Loss,
  SendError,
  type Sent,
} from '../core/adapter.ts'
import { withTimeout } from '../core/retry.ts'
import type { View } from '../core/view.ts'
import type { Logger } from '../log.ts'
import type { EventViews, TellableEvent } from './event-views.ts'
import type { StoredEvent } from './matching.ts'
import type { Claim, DeliveryResult, Outbox } from './outbox.ts'

export interface NotifierParts extends MessagesParts, Pick<SendingParts, 'onTold'> {
  platform: Pick<Adapter, 'name' | 'send' | 'capacity' | 'gap' | 'state'>
  /** Milliseconds of a clock that nobody sets. */
  elapsed?: () => number
}

/** Destinations claimed at once: what can be begun within about a second. A crash leaves them until the lease ends. */
const batch = 8
/** Pieces of news in one message: as many as it shows. */
const together = 10
/** Sends under way. */
const most = 16
/** Seconds; longer than any send takes, and than what is claimed waits for its turn. */
const lease = 40
/** What was claimed and not begun by then is given back, well before its lease ends. */
const maxHeldMs = 5000
/** Clocks jump: no sleep is longer than this. */
const maxSleepMs = 5000
const minSleepMs = 20
/**
 * Milliseconds that the next send waits for the one before: where answers are quick, a crash finds one message under
 * way. Where they are slow this is still no less than either platform permits: 30 and 50 in a second.
 */
const spacing = { telegram: 30, discord: 15 } as const
/** How long sends under way are waited for at a stop. */
const drainMs = 3000
/** Milliseconds for storing, at the end of the process, that nobody waits for their answers any longer. */
const abandonMs = 500
const maxIdleMs = 10_000
/** Seconds until it is looked at again whether what may be there already can be sent once more. */
const recheckUncertain = 60

/** Tells news on one platform, as fast as the platform permits and as it answers. It can be stopped and started again. */
export class Notifier {
  readonly #parts: NotifierParts
  readonly #messages: Messages
  readonly #reach: CircuitBreaker
  readonly #elapsed: () => number
  #stopping = new AbortController()
  /** By destination. */
  readonly #underWay = new Map<number, Sending>()
  #running: Promise<void> | undefined
  #wakeUp: (() => void) | undefined
  #isWoken = false
  #isIdle = false

  constructor(parts: NotifierParts) {
    this.#parts = parts
    this.#messages = new Messages(parts)
    const { log, platform, elapsed = () => performance.now() } = parts
    this.#elapsed = elapsed
    this.#reach = new CircuitBreaker({ platform: platform.name, log, now: elapsed })
  }

  /** Nothing waits to be told at this moment. */
  get isIdle(): boolean {
    return this.#isIdle && this.#underWay.size === 0 && !this.#reach.isDown
  }

  /** What was sent and can't be recorded would be sent again after a crash: nothing more goes out until it is. */
  get #stuck(): Error | undefined {
    return [...this.#underWay.values()].find(({ unstored }) => unstored)?.unstored
  }

  /** Of sends under way at this moment: also of those that were claimed before the platform went down. */
  get #most(): number {
    return this.#reach.isDown ? 1 : most
  }

  start(): void {
    if (this.#running) return
    this.#stopping = new AbortController()
    this.#running = this.#run()
  }

  /** There may be something to tell. */
  wake(): void {
    this.#isIdle = false
    this.#isWoken = true
    this.#wakeUp?.()
  }

  /**
   * Begins no more sends, gives back what was claimed, and lets those under way end. Where that takes long, and where
   * the database does not take what became of them, they go on by themselves: others may tell meanwhile.
   */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.wake()
    await this.#running
    this.#running = undefined
    const sends = [...this.#underWay.values()]
    await withTimeout(Promise.all(sends.map(({ done }) => done)), drainMs)
  }

  /** After the stop, at the end of the process: nobody waits any longer for what is still under way. */
  async close(): Promise<void> {
    const left = [...this.#underWay.values()]
    await withTimeout(Promise.all(left.map((sending) => sending.abandon())), abandonMs)
  }

  async #run(): Promise<void> {
    for (let faults = 0; !this.#stopping.signal.aborted; ) {
      try {
        await this.#round()
        if (faults > 0)
          this.#parts.log.info({ platform: this.#parts.platform.name }, 'alerts go on')
        faults = 0
      } catch (error) {
        const { log, platform } = this.#parts
        if (faults === 0) log.error({ err: error, platform: platform.name }, 'alerts are held up')
        faults += 1
        const pause = Math.min(maxIdleMs, 100 * 2 ** Math.min(10, faults))
        await delay(pause, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
      }
    }
  }

  async #round(): Promise<void> {
    const stuck = this.#stuck
    if (stuck) throw stuck
    const { platform, outbox } = this.#parts
    const wait = this.#reach.wait(platform.state())
    const free = this.#most - this.#underWay.size
    if (wait > 0) return this.#sleep(Math.min(500, wait))
    if (free <= 0) return this.#sleep(maxSleepMs)
    this.#isWoken = false
    const limits = { most: this.#reach.isDown ? 1 : batch, together, lease }
    const claims = await outbox.claim(platform.name, limits)
    if (claims.length === 0) return this.#rest()
    this.#isIdle = false
    const { mayRepeat } = this.#reach
    const isRisky = ({ uncertain }: Claim) => uncertain && !mayRepeat
    for (const claim of claims.filter(isRisky)) await this.#keepForLater(claim)
    await this.#tell(claims.filter((claim) => !isRisky(claim)))
  }

  /** What may be there already has one try left: it is not spent on finding out that the platform is still down. */
  #keepForLater(claim: Claim): Promise<void> {
    const now = this.#parts.now()
    const runAt = Math.floor(now / 1000) + recheckUncertain
    const reason = 'the platform can’t be reached'
    const later = { kind: 'later', runAt, reason, uncertain: true } as const
    return this.#parts.outbox.record(claim, claim.news, later, now)
  }

  /** Until something is due. */
  async #rest(): Promise<void> {
    const { platform, outbox, now } = this.#parts
    const next = await outbox.nextAt(platform.name)
    const ms = next === undefined ? maxSleepMs : next - now()
    this.#isIdle = ms > 0
    await this.#sleep(Math.min(maxSleepMs, Math.max(minSleepMs, ms)))
  }

  async #tell(claims: readonly Claim[]): Promise<void> {
    const deadline = this.#elapsed() + maxHeldMs
    const left = claims.map((claim) => ({ claim, message: this.#messages.of(claim) }))
    for (const { message } of left) message.catch(() => undefined)
    try {
      for (let next = left[0]; next !== undefined; next = left[0]) {
        const message = await next.message
        if (message && !(await this.#hasPlace(deadline))) return
        left.shift()
        if (message) await withTimeout(this.#begin(message), spacing[this.#parts.platform.name])
      }
    } finally {
      if (left.length > 0) await this.#parts.outbox.release(left.map(({ claim }) => claim))
    }
  }

  /** Waits for a place within what the platform permits, and takes it; false where there is none for now. */
  async #hasPlace(deadline: number): Promise<boolean> {
    const { platform } = this.#parts
    while (!this.#stopping.signal.aborted && this.#elapsed() < deadline) {
      if (this.#reach.wait(platform.state()) > 0) return false
      const isFull = this.#underWay.size >= this.#most || this.#stuck !== undefined
      const ms = isFull ? 1000 : platform.capacity()
      if (ms === 0) return true
      await this.#sleep(Math.min(ms, 1000), isFull)
    }
    return false
  }

  #begin(message: Message): Promise<void> {
    const { id } = message.claim.destination
    const sending = new Sending({ ...this.#parts, ...message, reach: this.#reach })
    this.#underWay.set(id, sending)
    void sending.done.finally(() => {
      this.#underWay.delete(id)
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

/** A message that got through, and what it told. */
export interface Told extends Pick<Message, 'news' | 'view'>, Pick<Claim, 'destination'> {
  message: string
}

interface SendingParts extends Message {
  platform: Pick<Adapter, 'name' | 'send' | 'gap'>
  outbox: Outbox
  reach: CircuitBreaker
  /** Hears of each message that got through, once that is stored. */
  onTold: (told: Told) => Promise<void>
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/** Short: when the database is back this is stored before another replica can think that it was never sent. */
const maxPauseMs = 500
/** Of SQLite and PostgreSQL: the database refuses what is stored, and will again; all else may pass. */
const lastingFault = /^(SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)|2[23]...$)/

/** One message on its way, until what became of it is stored. It never rejects. */
class Sending {
  readonly done: Promise<void>
  readonly #parts: SendingParts
  readonly #ids: readonly number[]
  #unstored: Error | undefined
  #isAbandoned = false

  constructor(parts: SendingParts) {
    this.#parts = parts
    this.#ids = parts.news.map(({ id }) => id)
    this.done = this.#run()
  }

  /** Why the database does not take for now what became of it. */
  get unstored(): Error | undefined {
    return this.#unstored
  }

  /** The process ends: nobody waits any longer for an answer, nor for the database. */
  async abandon(): Promise<void> {
    this.#isAbandoned = true
    const { claim, now, log } = this.#parts
    if (this.#unstored) {
      log.error({ destination: claim.destination.id }, 'an alert that was sent may be sent again')
      return
    }
    const reason = 'the bot stopped before there was an answer'
    const runAt = Math.floor(now() / 1000)
    const settlement: DeliveryResult = claim.uncertain
      ? { kind: 'uncertain', reason }
      : { kind: 'later', runAt, reason, uncertain: true }
    await this.#settle(settlement).catch((error: unknown) => {
      log.error({ err: error }, 'what became of an alert could not be stored')
    })
  }

  async #run(): Promise<void> {
    const { claim, platform, view } = this.#parts
    try {
      const key = `${claim.destination.id}:${this.#ids.join('.')}`
      const sent = await platform.send(chatOf(claim.destination), view, key)
      await this.#told(sent)
    } catch (error) {
      await this.#failed(error)
    }
  }

  async #told({ message }: Sent): Promise<void> {
    const { claim, reach, onTold, news, view, log } = this.#parts
    reach.answered()
    await this.#store(() => this.#settle({ kind: 'sent' }))
    try {
      await onTold({ destination: claim.destination, news, message, view })
    } catch (error) {
      log.error({ err: error }, 'a message could not be remembered')
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { claim, reach, log, now, platform } = this.#parts
    if (isAnswer(error)) reach.answered()
    else reach.failed(error instanceof Error ? error.message : String(error))
    const seconds = Math.floor(now() / 1000)
    const verdict = sendOutcome(error, claim, { now: seconds, isDown: reach.isDown })
    const about = {
      platform: platform.name,
      chat: claim.destination.chat,
      attempts: claim.attempts,
    }
    if (verdict.kind === 'lost') {
      log.info({ ...about, loss: verdict.loss }, 'a chat is lost: its alerts are paused')
      await this.#store(() => this.#parts.outbox.pause(claim.destination.id, verdict.loss))
    } else if (verdict.kind === 'moved') {
      log.info({ ...about, to: verdict.chat }, 'a chat goes on under another id')
      await this.#store(() => this.#moved(verdict.chat, seconds))
    } else {
      const { settlement, quietFor } = verdict
      const text = settlement.kind === 'later' ? 'an alert is tried again' : 'an alert was given up'
      log.warn({ ...about, err: error, outcome: settlement.kind }, text)
      await this.#store(() => this.#settle(settlement, quietFor))
    }
  }

  /** Due again before it moves, so that it moves along. */
  async #moved(chat: string, seconds: number): Promise<void> {
    const { claim, outbox } = this.#parts
    const reason = `the chat is ${chat} now`
    await this.#settle({ kind: 'later', runAt: seconds, reason })
    await outbox.move(claim.destination.id, chat)
  }

  #settle(settlement: DeliveryResult, quietFor = 0): Promise<void> {
    const { claim, outbox, platform, now } = this.#parts
    const quiet = Math.max(finite(quietFor), finite(platform.gap(chatOf(claim.destination))))
    return outbox.record(claim, this.#ids, settlement, now() + Math.ceil(quiet * 1000))
  }

  /** Until it is stored: else what was sent would be sent again. What never can be is given up. */
  async #store(write: () => Promise<void>): Promise<void> {
    const { log } = this.#parts
    let next = write
    for (let tries = 0; !this.#isAbandoned; tries += 1) {
      const error = await next().then(() => undefined, asError)
      if (error === undefined || (isLasting(error) && next !== write)) {
        this.#unstored = undefined
        return
      }
      if (tries === 0) log.error({ err: error }, 'what became of an alert could not be stored yet')
      if (isLasting(error)) {
        const reason = `what became of it can’t be stored: ${error.message}`
        log.error({ err: error, news: this.#ids }, 'an alert is given up')
        next = () => this.#settle({ kind: 'given-up', reason })
        continue
      }
      this.#unstored = error
      await delay(Math.min(maxPauseMs, 50 * 2 ** Math.min(10, tries)))
    }
  }
}

/** A destination of the outbox, as its platform knows it. */
export function chatOf({ kind, chat, thread }: Claim['destination']): ChatAddress {
  return { kind, id: chat, ...(thread === '' ? {} : { thread }) }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function isLasting(error: Error): boolean {
  return 'code' in error && lastingFault.test(String(error.code))
}

function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0
}

/** A message that is ready to be sent. */
interface Message {
  claim: Claim
  news: readonly TellableEvent[]
  view: View
}

interface MessagesParts {
  views: Pick<EventViews, 'read' | 'of' | 'canTell'>
  outbox: Outbox
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/** What can't be told can't be told to thousands: the log says so once for each piece. */
const keptComplaints = 500
/** Seconds until it is looked at again whether what this version can't read can be told: by then a newer one may tell. */
const unreadablePause = 60

/** Makes the messages of claims, and puts aside what can't be told, so that it keeps nothing else waiting. */
export class Messages {
  readonly #parts: MessagesParts
  readonly #complaints = new LRUCache<number, true>({ max: keptComplaints })

  constructor(parts: MessagesParts) {
    this.#parts = parts
  }

  /** What is to be sent for a claim now; undefined where none of its news is of use any more. */
  async of(claim: Claim): Promise<Message | undefined> {
    const { views, log } = this.#parts
    const read = await views.read(claim.news)
    const seconds = this.#seconds()
    const current = read.filter(({ usefulUntil }) => usefulUntil > seconds)
    // What may be there already is sent as that very message or not at all: with less in it, it would be there twice.
    const timely = claim.uncertain && current.length > 0 ? read : current
    const late = missing(claim.news, timely)
    if (late.length > 0) {
      await this.#drop(claim, late, 'too late to be of use')
      log.info({ news: late, destination: claim.destination.id }, 'an alert was dropped')
    }
    const news = await this.#readable(claim, timely)
    // A digest is long: it is a message of its own, after the others.
    const short = news.filter(({ body }) => body.kind !== 'digest')
    return this.#ofSome(claim, news, short.length > 0 ? short : news.slice(0, 1))
  }

  /**
   * Leaves to a newer version what this one can't read, while two of them run side by side: the newer one watches, and
   * this one tells. What may be there already stays together.
   */
  async #readable(claim: Claim, news: readonly StoredEvent[]): Promise<readonly TellableEvent[]> {
    const readable = news.filter(isTellable)
    const unread = missing(ids(news), readable)
    if (unread.length === 0) return readable
    const isSplit = !claim.uncertain
    const reason = 'this version can’t read it'
    const runAt = this.#seconds() + unreadablePause
    const later = { kind: 'later', runAt, reason, untried: true } as const
    await this.#parts.outbox.record(claim, isSplit ? unread : ids(news), later, 0)
    this.#complain(unread, 'an alert waits for a version that can read it', new Error(reason))
    return isSplit ? readable : []
  }

  /** A message of some of the news; the others go later. */
  async #ofSome(
    claim: Claim,
    news: readonly TellableEvent[],
    some: readonly TellableEvent[],
  ): Promise<Message | undefined> {
    if (some.length === 0) return undefined
    await this.#putOff(claim, missing(ids(news), some))
    try {
      return { claim, news: some, view: await this.#parts.views.of(some) }
    } catch (error) {
      return this.#withoutBroken(claim, some, error)
    }
  }

  /** One that can't be written must not keep those waiting that were to go with it. */
  async #withoutBroken(
    claim: Claim,
    news: readonly TellableEvent[],
    error: unknown,
  ): Promise<Message | undefined> {
    const whole = news.length > 1 ? news.filter((each) => this.#parts.views.canTell(each)) : []
    await this.#dropBroken(claim, missing(ids(news), whole), error)
    // Each can be told, and all of them not: then one at a time.
    const isWhole = whole.length === news.length
    return this.#ofSome(claim, whole, isWhole ? whole.slice(0, 1) : whole)
  }

  async #putOff(claim: Claim, news: readonly number[]): Promise<void> {
    if (news.length === 0) return
    const reason = 'in a message of its own'
    const later = { kind: 'later', runAt: this.#seconds(), reason } as const
    await this.#parts.outbox.record(claim, news, later, 0)
  }

  async #dropBroken(claim: Claim, broken: readonly number[], error: unknown): Promise<void> {
    if (broken.length === 0) return
    const reason = error instanceof Error ? error.message : String(error)
    await this.#drop(claim, broken, `it can’t be told: ${reason}`)
    this.#complain(broken, 'an alert can’t be told: it is dropped', error)
  }

  #complain(news: readonly number[], text: string, error: unknown): void {
    for (const id of news.filter((each) => !this.#complaints.has(each))) {
      this.#complaints.set(id, true)
      this.#parts.log.error({ err: error, news: id }, text)
    }
  }

  #drop(claim: Claim, news: readonly number[], reason: string): Promise<void> {
    return this.#parts.outbox.record(claim, news, { kind: 'dropped', reason }, 0)
  }

  #seconds(): number {
    return Math.floor(this.#parts.now() / 1000)
  }
}

function isTellable<Event extends { body: unknown }>(news: Event): news is Event & TellableEvent {
  return news.body !== undefined
}

function ids(news: readonly { id: number }[]): number[] {
  return news.map(({ id }) => id)
}

function missing(wanted: readonly number[], there: readonly { id: number }[]): number[] {
  const found = new Set(ids(there))
  return wanted.filter((id) => !found.has(id))
}

interface CircuitBreakerParts {
  /** As it is called in the log. */
  platform: string
  log: Logger
  /** Milliseconds on a clock that never jumps. */
  now: () => number
}

/** Faults in a row after which it is the platform that fails, not a message. */
const faultsUntilDown = 3
const firstPauseMs = 1000
const maxReconnectMs = 30_000
/** What brings updates back tells when it is over: until then only rarely is a message risked. */
const disconnectedPauseMs = 600_000
/** While others can be tried, or for so long, what may be there already keeps the one try that it has left. */
const uncertainPauseMs = 600_000

/**
 * Whether a platform takes messages at all. While it does not, one is tried from time to time and the others wait,
 * so that an outage uses up nobody's tries; the log says once that it began and once that it ended.
 */
export class CircuitBreaker {
  readonly #parts: CircuitBreakerParts
  #faults = 0
  #pauseMs = firstPauseMs
  #nextTry = 0
  #failedAt = 0
  #isDown = false
  #isConnected = true

  constructor(parts: CircuitBreakerParts) {
    this.#parts = parts
  }

  get isDown(): boolean {
    return this.#isDown
  }

  /** Whether what may be there already can be sent once more: not to find out that the platform is still down. */
  get mayRepeat(): boolean {
    return !this.#isDown || this.#parts.now() >= this.#failedAt + uncertainPauseMs
  }

  /** Milliseconds until the next message may be tried; 0 is now. */
  wait(state: ConnectionState): number {
    // On standby it is another replica that hears of an outage first; what is sent here goes its own way.
    const isConnected = state === 'connected' || state === 'standby'
    if (this.#isConnected && !isConnected) this.#goDown(disconnectedPauseMs, state)
    const isBack = !this.#isConnected && isConnected
    this.#isConnected = isConnected
    if (isBack) this.#reconnected()
    return Math.max(0, Math.ceil(this.#nextTry - this.#parts.now()))
  }

  /** A message got no answer, or one that tells of a fault of the platform's own. */
  failed(reason: string): void {
    this.#faults += 1
    this.#failedAt = this.#parts.now()
    if (this.#faults < faultsUntilDown && !this.#isDown) return
    // Several were under way at once: they failed of the same.
    if (this.#parts.now() < this.#nextTry) return
    this.#goDown(this.#isConnected ? this.#pauseMs : disconnectedPauseMs, reason)
    this.#pauseMs = Math.min(maxReconnectMs, this.#pauseMs * 2)
  }

  /** The platform took a message, or said properly why not. */
  answered(): void {
    this.#faults = 0
    this.#pauseMs = firstPauseMs
    this.#nextTry = 0
    if (!this.#isDown) return
    this.#isDown = false
    const { platform, log } = this.#parts
    log.info({ platform }, 'alerts go out again')
  }

  /** What brings updates is back: so may be what takes messages. */
  #reconnected(): void {
    if (this.#faults < faultsUntilDown) this.answered()
    else {
      this.#nextTry = 0
      this.#failedAt = Number.NEGATIVE_INFINITY
    }
  }

  #goDown(pauseMs: number, reason: string): void {
    this.#failedAt = this.#parts.now()
    this.#nextTry = this.#failedAt + pauseMs
    if (this.#isDown) return
    this.#isDown = true
    const { platform, log } = this.#parts
    log.warn({ platform, reason }, 'alerts wait: the platform can’t be reached')
  }
}

/** What follows from a send that failed. */
type SendOutcome =
  /** Nothing is sent there any more. */
  | { kind: 'lost'; loss: Loss }
  | { kind: 'moved'; chat: string }
  | { kind: 'settled'; settlement: DeliveryResult; quietFor: number }

/** When it failed, and how the platform is doing. */
interface Circumstances {
  /** Unix seconds. */
  now: number
  /** The platform takes nothing from anybody: that is no fault of this message. */
  isDown: boolean
}

/** Tries until a message is given up that fails while others get through. */
const maxTries = 12
const firstPause = 2
const maxPause = 600
/** While a platform is out of reach: what waits for it goes soon after it is back. */
const maxPauseDown = 30
/** Until the one other try of what may be there already: a platform that stumbles needs longer than a moment. */
const uncertainPause = 30
const maxReason = 500

/**
 * What becomes of a claim whose send failed. `quietFor` are seconds for which nothing else may be sent there beside
 * the usual gap.
 */
export function sendOutcome(
  error: unknown,
  claim: Claim,
  circumstances: Circumstances,
): SendOutcome {
  const failure =
    error instanceof SendError ? error : new SendError(messageOf(error), { final: false })
  if (failure.loss !== undefined) return { kind: 'lost', loss: failure.loss }
  if (failure.movedTo !== undefined) return { kind: 'moved', chat: failure.movedTo }
  const reason = reasonOf(failure)
  if (failure.final) return settled({ kind: 'given-up', reason })
  if (failure.uncertain && claim.uncertain) return settled({ kind: 'uncertain', reason })
  const { now, isDown } = circumstances
  if (failure.retryAfter !== undefined) {
    const { retryAfter } = failure
    const quietFor = Number.isFinite(retryAfter) ? Math.ceil(retryAfter) : maxPause
    return settled({ kind: 'later', runAt: now + quietFor, reason }, quietFor)
  }
  if (claim.attempts >= maxTries && !isDown) return settled({ kind: 'given-up', reason })
  const pause = pauseAfter(claim.attempts, isDown ? maxPauseDown : maxPause)
  if (!failure.uncertain) return settled({ kind: 'later', runAt: now + pause, reason })
  const runAt = now + Math.max(uncertainPause, pause)
  return settled({ kind: 'later', runAt, reason, uncertain: true })
}

/** Whether a failed send tells that the platform itself answers as it should. */
export function isAnswer(error: unknown): boolean {
  if (!(error instanceof SendError)) return false
  const { final, retryAfter, loss, movedTo } = error
  return final || retryAfter !== undefined || loss !== undefined || movedTo !== undefined
}

function settled(settlement: DeliveryResult, quietFor = 0): SendOutcome {
  return { kind: 'settled', settlement, quietFor }
}

/** 2 s, 4 s, 8 s … */
function pauseAfter(attempts: number, longest: number): number {
  return Math.min(longest, firstPause * 2 ** Math.min(20, Math.max(0, attempts - 1)))
}

function reasonOf({ message, cause }: SendError): string {
  const why = cause === undefined ? '' : ` (${messageOf(cause)})`
  return `${message}${why}`.slice(0, maxReason)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
