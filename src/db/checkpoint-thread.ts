import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

// The program of the thread that makes the checkpoints of a SQLite file; checkpoints.ts starts it with the file's path as its data.
// Any message ends it.

/** Milliseconds between two looks at the log. */
const lookEvery = 100
/** Pages that are in the log and not yet in the file from which on they are written there: SQLite's own default. */
const due = 1_000
/** Checkpoints in a row, each for what was written during the last. */
const maxInARow = 100

interface Progress {
  /** Pages in the log. */
  log: number
  /** Those of them that are in the file. */
  checkpointed: number
}

const database = new Database(String(workerData), { fileMustExist: true })
database.pragma('synchronous = NORMAL')
// https://sqlite.org/pragma.html#pragma_wal_checkpoint: the first only counts, the second waits for nobody and lets nobody wait.
const count = database.prepare<[], Progress>('pragma wal_checkpoint(noop)')
const write = database.prepare('pragma wal_checkpoint(passive)')
const progress = (): Progress => count.get() ?? { log: 0, checkpointed: 0 }

function checkpointIfDue(): void {
  let last = progress()
  if (last.log - last.checkpointed < due) return
  // The log begins anew only if all of it is in the file when the next transaction writes.
  for (let row = 0; row < maxInARow && last.checkpointed < last.log; row += 1) {
    write.get()
    const next = progress()
    // A long read, such as a backup's, holds it up.
    if (next.checkpointed === last.checkpointed) return
    last = next
  }
}

const timer = setInterval(() => {
  try {
    checkpointIfDue()
  } catch (error) {
    // Such as a full disk, which the bot's own writes report. It is tried again.
    if (!(error instanceof Database.SqliteError)) throw error
  }
}, lookEvery)
parentPort?.once('message', () => {
  clearInterval(timer)
  database.close()
})
