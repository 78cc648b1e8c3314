import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../db/schema.ts'
import type { Event } from './event.ts'
import { enqueue } from './matching.ts'
import { lockDeliveries } from './outbox.ts'
import { type AssetChange, upsertAssets } from './snapshot.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * What is stored all or nothing: news, and the one thing that keeps it from being found again. Nothing of it is stored
 * where that was changed by somebody else since it was read, who has told of it or finds it the next time.
 */
export interface ChangeSet {
  /** Of the snapshot. */
  asset?: AssetChange
  /** What a filter is to remember, and what it remembered. */
  memory?: { filter: number; before: string; after: string }
  news: readonly Event[]
}

interface CommitParts {
  store: Store
  follows: Pick<Subscriptions, 'remember'>
  /** Unix seconds. */
  now: number
}

/** While a transaction runs nothing else in the process does: it ends at the first of these. */
const most = { deliveries: 2000, news: 20 }
/** Pieces without news in one transaction. */
const quietTogether = 100

/**
 * Stores pieces in as many transactions as it takes for people not to wait, those with news first, and returns how many
 * deliveries there are of it. Where it breaks off the rest is not stored, and is found again.
 */
export async function commit(parts: CommitParts, pieces: readonly ChangeSet[]): Promise<number> {
  const loud = pieces.filter(({ news }) => news.length > 0)
  const quiet = pieces.filter(({ news }) => news.length === 0)
  let deliveries = 0
  for (let from = 0; from < loud.length; ) {
    const part = await storeLoud(parts, loud, from)
    deliveries += part.deliveries
    from = part.next
    await others()
  }
  for (let from = 0; from < quiet.length; from += quietTogether) {
    await storeQuiet(parts, quiet.slice(from, from + quietTogether))
    await others()
  }
  return deliveries
}

function storeLoud({ store, follows, now }: CommitParts, loud: readonly ChangeSet[], from: number) {
  return store.transaction().execute(async (tx) => {
    await lockDeliveries(tx)
    const part = { next: from, deliveries: 0, news: 0 }
    while (part.deliveries < most.deliveries && part.news < most.news) {
      const piece = loud[part.next]
      if (!piece) break
      part.next += 1
      if (!(await keep(tx, follows, piece))) continue
      part.deliveries += (await enqueue(tx, piece.news, now)).deliveries
      part.news += piece.news.length
    }
    return part
  })
}

function storeQuiet({ store, follows }: CommitParts, pieces: readonly ChangeSet[]): Promise<void> {
  return store.transaction().execute(async (tx) => {
    await upsertAssets(
      tx,
      pieces.flatMap(({ asset }) => asset ?? []),
    )
    for (const { memory } of pieces) if (memory) await follows.remember(tx, memory)
  })
}

/** Whether it is stored. */
async function keep(
  tx: Store,
  follows: Pick<Subscriptions, 'remember'>,
  { asset, memory }: ChangeSet,
): Promise<boolean> {
  if (asset && (await upsertAssets(tx, [asset])) === 0) return false
  return !memory || follows.remember(tx, memory)
}
