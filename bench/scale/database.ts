import Database from 'better-sqlite3'
import { z } from 'zod'
import { enqueue } from '../../src/alerts/matching.ts'
import { StoredOutbox } from '../../src/alerts/outbox.ts'
import { openStore } from '../../src/db/database.ts'
import { newsOf } from '../alerts/crowd.ts'
import { seed } from '../alerts/seed.ts'

/** SQLite's cost of what the model counts. */
export interface DatabaseFigures {
  /** Bytes of a row with its indexes. */
  deliveryBytes: number
  followBytes: number
  destinationBytes: number
  /** Messages per second that one process claims and records, without sending. */
  outboxRate: number
}

const start = 1_800_000_000
const claims = { most: 8, together: 10, lease: 40 }
const sizes = z.array(z.object({ name: z.string(), bytes: z.number() }))

/** Stores events for many chats, and the results of some deliveries. */
export async function measureDatabase(
  file: string,
  { subscriptions, settled }: { subscriptions: number; settled: number },
): Promise<DatabaseFigures> {
  await seed(file, subscriptions)
  const store = await openStore(file)
  const database = new Database(file)
  const count = (table: string) =>
    z.number().parse(database.prepare(`select count(*) from ${table}`).pluck().get())
  try {
    await store.transaction().execute((tx) => enqueue(tx, [newsOf('wide', 'scale', start)], start))
    const outbox = new StoredOutbox(store, () => (start + 10) * 1000)
    const began = performance.now()
    let done = 0
    for (let more = true; more && done < settled; ) {
      const taken = await outbox.claim('telegram', claims)
      for (const each of taken) {
        await outbox.record(each, each.news, { kind: 'sent' }, (start + 12) * 1000)
      }
      done += taken.length
      more = taken.length > 0
    }
    const outboxRate = (done / (performance.now() - began)) * 1000
    database.exec(`update deliveries set state = 'sent'; update destinations set due_at = null`)
    const bytes = bytesOf(database)
    return {
      deliveryBytes: (bytes.get('deliveries') ?? 0) / count('deliveries'),
      followBytes: (bytes.get('follows') ?? 0) / count('follows'),
      destinationBytes: (bytes.get('destinations') ?? 0) / count('destinations'),
      outboxRate,
    }
  } finally {
    database.close()
    await store.destroy()
  }
}

/** Returns bytes by table, with indexes. */
function bytesOf(database: Database.Database): Map<string, number> {
  const rows = database
    .prepare(
      `select tbl_name as name, sum(pgsize) as bytes from dbstat
       join sqlite_schema on sqlite_schema.name = dbstat.name group by tbl_name`,
    )
    .all()
  return new Map(sizes.parse(rows).map(({ name, bytes }) => [name, bytes]))
}
