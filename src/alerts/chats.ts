import type { ChatAddress, Loss } from '../core/adapter.ts'
import type { PlatformName } from '../core/command.ts'
import type { ChatsTable, RowOf, Store } from '../db/schema.ts'
import { type IdRange, lockInTransaction, pruneFound, waiting, withLatest } from '../db/sql.ts'

// The rows of chats (`chats`): who they are, whether they are active, muted, paused or migrated, and when something may be
// sent to them next. Functions take the id of the row as `chat`.

/** A chat that receives alerts, on one platform. */
export interface Target extends ChatAddress {
  platform: PlatformName
}

/** A chat that has a row. */
export interface Chat extends Target {
  /** The row's id. */
  row: number
}

/** The columns that `chatOf` reads. */
export const chatColumns = ['chats.id', 'platform', 'kind', 'chat', 'thread'] as const

/** Reads a chat's row. */
export function chatOf({
  id: row,
  platform,
  kind,
  chat: id,
  thread,
}: Pick<ChatsTable, 'platform' | 'kind' | 'chat' | 'thread'> & { id: number }): Chat {
  return { row, platform, kind, id, ...(thread === '' ? {} : { thread }) }
}

/** Selects a chat's row. */
export function selectChat(store: Store, { platform, id, thread = '' }: Target) {
  return store
    .selectFrom('chats')
    .where('chats.chat', '=', id)
    .where('chats.platform', '=', platform)
    .where('chats.thread', '=', thread)
}

/** Finds a chat; undefined if it has never subscribed to anything. */
export function findChat(store: Store, target: Target) {
  return selectChat(store, target)
    .select(['id', 'paused', 'muted_until_s', 'changed_by'])
    .executeTakeFirst()
}

/** The rows of chats by the platform's own ids, with those of their topics. */
export function chatRows(store: Store, platform: PlatformName, chats: readonly string[]) {
  return store
    .selectFrom('chats')
    .select(['id', 'paused'])
    .where('chat', 'in', chats)
    .where('platform', '=', platform)
    .execute()
}

/** The updates that changed or removed a subscription last, of a row's column. */
export function changedByOf(row: Pick<ChatsTable, 'changed_by'> | undefined): string[] {
  return row?.changed_by?.split(',') ?? []
}

/**
 * Locks a chat's row, so that its subscriptions change in one order, and remembers the update that changes them: its platform
 * may bring it again.
 */
export async function noteChange(
  tx: Store,
  chat: number,
  update: string | undefined,
): Promise<void> {
  await tx
    .updateTable('chats')
    .set((row) => ({
      changed_by:
        update === undefined ? row.ref('changed_by') : withLatest(row.ref('changed_by'), update),
    }))
    .where('id', '=', chat)
    .execute()
}

const byOperator: Loss = 'operator'

interface ChatChange {
  /** Unix seconds; 0 unmutes. */
  mutedUntil?: number
  /** The update that changes the chat, to be remembered. */
  update?: string | undefined
}

