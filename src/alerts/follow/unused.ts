import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../../store/database.ts'

/** Rows looked at by one statement: while it runs nothing else in the process does. */
const batch = 5000
/** Seconds that a destination stays after it was made: somebody may be about to follow something. */
const keptNew = 3600

/** Forgets filters that nobody follows, and destinations that follow nothing; returns how many went. */
export async function forgetUnused(store: Store, now: number): Promise<number> {
  const filters = await inBatches(store, 'filters', unusedFilters)
  const destinations = await inBatches(store, 'destinations', (tx, from, to) =>
    unusedDestinations(tx, from, to, now),
  )
  return filters + destinations
}

type Table = 'filters' | 'destinations'

/** Forgets by ranges of ids what `find` finds in one of them, `from` excluded and `to` included; returns how many went. */
async function inBatches(
  store: Store,
  table: Table,
  find: (tx: Store, from: number, to: number) => Promise<{ id: number }[]>,
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
    const to = ids.at(-1)?.id
    if (to === undefined) return gone
    const start = from
    gone += await forget(store, table, (tx) => find(tx, start, to))
    from = to
    await others()
  }
}

/** What is found is written, so that whoever is about to use it is waited for, and goes if it is found once more. */
function forget(
  store: Store,
  table: Table,
  find: (tx: Store) => Promise<{ id: number }[]>,
): Promise<number> {
  return store.transaction().execute(async (tx) => {
    const found = (await find(tx)).map(({ id }) => id)
    if (found.length === 0) return 0
    await tx
      .updateTable(table)
      .set((row) => ({ id: row.ref('id') }))
      .where('id', 'in', found)
      .execute()
    const held = new Set(found)
    const unused = (await find(tx)).map(({ id }) => id).filter((id) => held.has(id))
    if (unused.length > 0) await tx.deleteFrom(table).where('id', 'in', unused).execute()
    return unused.length
  })
}

function unusedFilters(tx: Store, from: number, to: number): Promise<{ id: number }[]> {
  return tx
    .selectFrom('filters')
    .select('id')
    .where('id', '>', from)
    .where('id', '<=', to)
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
    .execute()
}

/** Those that were made muted, or whose live messages are still kept up to date, stay. */
function unusedDestinations(
  tx: Store,
  from: number,
  to: number,
  now: number,
): Promise<{ id: number }[]> {
  return tx
    .selectFrom('destinations')
    .select('id')
    .where('id', '>', from)
    .where('id', '<=', to)
    .where('due_at', 'is', null)
    .where('muted_until', '<=', now)
    .where('created_at', '<', now - keptNew)
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
    .execute()
}
