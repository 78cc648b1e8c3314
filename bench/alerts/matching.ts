import Database from 'better-sqlite3'
import { enqueue } from '../../src/alerts/matching.ts'
import { openStore } from '../../src/db/database.ts'
import type { Store } from '../../src/db/schema.ts'
import { newsOf } from './crowd.ts'

const sorts = ['wide', 'narrow'] as const
type Sort = (typeof sorts)[number]

/** Results for one sort of event: milliseconds per event and round, with Gavel's layout and with the flat table. */
export interface Matched {
  sort: Sort
  /** Deliveries per event. */
  deliveries: number
  millis: number[]
  flatMillis: number[]
}

const now = 1_800_000_000

/** Matches and stores events alternately through Gavel and through the flat table, each in its own transaction. */
export async function matching(file: string, rounds: number): Promise<Matched[]> {
  const store = await openStore(file)
  const database = new Database(file)
  try {
    const results: Matched[] = []
    for (const sort of sorts) {
      const result: Matched = { sort, deliveries: 0, millis: [], flatMillis: [] }
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const ours = await timedRound(database, () => gavelRound(store, sort, `${sort} ${round}`))
        const flat = await timedRound(database, async () =>
          flatRound(database, sort, `flat ${sort} ${round}`),
        )
        if (ours.deliveries !== flat.deliveries) {
          throw new Error(`${ours.deliveries} deliveries, and ${flat.deliveries} by the flat table`)
        }
        if (round === 0) continue
        result.deliveries = ours.deliveries
        result.millis.push(ours.millis)
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

interface Round {
  deliveries: number
  millis: number
}

/** Times one round, and deletes what it stored. */
async function timedRound(
  database: Database.Database,
  round: () => Promise<number>,
): Promise<Round> {
  const start = performance.now()
  const deliveries = await round()
  const millis = performance.now() - start
  database.exec(
    'delete from deliveries; update destinations set due_at = null, updated_at = 0 where due_at is not null',
  )
  database.pragma('wal_checkpoint(truncate)')
  return { deliveries, millis }
}

async function gavelRound(store: Store, sort: Sort, key: string): Promise<number> {
  const added = await store
    .transaction()
    .execute((tx) => enqueue(tx, [newsOf(sort, key, now)], now))
  return added.deliveries
}

/** Writes the same rows as `enqueue`, found by a scan of all subscriptions of the kind. */
function flatRound(database: Database.Database, sort: Sort, key: string): number {
  const { chain, asset, at, usefulUntil, body } = newsOf(sort, key, now)
  if (!('asset' in body)) throw new Error('this news has no asset')
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
        now,
        kind: body.kind,
        chain,
        asset,
        numeraire: body.asset.asset_numeraire_address,
        creator: 'creator-17',
        category: body.asset.asset_categories?.[0],
      })
    database
      .prepare(
        `update destinations set due_at = max(next_at, (@now + 2) * 1000), updated_at = @now
         where id in (select destination from deliveries where news = @news)
           and (due_at is null or due_at > (@now + 2) * 1000)`,
      )
      .run({ news, now })
    return changes
  })
  return store()
}
