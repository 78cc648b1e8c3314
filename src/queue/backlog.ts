/** Work that is due and waits for its turn. */
export interface Backlog {
  /** How much of it there is; more than `mostCounted` is not counted. */
  due: number
  /** Seconds for which the oldest has been due; 0 where nothing is. */
  oldest: number
}

/** What a database counts by an index within some milliseconds. */
export const mostCounted = 100_000
