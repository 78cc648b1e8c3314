import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { databaseNow, databaseSeconds } from './clock.ts'
import type { Store } from './database.ts'

/** Seconds for which it is remembered that an update was there: no platform brings one again after a day. */
const remembered = 2 * 86_400
/** What one statement forgets: while it runs on SQLite nothing else in the process does. */
const batch = 2_000

/** Forgets what was handled long ago; returns how many. */
export async function pruneUpdates(store: Store): Promise<number> {
  // Nothing waits in them, or somebody would have taken them.
  await store
    .deleteFrom('lanes')
    .where('held_until', '<', sql<number>`${databaseNow(store)} - ${remembered * 1_000}`)
    .execute()
  // Asked once for each statement, so that the index can be used.
  const old = sql<number>`(select ${databaseSeconds(store)} - ${remembered})`
  for (let gone = 0; ; ) {
    const some = store
      .selectFrom('updates')
      .select(['platform', 'id'])
      .where('body', 'is', null)
      .where('received_at', '<', old)
      .orderBy('received_at')
      .limit(batch)
    const { numDeletedRows } = await store
      .deleteFrom('updates')
      .where((row) => row(row.refTuple('platform', 'id'), 'in', some.$asTuple('platform', 'id')))
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    if (numDeletedRows < batch) return gone
    await turn()
  }
}
