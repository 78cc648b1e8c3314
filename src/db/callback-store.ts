import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../log.ts'
import type { Store } from './schema.ts'

const hour = 3_600
const day = 24 * hour
/** A button under a message that nobody has been shown for this long says that it is too old. */
const keptDays = 180
/** The longest-unseen lines beyond this many go first: strangers can make up any number of them. */
const maxLines = 200_000

function digest(line: string): string {
  return createHash('sha256').update(line).digest('base64url').slice(0, 16)
}

/** Command lines that don't fit into a button: kept under a short id, which the button carries instead. */
export class StoredCallbacks {
  readonly #store: Store
  readonly #now: () => number
  readonly #log: Logger
  /** When each was last written, so that a line shown again and again is not written each time. */
  readonly #written = new LRUCache<string, number>({ max: 10_000 })

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number, log: Logger) {
    this.#store = store
    this.#now = now
    this.#log = log
  }

  /**
   * The id of a line: 16 characters of `[A-Za-z0-9_-]`, always the same for the same line. Undefined, and logged,
   * where it can't be stored: a message goes out without one button rather than not at all. An id that is given is
   * taken instead; it must always be the same for the same line.
   */
  async keep(line: string, id = digest(line)): Promise<string | undefined> {
    const shown_at = this.#now()
    if (shown_at - (this.#written.get(id) ?? 0) < hour) return id
    try {
      await this.#store
        .insertInto('lines')
        .values({ id, line, shown_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ shown_at }))
        .execute()
    } catch (error) {
      this.#log.error({ err: error }, 'a button was left out: its line could not be stored')
      return undefined
    }
    this.#written.set(id, shown_at)
    return id
  }

  async find(id: string): Promise<string | undefined> {
    const row = await this.#store
      .selectFrom('lines')
      .select('line')
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.line
  }

  /** Forgets what has not been shown for half a year, and the oldest of too many; returns how many lines went. */
  async prune(): Promise<number> {
    const overflow = this.#store
      .selectFrom('lines')
      .select('id')
      .orderBy('shown_at', 'desc')
      // SQLite takes no offset alone, PostgreSQL no limit below zero.
      .limit(1_000_000_000)
      .offset(maxLines)
    const { numDeletedRows } = await this.#store
      .deleteFrom('lines')
      .where((row) =>
        row.or([row('shown_at', '<', this.#now() - keptDays * day), row('id', 'in', overflow)]),
      )
      .executeTakeFirst()
    if (numDeletedRows > 0n) this.#written.clear()
    return Number(numDeletedRows)
  }
}
