import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import { takeTurn } from './outbox-turn.ts'
import { dropWaiting, endClaim } from './waiting.ts'

/**
 * The chat of a destination goes on under another id. Where that is a destination already, it takes in what the old one
 * follows and what waits for it, each once, and is muted as long as either. Messages of the old chat have other ids in
 * the new one: none is edited.
 * @param now unix milliseconds
 */
export async function moveDestination(
  tx: Store,
  destination: number,
  chat: string,
  now: number,
): Promise<void> {
  await takeTurn(tx)
  // A write before all reads: nobody else's write comes between.
  await tx.deleteFrom('live_messages').where('destination', '=', destination).execute()
  const old = await tx
    .selectFrom('destinations')
    .selectAll()
    .where('id', '=', destination)
    .executeTakeFirst()
  if (old === undefined || old.chat === chat) return
  const there = await tx
    .selectFrom('destinations')
    .select(['id', 'paused', 'muted_until', 'claims', 'next_at'])
    .where('chat', '=', chat)
    .where('platform', '=', old.platform)
    .where('thread', '=', old.thread)
    .executeTakeFirst()
  if (there === undefined) {
    await tx.updateTable('destinations').set({ chat }).where('id', '=', old.id).execute()
    return
  }
  await moveFollows(tx, old.id, there.id)
  await moveWaiting(tx, old.id, there.id)
  await tx.deleteFrom('destinations').where('id', '=', old.id).execute()
  const seconds = Math.floor(now / 1000)
  const muted_until = Math.max(old.muted_until, there.muted_until)
  await tx.updateTable('destinations').set({ muted_until }).where('id', '=', there.id).execute()
  if (there.paused !== null || muted_until > seconds) {
    await dropWaiting(tx, there.id, there.paused ?? 'muted', seconds)
  } else {
    await endClaim(tx, there.id, there.claims, Math.max(there.next_at, now), seconds)
  }
}

async function moveFollows(tx: Store, from: number, to: number): Promise<void> {
  await tx
    .insertInto('follows')
    .columns(['filter', 'destination', 'created_at'])
    .expression((row) =>
      row
        .selectFrom('follows')
        .select((each) => ['filter', each.val(to).as('destination'), 'created_at'])
        .where('destination', '=', from),
    )
    .onConflict((conflict) => conflict.columns(['filter', 'destination']).doNothing())
    .execute()
  await tx.deleteFrom('follows').where('destination', '=', from).execute()
}

async function moveWaiting(tx: Store, from: number, to: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ state: 'dropped', reason: 'sent under the chat’s former id' })
    .where('destination', '=', to)
    .where('state', '=', waiting)
    .where((row) =>
      row.exists(
        row
          .selectFrom('deliveries as old')
          .select('old.news')
          .whereRef('old.news', '=', 'deliveries.news')
          .where('old.destination', '=', from)
          .where('old.state', 'in', ['sent', 'uncertain']),
      ),
    )
    .execute()
  await tx
    .updateTable('deliveries')
    .set({ destination: to, claim: 0 })
    .where('destination', '=', from)
    .where('state', '=', waiting)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('deliveries as known')
            .select('known.news')
            .whereRef('known.news', '=', 'deliveries.news')
            .where('known.destination', '=', to),
        ),
      ),
    )
    .execute()
  await tx
    .deleteFrom('deliveries')
    .where('destination', '=', from)
    .where('state', '=', waiting)
    .execute()
}
