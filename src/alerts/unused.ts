import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../store/database.ts'

/** Rows looked at by one statement: while it runs nothing else in the process does. */
const batch = 5000
/** Seconds that a destination stays after it was made: somebody may be about to follow something. */
const grace = 3600

/** Forgets filters that nobody follows, and destinations that follow nothing; returns how many went. */
export async function forgetUnused(store: Store, now: number): Promise<number> {
  return (await forgetFilters(store)) + (await forgetDestinations(store, now))
}

async function forgetFilters(store: Store): Promise<number> {
  let gone = 0
  for (let from = 0; ; ) {
    const ids = await store
      .selectFrom('filters')
      .select('id')
      .where('id', '>', from)
      .orderBy('id')
      .limit(batch)
      .execute()
    const last = ids.at(-1)
    if (last === undefined) return gone
    const { numDeletedRows } = await store
      .deleteFrom('filters')
      .where('id', '>', from)
      .where('id', '<=', last.id)
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('follows')
              .select('follows.filter')
              .whereRef('follows.filter', '=', 'filters.id'),
          ),
        ),
      )
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    from = last.id
    await others()
  }
}

/** Those that were made muted, or whose live messages are still kept up to date, stay. */
async function forgetDestinations(store: Store, now: number): Promise<number> {
  let gone = 0
  for (let from = 0; ; ) {
    const ids = await store
      .selectFrom('destinations')
      .select('id')
      .where('id', '>', from)
      .orderBy('id')
      .limit(batch)
      .execute()
    const last = ids.at(-1)
    if (last === undefined) return gone
    const { numDeletedRows } = await store
      .deleteFrom('destinations')
      .where('id', '>', from)
      .where('id', '<=', last.id)
      .where('due_at', 'is', null)
      .where('muted_until', '<=', now)
      .where('created_at', '<', now - grace)
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('follows')
              .select('follows.filter')
              .whereRef('follows.destination', '=', 'destinations.id'),
          ),
        ),
      )
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('live_messages')
              .select('live_messages.message')
              .whereRef('live_messages.destination', '=', 'destinations.id'),
          ),
        ),
      )
      .executeTakeFirst()
    gone += Number(numDeletedRows)
    from = last.id
    await others()
  }
}
