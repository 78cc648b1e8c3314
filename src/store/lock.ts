import { sql } from 'kysely'
import type { Store } from './database.ts'

/** Waits until nobody else on PostgreSQL holds this name, and holds it until the transaction ends. */
export async function lockInTransaction(tx: Store, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}
