import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import { tolerance } from './waiting.ts'

/** Seconds that alerts wait for others to the same chat, so that they go as one message. */
const gathering = 2
/** Filters whose followers one statement looks up. */
const together = 500

/**
 * Adds a waiting delivery of new news, in the caller's transaction, for each destination that follows one of these
 * filters and is neither paused nor muted at `now` (unix seconds). Returns how many there are. Where others may write
 * meanwhile the caller has taken its turn (`takeTurn`).
 */
export async function addDeliveries(
  tx: Store,
  news: number,
  filters: readonly number[],
  now: number,
): Promise<number> {
  let deliveries = 0
  for (let from = 0; from < filters.length; from += together) {
    deliveries += await add(tx, news, filters.slice(from, from + together), now)
  }
  if (deliveries > 0) await makeDue(tx, news, now)
  return deliveries
}

async function add(
  tx: Store,
  news: number,
  filters: readonly number[],
  now: number,
): Promise<number> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('deliveries')
    .columns([
      'news',
      'destination',
      'state',
      'run_at',
      'attempts',
      'claim',
      'uncertain',
      'reason',
      'updated_at',
    ])
    .expression((row) =>
      row
        .selectFrom('follows')
        .innerJoin('destinations', 'destinations.id', 'follows.destination')
        .select((each) => [
          each.val(news).as('news'),
          'follows.destination',
          waiting.as('state'),
          each.val(now + gathering).as('run_at'),
          each.val(0).as('attempts'),
          each.val(0).as('claim'),
          each.val(0).as('uncertain'),
          each.val(null).as('reason'),
          each.val(now).as('updated_at'),
        ])
        .where('follows.filter', 'in', filters)
        .where('destinations.paused', 'is', null)
        .where('destinations.muted_until', '<=', now),
    )
    .onConflict((conflict) => conflict.columns(['news', 'destination']).doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows)
}

/**
 * Tells the outbox of destinations to which something waits now: at the earliest when they may be sent to again. Where
 * a clock that ran ahead said when that is, the outbox puts it right. Each row is written, also where nothing changes:
 * so whoever ends a claim of it meanwhile waits, and sees what was added.
 */
async function makeDue(tx: Store, news: number, now: number): Promise<void> {
  const due = (now + gathering) * 1000
  const latest = now + tolerance
  await tx
    .updateTable('destinations')
    .set((row) => {
      const stays = row.or([
        row('due_at', '<=', due),
        row.and([row('due_at', 'is not', null), row('updated_at', '>', latest)]),
      ])
      const isHeld = row.and([row('next_at', '>', due), row('updated_at', '<=', latest)])
      const dueAt = row.case().when(stays).then(row.ref('due_at'))
      return {
        due_at: dueAt.when(isHeld).then(row.ref('next_at')).else(due).end(),
        updated_at: row.case().when(stays).then(row.ref('updated_at')).else(now).end(),
      }
    })
    .where('id', 'in', (row) =>
      row.selectFrom('deliveries').select('destination').where('news', '=', news),
    )
    .execute()
}
