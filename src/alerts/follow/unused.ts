import { setImmediate as others } from 'node:timers/promises'
import { forgetDestinations } from '../../queue/destinations.ts'
import type { Store } from '../../store/database.ts'
import { forgetFound } from '../../store/forget.ts'

/** Of ids, `from` excluded and `to` included. */
interface Range {
  from: number
  to: number
}

/** Rows looked at by one statement: while it runs nothing else in the process does. */
const batch = 500

/** Forgets filters that nobody follows, and destinations that follow nothing; returns how many went. */
export async function forgetUnused(store: Store, now: number): Promise<number> {
  let gone = 0
  for await (const range of ranges(store, 'filters')) gone += await forgetFilters(store, range)
  for await (const range of ranges(store, 'destinations')) {
    gone += await forgetDestinations(store, range, now)
  }
  return gone
}

/** All ids of a table, and between two ranges the turn of others. */
async function* ranges(store: Store, table: 'filters' | 'destinations'): AsyncGenerator<Range> {
  for (let from = 0; ; ) {
    const ids = await store
      .selectFrom(table)
      .select('id')
      .where('id', '>', from)
      .orderBy('id')
      .limit(batch)
      .execute()
    const to = ids.at(-1)?.id
    if (to === undefined) return
    yield { from, to }
    from = to
    await others()
  }
}

function forgetFilters(store: Store, { from, to }: Range): Promise<number> {
  return forgetFound(store, 'filters', (tx) =>
    tx
      .selectFrom('filters')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where(({ not, exists, selectFrom }) => {
        const follows = selectFrom('follows').select('destination')
        return not(exists(follows.whereRef('follows.filter', '=', 'filters.id')))
      })
      .execute(),
  )
}
