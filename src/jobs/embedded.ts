import { backoff, retry, sleep, withTimeout } from '../core/task.ts'
import type { JobsTable, Store } from '../db/schema.ts'
import { deleteInBatches, inSlices } from '../db/sql.ts'
import {
  type Handler,
  type Job,
  type JobBacklog,
  jobId,
  maxConcurrent,
  maxCounted,
  type Queue,
  type QueueParts,
  queueDefaults,
  reasonOf,
  retention,
  type StuckJob,
} from './queue.ts'

interface EmbeddedQueueParts extends QueueParts {
  /** Unix seconds. */
  now: () => number
  /** Milliseconds after which an outcome that could not be stored is stored again; doubled each time. */
  storePauseMs?: number
}

/** Longest sleep: clocks jump. */
const maxSleepMs = 30_000
/** Milliseconds that jobs under way may take at a stop; the others run again after the next start. */
const drainMs = 3000
const maxStorePauseMs = 10_000
/** The failure in a row that is logged: another process, such as a backup, may hold the write lock for some seconds. */
const loggedStoreFailure = 7

type DueJob = Pick<JobsTable, 'key' | 'kind' | 'body' | 'failing_since_s'>

/** Changes to the row of a job after a run. */
interface Change {
  row: Partial<Pick<JobsTable, 'state' | 'body' | 'reason' | 'attempts' | 'failing_since_s'>>
  /** Unix seconds. */
  runAt?: number
}

/** A job that this process works on. */
interface Run {
  kind: string
  work: Promise<void>
  /** It is to run once more at once after this run. */
  runsAgain: boolean
}

/**
 * A job queue in the bot's own database, for a single process: what it works on is in memory, so that the jobs of a
 * killed process run again after the next start. A job that is done loses its body but keeps its row: its key keeps a
 * message from being sent a second time.
 */
export class EmbeddedQueue implements Queue {
  readonly #parts: Required<EmbeddedQueueParts>
  readonly #db: Store
  readonly #handlers = new Map<string, Handler>()
  /** By the jobs' keys. */
  readonly #runs = new Map<string, Run>()
  #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #running = false
  #polling: Promise<void> | undefined
  #pollAgain = false

  constructor(parts: EmbeddedQueueParts) {
    this.#parts = { ...queueDefaults, storePauseMs: 50, ...parts }
    this.#db = parts.store
  }

  async add({ key, kind, body, runAt }: Job): Promise<void> {
    const now = this.#parts.now()
    await this.#db
      .insertInto('jobs')
      .values({
        key,
        kind,
        body: JSON.stringify(body ?? null),
        state: 'waiting',
        run_at_s: runAt ?? now,
        attempts: 0,
        reason: null,
        failing_since_s: null,
        updated_at_s: now,
      })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    this.#wake()
  }

