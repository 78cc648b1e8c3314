import type { Loss } from '../core/adapter.ts'
import type { Store } from '../db/schema.ts'
import { pruneFound, waiting } from '../db/sql.ts'

/** What a destination is known by. */
export interface ChatKey {
  platform: 'telegram' | 'discord'
  kind: 'person' | 'chat'
  chat: string
  thread: string
}

/** Seconds that a destination stays after it was made: somebody may be about to follow something. */
const keptNew = 3600

/** Undefined where the place has never followed anything. */
export function findChat(store: Store, { platform, chat, thread }: Omit<ChatKey, 'kind'>) {
  return store
    .selectFrom('destinations')
    .select(['id', 'paused', 'muted_until'])
    .where('chat', '=', chat)
    .where('platform', '=', platform)
    .where('thread', '=', thread)
    .executeTakeFirst()
}

/** The id of the place's row, which is made where there is none, and locked. */
export async function createChat(tx: Store, place: ChatKey, now: number): Promise<number> {
  const { id } = await tx
    .insertInto('destinations')
    .values({
      ...place,
      paused: null,
      muted_until: 0,
      next_at: 0,
      due_at: null,
      claims: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['chat', 'platform', 'thread']).doUpdateSet({ kind: place.kind }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Nothing is sent there until then (unix seconds; 0 ends it), what waits included. */
export async function muteChat(tx: Store, id: number, until: number, now: number): Promise<void> {
  await tx
    .updateTable('destinations')
    .set({ muted_until: until, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (until > now) await dropWaiting(tx, id, 'muted', now)
}

/**
 * Nothing is sent there any more, what waits included, until it is resumed: then at once, for nobody holds it. Returns
 * how many deliveries were dropped, and where; undefined where there is no such destination.
 * @param now unix milliseconds
 */
export async function pauseChat(tx: Store, id: number, loss: Loss, now: number) {
  const paused = await tx
    .updateTable('destinations')
    .set({ paused: loss, next_at: now })
    .where('id', '=', id)
    .returning('platform')
    .executeTakeFirst()
  const deliveries = await dropWaiting(tx, id, loss, Math.floor(now / 1000))
  return paused && { ...paused, deliveries }
}

/** What is found from now on is sent there again. */
export async function resumeChat(store: Store, id: number): Promise<void> {
  await store.updateTable('destinations').set({ paused: null }).where('id', '=', id).execute()
}

/** Nothing is sent there before `nextAt` (unix ms). */
export async function quietChat(store: Store, id: number, nextAt: number): Promise<void> {
  await store
    .updateTable('destinations')
    .set({ next_at: nextAt })
    .where('id', '=', id)
    .where('next_at', '<', nextAt)
    .execute()
}

/**
 * Forgets those that follow nothing, of a range of ids (`from` excluded, `to` included); returns how many. Those that
 * are muted or were just made, or whose live messages are still kept up to date, stay.
 */
export function pruneChats(
  store: Store,
  { from, to }: { from: number; to: number },
  now: number,
): Promise<number> {
  return pruneFound(store, 'destinations', (tx) =>
    tx
      .selectFrom('destinations')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where('due_at', 'is', null)
      .where('muted_until', '<=', now)
      .where('created_at', '<', now - keptNew)
      .where(({ not, or, exists, selectFrom }) => {
        const follows = selectFrom('follows').select('filter')
        const messages = selectFrom('live_messages').select('message')
        return not(
          or([
            exists(follows.whereRef('follows.destination', '=', 'destinations.id')),
            exists(messages.whereRef('live_messages.destination', '=', 'destinations.id')),
          ]),
        )
      })
      .execute(),
  )
}

/**
 * Drops all that waits for a destination, in the caller's transaction; returns how many deliveries. What is being sent
 * may still turn out as sent.
 */
export async function dropWaiting(
  tx: Store,
  destination: number,
  reason: string,
  now: number,
): Promise<number> {
  await tx.updateTable('destinations').set({ due_at: null }).where('id', '=', destination).execute()
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', reason, updated_at: now })
    .where('destination', '=', destination)
    .where('state', '=', waiting)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Ends a claim of a destination, unless some of what it took is still being sent: from `nextAt` (unix ms) on it can be
 * claimed again, as soon as something is due. Says whether it ended. The caller's transaction holds the row already.
 */
export async function endClaim(
  tx: Store,
  destination: number,
  claim: number,
  nextAt: number,
  now: number,
): Promise<boolean> {
  const left = await tx
    .selectFrom('deliveries')
    .select((row) => [
      row.fn.min('run_at').as('first'),
      row.fn.max(row.case().when('claim', '=', claim).then(1).else(0).end()).as('held'),
    ])
    .where('destination', '=', destination)
    .where('state', '=', waiting)
    .executeTakeFirst()
  if (left?.held) return false
  // Where nothing waits the database gives null for the least of nothing.
  const first: number | null = left?.first ?? null
  await tx
    .updateTable('destinations')
    .set((row) => ({
      next_at: nextAt,
      due_at: first === null ? null : Math.max(nextAt, first * 1000),
      updated_at: row
        .case()
        .when('updated_at', '>', now)
        .then(row.ref('updated_at'))
        .else(now)
        .end(),
    }))
    .where('id', '=', destination)
    .execute()
  return true
}
