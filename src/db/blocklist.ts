import type { PlatformName } from '../core/command.ts'
import type { Store } from './schema.ts'

/** A person, by the platform's own id. */
interface Person {
  platform: PlatformName
  id: string
}

/**
 * People whom the bot does not answer, in memory: every answer asks for them. Changes by another process are seen once
 * `load` is called again.
 */
export class Blocklist {
  readonly #store: Store
  readonly #now: () => number
  /** By person: whether they were told. */
  #people: ReadonlyMap<string, boolean> = new Map()

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  async load(): Promise<void> {
    const rows = await this.#store
      .selectFrom('blocked_people')
      .select(['platform', 'person', 'noticed'])
      .execute()
    this.#people = new Map(
      rows.map(({ platform, person: id, noticed }) => [keyOf({ platform, id }), noticed === 1]),
    )
  }

  has(person: Person): boolean {
    return this.#people.has(keyOf(person))
  }

  /** Whether this is the moment to tell a blocked person that they are; it comes once. */
  async isNoticeDue(person: Person): Promise<boolean> {
    if (this.#people.get(keyOf(person)) !== false) return false
    const { numUpdatedRows } = await this.#store
      .updateTable('blocked_people')
      .set({ noticed: 1 })
      .where('platform', '=', person.platform)
      .where('person', '=', person.id)
      .where('noticed', '=', 0)
      .executeTakeFirst()
    await this.load()
    return numUpdatedRows > 0n
  }

  /** Returns whether they were not blocked before. */
  async block({ platform, id: person }: Person): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await this.#store
      .insertInto('blocked_people')
      .values({ platform, person, blocked_at_s: this.#now() })
      .onConflict((conflict) => conflict.columns(['platform', 'person']).doNothing())
      .executeTakeFirst()
    await this.load()
    return numInsertedOrUpdatedRows > 0n
  }

  /** Returns whether they were blocked. */
  async unblock({ platform, id: person }: Person): Promise<boolean> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('blocked_people')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .executeTakeFirst()
    await this.load()
    return numDeletedRows > 0n
  }

  /** Those who are blocked, the latest first. */
  async latest(max: number): Promise<(Person & { at: number; noticed: boolean })[]> {
    const rows = await this.#store
      .selectFrom('blocked_people')
      .selectAll()
      .orderBy('blocked_at_s', 'desc')
      .limit(max)
      .execute()
    return rows.map(({ platform, person: id, blocked_at_s, noticed }) => ({
      platform,
      id,
      at: blocked_at_s,
      noticed: noticed === 1,
    }))
  }
}

function keyOf({ platform, id }: Person): string {
  return `${platform} ${id}`
}
