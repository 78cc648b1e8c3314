import { fromKysely } from 'pg-boss'
import { z } from 'zod'
import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import type { JobsTable } from '../store/schema.ts'
import { BossQueue, idOf } from './boss.ts'

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
export class BossJobs {
  readonly #open: () => Promise<BossQueue>
  #queue: Promise<BossQueue> | undefined

  /** @param parts of the database to which jobs go */
  constructor(parts: { url: string; store: Store; log: Logger }) {
    this.#open = () => BossQueue.open(parts)
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
