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
  remembered,
  tries,
} from './queue.ts'

/** All but the first three are for tests, and for those who know better. */
interface EmbeddedQueueParts {
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
const maxSleepMs = 30_000
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
    await withTimeout(Promise.all(underWay), drainMs)
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
    let sleepMs = maxSleepMs
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

/** What a try changes in the row of its job. */
interface Change {
  row: Partial<Pick<JobsTable, 'state' | 'body' | 'reason' | 'attempts'>>
  /** Unix seconds. */
  runAt?: number
}

type Claimed = Pick<JobsTable, 'key' | 'kind' | 'body' | 'run_at' | 'attempts'>

/** The rows of jobs, and what is asked of them. Several processes may share them. */
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
   * Makes due what was last written by a clock that ran ahead and was put right: nobody can say when it was meant to
   * run. Whoever works on such a job has a lease of the usual length from now on.
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
   * Takes jobs that are due, of each kind as many as there is room for, until `until` (unix seconds). None of `except`:
   * what the process itself works on is not to be taken twice, also where its lease could not be renewed.
   */
  async claim(
    room: ReadonlyMap<string, number>,
    until: number,
    except: readonly string[],
  ): Promise<Claimed[]> {
    const now = this.#now()
    const due: string[] = []
    for (const [kind, most] of room) due.push(...(await this.#due(kind, most, except)))
    if (due.length === 0) return []
    return this.#store
      .updateTable('jobs')
      .set((row) => ({
        leased_until: until,
        // Whether somebody hastens it from now on can be told by this.
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

  async #due(kind: string, most: number, except: readonly string[]): Promise<string[]> {
    const rows = await this.#store
      .selectFrom('jobs')
      .select('key')
      .where('state', '=', 'waiting')
      .where('run_at', '<=', this.#now())
      .where('leased_until', '<=', this.#now())
      .where('kind', '=', kind)
      .$if(except.length > 0, (rest) => rest.where('key', 'not in', except))
      .orderBy('run_at')
      .limit(most)
      .execute()
    return rows.map(({ key }) => key)
  }

  /** When (unix seconds) the next job of these kinds, and none of `except`, is due or its lease ends. */
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

  /** What is due; a job that somebody works on is due at the end of its lease. */
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

  /** Stores what became of a job, where nobody else has taken it since. */
  async finish(job: Claimed, change: Change): Promise<void> {
    await this.#store
      .updateTable('jobs')
      .set((row) => ({
        ...change.row,
        leased_until: 0,
        updated_at: this.#now(),
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
  }

  async renew(keys: readonly string[], until: number): Promise<void> {
    await this.#store
      .updateTable('jobs')
      .set({ leased_until: until })
      .where('key', 'in', keys)
      .where('state', '=', 'waiting')
      .execute()
  }

  /** Forgets jobs that ended long ago; returns how many. */
  async prune(): Promise<number> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('jobs')
      .where('state', 'in', ['done', 'given-up'])
      .where('updated_at', '<', this.#now() - remembered)
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}
