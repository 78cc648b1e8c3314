import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { retry, sleep } from '../core/task.ts'
import { reason } from '../db/database.ts'
import type { JobsTable, Store } from '../db/schema.ts'
import { lockInTransaction } from '../db/sql.ts'
import { type Logger, OutageLog } from '../log.ts'
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

export interface PgBossQueueParts extends QueueParts {
  /** URL of the database that `store` is a connection to. */
  url: string
  /** Milliseconds that a query may take before its connection is dropped. */
  maxAnswer?: number
}

/** Seconds without a heartbeat after which a replica counts as dead, and others run its jobs. */
const heartbeat = 30
const superviseEvery = 10
/** Maximum seconds that a job may wait; no job is postponed for longer than the weeks that a launch is watched. */
const maxWait = 400 * 86_400
/** Maximum seconds that a job may run. */
const maxRun = 3600
/** Minimum seconds for which an ended job that was moved here is retained. */
const minRetention = 86_400
/** Retry limit that is never reached: pg-boss counts every run, while failures are counted in the job's data. */
const noRetryLimit = 1_000_000
const connections = 4
/** Seconds between two polls of a worker. It is notified of jobs that are due at once; postponed ones it finds by polling. */
const pollEvery = 2
/** Jobs that a worker claims at once; after a full batch it polls again without a pause. */
const batchSize = 2
/** Default in milliseconds, far longer than any query takes: the connection is dead then. */
const maxAnswer = 65_000
/** Queue of marks for jobs that are to run once more at once after their run. The name is stored: databases have that queue. */
const reruns = 'reruns'

/** Stored data of a job. The body is a JSON text, since PostgreSQL's jsonb can't hold U+0000. */
const dataSchema = z.object({
  body: z.string(),
  failures: z.number(),
  /** Unix seconds of the first of these failures. */
  since: z.number().optional(),
})

/** In the order of an index of pg-boss, so that jobs which are not due yet don't slow it down. */
const backlogQuery = `
  select
    count(*) filter (where failures = 0)::int as waiting,
    count(*) filter (where failures > 0)::int as retrying,
    count(*) filter (where is_due or failures > 0)::int as due,
    coalesce(max(extract(epoch from now()) - case
      when failures > 0 then coalesce(since, extract(epoch from now()))
      when is_due then extract(epoch from start_after)
    end), 0)::float as oldest
  from (
    select
      start_after,
      start_after <= now() as is_due,
      coalesce((data->>'failures')::int, 0) as failures,
      (data->>'since')::float as since
    from pgboss.job
    where name = $1 and state < 'active' and not blocked
    order by priority desc, created_on limit ${maxCounted}
  ) as waits`
const backlogSchema = z.object({
  due: z.number(),
  oldest: z.number(),
  waiting: z.number(),
  retrying: z.number(),
})

const isStuck = `name <> '${reruns}'
    and (state = 'failed' or (state < 'active' and coalesce((data->>'failures')::int, 0) > 0))`
const stuckQuery = `
  select id::text as id, name as kind, state::text as state,
    coalesce((data->>'failures')::int, 0) as failures,
    floor(extract(epoch from start_after))::float as "runAt", coalesce(output->>'reason', '') as reason
  from pgboss.job where ${isStuck} order by start_after limit $1`
const stuckSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.string(),
    state: z.string(),
    failures: z.number(),
    runAt: z.number(),
    reason: z.string(),
  }),
)
const stuckBodyQuery = `
  select name as kind, state::text as state, data->>'body' as body
  from pgboss.job where id = $1 and ${isStuck} for update`
const stuckBodySchema = z.array(z.object({ kind: z.string(), state: z.string(), body: z.string() }))

type Claimed = JobWithMetadata<unknown>

type StuckChange = (
  id: string,
  job: { kind: string; body: string },
  db: ReturnType<typeof fromKysely>,
) => Promise<void>

/**
 * A job queue in PostgreSQL, shared by all replicas: pg-boss claims jobs, takes over those of dead replicas, and deletes
 * old ones. A job's id derives from its key, so that each key exists once.
 */
