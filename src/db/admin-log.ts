import type { Store } from './schema.ts'
import { deleteInBatches } from './sql.ts'

/** Something that an administrator changed. */
export interface AdminEntry {
  who: string
  what: string
  /** Undefined if the process ended before it was known. */
  outcome: string | undefined
  /** Unix seconds. */
  at: number
}

const maxOutcome = 500

/** Logs the changes of administrators: each before it is made, and then its outcome. */
export class AdminLog {
  readonly #store: Store
  readonly #now: () => number

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Logs that a change begins, and returns the id for `end`. */
  async begin(who: string, what: string): Promise<number> {
    const { id } = await this.#store
      .insertInto('admin_log')
      .values({ who, what, outcome: null, done_at_s: this.#now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  async end(id: number, outcome: string): Promise<void> {
    await this.#store
      .updateTable('admin_log')
      .set({ outcome: outcome.slice(0, maxOutcome) })
      .where('id', '=', id)
      .execute()
  }

  /** The latest entries, newest first. */
  async latest(max: number): Promise<AdminEntry[]> {
    const rows = await this.#store
      .selectFrom('admin_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(max)
      .execute()
    return rows.map(({ who, what, outcome, done_at_s }) => ({
      who,
      what,
      outcome: outcome ?? undefined,
      at: done_at_s,
    }))
  }

  /** Deletes entries that are more than `days` old; returns how many. */
  prune(days: number): Promise<number> {
    const old = this.#store
      .selectFrom('admin_log')
      .select('id')
      .where('done_at_s', '<', this.#now() - days * 86_400)
    return deleteInBatches((limit) =>
      this.#store
        .deleteFrom('admin_log')
        .where('id', 'in', old.limit(limit))
        .executeTakeFirstOrThrow(),
    )
  }
}
