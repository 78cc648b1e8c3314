import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { within } from '../chat/within.ts'
import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import type { Backlog } from './backlog.ts'
import { doubling, reasonOf, tries } from './faults.ts'
import type { Handler, Job, Queue } from './queue.ts'
import { type Change, type Claimed, JobRows } from './rows.ts'

/** All but the first three are for tests, and for those who know better. */
export interface EmbeddedQueueParts {
  store: Store
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Jobs of one kind worked on at once: a crowd of one kind keeps no other waiting. */
  most?: number
  /** Seconds after which a job whose worker died is taken up again; a living worker renews it. */
  lease?: number
  /** Tries until a job is given up. */
  tries?: number
  /** Seconds to wait after the nth failure. */
  pause?: (failures: number) => number
}

/** Other processes may add jobs to the same database, and clocks jump: no sleep is longer than this. */
const longestSleepMs = 30_000
/** Milliseconds that jobs under way may take at a stop; what they hold after that is taken up again later. */
const drainMs = 3000
/** Milliseconds between the tries to store what became of a job: somebody else may hold the write lock for a moment. */
const storePauses = [50, 100, 200, 400, 800, 1600]

/**
 * Jobs in the bot's own database, worked on by the process itself. A claim is a lease, so that what a killed process
 * was at is taken up again when the lease has run out. A job that is done loses its body but keeps its row: its key is
 * what keeps a message from being sent a second time.
 */
export class EmbeddedQueue implements Queue {
  readonly #parts: Required<EmbeddedQueueParts>
  readonly #rows: JobRows
  readonly #handlers = new Map<string, Handler>()
  readonly #underWay = new Map<string, { kind: string; work: Promise<void> }>()
  /** What became of jobs and could not be stored: taken up again, they are not run a second time. */
  readonly #unstored = new LRUCache<string, { attempts: number; change: Change }>({ max: 10_000 })
  #timer: NodeJS.Timeout | undefined
  #renewal: NodeJS.Timeout | undefined
  #running = false
  #looking: Promise<void> | undefined
  #lookAgain = false

  constructor(parts: EmbeddedQueueParts) {
    this.#parts = { most: 4, lease: 30, tries, pause: doubling, ...parts }
    this.#rows = new JobRows(parts.store, parts.now)
  }

  async add(job: Job): Promise<void> {
    await this.#rows.add(job)
    this.#wake()
  }

  async hasten({ key }: Pick<Job, 'key'>): Promise<void> {
    await this.#rows.hasten(key)
    this.#wake()
  }

  prune(): Promise<number> {
    return this.#rows.prune()
  }

  backlog(): Promise<Backlog> {
    return this.#rows.backlog()
  }

  handle(kind: string, handler: Handler): void {
    this.#handlers.set(kind, handler)
    this.#wake()
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#renewal = setInterval(() => void this.#renew(), (this.#parts.lease * 1000) / 3)
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#running = false
    clearTimeout(this.#timer)
    await this.#looking
    const underWay = [...this.#underWay.values()].map(({ work }) => work)
    await within(Promise.all(underWay), drainMs)
    clearInterval(this.#renewal)
  }

  /** Looks for work; a call while it looks makes it look once more, so that nothing added meanwhile is overlooked. */
  #wake(): void {
    if (!this.#running) return
    if (this.#looking) {
      this.#lookAgain = true
      return
    }
    this.#lookAgain = false
    this.#looking = this.#look().finally(() => {
      this.#looking = undefined
      if (this.#lookAgain) this.#wake()
    })
  }

  async #look(): Promise<void> {
    clearTimeout(this.#timer)
    const { lease, now } = this.#parts
    let sleepMs = longestSleepMs
    try {
      await this.#rows.pullBack(lease)
      const own = [...this.#underWay.keys()]
      const claimed = await this.#rows.claim(this.#room(), now() + lease, own)
      for (const job of claimed) this.#begin(job)
      sleepMs = await this.#untilNext()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the queue could not read its jobs')
      sleepMs = 1000
    }
    if (this.#running) this.#timer = setTimeout(() => this.#wake(), sleepMs)
  }

  /** How many more jobs of each kind can be worked on; kinds with no room are absent. */
  #room(): ReadonlyMap<string, number> {
    const underWay = [...this.#underWay.values()]
    const room = [...this.#handlers.keys()].map((kind) => {
      const taken = underWay.filter((each) => each.kind === kind).length
      return [kind, this.#parts.most - taken] as const
    })
    return new Map(room.filter(([, left]) => left > 0))
  }

  /** Milliseconds until the next job is due, or the lease of another process ends. */
  async #untilNext(): Promise<number> {
    const kinds = [...this.#room().keys()]
    // One that ends wakes the queue.
    const own = [...this.#underWay.keys()]
    const next = kinds.length === 0 ? undefined : await this.#rows.nextAt(kinds, own)
    if (next === undefined) return longestSleepMs
    return Math.min(longestSleepMs, Math.max(0, (next - this.#parts.now()) * 1000))
  }

  #begin(job: Claimed): void {
    const work = this.#work(job).finally(() => {
      this.#underWay.delete(job.key)
      this.#wake()
    })
    this.#underWay.set(job.key, { kind: job.kind, work })
  }

  async #work(job: Claimed): Promise<void> {
    const before = this.#unstored.get(job.key)
    // Somebody else may have worked on it in between.
    const known = before?.attempts === job.attempts - 1 ? before.change : undefined
    await this.#store(job, known ?? (await this.#attempt(job)))
  }

  async #store(job: Claimed, change: Change): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        await this.#rows.finish(job, change)
        this.#unstored.delete(job.key)
        return
      } catch (error) {
        const pause = storePauses[tries]
        if (pause === undefined) {
          // The lease runs out, and the job is taken up again.
          this.#unstored.set(job.key, { attempts: job.attempts, change })
          this.#parts.log.error(
            { err: error, job: job.key },
            'what became of a job could not be stored',
          )
          return
        }
        await delay(pause)
      }
    }
  }

  async #attempt(job: Claimed): Promise<Change> {
    const { tries, pause, now, log } = this.#parts
    try {
      const handler = this.#handlers.get(job.kind)
      if (!handler) throw new Error(`nobody handles ${job.kind}`)
      const outcome = await handler(JSON.parse(job.body))
      if (outcome === 'done') return { row: { state: 'done', body: 'null', reason: null } }
      return { row: { attempts: 0, reason: null }, runAt: outcome.again }
    } catch (error) {
      const reason = reasonOf(error)
      const about = { err: error, job: job.key, attempts: job.attempts }
      if (job.attempts >= tries) {
        log.error(about, 'a job was given up')
        return { row: { state: 'given-up', reason } }
      }
      log.warn(about, 'a job failed and is tried again')
      return { row: { reason }, runAt: now() + pause(job.attempts) }
    }
  }

  async #renew(): Promise<void> {
    const { now, lease, log } = this.#parts
    if (this.#underWay.size === 0) return
    try {
      await this.#rows.renew([...this.#underWay.keys()], now() + lease)
    } catch (error) {
      log.error({ err: error }, 'the leases of jobs could not be renewed')
    }
  }
}
