import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { Logger } from '../log.ts'
import type { Store } from './schema.ts'

/** Bytes: some 6,000 chats. */
const large = 64e6

/** Whether a SQLite file is worth a thread, which takes 30 MB: that of few chats needs minutes to fill its log. */
export function isLarge(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= large
}

/** Pages in the log from which on a commit writes them into the file: SQLite's default, and what a thread leaves to commits. */
const pages = { byDefault: 1_000, withThread: 100_000 }

/**
 * Has a thread write what is in the log of a SQLite file (`-wal`) into the file. Otherwise every so many pages a commit does, and
 * waits for the disk meanwhile, so that nobody is answered. If the thread fails, commits do it again.
 * @param store the open file
 */
export function startCheckpoints(
  store: Store,
  file: string,
  log: Logger,
): { stop(): Promise<void> } {
  const worker = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
    workerData: file,
    // Without the bot's secrets.
    env: {},
  })
  let isStopping = false
  const report = (err: unknown) => {
    if (!isStopping) log.warn({ err }, 'no thread makes checkpoints: commits wait for the disk')
  }
  const leaveToCommitsFrom = async (count: number) => {
    await sql`pragma wal_autocheckpoint = ${sql.lit(count)}`.execute(store).catch(report)
  }
  worker.once('online', () => leaveToCommitsFrom(pages.withThread))
  worker.once('error', report)
  const ended = new Promise((resolve) => worker.once('exit', resolve)).then(async () => {
    if (!isStopping) await leaveToCommitsFrom(pages.byDefault)
  })
  return {
    stop: async () => {
      isStopping = true
      worker.postMessage('stop')
      await ended
    },
  }
}
