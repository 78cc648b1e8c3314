import { createHash } from 'node:crypto'
import { fromKysely, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import { z } from 'zod'
import { reason } from '../db/database.ts'
import type { JobsTable, Store } from '../db/schema.ts'
import { lockInTransaction } from '../db/sql.ts'
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

/** All but the first three are for tests. */
export interface PgBossQueueParts {
  /** Of the database that `store` is a connection to. */
  url: string
  store: Store
  log: Logger
  /** Jobs of one kind worked on at once by one replica; an even number. */
  most?: number
  /** Tries until a job is given up. */
  tries?: number
  /** Seconds to wait after the nth failure. */
  pause?: (failures: number) => number
  /** Milliseconds; a connection on which an answer takes longer is given up. */
  maxAnswer?: number
}

/** Seconds after which a replica that gives no sign is dead, and its jobs are taken up by others. */
const heartbeat = 30
const lookForTheDeadEvery = 10
/** Seconds for which a job may wait or run; none is put off for longer than the weeks that a launch is watched. */
const maxWait = 400 * 86_400
const maxRun = 3600
/** Of what ended long ago and was not forgotten yet. */
const minMemory = 86_400
/** pg-boss counts every run as a try; which of them failed is counted in the job. */
const uncounted = 1_000_000
const connections = 4
/** Seconds between two looks of a worker. It is told of what is due at once; what was put off it finds by itself. */
const lookEvery = 2
/** Jobs that a worker takes at once: where it found so many it looks again without a pause. */
const together = 2
/** Milliseconds. Nothing takes nearly as long: the connection is dead where nothing told us so. */
const maxAnswer = 65_000
/** Jobs that were hastened while they ran. */
const hastened = 'hastened'

/** What is kept of a job: its body as JSON, since PostgreSQL's own has no U+0000. */
const kept = z.object({ body: z.string(), failures: z.number() })

/** As an index of pg-boss has them, so that many which are not due yet cost no more either. */
const waitsFor = `
  select count(*)::int as due, coalesce(max(extract(epoch from now() - start_after)), 0)::float as oldest
  from (
    select start_after from pgboss.job
    where name = $1 and state < 'active' and not blocked
    order by priority desc, created_on limit ${maxCounted}
  ) as waits
  where start_after <= now()`
const waits = z.tuple([z.object({ due: z.number(), oldest: z.number() })])

type Claimed = JobWithMetadata<unknown>

/**
 * Jobs in PostgreSQL, shared by all replicas: pg-boss claims them, takes them from replicas that died, and forgets what
 * ended long ago. A job's id follows from its key, so that a key is there once.
 */
export class PgBossQueue implements Queue {
  readonly #parts: Required<PgBossQueueParts>
  readonly #boss: PgBoss
  readonly #outage: Outage
  readonly #prepared = new Map<string, Promise<void>>()
  readonly #handlers = new Map<string, Handler>()
  #running = false

  private constructor(parts: Required<PgBossQueueParts>) {
    this.#parts = parts
    // Passed on to `pg`.
    const patience = { query_timeout: parts.maxAnswer }
    this.#boss = new PgBoss({
      connectionString: parts.url,
      max: connections,
      application_name: 'gavel jobs',
      ...patience,
      schedule: false,
      useListenNotify: true,
      superviseIntervalSeconds: lookForTheDeadEvery,
      monitorIntervalSeconds: lookForTheDeadEvery,
    })
    const ask = () => this.#boss.getDb().executeSql('select 1')
    this.#outage = new Outage({ ask, log: parts.log })
    this.#boss.on('error', (error) => this.#outage.failed(error))
  }

  /** Connects, and brings pg-boss's own tables up to date. */
  static async open(parts: PgBossQueueParts): Promise<PgBossQueue> {
    const queue = new PgBossQueue({ most: 4, tries, pause: doubling, maxAnswer, ...parts })
    await queue.#boss.start()
    return queue
  }

  async add({ key, kind, body, runAt }: Job): Promise<void> {
    await this.#prepare(kind)
    const data = { body: JSON.stringify(body ?? null), failures: 0 }
    const startAfter = runAt === undefined ? {} : { startAfter: dateOf(runAt) }
    await this.#boss.send(kind, data, { id: idOf(key), ...startAfter })
  }

  /**
   * Takes over jobs of one kind from the embedded queue, in the caller's transaction: what waits goes on at its time,
   * and the keys of what ended are remembered for as long as they would have been.
   */
  async takeOver(tx: Store, kind: string, jobs: readonly JobsTable[]): Promise<void> {
    await this.#prepare(kind)
    const now = Date.now() / 1000
    const db = fromKysely(tx)
    const added = jobs.map(({ key, state, body, attempts, run_at, updated_at }) => ({
      id: idOf(key),
      data: { body, failures: attempts },
      startAfter: dateOf(Math.min(run_at, now + maxWait)),
      retryLimit: state === 'waiting' ? uncounted : 0,
      deleteAfterSeconds: Math.ceil(
        Math.min(remembered, Math.max(minMemory, updated_at + remembered - now)),
      ),
    }))
    await this.#boss.insert(kind, added, { db })
    const done = jobs.filter(({ state }) => state === 'done').map(({ key }) => idOf(key))
    if (done.length > 0) await this.#boss.complete(kind, done, null, { includeQueued: true, db })
    for (const { key, reason } of jobs.filter(({ state }) => state === 'given-up')) {
      const output = { reason: (reason ?? '').replaceAll('\0', '\uFFFD') }
      await this.#boss.fail(kind, idOf(key), output, { db })
    }
  }

  /** One that runs at this moment can't be changed: a mark tells its end to let it run once more. */
  async hasten({ key, kind }: Pick<Job, 'key' | 'kind'>): Promise<void> {
    await this.#prepare(kind)
    await this.#prepare(hastened)
    const id = idOf(key)
    await this.#parts.store.transaction().execute(async (tx) => {
      await lockInTransaction(tx, id)
      const db = fromKysely(tx)
      const { updated } = await this.#boss.update(kind, undefined, {
        id,
        startAfter: new Date(),
        db,
      })
      if (updated === 0) await this.#boss.send(hastened, null, { id, db })
    })
  }

  handle(kind: string, handler: Handler): void {
    this.#handlers.set(kind, handler)
    if (this.#running) void this.#work(kind)
  }

  /** pg-boss forgets by itself. */
  prune(): Promise<number> {
    return Promise.resolve(0)
  }

  async backlog(): Promise<Backlog> {
    const kinds = [...this.#handlers.keys()]
    const found = await Promise.all(
      kinds.map((kind) => this.#boss.getDb().executeSql(waitsFor, [kind])),
    )
    const each = found.flatMap(({ rows }) => waits.parse(rows))
    return {
      due: each.reduce((sum, { due }) => sum + due, 0),
      oldest: Math.max(0, ...each.map(({ oldest }) => oldest)),
    }
  }

  start(): void {
    if (this.#running) return
    this.#running = true
    for (const kind of this.#handlers.keys()) void this.#work(kind)
  }

  /**
   * Ends when all jobs under way have ended. pg-boss would give them back after a while, to be worked on twice; those of a
   * process that ends before are taken up by others when its heartbeat is missed.
   */
  async stop(): Promise<void> {
    this.#running = false
    this.#outage.stop()
    await this.#boss.stop({ graceful: true, timeout: maxRun * 1000 })
  }

  async #work(kind: string): Promise<void> {
    const { most, log } = this.#parts
    try {
      await this.#prepare(kind)
      const options = {
        localConcurrency: most / together,
        batchSize: together,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: lookEvery,
        notifyPollingIntervalSeconds: lookEvery,
        includeMetadata: true,
        perJobResults: true,
      } as const
      await this.#boss.work<unknown, never, typeof options>(kind, options, async (jobs) => {
        return Promise.all(jobs.map((job) => this.#run(kind, job)))
      })
    } catch (error) {
      log.error({ err: error, kind }, 'jobs of a kind can’t be worked on')
    }
  }

  /** What becomes of it is decided here: pg-boss's own end of a job that was put off finds nothing to end. */
  async #run(kind: string, job: Claimed): Promise<JobResult> {
    const { tries: most, pause, log } = this.#parts
    const { body, failures } = kept.parse(job.data)
    const completed = { id: job.id, status: 'completed' } as const
    try {
      const handler = this.#handlers.get(kind)
      if (!handler) throw new Error(`nobody handles ${kind}`)
      const outcome = await handler(JSON.parse(body))
      if (outcome === 'done') return completed
      await this.#putOff(kind, job, { body, failures: 0 }, dateOf(outcome.again))
      return completed
    } catch (error) {
      const failed = failures + 1
      const about = { err: error, job: job.id, kind, attempts: failed }
      const output = { reason: reasonOf(error).replaceAll('\0', '\uFFFD') }
      if (failed >= most) {
        log.error(about, 'a job was given up')
        return { id: job.id, status: 'deadletter', output }
      }
      log.warn(about, 'a job failed and is tried again')
      const at = new Date(Date.now() + pause(failed) * 1000)
      await this.#putOff(kind, job, { body, failures: failed }, at, output)
      return completed
    }
  }

  async #putOff(
    kind: string,
    { id, retryCount }: Claimed,
    data: z.output<typeof kept>,
    at: Date,
    output?: { reason: string },
  ): Promise<void> {
    await this.#prepare(hastened)
    await this.#parts.store.transaction().execute(async (tx) => {
      await lockInTransaction(tx, id)
      const db = fromKysely(tx)
      const isHastened = (await this.#boss.getJobById(hastened, id, { db })) !== null
      if (isHastened) await this.#boss.deleteJob(hastened, id, { db })
      await this.#boss.fail(kind, { id, retryCount }, output ?? null, { db })
      const startAfter = isHastened ? new Date() : at
      await this.#boss.update(kind, data, { id, startAfter, db })
    })
  }

  #prepare(kind: string): Promise<void> {
    const known = this.#prepared.get(kind)
    if (known) return known
    const prepared = this.#boss.createQueue(kind, {
      notify: true,
      retryLimit: uncounted,
      expireInSeconds: maxRun,
      heartbeatSeconds: heartbeat,
      retentionSeconds: maxWait,
      deleteAfterSeconds: remembered,
    })
    this.#prepared.set(kind, prepared)
    prepared.catch(() => this.#prepared.delete(kind))
    return prepared
  }
}

