import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Fence } from '../db/leases.ts'
import type { Store, WatchedAssetsTable } from '../db/schema.ts'
import type { Event } from './event.ts'
import { enqueue } from './matching.ts'
import { lockDeliveries } from './outbox.ts'
import { upsertAssets } from './snapshot.ts'
import type { Subscriptions } from './subscriptions.ts'

/** A unit that is stored in one transaction: events, and the state that keeps them from being detected again. */
export interface ChangeSet {
  /** The asset's new row in the snapshot. */
  asset?: WatchedAssetsTable
  /**
   * The stored state of a filter (a JSON text), before and after. If it is no longer `before`, because the filter lost
   * its subscribers and has new ones, the change set is discarded.
   */
  memory?: { filter: number; before: string; after: string }
  events: readonly Event[]
}

interface CommitParts {
  store: Store
  follows: Pick<Subscriptions, 'remember'>
  fence: Fence
  /** Unix seconds. */
  now: number
}

/** Limits per transaction, whichever is reached first: SQLite blocks the whole process while one runs. */
const maxPerTransaction = { deliveries: 2000, events: 20 }
/** Change sets without events that are stored in one transaction. */
const quietBatchSize = 100

/**
 * Stores change sets, those with events first, in transactions short enough not to delay answers to people. Returns how
 * many deliveries were added. If a transaction fails, the rest is not stored and the next poll detects it again.
 */
export async function commit(
  parts: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<number> {
  const withEvents = changeSets.filter(({ events }) => events.length > 0)
  const withoutEvents = changeSets.filter(({ events }) => events.length === 0)
  let deliveries = 0
  for (let from = 0; from < withEvents.length; ) {
    const stored = await storeWithEvents(parts, withEvents, from)
    deliveries += stored.deliveries
    from = stored.next
    await yieldToOthers()
  }
  for (let from = 0; from < withoutEvents.length; from += quietBatchSize) {
    await storeWithoutEvents(parts, withoutEvents.slice(from, from + quietBatchSize))
    await yieldToOthers()
  }
  return deliveries
}

function storeWithEvents(
  { store, follows, fence, now }: CommitParts,
  withEvents: readonly ChangeSet[],
  from: number,
) {
  return store.transaction().execute(async (tx) => {
    await fence(tx)
    await lockDeliveries(tx)
    const stored = { next: from, deliveries: 0, events: 0 }
    while (
      stored.deliveries < maxPerTransaction.deliveries &&
      stored.events < maxPerTransaction.events
    ) {
      const changeSet = withEvents[stored.next]
      if (!changeSet) break
      stored.next += 1
      if (!(await storeState(tx, follows, changeSet))) continue
      stored.deliveries += (await enqueue(tx, changeSet.events, now)).deliveries
      stored.events += changeSet.events.length
    }
    return stored
  })
}

function storeWithoutEvents(
  { store, follows, fence }: CommitParts,
  changeSets: readonly ChangeSet[],
): Promise<void> {
  return store.transaction().execute(async (tx) => {
    await fence(tx)
    await upsertAssets(
      tx,
      changeSets.flatMap(({ asset }) => asset ?? []),
    )
    for (const { memory } of changeSets) if (memory) await follows.remember(tx, memory)
  })
}

/** Stores the state; false if the filter's was changed since it was read. */
async function storeState(
  tx: Store,
  follows: Pick<Subscriptions, 'remember'>,
  { asset, memory }: ChangeSet,
): Promise<boolean> {
  if (asset) await upsertAssets(tx, [asset])
  return !memory || follows.remember(tx, memory)
}
