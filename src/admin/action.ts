import type { Store } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'

/** The database, clock and queue that actions work on. */
export interface Office {
  store: Store
  /** Unix seconds. */
  now: () => number
  /** The queue of jobs, opened when it is needed. */
  jobs: () => Promise<Pick<Queue, 'stuck' | 'retry' | 'drop'>>
}

/** An office with somebody in it: `telegram:123456`, or the name of a user of the machine. */
export interface Admin extends Office {
  who: string
}

/**
 * Something that an administrator can ask or change, in a terminal (`npm run admin`) or in a private chat (`/admin`). Its texts
 * are English, as the log's and the doctor's are.
 */
export interface Action {
  name: string
  /** Its uses, as they are typed behind `npm run admin --` or `/admin`, each with what it does. */
  uses: readonly (readonly [line: string, about: string])[]
  /**
   * Reads what is asked, and what would be changed; changes nothing itself.
   * @param words what stands behind its name, as it was typed
   * @throws AdminError if that can't be read, or there is no such thing
   */
  plan(words: string, office: Admin): Promise<Plan>
}

/** An answer, or what is about to be changed. A line may hold what strangers wrote: whoever shows it has to escape it. */
export interface Plan {
  lines: readonly string[]
  /** Absent if the lines are all that was asked. */
  change?: Change
}

export interface Change {
  /** The text for the administrators' log, such as `pause telegram:-100123`. */
  what: string
  /** It can't be undone, so the person is asked this before. */
  question?: string
  /** The line that does it without asking again; the same line by default. */
  line?: string
  /** Does it, and returns what was done. */
  apply(): Promise<string[]>
}

/** Thrown if what was typed can't be done; the message says what to type instead, or what is missing. */
export class AdminError extends Error {
  override readonly name = 'AdminError'
}
