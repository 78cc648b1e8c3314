import Database from 'better-sqlite3'
import { StoreError } from './database.ts'

/**
 * Keeps other processes from using a SQLite file as this one does, until what it returns is called or the process ends,
 * in whatever way. @throws StoreError where one does already
 */
export function holdAlone(file: string): () => void {
  if (file === ':memory:') return () => undefined
  const lock = new Database(`${file}.lock`, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (cause) {
    lock.close()
    throw new StoreError(
      `Another Gavel uses the database ${file}. Stop it; to run several set DATABASE_URL to a PostgreSQL database.`,
      { cause },
    )
  }
}
