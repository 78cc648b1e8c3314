import Database from 'better-sqlite3'
import { enqueue } from '../src/alerts/events.ts'
import { openStore } from '../src/db/database.ts'
import type { Store } from '../src/db/schema.ts'
import { median, medianRatio, millis, ratio, tableOf, whole } from './figures.ts'
import { createSubscriptions, eventTime, makeEvent } from './subscriptions.ts'

const sorts = {
  wide: 'a new auction, which many follow',
  narrow: 'progress of one auction, which few follow',
} as const

/** Milliseconds per event and round, with Gavel's tables and with the flat table. */
export interface Matched {
  name: string
  /** Deliveries per event. */
  deliveries: number
  millis: number[]
  flatMillis: number[]
}

/** Matches and stores events alternately through Gavel and through the flat table, each in its own transaction. */
export async function measureMatching(
  file: string,
  { subscriptions, rounds }: { subscriptions: number; rounds: number },
): Promise<Matched[]> {
  await createSubscriptions(file, subscriptions)
  const store = await openStore(file)
  const database = new Database(file)
  try {
    const results: Matched[] = []
    for (const sort of ['wide', 'narrow'] as const) {
      const result: Matched = { name: sorts[sort], deliveries: 0, millis: [], flatMillis: [] }
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const own = await timed(database, () => storeEvent(store, sort, `${sort} ${round}`))
        const flat = await timed(database, async () =>
          storeByScan(database, sort, `flat ${sort} ${round}`),
        )
        if (own.deliveries !== flat.deliveries) {
          throw new Error(`${own.deliveries} deliveries, and ${flat.deliveries} by the flat table`)
        }
        if (round === 0) continue
        result.deliveries = own.deliveries
        result.millis.push(own.millis)
        result.flatMillis.push(flat.millis)
      }
      results.push(result)
    }
    return results
  } finally {
    database.close()
    await store.destroy()
  }
}

/** Times one round, and deletes what it stored. */
async function timed(database: Database.Database, round: () => Promise<number>) {
  const start = performance.now()
  const deliveries = await round()
  const took = performance.now() - start
  database.exec(
    'delete from deliveries; update destinations set due_at = null, updated_at = 0 where due_at is not null',
  )
  database.pragma('wal_checkpoint(truncate)')
  return { deliveries, millis: took }
}

/** Stores an event with its deliveries in one transaction; returns their number. */
export async function storeEvent(
  store: Store,
  sort: 'wide' | 'narrow',
  key: string,
): Promise<number> {
  const added = await store
    .transaction()
    .execute((tx) => enqueue(tx, [makeEvent(sort, key)], eventTime))
  return added.deliveries
}

/** Writes the same rows as `enqueue`, found by a scan of all subscriptions of the kind. */
function storeByScan(database: Database.Database, sort: 'wide' | 'narrow', key: string): number {
  const { chain, asset, at, usefulUntil, body } = makeEvent(sort, key)
  if (!('asset' in body)) throw new Error('this event has no asset')
  const store = database.transaction(() => {
    const { lastInsertRowid: news } = database
      .prepare(
        `insert into news (key, kind, chain, asset, body, at, useful_until) values (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(key, body.kind, chain, asset, JSON.stringify(body), at, usefulUntil)
    const { changes } = database
      .prepare(
        `insert into deliveries (news, destination, state, run_at, attempts, claim, uncertain, updated_at)
         select @news, destination, 'waiting', @now + 2, 0, 0, 0, @now
         from subscriptions join destinations on destinations.id = destination
         where subscriptions.kind = @kind and (chain is null or chain = @chain) and (asset is null or asset = @asset)
           and (numeraire is null or numeraire = @numeraire) and (creator is null or creator = @creator)
           and (category is null or category = @category) and paused is null and muted_until <= @now
         on conflict do nothing`,
      )
      .run({
        news,
        now: eventTime,
        kind: body.kind,
        chain,
        asset,
        numeraire: body.asset?.asset_numeraire_address,
        creator: 'creator-17',
        category: body.asset?.asset_categories?.[0],
      })
    database
      .prepare(
        `update destinations set due_at = max(next_at, (@now + 2) * 1000), updated_at = @now
         where id in (select destination from deliveries where news = @news)
           and (due_at is null or due_at > (@now + 2) * 1000)`,
      )
      .run({ news, now: eventTime })
    return changes
  })
  return store()
}

export function matchingTable(rows: readonly Matched[], subscriptions: number): string {
  return tableOf(rows, {
    deliveries: (row) => whole(row.deliveries),
    time: (row) => millis(median(row.millis)),
    'events × subscriptions/s': (row) => whole((subscriptions / median(row.millis)) * 1000),
    'deliveries stored/s': (row) => whole((row.deliveries / median(row.millis)) * 1000),
    'scan of one table with nulls': (row) => millis(median(row.flatMillis)),
    'scan ÷ it': (row) => ratio(medianRatio(row.flatMillis, row.millis), 1),
  })
}
