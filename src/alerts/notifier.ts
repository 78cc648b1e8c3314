import type { Adapter, SendHealth } from '../core/adapter.ts'
import { backoff, sleep, withTimeout } from '../core/task.ts'
import {
  AlertBuilder,
  type AlertBuilderParts,
  EventLines,
  type ReadyAlert,
} from './alert-builder.ts'
import type { Claim } from './outbox.ts'
import { Sending, type SendingParts } from './sending.ts'

export interface NotifierParts
  extends AlertBuilderParts,
    Pick<SendingParts, 'onDelivered' | 'onSent'> {
  platform: Pick<
    Adapter,
    'name' | 'send' | 'msUntilSlot' | 'gap' | 'startSpacing' | 'health' | 'localeOf'
  >
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
  /** Milliseconds to wait for sends in progress on stop; 3,000 by default. */
  drainMs?: number
}

/** Maximum events in one message: each has a line, and a message of either platform has room for ten. */
const maxEvents = 10
/** Maximum concurrent sends. */
const maxConcurrent = 16
/** A claim that could not be sent within this time is given back, well before it counts as lost. */
const maxHeldMs = 5000
/** Maximum sleep: another process may make something due, for instance when somebody ends the quiet hours of a chat. */
const maxSleepMs = 1000
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
  readonly #builder: AlertBuilder
  readonly #health: SendHealth
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
    this.#builder = new AlertBuilder(parts)
    this.#elapsed = parts.elapsed ?? (() => performance.now())
    this.#health = parts.platform.health
  }

  /** Whether nothing waits to be sent, nothing is being sent, and the platform is reachable. */
  get isIdle(): boolean {
    return this.#isIdle && this.#inFlight.size === 0 && !this.#health.isDown
  }

  /** Stops sending while a result can't be stored: a crash would resend it. */
  get #storeFault(): Error | undefined {
    return [...this.#inFlight.values()].find(({ unstored }) => unstored)?.unstored
  }

  /** Maximum concurrent sends; 1 while the platform is down, also for claims that were made before it went down. */
  get #maxInFlight(): number {
    return this.#health.isDown ? 1 : maxConcurrent
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
   * Starts no more sends, and waits for those in progress, `drainMs` at most. Sends that take longer, or whose results can't
   * be stored yet, continue on their own; another process may lead meanwhile.
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
        await sleep(backoff(faults, 200, maxFaultPauseMs), this.#stopping.signal)
      }
    }
  }

  async #poll(): Promise<void> {
    const fault = this.#storeFault
    if (fault) throw fault
    const { platform, outbox } = this.#parts
    const wait = this.#health.wait()
    const free = this.#maxInFlight - this.#inFlight.size
    if (wait > 0) return this.#sleep(Math.min(500, wait))
    if (free <= 0) return this.#sleep(maxSleepMs)
    this.#isWoken = false
    const claim = await outbox.claim(platform.name, maxEvents)
    if (claim === undefined) return this.#sleepUntilDue()
    this.#isIdle = false
    await this.#handle(claim)
  }

  /** Sends a claim's next message, or stores why not now; a claim that can't be handled is given back. */
  async #handle(claim: Claim): Promise<void> {
    const { outbox, platform } = this.#parts
    const claimedAt = this.#elapsed()
    try {
      if (claim.uncertain && !this.#health.mayRetryUncertain) {
        return await this.#deferUncertain(claim)
      }
      const alert = await this.#builder.next(claim)
      if (alert === undefined) return
      const spacing = platform.startSpacing - (this.#elapsed() - claimedAt)
      if (!(await this.#hasSlot())) return await outbox.release(claim)
      // Other work would hold up a quick answer, and a crash meanwhile has the message sent once more.
      await withTimeout(this.#send(alert), Math.max(1, spacing))
    } catch (error) {
      await outbox.release(claim)
      throw error
    }
  }

  /** Waits until the platform's limits allow one more message; false if they don't for some seconds, or on stop. */
  async #hasSlot(): Promise<boolean> {
    const { platform } = this.#parts
    const deadline = this.#elapsed() + maxHeldMs
    while (!this.#stopping.signal.aborted && this.#elapsed() < deadline) {
      if (this.#health.wait() > 0 || this.#storeFault) return false
      const ms = platform.msUntilSlot()
      if (ms === 0) return true
      await this.#sleep(Math.min(ms, maxSleepMs), false)
    }
    return false
  }

  /** An uncertain delivery has one retry left; don't spend it probing an outage. */
  #deferUncertain(claim: Claim): Promise<void> {
    const now = this.#parts.now()
    const runAt = Math.floor(now / 1000) + uncertainRecheckSeconds
    const reason = 'the platform can’t be reached'
    const retry = { kind: 'retry', runAt, reason, untried: true } as const
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

  #send(alert: ReadyAlert): Promise<void> {
    const { row } = alert.claim.chat
    const sending = new Sending({ ...this.#parts, ...alert, lines: this.#lines })
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
