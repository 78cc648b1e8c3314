import { cantOpen, checkHeadroom, isPostgres, openStore } from '../db/database.ts'
import type { Store } from '../db/schema.ts'
import type { DatabaseWatch } from '../db/sql.ts'
import { StoreError } from '../errors.ts'
import { EmbeddedQueue } from '../jobs/embedded.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Logger } from '../log.ts'
import { type Leadership, OnlyProcess } from './leadership.ts'

interface SharedParts {
  /** Path of the SQLite file, or the URL of a PostgreSQL database. */
  database: string
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Called if a task could not begin after the start. */
  onFault: (error: unknown) => void
  /** Follows the use of the database. */
  watch?: DatabaseWatch
  /** Called for each job that is given up. */
  onGivenUp?: () => void
}

/** The facilities that all processes on one database share. */
export interface Shared {
  store: Store
  queue: Queue
  leadership: Leadership
  /** Closes the connections. Leadership, queue and platforms must have been stopped before. */
  close(): Promise<void>
}

/**
 * Opens the database, and what its processes share. A SQLite file is used by one process at a time.
 * @throws StoreError
 */
export async function openShared(parts: SharedParts): Promise<Shared> {
  return isPostgres(parts.database) ? openSeveral(parts) : openSingle(parts)
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
  return { store, queue, leadership: new OnlyProcess(log), close }
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

async function openSeveral(parts: SharedParts): Promise<Shared> {
  const { database, log, onFault } = parts
  const store = await openStore(database, undefined, parts.watch)
  const queue = await openQueue(store, parts).catch(async (error: unknown) => {
    await store.destroy()
    throw error
  })
  const { LockedLeadership } = await import('./locked-leadership.ts')
  const leadership = new LockedLeadership({ url: database, log, onFault })
  return { store, queue, leadership, close: () => store.destroy() }
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