export class PgBossQueue implements Queue {
  readonly #parts: Required<PgBossQueueParts>
  readonly #boss: PgBoss
  readonly #outage: QueueOutage
  readonly #prepared = new Map<string, Promise<void>>()
  readonly #handlers = new Map<string, Handler>()
  #running = false

  private constructor(parts: Required<PgBossQueueParts>) {
    this.#parts = parts
    // An option of `pg`, which pg-boss passes on but does not declare.
    const undeclared = { query_timeout: parts.maxAnswer }
    this.#boss = new PgBoss({
      connectionString: parts.url,
      max: connections,
      application_name: 'gavel jobs',
      ...undeclared,
      schedule: false,
      useListenNotify: true,
      superviseIntervalSeconds: superviseEvery,
      monitorIntervalSeconds: superviseEvery,
    })
    const probe = () => this.#boss.getDb().executeSql('select 1')
    this.#outage = new QueueOutage({ ask: probe, log: parts.log })
    this.#boss.on('error', (error) => this.#outage.failed(error))
  }

  /** Connects, and migrates pg-boss's own tables. */
  static async open(parts: PgBossQueueParts): Promise<PgBossQueue> {
    const queue = new PgBossQueue({ ...queueDefaults, maxAnswer, ...parts })
    await queue.#boss.start()
    return queue
  }

  async add({ key, kind, body, runAt }: Job): Promise<void> {
    await this.#prepare(kind)
    const data = { body: JSON.stringify(body ?? null), failures: 0 }
    const startAfter = runAt === undefined ? {} : { startAfter: dateOf(runAt) }
    await this.#boss.send(kind, data, { id: jobId(key), ...startAfter })
  }

  /**
   * Adds jobs of one kind from an embedded queue, in the caller's transaction. Waiting jobs keep their times, and the keys
   * of ended ones are retained for as long as they would have been.
   */
  async takeOver(tx: Store, kind: string, jobs: readonly JobsTable[]): Promise<void> {
    await this.#prepare(kind)
    const now = Date.now() / 1000
    const db = fromKysely(tx)
    const added = jobs.map(
      ({ key, state, body, attempts, failing_since_s, run_at_s, updated_at_s }) => ({
        id: jobId(key),
        data: {
          body,
          failures: attempts,
          ...(failing_since_s !== null && { since: failing_since_s }),
        },
        startAfter: dateOf(Math.min(run_at_s, now + maxWait)),
        retryLimit: state === 'waiting' ? noRetryLimit : 0,
        deleteAfterSeconds: Math.ceil(
          Math.min(retention, Math.max(minRetention, updated_at_s + retention - now)),
        ),
      }),
    )
    await this.#boss.insert(kind, added, { db })
    const done = jobs.filter(({ state }) => state === 'done').map(({ key }) => jobId(key))
    if (done.length > 0) await this.#boss.complete(kind, done, null, { includeQueued: true, db })
    for (const { key, reason } of jobs.filter(({ state }) => state === 'given-up')) {
      const output = { reason: (reason ?? '').replaceAll('\0', '\uFFFD') }
      await this.#boss.fail(kind, jobId(key), output, { db })
    }
  }

  movedAs({ key, kind, state, body, attempts }: JobsTable): string[] {
    return [jobId(key), kind, states[state], body, String(attempts)]
  }

  /** A job that is running can't be changed: a mark makes it run once more after its end. */
  async runNow({ key, kind }: Pick<Job, 'key' | 'kind'>): Promise<void> {
    await this.#prepare(kind)
    await this.#prepare(reruns)
    const id = jobId(key)
    await this.#parts.store.transaction().execute(async (tx) => {
      await lockInTransaction(tx, id)
      const db = fromKysely(tx)
      const { updated } = await this.#boss.update(kind, undefined, {
        id,
        startAfter: new Date(),
        db,
      })
      if (updated === 0) await this.#boss.send(reruns, null, { id, db })
    })
  }

  handle(kind: string, handler: Handler): void {
    this.#handlers.set(kind, handler)
    if (this.#running) void this.#work(kind)
  }

  async stuck(max: number): Promise<StuckJob[]> {
    const { rows } = await this.#boss.getDb().executeSql(stuckQuery, [max])
    return stuckSchema
      .parse(rows)
      .map(({ state, ...job }) => ({ ...job, state: state === 'failed' ? 'given-up' : 'waiting' }))
  }

  retry(ids: readonly string[]): Promise<number> {
    return this.#changeStuck(ids, async (id, { kind, body }, db) => {
      const data = { body, failures: 0 }
      await this.#boss.update(kind, data, { id, startAfter: new Date(), db })
    })
  }

  drop(ids: readonly string[]): Promise<number> {
    return this.#changeStuck(ids, async (id, { kind }, db) => {
      await this.#boss.complete(kind, [id], null, { includeQueued: true, db })
    })
  }

  async #changeStuck(ids: readonly string[], change: StuckChange): Promise<number> {
    let count = 0
    for (const id of ids) if (await this.#changeStuckOne(id, change)) count += 1
    return count
  }

  async #changeStuckOne(id: string, change: StuckChange): Promise<boolean> {
    if (!z.uuid().safeParse(id).success) return false
    return this.#parts.store.transaction().execute(async (tx) => {
      await lockInTransaction(tx, id)
      const db = fromKysely(tx)
      const { rows } = await db.executeSql(stuckBodyQuery, [id])
      const [job] = stuckBodySchema.parse(rows)
      if (!job) return false
      // One that was given up waits again first.
      if (job.state === 'failed') await this.#boss.retry(job.kind, id, { db })
      await change(id, job, db)
      return true
    })
  }

  /** pg-boss deletes old jobs by itself. */
  prune(): Promise<number> {
    return Promise.resolve(0)
  }

  async backlog(): Promise<JobBacklog> {
    const kinds = [...this.#handlers.keys()]
    const each = await Promise.all(kinds.map((kind) => this.#backlogOf(kind)))
    const sum = (of: (backlog: JobBacklog) => number) => each.map(of).reduce((a, b) => a + b, 0)
    return {
      due: sum(({ due }) => due),
      oldest: Math.max(0, ...each.map(({ oldest }) => oldest)),
      waiting: sum(({ waiting }) => waiting),
      retrying: sum(({ retrying }) => retrying),
    }
  }

  async #backlogOf(kind: string): Promise<JobBacklog> {
    const { rows } = await this.#boss.getDb().executeSql(backlogQuery, [kind])
    return backlogSchema.parse(rows[0])
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    for (const kind of this.#handlers.keys()) void this.#work(kind)
  }

  /**
   * Resolves once all jobs under way have ended, up to `maxRun`: with a shorter timeout, pg-boss would release them while
   * they run. If the process exits before, other replicas run its jobs once its heartbeat is missed.
   */
  async stop(): Promise<void> {
    this.#running = false
    this.#outage.stop()
    await this.#boss.stop({ graceful: true, timeout: maxRun * 1000 })
  }

  async #work(kind: string): Promise<void> {
    try {
      await this.#prepare(kind)
      const options = {
        localConcurrency: maxConcurrent / batchSize,
        batchSize,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: pollEvery,
        notifyPollingIntervalSeconds: pollEvery,
        includeMetadata: true,
        perJobResults: true,
      } as const
      await this.#boss.work<unknown, never, typeof options>(kind, options, async (jobs) => {
        return Promise.all(jobs.map((job) => this.#run(kind, job)))
      })
    } catch (error) {
      this.#parts.log.error({ err: error, kind }, 'jobs of a kind can’t be worked on')
    }
  }

  /** Runs a job. Reports a postponed job as completed, which pg-boss then ignores, since the job is not active any more. */
  async #run(kind: string, job: Claimed): Promise<JobResult> {
    const { tries, pause, log } = this.#parts
    const { body, failures, since } = dataSchema.parse(job.data)
    const completed = { id: job.id, status: 'completed' } as const
    try {
      const handler = this.#handlers.get(kind)
      if (!handler) throw new Error(`nobody handles ${kind}`)
      const outcome = await handler(JSON.parse(body))
      if (outcome === 'done') return completed
      await this.#postpone(kind, job, { body, failures: 0 }, dateOf(outcome.runAt))
      return completed
    } catch (error) {
      const failed = failures + 1
      const about = { err: error, job: job.id, kind, attempts: failed }
      const output = { reason: reasonOf(error).replaceAll('\0', '\uFFFD') }
      if (failed >= tries) {
        log.error(about, 'a job was given up')
        this.#parts.onGivenUp()
        return { id: job.id, status: 'deadletter', output }
      }
      log.warn(about, 'a job failed and is tried again')
      const at = new Date(Date.now() + pause(failed) * 1000)
      const data = { body, failures: failed, since: since ?? Math.floor(Date.now() / 1000) }
      await this.#postpone(kind, job, data, at, output)
      return completed
    }
  }

  async #postpone(
    kind: string,
    { id, retryCount }: Claimed,
    data: z.output<typeof dataSchema>,
    at: Date,
    output?: { reason: string },
  ): Promise<void> {
    await this.#prepare(reruns)
    await this.#parts.store.transaction().execute(async (tx) => {
      await lockInTransaction(tx, id)
      const db = fromKysely(tx)
      const runsAgain = (await this.#boss.getJobById(reruns, id, { db })) !== null
      if (runsAgain) await this.#boss.deleteJob(reruns, id, { db })
      await this.#boss.fail(kind, { id, retryCount }, output ?? null, { db })
      const startAfter = runsAgain ? new Date() : at
      await this.#boss.update(kind, data, { id, startAfter, db })
    })
  }

  #prepare(kind: string): Promise<void> {
    const started = this.#prepared.get(kind)
    if (started) return started
    const prepared = this.#boss.createQueue(kind, {
      notify: true,
      retryLimit: noRetryLimit,
      expireInSeconds: maxRun,
      heartbeatSeconds: heartbeat,
      retentionSeconds: maxWait,
      deleteAfterSeconds: retention,
    })
    this.#prepared.set(kind, prepared)
    prepared.catch(() => this.#prepared.delete(kind))
    return prepared
  }
}

