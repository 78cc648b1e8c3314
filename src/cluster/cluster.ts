import type { PlatformName } from '../core/command.ts'
import { noReplicas, type PubSub } from '../core/pubsub.ts'
import { withTimeout } from '../core/task.ts'
import { cantOpen, checkHeadroom, isPostgres, openStore } from '../db/database.ts'
import { reserveSlots } from '../db/leases.ts'
import type { Store } from '../db/schema.ts'
import type { DatabaseWatch } from '../db/sql.ts'
import { StoreError } from '../errors.ts'
import { EmbeddedQueue } from '../jobs/embedded.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { type LeaderElection, LeaderElector, SingleNode } from './leader-election.ts'

interface SharedParts {
  /** Path of the SQLite file, or the URL of a PostgreSQL database. */
  database: string
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Called if the task of a role could not begin. */
  onFault: (error: unknown) => void
  /** Follows the use of the database. */
  watch?: DatabaseWatch
  /** Called for each job that is given up. */
  onGivenUp?: () => void
}

/** The means that replicas on one database share, or their equivalents for a single process. */
export interface Shared {
  store: Store
  queue: Queue
  election: LeaderElection
  pubsub: PubSub
  /** Reserves slots of a platform's limit that all replicas share; undefined for a single process. */
  sendSlots: ((platform: PlatformName) => ReserveSlots) | undefined
  /** Closes the connections. Election, queue and platforms must have been stopped before. */
  close(): Promise<void>
}

/**
 * Opens the database, and what its replicas share. A SQLite file is used by one process at a time.
 * @throws StoreError
 */
export async function openShared(parts: SharedParts): Promise<Shared> {
  return isPostgres(parts.database) ? openReplicated(parts) : openSingle(parts)
}

async function openSingle({ database, log, now, watch, onGivenUp }: SharedParts): Promise<Shared> {
  // Before the file is migrated: another process may use it.
  const unlock = await lockDatabase(database)
  const store = await openStore(database, undefined, watch).catch((error: unknown) => {
    unlock()
    throw error
  })
  const close = async () => {
    await store.destroy()
    unlock()
  }
  const queue = new EmbeddedQueue({ store, log, now, ...(onGivenUp && { onGivenUp }) })
  const election = new SingleNode()
  return { store, queue, election, pubsub: noReplicas, sendSlots: undefined, close }
}

async function lockDatabase(database: string): Promise<() => void> {
  const { lockFile } = await import('../db/sqlite.ts')
  try {
    return lockFile(database)
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    throw cantOpen(database, cause)
  }
}

async function openReplicated(parts: SharedParts): Promise<Shared> {
  const { database, log, onFault } = parts
  const store = await openStore(database, undefined, parts.watch)
  const queue = await openQueue(store, parts).catch(async (error: unknown) => {
    await store.destroy()
    throw error
  })
  const { PostgresPubSub } = await import('./pubsub.ts')
  const pubsub = new PostgresPubSub({ url: database, store, log })
  pubsub.start()
  const close = async () => {
    await pubsub.stop()
    await store.destroy()
  }
  const election = new LeaderElector({ store, pubsub, log, onFault })
  const slots = (platform: PlatformName) => sendSlots(store, platform)
  return { store, queue, election, pubsub, sendSlots: slots, close }
}

/** Milliseconds that a reservation of slots may take; after that a replica goes on with its own share. */
const reserveTimeout = 2_000

/** Reserves slots of the part of a platform's limit that replicas share. Rejects if the database can't be reached. */
type ReserveSlots = (count: number, interval: number) => Promise<number>

export function sendSlots(store: Store, platform: PlatformName): ReserveSlots {
  return async (count, interval) => {
    const reserving = reserveSlots(store, platform, Math.ceil(count * interval))
    // A late answer is of no use: its slots have passed.
    reserving.catch(() => undefined)
    const wait = await withTimeout(reserving, reserveTimeout)
    if (wait === undefined) throw new Error('the database does not answer')
    return wait
  }
}

async function openQueue(store: Store, { database, log, onGivenUp }: SharedParts): Promise<Queue> {
  await checkHeadroom(store, database)
  const { PgBossQueue } = await import('../jobs/pg-boss.ts')
  try {
    return await PgBossQueue.open({
      url: database,
      store,
      log,
      ...(onGivenUp && { onGivenUp }),
    })
  } catch (cause) {
    throw cantOpen(database, withRemedy(cause))
  }
}

/** Adds what the operator can do to PostgreSQL's error "permission denied". */
function withRemedy(cause: unknown): unknown {
  const isForbidden = cause instanceof Error && 'code' in cause && cause.code === '42501'
  if (!isForbidden) return cause
  const why = `${cause.message}; make the user of DATABASE_URL the owner of the database`
  return new Error(why, { cause })
}
