import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import { type Backlog, mostCounted } from './backlog.ts'
import type { Claim } from './outbox.ts'

/** The chats of a platform to which something is due at `now` (unix milliseconds), and nobody sends it yet. */
export async function chatsDue(
  store: Store,
  platform: Claim['destination']['platform'],
  now: number,
): Promise<Backlog> {
  const { due, first } = await store
    .selectFrom((from) =>
      from
        .selectFrom('destinations')
        .select('due_at')
        .where('platform', '=', platform)
        .where('due_at', 'is not', null)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(mostCounted)
        .as('waits'),
    )
    .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('due_at').as('first')])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 || first === null ? 0 : (now - first) / 1000 }
}

/** How many deliveries wait, due or not; more than `mostCounted` are not counted. */
export async function deliveriesWaiting(store: Store): Promise<number> {
  const { count } = await store
    .selectFrom((from) =>
      from
        .selectFrom('deliveries')
        .select('destination')
        .where('state', '=', waiting)
        .limit(mostCounted)
        .as('waits'),
    )
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
