import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { PlatformName } from '../core/command.ts'
import type { Store } from '../db/schema.ts'
import { deleteInBatches, noText, waiting } from '../db/sql.ts'
import { type Backlog, maxCounted } from '../jobs/queue.ts'
import { announcement } from './announcements.ts'
import { dropWaiting, makeChatDue } from './chats.ts'
import { isPerRule, kindsWhere } from './kinds/list.ts'

// Queries about deliveries for administrators and metrics, and their deletion by retention.

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
    .innerJoin('chats', 'chats.id', 'deliveries.chat_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .where((row) =>
      row.or([
        row('deliveries.state', '=', waiting).and(
          row.or([
            row('deliveries.reason', 'is not', null).and('deliveries.attempts', '>', 0),
            row('deliveries.run_at_s', '<', now - overdueSeconds),
          ]),
        ),
        // Later ones are of no use to anybody.
        row('deliveries.state', '=', 'given-up').and('events.useful_until_s', '>', now),
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
      row.fn.min('deliveries.run_at_s').as('firstAt'),
      row.fn.max('deliveries.reason').as('reason'),
    ])
    .groupBy(['chats.id', 'platform', 'chat', 'thread', 'deliveries.state'])
    .orderBy('firstAt')
    .limit(max)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state === 'given-up' ? row.state : 'waiting' }))
}

/** A chat with its topics; undefined for all. */
type Which = { platform: PlatformName; chat: string } | undefined

async function stuckChats(tx: Store, which: Which, now: number): Promise<number[]> {
  const rows = await stuckRows(tx, now)
    .select('chats.id')
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
  const useful = tx.selectFrom('events').select('id').where('useful_until_s', '>', now)
  const revived = await tx
    .updateTable('deliveries')
    .set({
      state: 'waiting',
      attempts: 0,
      claim: 0,
      run_at_s: now,
      updated_at_s: now,
    })
    .where('chat_id', '=', chat)
    .where('state', '=', 'given-up')
    .where('event_id', 'in', useful)
    .executeTakeFirst()
  const madeDue = await tx
    .updateTable('deliveries')
    .set({ run_at_s: now, updated_at_s: now })
    .where('chat_id', '=', chat)
    .where('state', '=', waiting)
    .where('run_at_s', '>', now)
    .executeTakeFirst()
  return Number(revived.numUpdatedRows) + Number(madeDue.numUpdatedRows)
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
        .set({ state: 'dropped', reason, updated_at_s: now })
        .where('chat_id', '=', chat)
        .where('state', '=', 'given-up')
        .executeTakeFirst()
      return dropped + Number(numUpdatedRows)
    })
  }
  return count
}

const pruneBatchSize = 100

/**
 * Deletes deliveries and bodies of events that were last useful before a unix second, and returns how many rows changed. Keys
 * of events stay, so that they are not detected again, unless they contain the time of detection (`isPerRule`).
 */
export async function pruneEvents(store: Store, before: number): Promise<number> {
  let count = 0
  for (;;) {
    const old = await store
      .selectFrom('events')
      .select(['id', 'kind'])
      .where('body', '<>', noText)
      .where('useful_until_s', '<', before)
      .orderBy('useful_until_s')
      .limit(pruneBatchSize)
      .execute()
    if (old.length === 0) return count
    count += await deleteDeliveries(store, idsOf(old))
    const withTimeInKey = idsOf(old.filter(({ kind }) => hasTimeInKey(kind)))
    const withStableKey = idsOf(old.filter(({ kind }) => !hasTimeInKey(kind)))
    if (withTimeInKey.length > 0)
      await store.deleteFrom('events').where('id', 'in', withTimeInKey).execute()
    if (withStableKey.length > 0)
      await store.updateTable('events').set({ body: '' }).where('id', 'in', withStableKey).execute()
    count += old.length
    await yieldToOthers()
  }
}

function idsOf(events: readonly { id: number }[]): number[] {
  return events.map(({ id }) => id)
}

/**
 * Whether the key of such an event contains the time of detection, so that it can't be detected again and its row can go.
 * Keys of other kinds stay.
 */
function hasTimeInKey(kind: string): boolean {
  return kind === announcement.id || kindsWhere(isPerRule).some((each) => each === kind)
}

function deleteDeliveries(store: Store, events: readonly number[]): Promise<number> {
  return deleteInBatches((limit) => {
    const some = store
      .selectFrom('deliveries')
      .select(['event_id', 'chat_id'])
      .where('event_id', 'in', events)
      .limit(limit)
    return store
      .deleteFrom('deliveries')
      .where((row) =>
        row(row.refTuple('event_id', 'chat_id'), 'in', some.$asTuple('event_id', 'chat_id')),
      )
      .executeTakeFirstOrThrow()
  })
}

/** Counts the chats of a platform to which something is due at `now` (unix milliseconds). */
export async function chatsDue(
  store: Store,
  platform: PlatformName,
  now: number,
): Promise<Backlog> {
  const { due, first } = await store
    .selectFrom((from) =>
      from
        .selectFrom('chats')
        .select('due_at_ms')
        .where('platform', '=', platform)
        .where('due_at_ms', 'is not', null)
        .where('due_at_ms', '<=', now)
        .orderBy('due_at_ms')
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => [row.fn.countAll<number>().as('due'), row.fn.min('due_at_ms').as('first')])
    .executeTakeFirstOrThrow()
  return { due, oldest: due === 0 || first === null ? 0 : (now - first) / 1000 }
}

/** Counts the paused chats of a platform, up to `maxCounted`, by reason; a reason without any is left out. */
export async function chatsPaused(
  store: Store,
  platform: PlatformName,
): Promise<ReadonlyMap<string, number>> {
  const rows = await store
    .selectFrom((from) =>
      from
        .selectFrom('chats')
        .select((row) => row.ref('paused').$notNull().as('loss'))
        .where('platform', '=', platform)
        .where('paused', 'is not', null)
        .limit(maxCounted)
        .as('paused'),
    )
    .select((row) => ['loss', row.fn.countAll<number>().as('count')])
    .groupBy('loss')
    .execute()
  return new Map(rows.map(({ loss, count }) => [loss, count]))
}

/** Counts the waiting deliveries, due or not, up to `maxCounted`. */
export async function deliveriesWaiting(store: Store): Promise<number> {
  const { count } = await store
    .selectFrom((from) =>
      from
        .selectFrom('deliveries')
        .select('chat_id')
        .where('state', '=', waiting)
        .limit(maxCounted)
        .as('waits'),
    )
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
