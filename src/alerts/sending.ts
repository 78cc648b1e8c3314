import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  type Adapter,
  type ConnectionState,
  type Loss,
  SendError,
  type Sent,
} from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import { backoff } from '../core/task.ts'
import type { View } from '../core/view.ts'
import { asError, messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { EventLines, ReadyAlert } from './alert-builder.ts'
import { type Claim, type DeliveryResult, deliveryIds, type Outbox } from './outbox.ts'
import type { ReadableEvent } from './views/notification.ts'

/** A message that was delivered, with its events. `message` is the platform's id. */
export interface DeliveredMessage extends Pick<Claim, 'chat'> {
  events: readonly ReadableEvent[]
  view: View
  message: string
}

export interface SendingParts extends ReadyAlert {
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
export class Sending {
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

function isPermanent(error: Error): boolean {
  return 'code' in error && permanentFault.test(String(error.code))
}

function finite(seconds: number): number {
  return Number.isFinite(seconds) ? seconds : 0
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
export class Refusals {
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
