import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import type { Claim } from './outbox.ts'

/** A destination that is held, before it is known what waits for it. */
type Held = Pick<Claim, 'destination' | 'number'>

/**
 * Takes a destination to which something is still due until `until`; both times in unix ms. Undefined where somebody
 * else was faster.
 */
export async function takeDestination(
  tx: Store,
  id: number,
  now: number,
  until: number,
): Promise<Held | undefined> {
  const seconds = Math.floor(now / 1000)
  const taken = await tx
    .updateTable('destinations')
    .set((row) => ({
      claims: row('claims', '+', 1),
      next_at: until,
      due_at: until,
      updated_at: row
        .case()
        .when('updated_at', '>', seconds)
        .then(row.ref('updated_at'))
        .else(seconds)
        .end(),
    }))
    .where('id', '=', id)
    .where('due_at', '<=', now)
    .returning(['id', 'platform', 'kind', 'chat', 'thread', 'claims'])
    .executeTakeFirst()
  if (taken === undefined) return undefined
  const { claims, ...destination } = taken
  return { destination, number: claims }
}

/**
 * Takes what is due to a held destination at `now` (unix seconds), with the oldest whatever may go with it: what may
 * have been sent before, in one message, goes as that message again. Undefined where nothing is due.
 */
export async function takeNews(
  tx: Store,
  { destination, number }: Held,
  together: number,
  now: number,
): Promise<Claim | undefined> {
  const rows = await tx
    .updateTable('deliveries')
    .set((row) => ({ attempts: row('attempts', '+', 1), claim: number, updated_at: now }))
    .where('destination', '=', destination.id)
    .where('state', '=', waiting)
    .where('news', 'in', (row) => {
      const due = row
        .selectFrom('deliveries as due')
        .where('due.destination', '=', destination.id)
        .where('due.state', '=', waiting)
        .where('due.run_at', '<=', now)
        .orderBy('due.news')
      return due
        .select('due.news')
        .where('due.claim', '=', due.select('due.claim').limit(1))
        .limit(together)
    })
    .returning(['news', 'attempts', 'uncertain'])
    .execute()
  const oldestFirst = rows.sort((one, other) => one.news - other.news)
  const [oldest] = oldestFirst
  if (oldest === undefined) return undefined
  return {
    destination,
    number,
    news: oldestFirst.map(({ news }) => news),
    attempts: oldest.attempts,
    uncertain: oldestFirst.some(({ uncertain }) => uncertain === 1),
  }
}

/** Whether a claim is the latest of its destination, whose row it locks in the caller's transaction. */
export async function holds(tx: Store, destination: number, number: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('destinations')
    .set({ claims: number })
    .where('id', '=', destination)
    .where('claims', '=', number)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