function dateOf(unixSeconds: number): Date {
  return new Date(unixSeconds * 1000)
}

/** A UUID (version 8: of our own making) that is always the same for the same key. */
export function idOf(key: string): string {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}

const rowsAtOnce = 2000

const isThere = z.tuple([z.object({ there: z.boolean() })])
const found = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    state: z.string(),
    body: z.string().nullable(),
    failures: z.string().nullable(),
  }),
)

const page = `
  select id::text, name, state::text, data->>'body' as body, data->>'failures' as failures
  from pgboss.job where id > $1::uuid order by id limit ${rowsAtOnce}`

/** What a job of the embedded queue is called by pg-boss. */
const states = { waiting: 'created', done: 'completed', 'given-up': 'failed' } as const

/** Jobs of the embedded queue as they are in PostgreSQL. pg-boss makes its tables when the first one comes. */
export class PgBossJobs {
  readonly #open: () => Promise<PgBossQueue>
  #queue: Promise<PgBossQueue> | undefined

  /** @param parts of the database to which jobs go */
  constructor(parts: { url: string; store: Store; log: Logger }) {
    this.#open = () => PgBossQueue.open(parts)
  }

  /** Adds jobs in the caller's transaction, with what became of them so far. */
  async add(tx: Store, jobs: readonly JobsTable[]): Promise<void> {
    this.#queue ??= this.#open()
    const queue = await this.#queue
    for (const [kind, ofKind] of Map.groupBy(jobs, (job) => job.kind))
      await queue.takeOver(tx, kind, ofKind)
  }