/** Creates the chat's row if there is none, locks it, changes it, and returns its id. */
export async function createChat(
  tx: Store,
  { platform, kind, id: chat, thread = '' }: Target,
  now: number,
  { mutedUntil, update }: ChatChange = {},
): Promise<number> {
  const { id } = await tx
    .insertInto('chats')
    .values({
      platform,
      kind,
      chat,
      thread,
      // A chat that an administrator has paused stays so in a new topic, too.
      paused: tx
        .selectFrom('chats as topic')
        .select('topic.paused')
        .where('topic.chat', '=', chat)
        .where('topic.platform', '=', platform)
        .where('topic.paused', '=', byOperator)
        .limit(1),
      muted_until_s: mutedUntil ?? 0,
      next_at_ms: 0,
      due_at_ms: null,
      created_at_s: now,
      changed_by: update ?? null,
    })
    .onConflict((conflict) =>
      conflict.columns(['chat', 'platform', 'thread']).doUpdateSet((row) => ({
        kind,
        ...(mutedUntil !== undefined && { muted_until_s: mutedUntil }),
        ...(update !== undefined && {
          changed_by: withLatest(row.ref('chats.changed_by'), update),
        }),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Why deliveries of a chat are dropped, beside a `Loss`: as stored. */
export const dropReasons = {
  muted: 'muted',
  unsubscribed: 'unsubscribed',
  migrated: 'sent under the chat’s former id',
} as const

/** Mutes a chat until `until` (unix seconds; 0 unmutes), and drops its waiting deliveries. */
export async function muteChat(
  tx: Store,
  target: Target,
  until: number,
  now: number,
  update: string | undefined,
): Promise<void> {
  const row = await createChat(tx, target, now, { mutedUntil: until, update })
  if (until > now) await dropWaiting(tx, row, dropReasons.muted, now)
}

/** Resumes sending to a chat that was paused. */
export async function resumeChat(store: Store, chat: number): Promise<void> {
  await store
    .updateTable('chats')
    .set({ paused: null })
    .where('id', '=', chat)
    .where('paused', '<>', byOperator)
    .execute()
}

/**
 * Resumes sending to chats that are paused, by the platform's own ids, but not to their closed topics; returns how many rows
 * are resumed.
 */
export async function resumeChats(
  store: Store,
  platform: PlatformName,
  chats: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await store
    .updateTable('chats')
    .set({ paused: null })
    .where('chat', 'in', chats)
    .where('platform', '=', platform)
    .where('paused', 'is not', null)
    .where('paused', 'not in', ['topic-closed', byOperator] satisfies Loss[])
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Pauses a chat and drops its waiting deliveries, until it is resumed. Its cooldown ends, so that it is sent to at once
 * after it resumes. Returns the platform and how many deliveries were dropped; undefined if there is no such chat.
 * @param now unix milliseconds
 */
export async function pauseChat(tx: Store, chat: number, loss: Loss, now: number) {
  const paused = await tx
    .updateTable('chats')
    .set({ paused: loss, next_at_ms: now })
    .where('id', '=', chat)
    .returning('platform')
    .executeTakeFirst()
  const deliveries = await dropWaiting(tx, chat, loss, Math.floor(now / 1000))
  return paused && { ...paused, deliveries }
}

/**
 * Changes a chat's id after the platform has migrated it. If the new id has a row already, that one takes over the
 * subscriptions and waiting deliveries, without duplicates, the longer mute and an administrator's pause. Live messages
 * are deleted: their ids are not valid in the new chat.
 * @param now unix milliseconds
 */
export async function migrateChat(
  tx: Store,
  chat: number,
  newId: string,
  now: number,
): Promise<void> {
  await lockDeliveries(tx)
  // Write before the first read, so that on SQLite no other write comes in between.
  await tx.deleteFrom('live_messages').where('chat_id', '=', chat).execute()
  const old = await tx.selectFrom('chats').selectAll().where('id', '=', chat).executeTakeFirst()
  if (old === undefined || old.chat === newId) return
  const target = await tx
    .selectFrom('chats')
    .select(['id', 'paused', 'muted_until_s', 'next_at_ms'])
    .where('chat', '=', newId)
    .where('platform', '=', old.platform)
    .where('thread', '=', old.thread)
    .executeTakeFirst()
  if (target === undefined) {
    await tx.updateTable('chats').set({ chat: newId }).where('id', '=', old.id).execute()
    return
  }
  await moveSubscriptions(tx, old.id, target.id)
  await moveWaiting(tx, old.id, target.id)
  await repeatSlices(tx, old.id, target.id)
  await tx.deleteFrom('chats').where('id', '=', old.id).execute()
  const seconds = Math.floor(now / 1000)
  const muted_until_s = Math.max(old.muted_until_s, target.muted_until_s)
  const paused = old.paused === byOperator ? byOperator : target.paused
  const changed = { muted_until_s, paused }
  await tx.updateTable('chats').set(changed).where('id', '=', target.id).execute()
  if (paused !== null || muted_until_s > seconds) {
    await dropWaiting(tx, target.id, paused ?? dropReasons.muted, seconds)
  } else {
    await scheduleChat(tx, target.id, Math.max(target.next_at_ms, now))
  }
}

async function moveSubscriptions(tx: Store, from: number, to: number): Promise<void> {
  await tx
    .insertInto('subscriptions')
    .columns(['rule_id', 'chat_id', 'created_at_s'])
    .expression((row) =>
      row
        .selectFrom('subscriptions')
        .select((each) => ['rule_id', each.val(to).as('chat_id'), 'created_at_s'])
        .where('chat_id', '=', from),
    )
    .onConflict((conflict) => conflict.columns(['rule_id', 'chat_id']).doNothing())
    .execute()
  await tx.deleteFrom('subscriptions').where('chat_id', '=', from).execute()
}

async function moveWaiting(tx: Store, from: number, to: number): Promise<void> {
  // A delivery that waits under either id is sent, even if it was dropped under the other while that one was muted or
  // paused.
  await tx
    .deleteFrom('deliveries')
    .where('chat_id', '=', to)
    .where('state', '=', 'dropped')
    .where('event_id', 'in', (row) =>
      row
        .selectFrom('deliveries as old')
        .select('old.event_id')
        .where('old.chat_id', '=', from)
        .where('old.state', '=', waiting),
    )
    .execute()
  await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', reason: dropReasons.migrated })
    .where('chat_id', '=', to)
    .where('state', '=', waiting)
    .where((row) =>
      row.exists(
        row
          .selectFrom('deliveries as old')
          .select('old.event_id')
          .whereRef('old.event_id', '=', 'deliveries.event_id')
          .where('old.chat_id', '=', from)
          .where('old.state', 'in', ['sent', 'uncertain']),
      ),
    )
    .execute()
  await tx
    .updateTable('deliveries')
    .set({ chat_id: to, claim: 0 })
    .where('chat_id', '=', from)
    .where('state', '=', waiting)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('deliveries as own')
            .select('own.event_id')
            .whereRef('own.event_id', '=', 'deliveries.event_id')
            .where('own.chat_id', '=', to),
        ),
      ),
    )
    .execute()
  await tx
    .deleteFrom('deliveries')
    .where('chat_id', '=', from)
    .where('state', '=', waiting)
    .execute()
}

/**
 * Restarts adding the deliveries of events that are still being stored: the chat's subscriptions moved, maybe to a row that
 * was already passed. Deliveries of these events that its old row got count for the new one, too.
 */
async function repeatSlices(tx: Store, from: number, to: number): Promise<void> {
  const unfinished = tx.selectFrom('events').select('id').where('slices_after', 'is not', null)
  await tx
    .updateTable('deliveries')
    .set({ chat_id: to })
    .where('chat_id', '=', from)
    .where('event_id', 'in', unfinished)
    .where('event_id', 'not in', (row) =>
      row
        .selectFrom('deliveries as own')
        .select('own.event_id')
        .where('own.chat_id', '=', to)
        .where('own.event_id', 'in', unfinished),
    )
    .execute()
  await tx
    .updateTable('events')
    .set({ slices_after: 0 })
    .where('slices_after', 'is not', null)
    .execute()
}

/**
 * Drops the waiting deliveries of a chat, in the caller's transaction; returns how many. One that is being sent may
 * still be recorded as sent.
 */
export async function dropWaiting(
  tx: Store,
  chat: number,
  reason: string,
  now: number,
): Promise<number> {
  await tx.updateTable('chats').set({ due_at_ms: null }).where('id', '=', chat).execute()
  const { numUpdatedRows } = await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', reason, updated_at_s: now })
    .where('chat_id', '=', chat)
    .where('state', '=', waiting)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Sends nothing to a chat before `nextAt` (unix milliseconds). */
export async function coolDownChat(store: Store, chat: number, nextAt: number): Promise<void> {
  await store
    .updateTable('chats')
    .set({ next_at_ms: nextAt })
    .where('id', '=', chat)
    .where('next_at_ms', '<', nextAt)
    .execute()
}

/**
 * Makes a chat due at `now` (unix milliseconds), or once its cooldown ends, and locks its row. Must come before deliveries of the
 * chat are made due in the same transaction: whoever takes or gives them back locks the chat first, too.
 */
export async function makeChatDue(tx: Store, chat: number, now: number): Promise<void> {
  await tx
    .updateTable('chats')
    .set((row) => ({ due_at_ms: dueBy(row, now) }))
    .where('id', '=', chat)
    .execute()
}

/** A chat's `due_at_ms`, made `at` (unix milliseconds) or the end of its cooldown, unless it is due before anyway. */
function dueBy(row: RowOf<'chats'>, at: number) {
  return row
    .case()
    .when('due_at_ms', '<=', at)
    .then(row.ref('due_at_ms'))
    .when('next_at_ms', '>', at)
    .then(row.ref('next_at_ms'))
    .else(at)
    .end()
}

/** The rows of chats after one, up to another. */
export interface ChatRange {
  after: number
  last: number
}

/**
 * Makes the chats in a range that have a waiting delivery of an event due at `dueAt` (unix milliseconds), but not before
 * their cooldown ends. Returns how many chats these are.
 */
export async function makeDue(
  tx: Store,
  event: number,
  { after, last }: ChatRange,
  dueAt: number,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('chats')
    .set((row) => ({ due_at_ms: dueBy(row, dueAt) }))
    .where('id', 'in', (row) =>
      row
        .selectFrom('deliveries')
        .select('chat_id')
        .where('event_id', '=', event)
        .where('chat_id', '>', after)
        .where('chat_id', '<=', last)
        .where('state', '=', waiting),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Closes a chat to which something is due at `now` until `until` (both unix ms): then it is due again, unless `scheduleChat`
 * says otherwise before. Undefined if it is not due any more.
 */
export async function claimChat(
  tx: Store,
  chat: number,
  now: number,
  until: number,
): Promise<Chat | undefined> {
  const row = await tx
    .updateTable('chats')
    .set({ next_at_ms: until, due_at_ms: until })
    .where('id', '=', chat)
    .where('due_at_ms', '<=', now)
    .returning(chatColumns)
    .executeTakeFirst()
  return row && chatOf(row)
}

/** Locks a chat's row until the transaction ends: whoever adds or drops deliveries of the chat waits, and then sees the new ones. */
export async function lockChat(tx: Store, chat: number): Promise<void> {
  await noteChange(tx, chat, undefined)
}

/**
 * Makes a chat due once its next delivery is, but not before `nextAt` (unix ms), when its cooldown ends. The caller's
 * transaction must hold the lock on the chat's row.
 */
export async function scheduleChat(tx: Store, chat: number, nextAt: number): Promise<void> {
  const next = await tx
    .selectFrom('deliveries')
    .select('run_at_s')
    .where('chat_id', '=', chat)
    .where('state', '=', waiting)
    .orderBy('run_at_s')
    .limit(1)
    .executeTakeFirst()
  const due_at_ms = next === undefined ? null : Math.max(nextAt, next.run_at_s * 1000)
  await tx
    .updateTable('chats')
    .set({ next_at_ms: nextAt, due_at_ms })
    .where('id', '=', chat)
    .execute()
}

/**
 * Locks, until the transaction ends, adding deliveries and merging two chats: the leader adds while another process may
 * merge, because a person's update came there. Both write many chats' rows in no fixed order and must see the same
 * subscriptions. Must come before all writes of a transaction: whoever waits for it then holds no row, so there is no
 * deadlock.
 */
export async function lockDeliveries(tx: Store): Promise<void> {
  await lockInTransaction(tx, 'deliveries')
}

/** Seconds for which a new chat stays without subscriptions: somebody may be about to add the first. */
const newChatRetention = 3600

/**
 * Deletes chats without subscriptions whose ids are in a range (`from` excluded, `to` included); returns how many.
 * Keeps those that are muted or paused by an administrator, less than an hour old, or have deliveries or live messages,
 * and all while deliveries of an event are still added: those of an announcement go to chats without subscriptions, too.
 */
export function pruneChats(store: Store, { from, to }: IdRange, now: number): Promise<number> {
  return pruneFound(store, 'chats', (tx) =>
    tx
      .selectFrom('chats')
      .select('id')
      .where('id', '>', from)
      .where('id', '<=', to)
      .where('due_at_ms', 'is', null)
      .where('muted_until_s', '<=', now)
      .where((row) => row.or([row('paused', 'is', null), row('paused', '<>', byOperator)]))
      .where('created_at_s', '<', now - newChatRetention)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('events').select('events.id').where('slices_after', 'is not', null))),
      )
      .where(({ not, or, exists, selectFrom }) => {
        const subscriptions = selectFrom('subscriptions').select('rule_id')
        const messages = selectFrom('live_messages').select('message')
        return not(
          or([
            exists(subscriptions.whereRef('subscriptions.chat_id', '=', 'chats.id')),
            exists(messages.whereRef('live_messages.chat_id', '=', 'chats.id')),
          ]),
        )
      })
      .execute(),
  )
}
