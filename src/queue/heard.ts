import type { Heard } from '../chat/inbox.ts'
import type { Store } from '../store/database.ts'
import { StoredUpdates } from '../store/updates.ts'

/** What was heard of, in the database that all replicas share; it is forgotten with the updates of inboxes. */
export class StoredHeard implements Heard {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  isFirst(platform: string, id: string): Promise<boolean> {
    return new StoredUpdates(this.#store, platform).note(BigInt(id))
  }
}
