import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { enqueue } from '../../src/alerts/matching.ts'
import { isPostgres, openStore } from '../../src/db/database.ts'
import type { Store } from '../../src/db/schema.ts'
import { newsOf } from '../alerts/crowd.ts'
import { Remote } from '../remote.ts'
import { median } from '../statistics.ts'
import { type ReplicasPlan, replicaCounts } from './plan.ts'
import { onPostgres } from './seed.ts'
import { type Told, tell } from './telling.ts'

/** Unix seconds. */
const now = 1_800_000_000
/** A time at which all stored deliveries are due. */
const dueAt = now + 60
const notifierProgram = fileURLToPath(new URL('teller-main.ts', import.meta.url))
const told = z.object({ deliveries: z.number(), millis: z.number(), longest: z.number() })

/** Results of storing one event that matches many subscriptions, with its deliveries, in one transaction. */
export interface Stored {
  name: string
  deliveries: number
  /** Round by round. */
  millis: number[]
  /** Deliveries of earlier events sent meanwhile; empty without notifiers. */
  told: Told[]
}

interface Setup {
  name: string
  /** A URL or a file. */
  database: string
  /** Whether the storing process also sends. */
  tellsItself: boolean
  /** Number of other processes that send. */
  tellers: number
}

/** Stores events on both databases, and on PostgreSQL also while replicas send earlier alerts. */
export async function measureMatching(
  databases: { file: string; url: string },
  plan: ReplicasPlan,
): Promise<Stored[]> {
  const results = setups(databases).map((way): { way: Setup; stored: Stored } => ({
    way,
    stored: { name: way.name, deliveries: 0, millis: [], told: [] },
  }))
  // The first round is a warm-up.
  for (let round = 0; round <= plan.newsRounds; round += 1) {
    for (const { way, stored } of results) {
      const took = await oneRound(way, round)
      if (round === 0) continue
      stored.deliveries = took.deliveries
      stored.millis.push(took.millis)
      stored.told.push(...took.told)
    }
  }
  return results.map(({ stored }) => stored)
}

function setups({ file, url }: { file: string; url: string }): Setup[] {
  const quiet = { tellsItself: false, tellers: 0 }
  return [
    { name: 'SQLite, nothing told', database: file, ...quiet },
    { name: 'PostgreSQL, nothing told', database: url, ...quiet },
    {
      name: 'SQLite, one process, which tells as well',
      database: file,
      ...quiet,
      tellsItself: true,
    },
    ...replicaCounts.map((replicas) => ({
      name:
        replicas === 1
          ? 'PostgreSQL, 1 replica, which tells as well'
          : `PostgreSQL, ${replicas} replicas: one stores, ${replicas - 1} ${replicas === 2 ? 'tells' : 'tell'}`,
      database: url,
      tellsItself: replicas === 1,
      tellers: replicas - 1,
    })),
  ]
}

async function oneRound(
  { database, tellsItself, tellers }: Setup,
  round: number,
): Promise<{ deliveries: number; millis: number; told: Told[] }> {
  await clear(database)
  const store = await openStore(database)
  const stopping = new AbortController()
  const remotes = Array.from({ length: tellers }, () => new Remote(notifierProgram))
  try {
    // Stores deliveries to send.
    if (tellsItself || tellers > 0) await storeNews(store, `before ${round}`)
    for (const remote of remotes) await remote.ask({ do: 'begin', database, now: dueAt })
    const own = tellsItself ? tell(store, { now: dueAt, signal: stopping.signal }) : undefined
    const start = performance.now()
    const deliveries = await storeNews(store, `news ${round}`)
    const millis = performance.now() - start
    stopping.abort()
    const answers = await Promise.all(remotes.map((remote) => remote.ask({ do: 'end' })))
    const all = [...(own ? [await own] : []), ...answers.map((answer) => told.parse(answer))]
    return { deliveries, millis, told: all }
  } finally {
    stopping.abort()
    await Promise.all(remotes.map((remote) => remote.stop()))
    await store.destroy()
  }
}

async function storeNews(store: Store, key: string): Promise<number> {
  const added = await store
    .transaction()
    .execute((tx) => enqueue(tx, [newsOf('wide', key, now)], now))
  return added.deliveries
}

/** Deletes all events and deliveries. */
export async function clear(database: string): Promise<void> {
  const rewind = `update destinations set due_at = null, next_at = 0, claims = 0, updated_at = 0
    where due_at is not null or claims > 0`
  if (isPostgres(database)) {
    await onPostgres(database, async (client) => {
      await client.query('truncate deliveries, news cascade')
      await client.query(rewind)
      await client.query('vacuum analyze destinations')
    })
    return
  }
  const file = new Database(database)
  try {
    file.exec(`delete from deliveries; delete from news; ${rewind}`)
    file.pragma('wal_checkpoint(truncate)')
  } finally {
    file.close()
  }
}

/** Returns the milliseconds per event, and the deliveries stored per second. */
export function rateOf({ deliveries, millis }: Stored): { millis: number; rate: number } {
  const took = median(millis)
  return { millis: took, rate: (deliveries / took) * 1000 }
}
