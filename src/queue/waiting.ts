import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'

/**
 * Seconds by which a row may be ahead of the clock: those of several machines differ, and are put right by a little.
 * What was written by a clock further ahead is not believed.
 */
export const tolerance = 60

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
