import { sql } from 'kysely'
import type { Store } from './schema.ts'
import { databaseNow } from './sql.ts'

/** Takes or renews the lease of a role for `ms` milliseconds; false if another holder has it. */
export async function takeLease(
  store: Store,
  name: string,
  holder: string,
  ms: number,
): Promise<boolean> {
  const now = databaseNow(store)
  const held_until = sql<number>`${now} + ${ms}`
  const row = await store
    .insertInto('roles')
    .values({ name, holder, held_until })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ holder, held_until })
        .where((row) =>
          row.or([row('roles.holder', '=', holder), row('roles.held_until', '<', now)]),
        ),
    )
    .returning('holder')
    .executeTakeFirst()
  return row !== undefined
}

/** The names of the roles whose lease has not ended, by the database's clock. */
export async function heldLeases(store: Store): Promise<string[]> {
  const now = databaseNow(store)
  const rows = await store
    .selectFrom('roles')
    .select('name')
    .where('held_until', '>=', now)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Releases the lease of a role; false if the holder did not have it. */
export async function releaseLease(store: Store, name: string, holder: string): Promise<boolean> {
  const { numDeletedRows } = await store
    .deleteFrom('roles')
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
