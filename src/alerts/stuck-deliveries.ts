import type { PlatformName } from '../core/command.ts'
import type { Store } from '../db/schema.ts'
import { waiting } from '../db/sql.ts'
import { dropWaiting, makeChatDue } from './chats.ts'

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
      uncertain: 0,
      run_at_s: now,
      updated_at_s: now,
    })
    .where('chat_id', '=', chat)
    .where('state', '=', 'given-up')
    .where('event_id', 'in', useful)
    .executeTakeFirst()
  const hurried = await tx
    .updateTable('deliveries')
    .set({ run_at_s: now, updated_at_s: now })
    .where('chat_id', '=', chat)
    .where('state', '=', waiting)
    // Leaves alone the deliveries that are being sent.
    .where('claim', '<=', 0)
    .where('run_at_s', '>', now)
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
        .set({ state: 'dropped', reason, updated_at_s: now })
        .where('chat_id', '=', chat)
        .where('state', '=', 'given-up')
        .executeTakeFirst()
      return dropped + Number(numUpdatedRows)
    })
  }
  return count
}
