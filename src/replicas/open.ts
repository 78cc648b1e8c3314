import type { Logger } from '../log.ts'
import { EmbeddedQueue } from '../queue/embedded.ts'
import type { Queue } from '../queue/queue.ts'
import { isPostgres, openStore, type Store } from '../store/database.ts'
import { type Bulletin, nobodyElse } from './bulletin.ts'
import { type Roles, SoleRoles } from './roles.ts'

interface SharedParts {
  /** As the operator sets it. */
  database: string
  log: Logger
  /** Unix seconds. */
  now: () => number
  /** Hears of work that could not begin once the start is over. */
  onFault: (error: unknown) => void
}

/** What replicas have in common; of one alone, what stands in its place. */
export interface Shared {
  store: Store
  queue: Queue
  roles: Roles
  bulletin: Bulletin
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
  const { holdAlone } = await import('../store/sole.ts')
  const store = await openStore(database)
  const letGo = holdAlone(database)
  const close = async () => {
    await store.destroy()
    letGo()
  }
  const queue = new EmbeddedQueue({ store, log, now })
  return { store, queue, roles: new SoleRoles(), bulletin: nobodyElse, close }
}

async function manyShare({ database, log, onFault }: SharedParts): Promise<Shared> {
  const store = await openStore(database)
  const { BossQueue } = await import('../queue/boss.ts')
  const { LeasedRoles } = await import('./leased.ts')
  const { Notices } = await import('./notices.ts')
  const queue = await BossQueue.open({ url: database, store, log })
  const bulletin = new Notices({ url: database, store, log })
  bulletin.start()
  const close = async () => {
    await bulletin.stop()
    await store.destroy()
  }
  return { store, queue, roles: new LeasedRoles({ store, log, onFault }), bulletin, close }
}
