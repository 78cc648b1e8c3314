import { createHash } from 'node:crypto'
import type { Store } from './database.ts'

const day = 86_400
/** A button under a message that nobody has been shown for this long says that it is too old. */
const keptDays = 180

/** Command lines that don't fit into a button: kept under a short id, which the button carries instead. */
export class StoredLines {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** The id of a line: 16 characters of `[A-Za-z0-9_-]`, always the same for the same line. */
  async keep(line: string): Promise<string> {
    const id = createHash('sha256').update(line).digest('base64url').slice(0, 16)
    const shown_at = this.#now()
    await this.#store
      .insertInto('lines')
      .values({ id, line, shown_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ shown_at }))
      .execute()
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

  /** Forgets what has not been shown for half a year; returns how many lines went. */
  async prune(): Promise<number> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('lines')
      .where('shown_at', '<', this.#now() - keptDays * day)
      .executeTakeFirst()
    return Number(numDeletedRows)
  }
}
