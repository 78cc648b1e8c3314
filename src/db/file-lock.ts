import { mkdirSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { StoreError } from './database.ts'

/**
 * Keeps other processes from using a SQLite file as this one does, until what it returns is called or the process ends,
 * in whatever way. Its folder is made where absent. @throws StoreError where one does already
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

/** One file may be reached by several names. */
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
