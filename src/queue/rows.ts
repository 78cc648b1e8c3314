import type { Store } from '../store/database.ts'
import type { JobsTable } from '../store/schema.ts'
import { type Backlog, mostCounted } from './backlog.ts'
import { remembered } from './faults.ts'
import type { Job } from './queue.ts'
import { tolerance } from './waiting.ts'

/** What a try changes in the row of its job. */
export interface Change {
  row: Partial<Pick<JobsTable, 'state' | 'body' | 'reason' | 'attempts'>>
  /** Unix seconds. */
  runAt?: number
}

export type Claimed = Pick<JobsTable, 'key' | 'kind' | 'body' | 'run_at' | 'attempts'>

/** The rows of jobs, and what is asked of them. Several processes may share them. */
export class JobRows {
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
          .limit(mostCounted)
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
