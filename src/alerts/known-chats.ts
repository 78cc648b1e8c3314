import type { Loss } from '../core/adapter.ts'
import type { ChatsTable, PlatformName, Store } from '../db/schema.ts'
import { waiting } from '../db/sql.ts'
import { dropWaiting, makeChatDue, pauseChat } from './chats.ts'

// What administrators ask of the chats that have alerts, and change of them.

/** A chat as administrators see it; a forum topic is one of its own. */
export interface KnownChat
  extends Pick<ChatsTable, 'platform' | 'kind' | 'chat' | 'thread' | 'paused'> {
  id: number
  muted_until: number
  created_at: number
  /** Unix milliseconds; null if nothing waits. */
  due_at: number | null
  alerts: number
  /** Deliveries that wait. */
  waiting: number
}

/** Which chats to find: by the id of their row, by a part of the platform's id, by why they are paused, or those that are muted. */
export interface ChatSearch {
  row?: number
  platform?: PlatformName
  chat?: string
  part?: string
  paused?: Loss | 'any'
  mutedAt?: number
}

/** Finds chats, those with most alerts first. */
export function findChats(store: Store, search: ChatSearch, max: number): Promise<KnownChat[]> {
  const { row: id, platform, chat, part, paused, mutedAt } = search
  return store
    .selectFrom('destinations')
    .select(['id', 'platform', 'kind', 'chat', 'thread', 'paused', 'muted_until', 'created_at'])
    .select(['due_at'])
    .select((row) => [
      row
        .selectFrom('follows')
        .select((each) => each.fn.countAll<number>().as('count'))
        .whereRef('follows.destination', '=', 'destinations.id')
        .$asScalar()
        .$notNull()
        .as('alerts'),
      row
        .selectFrom('deliveries')
        .select((each) => each.fn.countAll<number>().as('count'))
        .whereRef('deliveries.destination', '=', 'destinations.id')
        .where('deliveries.state', '=', waiting)
        .$asScalar()
        .$notNull()
        .as('waiting'),
    ])
    .$if(id !== undefined, (rest) => rest.where('id', '=', id ?? 0))
    .$if(platform !== undefined, (rest) => rest.where('platform', '=', platform ?? 'telegram'))
    .$if(chat !== undefined, (rest) => rest.where('chat', '=', chat ?? ''))
    .$if(part !== undefined, (rest) => rest.where('chat', 'like', `%${part ?? ''}%`))
    .$if(paused === 'any', (rest) => rest.where('paused', 'is not', null))
    .$if(paused !== undefined && paused !== 'any', (rest) =>
      rest.where('paused', '=', paused ?? ''),
    )
    .$if(mutedAt !== undefined, (rest) => rest.where('muted_until', '>', mutedAt ?? 0))
    .orderBy('alerts', 'desc')
    .orderBy('id')
    .limit(max)
    .execute()
}

/** Counts chats by platform, kind and why they are paused. */
export function countChats(store: Store) {
  return store
    .selectFrom('destinations')
    .select((row) => ['platform', 'kind', 'paused', row.fn.countAll<number>().as('count')])
    .groupBy(['platform', 'kind', 'paused'])
    .orderBy('platform')
    .orderBy('kind')
    .orderBy('paused')
    .execute()
}

/**
 * Pauses a chat with its topics until `resumeForOperator`, whatever its people do. Returns how many rows were paused, and how
 * many deliveries that waited were dropped.
 * @param now unix milliseconds
 */
export async function pauseForOperator(
  store: Store,
  platform: PlatformName,
  chat: string,
  now: number,
): Promise<{ rows: number; dropped: number }> {
  const rows = await findChats(store, { platform, chat }, maxTopics)
  let dropped = 0
  for (const { id } of rows) {
    const paused = await store
      .transaction()
      .execute((tx) => pauseChat(tx, id, 'operator' satisfies Loss, now))
    dropped += paused?.deliveries ?? 0
  }
  return { rows: rows.length, dropped }
}

