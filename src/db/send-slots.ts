import { sql } from 'kysely'
import type { PlatformName, Store } from './schema.ts'
import { databaseNow } from './sql.ts'

/** Milliseconds by which slots may be reserved ahead; a time beyond is of a clock that was wrong. */
const maxAhead = 60_000

/**
 * Reserves so many milliseconds of the part of a platform's limit that replicas share, and returns those until they begin.
 * The row holds when the next slot begins, by the database's clock.
 */
export async function reserveSlots(
  store: Store,
  platform: PlatformName,
  length: number,
): Promise<number> {
  const now = databaseNow(store)
  const row = await store
    .insertInto('send_slots')
    .values({ platform, next_at: sql<number>`${now} + ${length}` })
    .onConflict((conflict) =>
      conflict.column('platform').doUpdateSet({
        next_at: sql<number>`case when send_slots.next_at between ${now} and ${now} + ${maxAhead} then send_slots.next_at else ${now} end + ${length}`,
      }),
    )
    .returning(sql<number>`next_at - ${length} - ${now}`.as('wait'))
    .executeTakeFirstOrThrow()
  return row.wait
}
