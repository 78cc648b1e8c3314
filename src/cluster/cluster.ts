import { noReplicas, type PubSub } from '../core/pubsub.ts'
import type { Limiters } from '../core/rate-limit.ts'
import { cantOpen, isPostgres, openStore, StoreError } from '../db/database.ts'
import { checkHeadroom } from '../db/headroom.ts'
import type { Store } from '../db/schema.ts'
import { EmbeddedQueue } from '../jobs/embedded.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { type LeaderElection, SingleNode } from './leader-election.ts'

interface SharedParts {
  /** As the operator sets it. */
  database: string
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Hears of work that could not begin. */
  onFault: (error: unknown) => void
}

/** What replicas have in common; of one alone, what stands in its place. */
export interface Shared {
  store: Store
  queue: Queue
  election: LeaderElection
  pubsub: PubSub
  /** What counts floods over all replicas; undefined for what counts in one. */
  limiters: Limiters | undefined
  /** Ends what roles, queue and platforms don't use any more. */
  close(): Promise<void>
}

/**
 * Opens the database, and with it what all replicas on it share. SQLite is one process's alone.
 * @throws StoreError
 */
export async function openShared(parts: SharedParts): Promise<Shared> {
  return isPostgres(parts.database) ? manyShare(parts) : oneHas(parts)
}

async function oneHas({ database, log, now }: SharedParts): Promise<Shared> {
  // Before the file is brought up to date: the other may be older.
  const letGo = await holdFile(database)
  const store = await openStore(database).catch((error: unknown) => {
    letGo()
    throw error
  })
  // What a process that died was busy with is nobody's now.
  await store.deleteFrom('lanes').execute()
  const close = async () => {
    await store.destroy()
    letGo()
  }
  const queue = new EmbeddedQueue({ store, log, now })
  const roles = new SingleNode()
  return { store, queue, election: roles, pubsub: noReplicas, limiters: undefined, close }
}

async function holdFile(database: string): Promise<() => void> {
  const { lockFile } = await import('../db/file-lock.ts')
  try {
    return lockFile(database)
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    throw cantOpen(database, cause)
  }
}

async function manyShare({ database, log, onFault }: SharedParts): Promise<Shared> {
  const store = await openStore(database)
  const queue = await openQueue(store, database, log).catch(async (error: unknown) => {
    await store.destroy()
    throw error
  })
  const { LeaderElector } = await import('./leader-election.ts')
  const { sharedLimiters } = await import('./limiters.ts')
  const { PostgresPubSub } = await import('./pubsub.ts')
  const pubsub = new PostgresPubSub({ url: database, store, log })
  pubsub.start()
  const { limiters, close: closeLimiters } = sharedLimiters(database)
  const close = async () => {
    await Promise.all([pubsub.stop(), closeLimiters()])
    await store.destroy()
  }
  const roles = new LeaderElector({ store, pubsub, log, onFault })
  return { store, queue, election: roles, pubsub, limiters, close }
}

async function openQueue(store: Store, database: string, log: Logger): Promise<Queue> {
  await checkHeadroom(store, database)
  const { PgBossQueue } = await import('../jobs/pg-boss.ts')
  try {
    return await PgBossQueue.open({ url: database, store, log })
  } catch (cause) {
    throw cantOpen(database, mendable(cause))
  }
}

/** PostgreSQL says what may not be done, and not what to do. */
function mendable(cause: unknown): unknown {
  const isForbidden = cause instanceof Error && 'code' in cause && cause.code === '42501'
  if (!isForbidden) return cause
  const why = `${cause.message}; make the user of DATABASE_URL the owner of the database`
  return new Error(why, { cause })
}