/** Resumes sending to a chat with its topics, whyever it was paused; returns how many rows were paused. */
export async function resumeForOperator(
  store: Store,
  platform: PlatformName,
  chat: string,
  only?: Loss,
): Promise<number> {
  const { numUpdatedRows } = await store
    .updateTable('destinations')
    .set({ paused: null })
    .where('platform', '=', platform)
    .where('chat', '=', chat)
    .where('paused', 'is not', null)
    .$if(only !== undefined, (rest) => rest.where('paused', '=', only ?? ''))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** More topics than a chat has. */
export const maxTopics = 1_000

/** Deletes a chat with its topics, and all that belongs to them. Returns how many rows of each kind there were. */
export async function forgetChatRows(
  tx: Store,
  platform: PlatformName,
  chat: string,
): Promise<{ chats: number; alerts: number; deliveries: number; messages: number }> {
  const gone = await tx
    .deleteFrom('destinations')
    .where('platform', '=', platform)
    .where('chat', '=', chat)
    .returning('id')
    .execute()
  const rows = gone.map(({ id }) => id)
  if (rows.length === 0) return { chats: 0, alerts: 0, deliveries: 0, messages: 0 }
  const { numDeletedRows: alerts } = await tx
    .deleteFrom('follows')
    .where('destination', 'in', rows)
    .executeTakeFirstOrThrow()
  const { numDeletedRows: deliveries } = await tx
    .deleteFrom('deliveries')
    .where('destination', 'in', rows)
    .executeTakeFirstOrThrow()
  const { numDeletedRows: messages } = await tx
    .deleteFrom('live_messages')
    .where('destination', 'in', rows)
    .executeTakeFirstOrThrow()
  return {
    chats: rows.length,
    alerts: Number(alerts),
    deliveries: Number(deliveries),
    messages: Number(messages),
  }
}

/** Seconds after which a delivery that is due counts as stuck although nothing went wrong with it. */
const overdueSeconds = 300

/** The deliveries of one chat that failed, or are long overdue. */
interface StuckDeliveries {
  platform: PlatformName
  chat: string
  thread: string
  state: 'waiting' | 'given-up'
  deliveries: number
  attempts: number
  /** Unix seconds at which the first of them is, or was, due. */
  firstAt: number
  /** Why one of them failed last; null if none was tried. */
  reason: string | null
}

function stuckRows(store: Store, now: number) {
  return store
    .selectFrom('deliveries')
    .innerJoin('destinations', 'destinations.id', 'deliveries.destination')
    .innerJoin('news', 'news.id', 'deliveries.news')
    .where((row) =>
      row.or([
        row('deliveries.state', '=', waiting).and(
          row.or([
            row('deliveries.reason', 'is not', null).and('deliveries.attempts', '>', 0),
            row('deliveries.run_at', '<', now - overdueSeconds),
          ]),
        ),
        // Later ones are of no use to anybody.
        row('deliveries.state', '=', 'given-up').and('news.useful_until', '>', now),
      ]),
    )
}

/** Finds what is stuck, by chat, most overdue first. */
export async function stuckDeliveries(
  store: Store,
  now: number,
  max: number,
): Promise<StuckDeliveries[]> {
  const rows = await stuckRows(store, now)
    .select(['platform', 'chat', 'thread', 'deliveries.state'])
    .select((row) => [
      row.fn.countAll<number>().as('deliveries'),
      row.fn.max('deliveries.attempts').as('attempts'),
      row.fn.min('deliveries.run_at').as('firstAt'),
      row.fn.max('deliveries.reason').as('reason'),
    ])
    .groupBy(['destinations.id', 'platform', 'chat', 'thread', 'deliveries.state'])
    .orderBy('firstAt')
    .limit(max)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state === 'given-up' ? row.state : 'waiting' }))
}

/** A chat with its topics; undefined for all. */
type Which = { platform: PlatformName; chat: string } | undefined

async function stuckChats(tx: Store, which: Which, now: number): Promise<number[]> {
  const rows = await stuckRows(tx, now)
    .select('destinations.id')
    .distinct()
    .$if(which !== undefined, (rest) =>
      rest
        .where('platform', '=', which?.platform ?? 'telegram')
        .where('chat', '=', which?.chat ?? ''),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Makes stuck deliveries due now, also those that were given up; returns how many. */
export async function retryDeliveries(store: Store, which: Which, now: number): Promise<number> {
  let count = 0
  for (const chat of await stuckChats(store, which, now))
    count += await store.transaction().execute((tx) => retryIn(tx, chat, now))
  return count
}

async function retryIn(tx: Store, chat: number, now: number): Promise<number> {
  await makeChatDue(tx, chat, now * 1000)
  const useful = tx.selectFrom('news').select('id').where('useful_until', '>', now)
  const revived = await tx
    .updateTable('deliveries')
    .set({ state: 'waiting', attempts: 0, claim: 0, uncertain: 0, run_at: now, updated_at: now })
    .where('destination', '=', chat)
    .where('state', '=', 'given-up')
    .where('news', 'in', useful)
    .executeTakeFirst()
  const hurried = await tx
    .updateTable('deliveries')
    .set({ run_at: now, updated_at: now })
    .where('destination', '=', chat)
    .where('state', '=', waiting)
    // Leaves alone the deliveries that are being sent.
    .where('claim', '<=', 0)
    .where('run_at', '>', now)
    .executeTakeFirst()
  return Number(revived.numUpdatedRows) + Number(hurried.numUpdatedRows)
}

/** Drops all that waits for chats with stuck deliveries, and what was given up; returns how many. */
export async function dropDeliveries(store: Store, which: Which, now: number): Promise<number> {
  const reason = 'dropped by an administrator'
  let count = 0
  for (const chat of await stuckChats(store, which, now)) {
    count += await store.transaction().execute(async (tx) => {
      const dropped = await dropWaiting(tx, chat, reason, now)
      const { numUpdatedRows } = await tx
        .updateTable('deliveries')
        .set({ state: 'dropped', reason, updated_at: now })
        .where('destination', '=', chat)
        .where('state', '=', 'given-up')
        .executeTakeFirst()
      return dropped + Number(numUpdatedRows)
    })
  }
  return count
}
