import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CallbackStore } from '../core/callback-data.ts'
import type { Logger } from '../log.ts'
import type { Store } from './schema.ts'
import { deleteInBatches } from './sql.ts'

const hour = 3_600
const day = 24 * hour
/** Days after which a line is deleted if no message with it was sent: its buttons answer that they are too old then. */
const retentionDays = 180
/** Maximum stored lines, since strangers can create any number of them; those not sent for the longest time are deleted. */
const maxLines = 200_000
const maxCachedCharacters = 4_000_000

function digest(line: string): string {
  return createHash('sha256').update(line).digest('base64url').slice(0, 16)
}

/** Stores command lines that don't fit into a button under a short id, which the button carries instead. */
export class StoredCallbacks implements CallbackStore {
  readonly #store: Store
  readonly #now: () => number
  readonly #log: Logger
  /**
   * Lines by id, and the unix seconds at which each was last written; 0: not by this process. One that is sent often is
   * written once an hour, and one that is pressed soon is not looked up.
   */
  readonly #cached = new LRUCache<string, { line: string; writtenAt: number }>({
    max: 10_000,
    maxSize: maxCachedCharacters,
    sizeCalculation: ({ line }) => line.length + 1,
  })

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number, log: Logger) {
    this.#store = store
    this.#now = now
    this.#log = log
  }

  /**
   * Stores a line and returns its id: by default 16 characters of `[A-Za-z0-9_-]`, always the same for the same line, as
   * an `id` that is given must be. Undefined, and logged, if it can't be stored: a message is sent without one button
   * rather than not at all.
   */
  async store(line: string, id = digest(line)): Promise<string | undefined> {
    const shown_at_s = this.#now()
    if (shown_at_s - (this.#cached.get(id)?.writtenAt ?? 0) < hour) return id
    try {
      await this.#store
        .insertInto('callback_lines')
        .values({ id, line, shown_at_s })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ shown_at_s }))
        .execute()
    } catch (error) {
      this.#log.error({ err: error }, 'a button was left out: its line could not be stored')
      return undefined
    }
    this.#cached.set(id, { line, writtenAt: shown_at_s })
    return id
  }

  async find(id: string): Promise<string | undefined> {
    const cached = this.#cached.get(id)
    if (cached) return cached.line
    const row = await this.#store
      .selectFrom('callback_lines')
      .select('line')
      .where('id', '=', id)
      .executeTakeFirst()
    if (row) this.#cached.set(id, { line: row.line, writtenAt: 0 })
    return row?.line
  }

  /** Deletes lines that were not sent for half a year, and the oldest beyond the maximum; returns how many. */
  async prune(): Promise<number> {
    const oldestFirst = this.#store.selectFrom('callback_lines').select('id').orderBy('shown_at_s')
    const old = oldestFirst.where('shown_at_s', '<', this.#now() - retentionDays * day)
    const remove = (some: typeof oldestFirst) =>
      this.#store.deleteFrom('callback_lines').where('id', 'in', some).executeTakeFirstOrThrow()
    let count = await deleteInBatches((limit) => remove(old.limit(limit)))
    const { lines } = await this.#store
      .selectFrom('callback_lines')
      .select((row) => row.fn.countAll<number>().as('lines'))
      .executeTakeFirstOrThrow()
    let surplus = lines - maxLines
    if (surplus > 0) {
      count += await deleteInBatches(async (limit) => {
        const removed = await remove(oldestFirst.limit(Math.min(limit, surplus)))
        surplus -= Number(removed.numDeletedRows)
        return removed
      })
    }
    if (count > 0) this.#cached.clear()
    return count
  }
}
