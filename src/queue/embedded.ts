import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import type { JobsTable } from '../store/schema.ts'
import type { Handler, Job, Queue } from './queue.ts'

/** All but the first three are for tests, and for those who know better. */
export interface EmbeddedQueueParts {
  store: Store
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Jobs worked on at once. */
  most?: number
  /** Seconds after which a job whose worker died is taken up again; a living worker renews it. */
  lease?: number
  /** Tries until a job is given up. */
  tries?: number
  /** Seconds to wait after the nth failure. */
  pause?: (failures: number) => number
}

/** What a try changes in the row of its job. */
interface Change {
  row: Partial<Pick<JobsTable, 'state' | 'body' | 'reason' | 'attempts'>>
  runAt?: number
}

interface Claimed {
  key: string
  kind: string
  body: string
  run_at: number
  attempts: number
}

/** Other processes may add jobs to the same database, and clocks jump: no sleep is longer than this. */
const longestSleepMs = 30_000
const firstPause = 2
const longestPause = 600
const longestReason = 500

/**
 * Jobs in the bot's own database, worked on by the process itself. A claim is a lease, so that what a killed process
 * was at is taken up again when the lease has run out. A job that is done loses its body but keeps its row: its key is
 * what keeps a message from being sent a second time.
 */
export class EmbeddedQueue implements Queue {
  readonly #parts: Required<EmbeddedQueueParts>
  readonly #handlers = new Map<string, Handler>()
  readonly #underWay = new Map<string, Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #renewal: NodeJS.Timeout | undefined
  #running = false
  #looking: Promise<void> | undefined
  #lookAgain = false

  constructor(parts: EmbeddedQueueParts) {
    this.#parts = { most: 4, lease: 30, tries: 12, pause: doubling, ...parts }
  }

  async add({ key, kind, body, runAt }: Job): Promise<void> {
    const { store, now } = this.#parts
    await store
      .insertInto('jobs')
      .values({
        key,
        kind,
        body: JSON.stringify(body ?? null),
        state: 'waiting',
        run_at: runAt ?? now(),
        attempts: 0,
        leased_until: 0,
        reason: null,
        updated_at: now(),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    this.#wake()
  }

  async hasten(key: string): Promise<void> {
    const { store, now } = this.#parts
    await store
      .updateTable('jobs')
      .set({ run_at: now() })
      .where('key', '=', key)
      .where('state', '=', 'waiting')
      .where('run_at', '>', now())
      .execute()
    this.#wake()
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
    await Promise.all(this.#underWay.values())
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
    let sleepMs = longestSleepMs
    try {
      for (const job of await this.#claim()) this.#begin(job)
      sleepMs = await this.#untilNext()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the queue could not read its jobs')
      sleepMs = 1000
    }
    if (this.#running) this.#timer = setTimeout(() => this.#wake(), sleepMs)
  }

  async #claim(): Promise<Claimed[]> {
    const { store, now, lease, most } = this.#parts
    const room = most - this.#underWay.size
    const kinds = [...this.#handlers.keys()]
    if (room <= 0 || kinds.length === 0) return []
    const until = now() + lease
    const due = store
      .selectFrom('jobs')
      .select('key')
      .where('state', '=', 'waiting')
      .where('run_at', '<=', now())
      .where('leased_until', '<=', now())
      .where('kind', 'in', kinds)
      .orderBy('run_at')
      .limit(room)
    return store
      .updateTable('jobs')
      .set((row) => ({
        leased_until: until,
        // Whether somebody hastens it from now on can be told by this.
        run_at: until,
        attempts: row('attempts', '+', 1),
        updated_at: now(),
      }))
      .where('key', 'in', due)
      .where('leased_until', '<=', now())
      .returning(['key', 'kind', 'body', 'run_at', 'attempts'])
      .execute()
  }

  /** Milliseconds until the next job is due or its lease ends; with no room for one the next to end wakes the queue. */
  async #untilNext(): Promise<number> {
    const { store, now, most } = this.#parts
    const kinds = [...this.#handlers.keys()]
    if (this.#underWay.size >= most || kinds.length === 0) return longestSleepMs
    const next = await store
      .selectFrom('jobs')
      .select((row) =>
        row
          .case()
          .when('leased_until', '>', row.ref('run_at'))
          .then(row.ref('leased_until'))
          .else(row.ref('run_at'))
          .end()
          .as('at'),
      )
      .where('state', '=', 'waiting')
      .where('kind', 'in', kinds)
      .orderBy('at')
      .limit(1)
      .executeTakeFirst()
    return next ? Math.min(longestSleepMs, Math.max(0, (next.at - now()) * 1000)) : longestSleepMs
  }

  #begin(job: Claimed): void {
    const work = this.#work(job).finally(() => {
      this.#underWay.delete(job.key)
      this.#wake()
    })
    this.#underWay.set(job.key, work)
  }

  async #work(job: Claimed): Promise<void> {
    const { store, now, log } = this.#parts
    const change = await this.#attempt(job)
    try {
      await store
        .updateTable('jobs')
        .set((row) => ({
          ...change.row,
          leased_until: 0,
          updated_at: now(),
          // Somebody who hastened it while it was worked on wants it to run again at once.
          run_at: row
            .case()
            .when('run_at', '=', job.run_at)
            .then(change.runAt ?? job.run_at)
            .else(row.ref('run_at'))
            .end(),
        }))
        .where('key', '=', job.key)
        .where('attempts', '=', job.attempts)
        .execute()
    } catch (error) {
      // The lease runs out, and the job is taken up again.
      log.error({ err: error, job: job.key }, 'what became of a job could not be stored')
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
    const { store, now, lease, log } = this.#parts
    if (this.#underWay.size === 0) return
    try {
      await store
        .updateTable('jobs')
        .set({ leased_until: now() + lease })
        .where('key', 'in', [...this.#underWay.keys()])
        .where('state', '=', 'waiting')
        .execute()
    } catch (error) {
      log.error({ err: error }, 'the leases of jobs could not be renewed')
    }
  }
}

/** 2 s, 4 s, 8 s … up to ten minutes. */
function doubling(failures: number): number {
  return Math.min(longestPause, firstPause * 2 ** (failures - 1))
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, longestReason)
}
