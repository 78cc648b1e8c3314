import type { Loss } from '../core/adapter.ts'
import type { PlatformName, Store } from '../db/schema.ts'
import { laterOf, pruneFound, waiting } from '../db/sql.ts'

/** The key of a chat's row in `destinations`: a chat, a topic of one (`thread`, else ''), or a person. */
export interface ChatKey {
  platform: PlatformName
  kind: 'person' | 'chat'
  chat: string
  thread: string
}

/** Seconds for which a new chat stays without subscriptions: somebody may be about to add the first. */
const newChatRetention = 3600

/** Finds a chat's row; undefined if the chat has never subscribed to anything. */
export function findChat(store: Store, { platform, chat, thread }: Omit<ChatKey, 'kind'>) {
  return store
    .selectFrom('destinations')
    .select(['id', 'paused', 'muted_until'])
    .where('chat', '=', chat)
    .where('platform', '=', platform)
    .where('thread', '=', thread)
    .executeTakeFirst()
}

/** Creates the chat's row if there is none, locks it, and returns its id. */
export async function createChat(tx: Store, key: ChatKey, now: number): Promise<number> {
  const { id } = await tx
    .insertInto('destinations')
    .values({
      ...key,
      paused: null,
      muted_until: 0,
      next_at: 0,
      due_at: null,
      claims: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['chat', 'platform', 'thread']).doUpdateSet({ kind: key.kind }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Mutes a chat until `until` (unix seconds; 0 unmutes), and drops its waiting deliveries. */
export async function muteChat(tx: Store, id: number, until: number, now: number): Promise<void> {
  await tx
    .updateTable('destinations')
    .set({ muted_until: until, updated_at: now })
    .where('id', '=', id)
    .execute()
  if (until > now) await dropWaiting(tx, id, 'muted', now)
}

/**
 * Pauses a chat and drops its waiting deliveries, until `resumeChat`. Its cooldown ends, so that it is sent to at once
 * after it resumes. Returns the platform and how many deliveries were dropped; undefined if there is no such chat.
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

/** Ends a pause. Events that are detected from now on are sent to the chat again. */
export async function resumeChat(store: Store, id: number): Promise<void> {
  await store.updateTable('destinations').set({ paused: null }).where('id', '=', id).execute()
}

/** Sends nothing to the chat before `nextAt` (unix ms). */
export async function coolDownChat(store: Store, id: number, nextAt: number): Promise<void> {
  await store
    .updateTable('destinations')
    .set({ next_at: nextAt })
    .where('id', '=', id)
    .where('next_at', '<', nextAt)
    .execute()
}

/**
 * Deletes chats without subscriptions whose ids are in a range (`from` excluded, `to` included); returns how many.
 * Keeps those that are muted, less than an hour old, or have deliveries or live messages.
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
      .where('created_at', '<', now - newChatRetention)
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
 * Drops the waiting deliveries of a chat, in the caller's transaction; returns how many. One that is being sent may
 * still be recorded as sent.
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
 * Ends a claim of a chat, unless some of its deliveries are still being sent. The chat can be claimed again from
 * `nextAt` (unix ms), once something is due. Returns whether the claim ended. The caller's transaction must hold the
 * lock on the chat's row.
 */
export async function endClaim(
  tx: Store,
  destination: number,
  claim: number,
  nextAt: number,
  now: number,
): Promise<boolean> {
  const remaining = await tx
    .selectFrom('deliveries')
    .select((row) => [
      row.fn.min('run_at').as('first'),
      row.fn.max(row.case().when('claim', '=', claim).then(1).else(0).end()).as('held'),
    ])
    .where('destination', '=', destination)
    .where('state', '=', waiting)
    .executeTakeFirst()
  if (remaining?.held) return false
  // SQL's min() is null if no delivery waits.
  const first: number | null = remaining?.first ?? null
  await tx
    .updateTable('destinations')
    .set((row) => ({
      next_at: nextAt,
      due_at: first === null ? null : Math.max(nextAt, first * 1000),
      // Still ahead if a wrong clock wrote it, so that `ClockWatch` finds the deliveries' times.
      updated_at: laterOf(row.ref('updated_at'), now),
    }))
    .where('id', '=', destination)
    .execute()
  return true
}
