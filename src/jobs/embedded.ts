import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { withTimeout } from '../core/retry.ts'
import type { JobsTable, Store } from '../db/schema.ts'
import { tolerance } from '../db/sql.ts'
import type { Logger } from '../log.ts'
import {
  type Backlog,
  doubling,
  type Handler,
  type Job,
  maxCounted,
  type Queue,
  reasonOf,
  retention,
  tries,
} from './queue.ts'

/** All but the first three have defaults. */
interface EmbeddedQueueParts {
  store: Store
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Maximum jobs of one kind worked on at once, so that no kind holds up another. */
  maxConcurrent?: number
  /** Seconds after which the job of a process that died is taken over; a running process renews its leases. */
  lease?: number
  /** Failures after which a job is given up. */
  tries?: number
  /** Seconds to wait after the nth failure. */
  pause?: (failures: number) => number
}

/** Longest sleep: other processes may add jobs to the same database, and clocks jump. */
const maxSleepMs = 30_000
/** Milliseconds that jobs under way may take at a stop; the others run again when their leases end. */
const drainMs = 3000
/** Milliseconds between the tries to store the outcome of a job: another process may hold the write lock for a moment. */
const storePauses = [50, 100, 200, 400, 800, 1600]

/**
 * A job queue in the bot's own database, worked on by this process. A claim is a lease, so that the jobs of a killed
 * process run again when it ends. A job that is done loses its body but keeps its row: its key keeps a message from being
 * sent a second time.
 */
export class EmbeddedQueue implements Queue {
  readonly #parts: Required<EmbeddedQueueParts>
  readonly #rows: JobRows
  readonly #handlers = new Map<string, Handler>()
  readonly #underWay = new Map<string, { kind: string; work: Promise<void> }>()
  /** Outcomes that could not be stored: when these jobs are claimed again, they are not run a second time. */
  readonly #unstored = new LRUCache<string, { attempts: number; change: Change }>({ max: 10_000 })
  #timer: NodeJS.Timeout | undefined
  #renewal: NodeJS.Timeout | undefined
  #running = false
  #polling: Promise<void> | undefined
  #pollAgain = false

