import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { commit } from '../src/alerts/events.ts'
import { openStore } from '../src/db/database.ts'
import { unfenced } from '../src/db/leases.ts'
import type { Store } from '../src/db/schema.ts'
import { createLogger } from '../src/log.ts'
import { median, medianRatio, millis, ratio, tableOf, whole } from './figures.ts'
import { createSubscriptions, eventTime, makeEvent } from './subscriptions.ts'

const sorts = {
  wide: 'a new auction, which many follow',
  narrow: 'progress of one auction, which few follow',
} as const

/** Milliseconds by round. */
export interface Matched {
  name: string
  /** Deliveries per event. */
  deliveries: number
  millis: number[]
  /** The longest time in which the process did nothing else. */
  stops: number[]
  /** The same rows written by plain SQL, in one transaction. */
  plainMillis: number[]
}

/** Matches and stores events alternately through Gavel and by plain SQL. */
export async function measureMatching(
  file: string,
  { subscriptions, rounds }: { subscriptions: number; rounds: number },
): Promise<Matched[]> {
  await createSubscriptions(file, subscriptions)
  const store = await openStore(file)
  const database = new Database(file)
  database.pragma('synchronous = NORMAL')
  try {
    const results: Matched[] = []
    for (const sort of ['wide', 'narrow'] as const) {
      const name = sorts[sort]
      const result: Matched = { name, deliveries: 0, millis: [], stops: [], plainMillis: [] }
      // The first round is a warm-up.
      for (let round = 0; round <= rounds; round += 1) {
        const own = await timed(database, () => storeEvent(store, sort, `${sort} ${round}`))
        const plain = await timed(database, async () => {
          const [, { changes = 0 } = {}] = database.transaction(() =>
            plainSql(sort, `plain ${sort} ${round}`).map((each) => database.prepare(each).run()),
          )()
          return changes
        })
        if (own.deliveries !== plain.deliveries) {
          throw new Error(`${own.deliveries} deliveries, and ${plain.deliveries} by plain SQL`)
        }
        if (round === 0) continue
        result.deliveries = own.deliveries
        result.millis.push(own.millis)
        result.stops.push(own.stop)
        result.plainMillis.push(plain.millis)
      }
      results.push(result)
    }
    return results
  } finally {
    database.close()
    await store.destroy()
  }
}

/** Times one round and its longest stop, and deletes what it stored. */
async function timed(database: Database.Database, round: () => Promise<number>) {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const start = performance.now()
  const deliveries = await round()
  const took = performance.now() - start
  // The last stop is seen by the timer after it.
  await delay(5)
  delays.disable()
  database.exec(
    'delete from deliveries; update chats set due_at_ms = null, updated_at_s = 0 where due_at_ms is not null',
  )
  database.pragma('wal_checkpoint(truncate)')
  return { deliveries, millis: took, stop: delays.max / 1e6 }
}

/** Stores an event with its deliveries, as the watcher does; returns their number. */
export async function storeEvent(
  store: Store,
  sort: 'wide' | 'narrow',
  key: string,
): Promise<number> {
  const events = [makeEvent(sort, key)]
  const log = createLogger('silent', [])
  return commit({ store, fence: unfenced, chains: [8453], now: eventTime, log }, [{ events }])
}

/** Returns three statements, for either engine, that write the same rows: the event, its deliveries, and when they are due. */
export function plainSql(sort: 'wide' | 'narrow', key: string): string[] {
  const { chain, asset, at, usefulUntil, body } = makeEvent(sort, key)
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`
  const event = `(select id from events where key = ${text(key)})`
  const due = (eventTime + 2) * 1000
  return [
    `insert into events (key, kind, chain, asset, body, happened_at_s, found_at_s, useful_until_s)
     values (${text(key)}, ${text(body.kind)}, ${chain}, ${text(asset)}, ${text(JSON.stringify(body))}, ${at}, ${at}, ${usefulUntil})`,
    `insert into deliveries (event_id, chat_id, state, run_at_s, attempts, claim, uncertain, updated_at_s)
     select ${event}, chat_id, 'waiting', ${eventTime + 2}, 0, 0, 0, ${eventTime}
     from rules join subscriptions on rule_id = rules.id join chats on chats.id = chat_id
     where rules.kind = ${text(body.kind)} and chain in (0, ${chain}) and asset in ('', ${text(asset)})
       and numeraire in ('', 'numeraire-0') and creator in ('', 'creator-17') and category in ('', 'builder-coin')
       and paused is null and muted_until_s <= ${eventTime}
     on conflict do nothing`,
    `update chats set due_at_ms = case when next_at_ms > ${due} then next_at_ms else ${due} end, updated_at_s = ${eventTime}
     where id in (select chat_id from deliveries where event_id = ${event}) and (due_at_ms is null or due_at_ms > ${due})`,
  ]
}

export function matchingTable(rows: readonly Matched[]): string {
  return tableOf(rows, {
    deliveries: (row) => whole(row.deliveries),
    time: (row) => millis(median(row.millis)),
    'deliveries stored/s': (row) => whole((row.deliveries / median(row.millis)) * 1000),
    'the same rows by plain SQL': (row) => millis(median(row.plainMillis)),
    '÷ plain SQL': (row) => ratio(medianRatio(row.millis, row.plainMillis)),
    'longest stop (median of rounds)': (row) => millis(median(row.stops)),
    'longest of all': (row) => millis(Math.max(...row.stops)),
  })
}
