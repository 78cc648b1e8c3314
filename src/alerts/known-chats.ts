import type { Loss } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import type { ChatsTable, Store } from '../db/schema.ts'
import { waiting } from '../db/sql.ts'
import { pauseChat } from './chats.ts'

// Queries and changes by administrators of the chats that have alerts.

/** A chat as administrators see it; a forum topic is one of its own. */
export interface KnownChat
  extends Pick<ChatsTable, 'platform' | 'kind' | 'chat' | 'thread' | 'paused'> {
  id: number
  muted_until_s: number
  created_at_s: number
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
    .selectFrom('chats')
    .select(['id', 'platform', 'kind', 'chat', 'thread', 'paused', 'muted_until_s', 'created_at_s'])
    .select((row) => [
      row
        .selectFrom('subscriptions')
        .select((each) => each.fn.countAll<number>().as('count'))
        .whereRef('subscriptions.chat_id', '=', 'chats.id')
        .$asScalar()
        .$notNull()
        .as('alerts'),
      row
        .selectFrom('deliveries')
        .select((each) => each.fn.countAll<number>().as('count'))
        .whereRef('deliveries.chat_id', '=', 'chats.id')
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
    .$if(mutedAt !== undefined, (rest) => rest.where('muted_until_s', '>', mutedAt ?? 0))
    .orderBy('alerts', 'desc')
    .orderBy('id')
    .limit(max)
    .execute()
}

/** Counts chats by platform, kind and the reason for their pause. */
export function countChats(store: Store) {
  return store
    .selectFrom('chats')
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

/** Resumes sending to a chat with its topics, whatever it was paused for; returns how many rows were paused. */
export async function resumeForOperator(
  store: Store,
  platform: PlatformName,
  chat: string,
  only?: Loss,
): Promise<number> {
  const { numUpdatedRows } = await store
    .updateTable('chats')
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
    .deleteFrom('chats')
    .where('platform', '=', platform)
    .where('chat', '=', chat)
    .returning('id')
    .execute()
  const rows = gone.map(({ id }) => id)
  if (rows.length === 0) return { chats: 0, alerts: 0, deliveries: 0, messages: 0 }
  const { numDeletedRows: alerts } = await tx
    .deleteFrom('subscriptions')
    .where('chat_id', 'in', rows)
    .executeTakeFirstOrThrow()
  const { numDeletedRows: deliveries } = await tx
    .deleteFrom('deliveries')
    .where('chat_id', 'in', rows)
    .executeTakeFirstOrThrow()
  const { numDeletedRows: messages } = await tx
    .deleteFrom('live_messages')
    .where('chat_id', 'in', rows)
    .executeTakeFirstOrThrow()
  return {
    chats: rows.length,
    alerts: Number(alerts),
    deliveries: Number(deliveries),
    messages: Number(messages),
  }
}
