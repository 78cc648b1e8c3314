import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../chat/platform.ts'
import { within } from '../../chat/within.ts'
import type { Claim } from '../../queue/outbox.ts'
import { type Message, Messages, type MessagesParts } from './message.ts'
import { Reach } from './reach.ts'
import { Sending, type SendingParts } from './sending.ts'

export interface DeliveryParts extends MessagesParts, Pick<SendingParts, 'onTold'> {
  platform: Pick<Platform, 'name' | 'send' | 'room' | 'gap' | 'state'>
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
const longestHeldMs = 5000
/** Clocks jump: no sleep is longer than this. */
const longestSleepMs = 5000
const shortestSleepMs = 20
/**
 * Milliseconds that the next send waits for the one before: where answers are quick, a crash finds one message under
 * way. Where they are slow this is still no less than either platform permits: 30 and 50 in a second.
 */
const spacing = { telegram: 30, discord: 15 } as const
/** How long sends under way are waited for at a stop. */
const drainMs = 3000
/** Milliseconds for storing, at the end of the process, that nobody waits for their answers any longer. */
const abandonMs = 500
const longestPauseMs = 10_000
/** Seconds until it is looked at again whether what may be there already can be sent once more. */
const uncertainPause = 60

/** Tells news on one platform, as fast as the platform permits and as it answers. It can be stopped and started again. */
export class Delivery {
  readonly #parts: DeliveryParts
  readonly #messages: Messages
  readonly #reach: Reach
  readonly #elapsed: () => number
  #stopping = new AbortController()
  /** By destination. */
  readonly #underWay = new Map<number, Sending>()
  #running: Promise<void> | undefined
  #wakeUp: (() => void) | undefined
  #isWoken = false
  #isIdle = false

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#messages = new Messages(parts)
    const { log, platform, elapsed = () => performance.now() } = parts
    this.#elapsed = elapsed
    this.#reach = new Reach({ platform: platform.name, log, now: elapsed })
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
    await within(Promise.all(sends.map(({ done }) => done)), drainMs)
  }

  /** After the stop, at the end of the process: nobody waits any longer for what is still under way. */
  async close(): Promise<void> {
    const left = [...this.#underWay.values()]
    await within(Promise.all(left.map((sending) => sending.abandon())), abandonMs)
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
        const pause = Math.min(longestPauseMs, 100 * 2 ** Math.min(10, faults))
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
    if (free <= 0) return this.#sleep(longestSleepMs)
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
    const runAt = Math.floor(now / 1000) + uncertainPause
    const reason = 'the platform can’t be reached'
    const later = { kind: 'later', runAt, reason, uncertain: true } as const
    return this.#parts.outbox.settle(claim, claim.news, later, now)
  }

  /** Until something is due. */
  async #rest(): Promise<void> {
    const { platform, outbox, now } = this.#parts
    const next = await outbox.nextAt(platform.name)
    const ms = next === undefined ? longestSleepMs : next - now()
    this.#isIdle = ms > 0
    await this.#sleep(Math.min(longestSleepMs, Math.max(shortestSleepMs, ms)))
  }

  async #tell(claims: readonly Claim[]): Promise<void> {
    const deadline = this.#elapsed() + longestHeldMs
    const left = claims.map((claim) => ({ claim, message: this.#messages.of(claim) }))
    for (const { message } of left) message.catch(() => undefined)
    try {
      for (let next = left[0]; next !== undefined; next = left[0]) {
        const message = await next.message
        if (message && !(await this.#hasPlace(deadline))) return
        left.shift()
        if (message) await within(this.#begin(message), spacing[this.#parts.platform.name])
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
      const ms = isFull ? 1000 : platform.room()
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
