import { sql } from 'kysely'
import type { SlowUpdatesTable, Store } from './schema.ts'
import { databaseNow } from './sql.ts'

type SlowUpdate = Pick<SlowUpdatesTable, 'id' | 'body' | 'attempts'>

/** Milliseconds after the end of its lease for which a replica still counts as alive: the database may have been away. */
const graceMs = 5_000

/** Telegram's updates that take long to handle, or may kill the process, in the database that all replicas share. */
export class StoredSlowUpdates {
  readonly #store: Store
  readonly #replica: string

  /** @param replica this replica's id, by whose lease the others see that it is alive */
  constructor(store: Store, replica: string) {
    this.#store = store
    this.#replica = replica
  }

  async add({ id, body, attempts }: SlowUpdate): Promise<number> {
    const stored = await this.#store
      .insertInto('slow_updates')
      .values({
        id,
        body,
        replica: this.#replica,
        attempts,
        received_at_ms: databaseNow(this.#store),
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ replica: this.#replica }))
      .returning('attempts')
      .executeTakeFirstOrThrow()
    return stored.attempts
  }

  async countAttempt(id: number): Promise<number> {
    const begun = await this.#store
      .updateTable('slow_updates')
      .set((update) => ({ attempts: update('attempts', '+', 1) }))
      .where('id', '=', id)
      .returning('attempts')
      .executeTakeFirstOrThrow()
    return begun.attempts
  }

  async remove(id: number): Promise<void> {
    await this.#store.deleteFrom('slow_updates').where('id', '=', id).execute()
  }

  async leave(): Promise<void> {
    await this.#store
      .updateTable('slow_updates')
      .set({ replica: '' })
      .where('replica', '=', this.#replica)
      .execute()
  }

  async takeOver(): Promise<SlowUpdate[]> {
    const now = databaseNow(this.#store)
    const alive = this.#store
      .selectFrom('roles')
      .select('name')
      .where('name', '=', sql<string>`'replica ' || slow_updates.replica`)
      .where('held_until_ms', '>=', sql<number>`${now} - ${graceMs}`)
    return this.#store
      .updateTable('slow_updates')
      .set({ replica: this.#replica })
      .where('replica', '<>', this.#replica)
      .where((update) => update.not(update.exists(alive)))
      .returning(['id', 'body', 'attempts'])
      .execute()
  }
}

/** Counts the updates that take long and are not handled yet, and the seconds for which the oldest has been in work. */
export async function slowUpdates(store: Store): Promise<{ due: number; oldest: number }> {
  const { due, first, now } = await store
    .selectFrom('slow_updates')
    .select((row) => [
      row.fn.countAll<number>().as('due'),
      row.fn.min('received_at_ms').as('first'),
      databaseNow(store).as('now'),
    ])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 ? 0 : Math.max(0, (now - first) / 1_000) }
}
