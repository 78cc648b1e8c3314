import { sql } from 'kysely'
import type { Store } from './database.ts'

/** Tells all who listen on PostgreSQL's channel; a text has 8,000 bytes at most. */
export async function notify(store: Store, channel: string, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`.execute(store)
}
