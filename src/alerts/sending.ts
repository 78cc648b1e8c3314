import { type Adapter, type Loss, SendError, type Sent } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import { backoff, sleep } from '../core/task.ts'
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
  platform: Pick<Adapter, 'name' | 'send' | 'gap' | 'health'>
  outbox: Outbox
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
 * Maximum pause between attempts to store a result. Short, so that once the database is back the result is stored before the
 * chat is open for another attempt.
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
    const { claim, lines, onDelivered, events, view, log, platform } = this.#parts
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
    const { claim, log, now, platform } = this.#parts
    const { health } = platform
    const seconds = Math.floor(now() / 1000)
    const isRefused =
      error instanceof SendError && error.isUnknown && health.isChatToBlame(claim.chat)
    const outcome: SendOutcome = isRefused
      ? { kind: 'unreachable', loss: 'refused' }
      : sendOutcome(error, claim, { now: seconds, isDown: health.isDown })
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
      await sleep(backoff(tries + 1, 50, maxStorePauseMs))
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

function resultOf(result: DeliveryResult, cooldown = 0): SendOutcome {
  return { kind: 'result', result, cooldown }
}

function reasonOf({ message, cause }: SendError): string {
  const why = cause === undefined ? '' : ` (${messageOf(cause)})`
  return `${message}${why}`
}
