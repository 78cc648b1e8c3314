import { setTimeout as delay } from 'node:timers/promises'
import type { Destination, Platform, Sent } from '../../chat/platform.ts'
import type { Logger } from '../../log.ts'
import type { Claim, Outbox, Settlement } from '../../queue/outbox.ts'
import type { Message } from './message.ts'
import type { Reach } from './reach.ts'
import { isAnswer, verdictOn } from './verdict.ts'

/** A message that got through, and what it told. */
export interface Told extends Pick<Message, 'news' | 'view'>, Pick<Claim, 'destination'> {
  message: string
}

export interface SendingParts extends Message {
  platform: Pick<Platform, 'name' | 'send' | 'gap'>
  outbox: Outbox
  reach: Reach
  /** Hears of each message that got through, once that is stored. */
  onTold: (told: Told) => Promise<void>
  log: Logger
  /** Unix milliseconds. */
  now: () => number
}

/** Short: when the database is back this is stored before another replica can think that it was never sent. */
const longestPauseMs = 500
/** Of SQLite and PostgreSQL: the database refuses what is stored, and will again; all else may pass. */
const lastingFault = /^(SQLITE_(CONSTRAINT|MISMATCH|RANGE|TOOBIG)|2[23]...$)/

/** One message on its way, until what became of it is stored. It never rejects. */
export class Sending {
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
    const settlement: Settlement = claim.uncertain
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
      const sent = await platform.send(destinationOf(claim.destination), view, key)
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
    const verdict = verdictOn(error, claim, { now: seconds, isDown: reach.isDown })
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

  #settle(settlement: Settlement, quietFor = 0): Promise<void> {
    const { claim, outbox, platform, now } = this.#parts
    const quiet = Math.max(finite(quietFor), finite(platform.gap(destinationOf(claim.destination))))
    return outbox.settle(claim, this.#ids, settlement, now() + Math.ceil(quiet * 1000))
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
      await delay(Math.min(longestPauseMs, 50 * 2 ** Math.min(10, tries)))
    }
  }
}

/** A destination of the outbox, as its platform knows it. */
export function destinationOf({ kind, chat, thread }: Claim['destination']): Destination {
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