  rowOf({ key, kind, state, body, attempts }: JobsTable): string[] {
    return [idOf(key), kind, states[state], body, String(attempts)]
  }

  async *there(tx: Store): AsyncIterable<(string | null)[][]> {
    const db = fromKysely(tx)
    const known = await db.executeSql(`select to_regclass('pgboss.job') is not null as there`)
    if (!isThere.parse(known.rows)[0].there) return
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const rows = found.parse((await db.executeSql(page, [last])).rows)
      yield rows.map(({ id, name, state, body, failures }) => [id, name, state, body, failures])
      if (rows.length < rowsAtOnce) return
      last = rows.at(-1)?.id ?? last
    }
  }

  async close(): Promise<void> {
    // Where it could not be opened, whoever added something was told why.
    const queue = await this.#queue?.catch(() => undefined)
    await queue?.stop()
  }
}

interface OutageParts {
  /** Rejects while the database can't be reached. */
  ask: () => Promise<unknown>
  log: Logger
  /** Milliseconds between two questions whether it is over. */
  askEvery?: number
}

/** Tells of a queue that can't reach its jobs at the beginning and at the end, whoever meets it however often. */
export class Outage {
  readonly #parts: Required<OutageParts>
  #timer: NodeJS.Timeout | undefined
  #isOn = false
  #hasStopped = false

  constructor(parts: OutageParts) {
    this.#parts = { askEvery: 2000, ...parts }
  }

  /** Somebody met an error. */
  failed(error: Error): void {
    const { log } = this.#parts
    log.debug({ err: error }, 'the queue met an error')
    if (this.#isOn || this.#hasStopped) return
    this.#isOn = true
    log.error({ reason: reason(error) }, 'the queue can’t reach its jobs')
    this.#askLater()
  }

  stop(): void {
    this.#hasStopped = true
    clearTimeout(this.#timer)
  }

  #askLater(): void {
    this.#timer = setTimeout(() => void this.#ask(), this.#parts.askEvery)
  }

  async #ask(): Promise<void> {
    const { ask, log } = this.#parts
    const isOver = await ask().then(
      () => true,
      () => false,
    )
    if (this.#hasStopped) return
    if (!isOver) return this.#askLater()
    this.#isOn = false
    log.info('the queue reaches its jobs again')
  }
}
