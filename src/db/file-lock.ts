import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from './database.ts'

/**
 * Locks a SQLite file against other processes that call this, until the returned function is called or the process ends,
 * even by a kill. Creates the file's folder if absent. @throws StoreError if another process holds the lock
 */
export function lockFile(file: string): () => void {
  if (file === ':memory:') return () => undefined
  mkdirSync(dirname(file), { recursive: true })
  const lock = new Database(`${withoutLinks(file)}.lock`, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (cause) {
    lock.close()
    if (!isBusy(cause)) throw cause
    throw new StoreError(
      `Another Gavel uses the database ${file}. Stop it; to run several set DATABASE_URL to a PostgreSQL database.`,
      { cause },
    )
  }
}

/** Resolves symbolic links, so that a file has one lock whatever name it is opened by. */
function withoutLinks(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Database.SqliteError && cause.code.startsWith('SQLITE_BUSY')
}
