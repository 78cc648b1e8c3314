import { createHash } from 'node:crypto'
import { backoff } from '../core/task.ts'
import type { Store } from '../db/schema.ts'
import { messageOf } from '../errors.ts'
import type { Logger } from '../log.ts'

/** Work to be done later, at least once, even if the process is killed in between. */
export interface Job {
  /** A job whose key was added in the last 90 days is not added again, even if it is done. */
  key: string
  kind: string
  /** JSON. */
  body: unknown
  /** Unix seconds; default: now. */
  runAt?: number
}

/** Result of a run: done, or to be run again at this unix second. A handler that throws is retried later. */
export type JobOutcome = 'done' | { runAt: number }

export type Handler = (body: unknown) => Promise<JobOutcome>

/**
 * A durable job queue with one handler for each kind. It runs several jobs of a kind at once, never the same job twice at
 * the same time, and no kind holds up another.
 * @example
 *   queue.handle('launch', async (body) => ((await watch(body)) ? 'done' : { runAt: now() + 60 }))
 *   queue.start()
 *   await queue.add({ key: 'launch 7', kind: 'launch', body: { payload: 7 } })
 */
export interface Queue {
  /**
   * Adds a job, in a transaction of its own. A caller that must not lose the job stores its cause first, and adds the job
   * again if a crash may have prevented it: a key is added once.
   */
  add(job: Job): Promise<void>
  /** Makes a waiting job run now, and one that is running run once more afterwards. */
  runNow(job: Pick<Job, 'kind' | 'key'>): Promise<void>
  handle(kind: string, handler: Handler): void
  /** Deletes jobs that ended more than 90 days ago; returns how many. 0 if the engine does so by itself. */
  prune(): Promise<number>
  /** Counts jobs. Due are those whose time has come and that are not under way, and those whose last try failed. */
  backlog(): Promise<JobBacklog>
  /** Jobs that failed and wait for another try, or were given up; those that failed first come first. */
  stuck(max: number): Promise<StuckJob[]>
  /** Makes stuck jobs run now, with all their tries; returns how many of them there were. */
  retry(ids: readonly string[]): Promise<number>
  /** Ends stuck jobs undone; their keys stay taken. Returns how many of them there were. */
  drop(ids: readonly string[]): Promise<number>
  start(): void
  /** Takes no more jobs, and waits for those under way. */
  stop(): Promise<void>
}

/** A job that failed. */
export interface StuckJob {
  /** As `jobId` makes it. */
  id: string
  kind: string
  state: 'waiting' | 'given-up'
  failures: number
  /** Unix seconds of its next try. */
  runAt: number
  /** Why it failed last. */
  reason: string
}

/** Work that is due. */
export interface Backlog {
  /** Number of items, at most `maxCounted`. */
  due: number
  /** Seconds for which the oldest item has been due; 0 if none is. */
  oldest: number
}

/** The jobs of a queue; each number is at most `maxCounted`. */
export interface JobBacklog extends Backlog {
  /** Jobs that have neither ended nor failed, due or not. */
  waiting: number
  /** Jobs whose last try failed, and that are tried again. */
  retrying: number
}

/** The parts of both queues; all but the first two have defaults. */
export interface QueueParts {
  store: Store
  log: Logger
  /** Failures after which a job is given up. */
  tries?: number
  /** Seconds to wait after the nth failure. */
  pause?: (failures: number) => number
  /** Called for each job that is given up. */
  onGivenUp?: () => void
}

export const queueDefaults = {
  tries: 12,
  /** 2, 4, 8 … up to 600. */
  pause: (failures: number): number => backoff(failures, 2, 600),
  onGivenUp: (): void => undefined,
}

/** Maximum jobs of one kind that a process works on at once, so that no kind holds up another. */
export const maxConcurrent = 4

/** Maximum that is counted: a database does so by an index within some milliseconds. */
export const maxCounted = 100_000

/**
 * Seconds for which the key of an ended job is retained. No key may be added again later than that: a launch is watched
 * until a week after its payload, and a notification is given up three days after its event.
 */
export const retention = 90 * 86_400

const maxReason = 500

/** The message of an error, cut to the length that is stored. */
export function reasonOf(error: unknown): string {
  return messageOf(error).slice(0, maxReason)
}

/**
 * What a job is called in the log and by administrators: the UUID of its key (version 8: custom), the first 16 bytes of the
 * key's SHA-256. A key itself may have somebody's account in it.
 */
export function jobId(key: string): string {
  const bytes = createHash('sha256').update(key).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}
