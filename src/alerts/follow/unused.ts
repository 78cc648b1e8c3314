import { setImmediate as others } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { Store } from '../../store/database.ts'
import type { Schema } from '../../store/schema.ts'

/** Rows looked at by one statement: while it runs nothing else in the process does. */
const batch = 5000
/** Seconds that a destination stays after it was made: somebody may be about to follow something. */
const keptNew = 3600

/**
 * Forgets filters that nobody follows, and destinations that follow nothing; returns how many went. They are written
 * before they are looked at again and go: so whoever is about to use one of them is waited for, and then seen.
 */
export async function forgetUnused(store: Store, now: number): Promise<number> {
  const filters = await inBatches(store, 'filters', (from, to) => forgetFilters(store, from, to))
  const destinations = await inBatches(store, 'destinations', (from, to) =>
    forgetDestinations(store, from, to, now),
  )
  return filters + destinations
}

/** Forgets by ranges of ids, `from` excluded and `to` included; returns how many went. */
async function inBatches(
  store: Store,
  table: 'filters' | 'destinations',
  forget: (from: number, to: number) => Promise<bigint>,
): Promise<number> {
  let gone = 0
  for (let from = 0; ; ) {
    const ids = await store
      .selectFrom(table)
      .select('id')
      .where('id', '>', from)
      .orderBy('id')
      .limit(batch)
      .execute()
    const last = ids.at(-1)
    if (last === undefined) return gone
    gone += Number(await forget(from, last.id))
    from = last.id
    await others()
  }
}

async function forgetFilters(store: Store, from: number, to: number): Promise<bigint> {
  const unused = (row: ExpressionBuilder<Schema, 'filters'>) =>
    row.not(
      row.exists(
        row
          .selectFrom('follows')
          .select('follows.filter')
          .whereRef('follows.filter', '=', 'filters.id'),
      ),
    )
  return store.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('filters')
      .set((row) => ({ memory: row.ref('memory') }))
      .where('id', '>', from)
      .where('id', '<=', to)
      .where(unused)
      .returning('id')
      .execute()
    if (rows.length === 0) return 0n
    const ids = rows.map(({ id }) => id)
    const { numDeletedRows } = await tx
      .deleteFrom('filters')
      .where('id', 'in', ids)
      .where(unused)
      .executeTakeFirst()
    return numDeletedRows
  })
}

/** Those that were made muted, or whose live messages are still kept up to date, stay. */
async function forgetDestinations(
  store: Store,
  from: number,
  to: number,
  now: number,
): Promise<bigint> {
  const unused = (row: ExpressionBuilder<Schema, 'destinations'>) =>
    row.and([
      row('due_at', 'is', null),
      row('muted_until', '<=', now),
      row('created_at', '<', now - keptNew),
      row.not(
        row.exists(
          row
            .selectFrom('follows')
            .select('follows.filter')
            .whereRef('follows.destination', '=', 'destinations.id'),
        ),
      ),
      row.not(
        row.exists(
          row
            .selectFrom('live_messages')
            .select('live_messages.message')
            .whereRef('live_messages.destination', '=', 'destinations.id'),
        ),
      ),
    ])
  return store.transaction().execute(async (tx) => {
    const rows = await tx
      .updateTable('destinations')
      .set((row) => ({ kind: row.ref('kind') }))
      .where('id', '>', from)
      .where('id', '<=', to)
      .where(unused)
      .returning('id')
      .execute()
    if (rows.length === 0) return 0n
    const ids = rows.map(({ id }) => id)
    const { numDeletedRows } = await tx
      .deleteFrom('destinations')
      .where('id', 'in', ids)
      .where(unused)
      .executeTakeFirst()
    return numDeletedRows
  })
}
