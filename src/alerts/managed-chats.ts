import { LRUCache } from 'lru-cache'
import type { PlatformName, Store } from '../db/schema.ts'
import { deleteInBatches } from '../db/sql.ts'

/** Chats of a person that are remembered. */
const maxChats = 20
/** Seconds for which a chat is remembered. */
const retention = 365 * 86_400
/** Milliseconds after which a chat is noted again. */
const noteAgainMs = 86_400_000

/**
 * Remembers in which chats a person was a manager, so that these can be offered: no platform lists the chats that a person and
 * the bot have in common. Whether the person still is one has to be asked each time.
 */
export class ManagedChats {
  readonly #store: Store
  readonly #now: () => number
  readonly #noted = new LRUCache<string, true>({ max: 10_000, ttl: noteAgainMs })

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** The ids of a person's chats, last noted first. */
  async of(platform: PlatformName, person: string): Promise<string[]> {
    const rows = await this.#newestFirst(platform, person).execute()
    return rows.map(({ chat }) => chat)
  }

  /** Notes that the person manages the chat, or let the bot into it. */
  async note(platform: PlatformName, person: string, chat: string): Promise<void> {
    const key = JSON.stringify([platform, person, chat])
    if (this.#noted.has(key)) return
    const values = { seen_at: this.#now() }
    await this.#store
      .insertInto('managed_chats')
      .values({ platform, person, chat, ...values })
      .onConflict((conflict) =>
        conflict.columns(['platform', 'person', 'chat']).doUpdateSet(values),
      )
      .execute()
    this.#noted.set(key, true)
    await this.#store
      .deleteFrom('managed_chats')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', 'not in', this.#newestFirst(platform, person))
      .execute()
  }

  /** Forgets a chat that the person does not manage any more. */
  async forget(platform: PlatformName, person: string, chat: string): Promise<void> {
    this.#noted.delete(JSON.stringify([platform, person, chat]))
    await this.#store
      .deleteFrom('managed_chats')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', '=', chat)
      .execute()
  }

  /** Deletes what was noted long ago; returns how many rows. */
  prune(): Promise<number> {
    const key = ['platform', 'person', 'chat'] as const
    const old = this.#store
      .selectFrom('managed_chats')
      .select(key)
      .where('seen_at', '<', this.#now() - retention)
    return deleteInBatches((limit) =>
      this.#store
        .deleteFrom('managed_chats')
        .where((row) => row(row.refTuple(...key), 'in', old.limit(limit).$asTuple(...key)))
        .executeTakeFirstOrThrow(),
    )
  }

  #newestFirst(platform: PlatformName, person: string) {
    return this.#store
      .selectFrom('managed_chats')
      .select('chat')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .orderBy('seen_at', 'desc')
      .orderBy('chat')
      .limit(maxChats)
  }
}
