import { setImmediate as others } from 'node:timers/promises'
import type { Store } from '../db/schema.ts'
import type { Event } from './event.ts'
import { enqueue } from './matching.ts'
import { lockDeliveries } from './outbox.ts'
import { type AssetChange, upsertAssets } from './snapshot.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * A unit that is stored in one transaction: events, and the state that keeps them from being detected again. If another
 * process changed that state since it was read, the whole unit is discarded: the other process has stored the same
 * events, or the next poll detects them again.
 */
export interface ChangeSet {
  /** The asset's new row in the snapshot. */
  asset?: AssetChange
  /** What a filter remembers (a JSON text), before and after. */
  memory?: { filter: number; before: string; after: string }
  news: readonly Event[]
}

interface CommitParts {
  store: Store
  follows: Pick<Subscriptions, 'remember'>
  /** Unix seconds. */
  now: number
}

/** Limits per transaction, whichever is reached first: SQLite blocks the whole process while one runs. */
const most = { deliveries: 2000, news: 20 }
/** Change sets without events that are stored in one transaction. */
const quietTogether = 100

/**
 * Stores change sets, those with events first, in transactions short enough not to delay answers to people. Returns how
 * many deliveries were added. If a transaction fails, the rest is not stored and the next poll detects it again.
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

/** Stores the state; false if another process changed it since it was read. */
async function keep(
  tx: Store,
  follows: Pick<Subscriptions, 'remember'>,
  { asset, memory }: ChangeSet,
): Promise<boolean> {
  if (asset && (await upsertAssets(tx, [asset])) === 0) return false
  return !memory || follows.remember(tx, memory)
}
