import { databaseNow } from '../store/clock.ts'
import type { Store } from '../store/database.ts'
import { type Backlog, mostCounted } from './backlog.ts'

/** The updates in inboxes that are not handled yet, those under way among them; of very many the oldest counted. */
export async function updatesWaiting(store: Store): Promise<Backlog> {
  const { due, first, now } = await store
    .selectFrom((from) =>
      from
        .selectFrom('updates')
        .select('received_at')
        .where('body', 'is not', null)
        // As the index of what waits has them: elsewhere they stand among all that was ever handled.
        .orderBy('platform')
        .orderBy('lane')
        .orderBy('id')
        .limit(mostCounted)
        .as('waits'),
    )
    .select((row) => [
      row.fn.countAll<number>().as('due'),
      row.fn.min('received_at').as('first'),
      databaseNow(store).as('now'),
    ])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 || first === null ? 0 : Math.max(0, now / 1000 - first) }
}