  async runNow({ key }: Pick<Job, 'key'>): Promise<void> {
    const run = this.#runs.get(key)
    if (run) run.runsAgain = true
    const now = this.#parts.now()
    await this.#db
      .updateTable('jobs')
      .set({ run_at_s: now })
      .where('key', '=', key)
      .where('state', '=', 'waiting')
      .where('run_at_s', '>', now)
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
    this.#stopping = new AbortController()
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#running = false
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#polling
    await withTimeout(Promise.all([...this.#runs.values()].map(({ work }) => work)), drainMs)
  }

  async backlog(): Promise<JobBacklog> {
    const now = this.#parts.now()
    const rows = this.#db
      .selectFrom('jobs')
      .select(['key', 'run_at_s', 'failing_since_s'])
      .where('state', '=', 'waiting')
      .orderBy('run_at_s')
      .limit(maxCounted)
      .as('waits')
    const counts = await this.#db
      .selectFrom(rows)
      .select((row) => {
        const own = [...this.#runs.keys()]
        const idle = own.length === 0 ? row.lit(true) : row('key', 'not in', own)
        const isFailing = row('failing_since_s', 'is not', null)
        const isDue = row.and([row('run_at_s', '<=', now), idle])
        const all = row.fn.countAll<number>()
        return [
          all.as('all'),
          all.filterWhere(isFailing).as('retrying'),
          all.filterWhere(row.or([isDue, isFailing])).as('due'),
          row.fn.min('run_at_s').filterWhere(isDue).as('first'),
          row.fn.min('failing_since_s').as('failing'),
        ]
      })
      .executeTakeFirstOrThrow()
    const { all, retrying, due, first, failing } = counts
    const oldest = Math.max(0, now - Math.min(first ?? now, failing ?? now))
    return { due, oldest, waiting: all - retrying, retrying }
  }

  async stuck(max: number): Promise<StuckJob[]> {
    const rows = await this.#db
      .selectFrom('jobs')
      .select(['key', 'kind', 'state', 'attempts', 'run_at_s', 'reason'])
      .where('state', '<>', 'done')
      .where('reason', 'is not', null)
      .orderBy('run_at_s')
      .limit(max)
      .execute()
    return rows.map(({ key, kind, state, attempts, run_at_s, reason }) => ({
      id: jobId(key),
      kind,
      state: state === 'given-up' ? state : 'waiting',
      failures: attempts,
      runAt: run_at_s,
      reason: reason ?? '',
    }))
  }

  retry(ids: readonly string[]): Promise<number> {
    const now = this.#parts.now()
    const anew = { attempts: 0, failing_since_s: null, run_at_s: now, updated_at_s: now }
    return this.#changeStuck(ids, { state: 'waiting', ...anew })
  }

  drop(ids: readonly string[]): Promise<number> {
    return this.#changeStuck(ids, { state: 'done', body: 'null', updated_at_s: this.#parts.now() })
  }

  async #changeStuck(ids: readonly string[], change: Partial<JobsTable>): Promise<number> {
    const stuck = () =>
      this.#db
        .selectFrom('jobs')
        .select('key')
        .where('state', '<>', 'done')
        .where('reason', 'is not', null)
    const wanted = new Set(ids)
    const rows = await stuck().execute()
    const keys = rows.map(({ key }) => key).filter((key) => wanted.has(jobId(key)))
    let count = 0
    await inSlices(async (limit) => {
      const slice = keys.splice(0, limit)
      if (slice.length === 0) return 0n
      const { numUpdatedRows } = await this.#db
        .updateTable('jobs')
        .set(change)
        .where('key', 'in', stuck().where('key', 'in', slice))
        .executeTakeFirstOrThrow()
      count += Number(numUpdatedRows)
      // Also if others have ended all of them meanwhile: the next are to follow.
      return BigInt(slice.length)
    })
    this.#wake()
    return count
  }

  prune(): Promise<number> {
    const old = this.#db
      .selectFrom('jobs')
      .select('key')
      .where('state', 'in', ['done', 'given-up'])
      .where('updated_at_s', '<', this.#parts.now() - retention)
    return deleteInBatches((limit) =>
      this.#db.deleteFrom('jobs').where('key', 'in', old.limit(limit)).executeTakeFirstOrThrow(),
    )
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
    let sleepMs = maxSleepMs
    try {
      for (const [kind, slots] of this.#freeSlots())
        for (const job of await this.#due(kind, slots)) this.#begin(job)
      sleepMs = await this.#untilNext()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the queue could not read its jobs')
      sleepMs = 1000
    }
    if (this.#running) this.#timer = setTimeout(() => this.#wake(), sleepMs)
  }

  /** The number of jobs of each kind that can still be started; kinds with no free slot are absent. */
  #freeSlots(): ReadonlyMap<string, number> {
    const runs = [...this.#runs.values()]
    const freeSlots = [...this.#handlers.keys()].map((kind) => {
      const taken = runs.filter((each) => each.kind === kind).length
      return [kind, maxConcurrent - taken] as const
    })
    return new Map(freeSlots.filter(([, left]) => left > 0))
  }

  /** Jobs that wait and are not worked on. */
  #waiting() {
    const own = [...this.#runs.keys()]
    return this.#db
      .selectFrom('jobs')
      .where('state', '=', 'waiting')
      .$if(own.length > 0, (rest) => rest.where('key', 'not in', own))
  }

  #due(kind: string, limit: number): Promise<DueJob[]> {
    return this.#waiting()
      .select(['key', 'kind', 'body', 'failing_since_s'])
      .where('run_at_s', '<=', this.#parts.now())
      .where('kind', '=', kind)
      .orderBy('run_at_s')
      .limit(limit)
      .execute()
  }

  /** Milliseconds until the next job is due. The end of a run wakes the queue anyway. */
  async #untilNext(): Promise<number> {
    const kinds = [...this.#freeSlots().keys()]
    if (kinds.length === 0) return maxSleepMs
    const next = await this.#waiting()
      .select('run_at_s')
      .where('kind', 'in', kinds)
      .orderBy('run_at_s')
      .limit(1)
      .executeTakeFirst()
    if (next === undefined) return maxSleepMs
    return Math.min(maxSleepMs, Math.max(0, (next.run_at_s - this.#parts.now()) * 1000))
  }

  #begin(job: DueJob): void {
    const work = this.#work(job).finally(() => {
      this.#runs.delete(job.key)
      this.#wake()
    })
    this.#runs.set(job.key, { kind: job.kind, work, runsAgain: false })
  }

  /** Runs a job and stores the outcome. Never rejects. */
  async #work(job: DueJob): Promise<void> {
    const attempts = await this.#countAttempt(job).catch((error: unknown) => {
      this.#parts.log.error(
        { err: error, job: jobId(job.key), kind: job.kind },
        'the queue could not begin a job',
      )
      return undefined
    })
    if (attempts === undefined) return sleep(maxStorePauseMs, this.#stopping.signal)
    const change = await this.#attempt(job, attempts)
    await this.#store(job.key, change)
  }

  /** Counts a run before it begins, so that a job which ends the process each time is given up, too. */
  async #countAttempt({ key }: DueJob): Promise<number | undefined> {
    const row = await this.#db
      .updateTable('jobs')
      .set((row) => ({ attempts: row('attempts', '+', 1), updated_at_s: this.#parts.now() }))
      .where('key', '=', key)
      .where('state', '=', 'waiting')
      .returning('attempts')
      .executeTakeFirst()
    return row?.attempts
  }

  async #attempt({ key, kind, body, failing_since_s }: DueJob, attempts: number): Promise<Change> {
    const { tries, pause, now, log } = this.#parts
    try {
      const handler = this.#handlers.get(kind)
      if (!handler) throw new Error(`nobody handles ${kind}`)
      const outcome = await handler(JSON.parse(body))
      if (outcome === 'done') {
        return { row: { state: 'done', body: 'null', reason: null, failing_since_s: null } }
      }
      return { row: { attempts: 0, reason: null, failing_since_s: null }, runAt: outcome.runAt }
    } catch (error) {
      const reason = reasonOf(error)
      const about = { err: error, job: jobId(key), kind, attempts }
      if (attempts >= tries) {
        log.error(about, 'a job was given up')
        this.#parts.onGivenUp()
        return { row: { state: 'given-up', reason } }
      }
      log.warn(about, 'a job failed and is tried again')
      const row = { reason, failing_since_s: failing_since_s ?? now() }
      return { row, runAt: now() + pause(attempts) }
    }
  }

  /** Retries until the outcome is stored or the process stops: otherwise the job would run again. */
  async #store(key: string, { row, runAt }: Change): Promise<void> {
    const { now, log, storePauseMs } = this.#parts
    const store = async () => {
      const updated_at_s = now()
      const run_at_s = this.#runs.get(key)?.runsAgain ? updated_at_s : runAt
      await this.#db
        .updateTable('jobs')
        .set({ ...row, ...(run_at_s !== undefined && { run_at_s }), updated_at_s })
        .where('key', '=', key)
        .execute()
    }
    await retry(store, {
      pause: (failures) => backoff(failures, storePauseMs, maxStorePauseMs),
      signal: this.#stopping.signal,
      onRetry: (err, failures) => {
        const text = 'what became of a job could not be stored'
        if (failures === loggedStoreFailure) log.error({ err, job: jobId(key) }, text)
      },
    }).catch(() => undefined)
  }
}
