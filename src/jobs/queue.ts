/** Work to be done later, at least once, whatever happens to the process in between. */
export interface Job {
  /** A job with a key that was there in the last 90 days is not added again, also when it is done. */
  key: string
  kind: string
  /** JSON. */
  body: unknown
  /** Unix seconds; now without it. */
  runAt?: number
}

/** What became of a job: done, or to be run again at this unix second. A handler that throws is tried again later. */
export type Outcome = 'done' | { again: number }

export type Handler = (body: unknown) => Promise<Outcome>

/**
 * Durable jobs. Several of each kind at once, one handler a kind; a job is never worked on twice at the same time, and
 * many of one kind keep no other kind waiting.
 */
export interface Queue {
  /**
   * In a transaction of its own, which no caller's can be: who must not lose a job stores first what it follows from,
   * and adds it again where that may not have happened, since a key is there once.
   */
  add(job: Job): Promise<void>
  /** Lets a waiting job run now. */
  hasten(job: Pick<Job, 'kind' | 'key'>): Promise<void>
  handle(kind: string, handler: Handler): void
  /** Forgets jobs that were done or given up over 90 days ago; returns how many: 0 where the engine does so by itself. */
  prune(): Promise<number>
  /** What is due and nobody works on yet. */
  backlog(): Promise<Backlog>
  start(): void
  /** Takes no more jobs and lets those under way end. */
  stop(): Promise<void>
}

/** Work that is due and waits for its turn. */
export interface Backlog {
  /** How much of it there is; more than `maxCounted` is not counted. */
  due: number
  /** Seconds for which the oldest has been due; 0 where nothing is. */
  oldest: number
}

/** What a database counts by an index within some milliseconds. */
export const maxCounted = 100_000

/** Tries until a job is given up. */
export const tries = 12
/**
 * Seconds for which the key of a job that ended is remembered. No key may come again later than that: what is watched
 * ends a week after its payload, and what is told is given up three days after it happened.
 */
export const remembered = 90 * 86_400

const firstPause = 2
const maxPause = 600
const maxReason = 500

/** Seconds to wait after the nth failure: 2, 4, 8 … up to ten minutes. */
export function doubling(failures: number): number {
  return Math.min(maxPause, firstPause * 2 ** (failures - 1))
}

/** Why a job failed, as it is kept. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxReason)
}