  constructor(parts: EmbeddedQueueParts) {
    this.#parts = { maxConcurrent: 4, lease: 30, tries, pause: doubling, ...parts }
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
    await this.#polling
    const underWay = [...this.#underWay.values()].map(({ work }) => work)
    await withTimeout(Promise.all(underWay), drainMs)
    clearInterval(this.#renewal)
  }

  /** Polls for jobs. A call during a poll makes it poll once more, so that no job added meanwhile is missed. */
  #wake(): void {
    if (!this.#running) return
    if (this.#polling) {
      this.#pollAgain = true
      return
    }
    this.#pollAgain = false
    this.#polling = this.#poll().finally(() => {
      this.#polling = undefined
      if (this.#pollAgain) this.#wake()
    })
  }

  async #poll(): Promise<void> {
    clearTimeout(this.#timer)
    const { lease, now } = this.#parts
    let sleepMs = maxSleepMs
    try {
      await this.#rows.pullBack(lease)
      const own = [...this.#underWay.keys()]
      const claimed = await this.#rows.claim(this.#freeSlots(), now() + lease, own)
      for (const job of claimed) this.#begin(job)
      sleepMs = await this.#untilNext()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the queue could not read its jobs')
      sleepMs = 1000
    }
    if (this.#running) this.#timer = setTimeout(() => this.#wake(), sleepMs)
  }

  /** How many more jobs of each kind can be worked on; kinds with no free slot are absent. */
  #freeSlots(): ReadonlyMap<string, number> {
    const underWay = [...this.#underWay.values()]
    const freeSlots = [...this.#handlers.keys()].map((kind) => {
      const taken = underWay.filter((each) => each.kind === kind).length
      return [kind, this.#parts.maxConcurrent - taken] as const
    })
    return new Map(freeSlots.filter(([, left]) => left > 0))
  }

  /** Milliseconds until the next job is due, or the lease of another process ends. */
  async #untilNext(): Promise<number> {
    const kinds = [...this.#freeSlots().keys()]
    // The end of a job of our own wakes the queue.
    const own = [...this.#underWay.keys()]
    const next = kinds.length === 0 ? undefined : await this.#rows.nextAt(kinds, own)
    if (next === undefined) return maxSleepMs
    return Math.min(maxSleepMs, Math.max(0, (next - this.#parts.now()) * 1000))
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
    // Another process may have worked on it in between.
    const unstored = before?.attempts === job.attempts - 1 ? before.change : undefined
    await this.#store(job, unstored ?? (await this.#attempt(job)))
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
          // The lease runs out, and the job is claimed again.
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

/** Changes to the row of a job after a try. */
interface Change {
  row: Partial<Pick<JobsTable, 'state' | 'body' | 'reason' | 'attempts'>>
  /** Unix seconds. */
  runAt?: number
}

type Claimed = Pick<JobsTable, 'key' | 'kind' | 'body' | 'run_at' | 'attempts'>

/** Queries on the table of jobs, which several processes may share. */
class JobRows {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  async add({ key, kind, body, runAt }: Job): Promise<void> {
    await this.#store
      .insertInto('jobs')
      .values({
        key,
        kind,
        body: JSON.stringify(body ?? null),
        state: 'waiting',
        run_at: runAt ?? this.#now(),
        attempts: 0,
        leased_until: 0,
        reason: null,
        updated_at: this.#now(),
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
  }

  async hasten(key: string): Promise<void> {
    await this.#store
      .updateTable('jobs')
      .set({ run_at: this.#now() })
      .where('key', '=', key)
      .where('state', '=', 'waiting')
      .where('run_at', '>', this.#now())
      .execute()
  }

  /**
   * Makes jobs due that were last written by a clock which was ahead and has been corrected: when they were meant to run is
   * not known. If a process works on such a job, its lease ends at most `lease` seconds from now.
   */
  async pullBack(lease: number): Promise<void> {
    const now = this.#now()
    const ahead = await this.#store
      .selectFrom('jobs')
      .select('key')
      .where('state', '=', 'waiting')
      .where('updated_at', '>', now + tolerance)
      .limit(1)
      .executeTakeFirst()
    if (ahead === undefined) return
    await this.#store
      .updateTable('jobs')
      .set((row) => ({
        run_at: now,
        leased_until: row
          .case()
          .when('leased_until', '>', now + lease)
          .then(now + lease)
          .else(row.ref('leased_until'))
          .end(),
        updated_at: now,
      }))
      .where('state', '=', 'waiting')
      .where('updated_at', '>', now + tolerance)
      .execute()
  }

  /**
   * Claims due jobs, up to the free slots of each kind, until `until` (unix seconds). None of `except`: the process must
   * not claim a job twice that it works on, even if the lease could not be renewed.
   */
  async claim(
    freeSlots: ReadonlyMap<string, number>,
    until: number,
    except: readonly string[],
  ): Promise<Claimed[]> {
    const now = this.#now()
    const due: string[] = []
    for (const [kind, slots] of freeSlots) due.push(...(await this.#due(kind, slots, except)))
    if (due.length === 0) return []
    return this.#store
      .updateTable('jobs')
      .set((row) => ({
        leased_until: until,
        // `finish` sees by a changed `run_at` that the job was hastened meanwhile.
        run_at: until,
        attempts: row('attempts', '+', 1),
        updated_at: now,
      }))
      .where('key', 'in', due)
      .where('state', '=', 'waiting')
      .where('run_at', '<=', now)
      .where('leased_until', '<=', now)
      .returning(['key', 'kind', 'body', 'run_at', 'attempts'])
      .execute()
  }

  async #due(kind: string, limit: number, except: readonly string[]): Promise<string[]> {
    const rows = await this.#store
      .selectFrom('jobs')
      .select('key')
      .where('state', '=', 'waiting')
      .where('run_at', '<=', this.#now())
      .where('leased_until', '<=', this.#now())
      .where('kind', '=', kind)
      .$if(except.length > 0, (rest) => rest.where('key', 'not in', except))
      .orderBy('run_at')
      .limit(limit)
      .execute()
    return rows.map(({ key }) => key)
  }

  /** Unix seconds at which the next job of these kinds, except `except`, is due or its lease ends. */
  async nextAt(kinds: readonly string[], except: readonly string[]): Promise<number | undefined> {
    const next = await this.#store
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
      .$if(except.length > 0, (rest) => rest.where('key', 'not in', except))
      .orderBy('at')
      .limit(1)
      .executeTakeFirst()
    return next?.at
  }

  /** Counts due jobs; a job under way counts as due at the end of its lease. */
  async backlog(): Promise<Backlog> {
    const now = this.#now()
    const { due, first } = await this.#store
      .selectFrom((from) =>
        from
          .selectFrom('jobs')
          .select('run_at')
          .where('state', '=', 'waiting')
          .where('run_at', '<=', now)
          .orderBy('run_at')
          .limit(maxCounted)
          .as('waits'),
      )
      .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('run_at').as('first')])
      .executeTakeFirstOrThrow()
    return { due, oldest: due === 0 ? 0 : now - first }
  }

  /** Stores the outcome of a job, unless another process has claimed it since. */
  async finish(job: Claimed, change: Change): Promise<void> {
    await this.#store
      .updateTable('jobs')
      .set((row) => ({
        ...change.row,
        leased_until: 0,
        updated_at: this.#now(),
        // If it was hastened while it ran, it runs again at once.
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
  }

  async renew(keys: readonly string[], until: number): Promise<void> {
    await this.#store
      .updateTable('jobs')
      .set({ leased_until: until })
      .where('key', 'in', keys)
      .where('state', '=', 'waiting')
      .execute()
  }

  /** Deletes jobs that ended more than 90 days ago; returns how many. */
  async prune(): Promise<number> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('jobs')
      .where('state', 'in', ['done', 'given-up'])
      .where('updated_at', '<', this.#now() - retention)
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}