function dateOf(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000)
}

/** pg-boss's states by those of the embedded queue. */
const states = { waiting: 'created', done: 'completed', 'given-up': 'failed' } as const

interface QueueOutageParts {
  /** Rejects while the database can't be reached. */
  ask: () => Promise<unknown>
  log: Logger
  /** Milliseconds between two probes. */
  askEvery?: number
}

/** Logs an outage of the queue's database. pg-boss reports errors alone, so the end is found by probes. */
export class QueueOutage {
  readonly #parts: Required<QueueOutageParts>
  readonly #outage: OutageLog
  readonly #stopping = new AbortController()

  constructor(parts: QueueOutageParts) {
    this.#parts = { askEvery: 2000, ...parts }
    const { log } = parts
    this.#outage = new OutageLog({
      begins: (error) => log.error({ reason: reason(error) }, 'the queue can’t reach its jobs'),
      ends: () => log.info('the queue reaches its jobs again'),
    })
  }

  /** Called for each error of the queue. */
  failed(error: Error): void {
    this.#parts.log.debug({ err: error }, 'the queue met an error')
    if (!this.#stopping.signal.aborted && this.#outage.failed(error)) void this.#noteEnd()
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #noteEnd(): Promise<void> {
    const { ask, askEvery } = this.#parts
    const { signal } = this.#stopping
    await sleep(askEvery, signal)
    if (signal.aborted) return
    await retry(ask, { pause: () => askEvery, signal }).then(
      () => this.#outage.worked(),
      // It was stopped.
      () => undefined,
    )
  }
}
