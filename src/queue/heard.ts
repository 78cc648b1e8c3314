import type { Heard } from '../chat/inbox.ts'
import type { Store } from '../store/database.ts'
import { StoredUpdates } from '../store/updates.ts'

/** What was heard of, in the database that all replicas share; it is forgotten with the updates of inboxes. */
export class StoredHeard implements Heard {
  readonly #store: Store
  readonly #now: () => number

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  isFirst(platform: string, id: string): Promise<boolean> {
    return new StoredUpdates(this.#store, platform).note(BigInt(id), this.#now())
  }
}
