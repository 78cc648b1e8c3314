import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { type Driver, Kysely, SqliteDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { retry } from '../core/task.ts'
import { StoreError } from '../errors.ts'
import { migrateToLatest } from './migrate.ts'
import type { Schema } from './schema.ts'
import { type DatabaseWatch, loggingTo } from './sql.ts'

/** Opens the file, which is created with its folder if absent, and migrates it. */
export async function openSqlite(file: string, watch: DatabaseWatch = {}): Promise<Kysely<Schema>> {
  let database: Database.Database | undefined
  try {
    if (file !== ':memory:') createPrivate(file)
    database = new Database(file, { timeout: 5000 })
    // WAL with NORMAL survives a killed process; only a power cut can lose the last transactions.
    await switchToWal(database)
    database.pragma('synchronous = NORMAL')
    // A commit that finds so much in the log writes it into the file, and waits for the disk: with SQLite's default of 1,000, 20 ms and more.
    database.pragma('wal_autocheckpoint = 250')
    const store = await migrate(database, watch)
    // Waiting for a lock blocks the whole process, so it is kept short once the start is over.
    database.pragma('busy_timeout = 50')
    return store
  } catch (cause) {
    database?.close()
    throw cause
  }
}

/**
 * Creates an empty file with the folders above it, which this user alone can read and write; what SQLite makes beside the file
 * gets the file's mode. Leaves alone what is there.
 */
export function createPrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!existsSync(file)) throw error
  }
}

/** Skips a rollback if there is no transaction: SQLite rolls back by itself on a full disk, and a second one would hide why. */
class Dialect extends SqliteDialect {
  readonly #database: Database.Database

  constructor({ database }: { database: Database.Database }) {
    // To parse and plan a statement takes as long as to run it.
    const prepared = new LRUCache<string, Database.Statement>({ max: 300 })
    super({
      database: {
        close: () => database.close(),
        prepare(text) {
          const statement = prepared.get(text) ?? database.prepare(text)
          prepared.set(text, statement)
          return statement
        },
      },
    })
    this.#database = database
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollback = driver.rollbackTransaction.bind(driver)
    driver.rollbackTransaction = async (connection) => {
      if (this.#database.inTransaction) await rollback(connection)
    }
    return driver
  }
}

/**
 * Migrates in one transaction that holds the file's write lock: a start that is killed leaves nothing half done, and
 * of two processes that start at once the second waits and finds the work done.
 */
async function migrate(database: Database.Database, watch: DatabaseWatch): Promise<Kysely<Schema>> {
  const store = new Kysely<Schema>({ dialect: new Dialect({ database }), ...loggingTo(watch) })
  database.exec('begin immediate')
  try {
    await migrateToLatest(store)
    database.exec('commit')
    return store
  } catch (error) {
    if (database.inTransaction) database.exec('rollback')
    throw error
  }
}

/** Retries the switch, for which SQLite does not wait for locks: processes that start at once would fail. */
async function switchToWal(database: Database.Database): Promise<void> {
  const work = async () => database.pragma('journal_mode = WAL')
  await retry(work, { canRetry: isBusy, maxTries: 51, pause: () => 100 })
}

/**
 * Locks a SQLite file against other processes that call this, until the returned function is called or the process ends,
 * even by a kill. Creates the file's folder if absent. @throws StoreError if another process holds the lock
 */
export function lockFile(file: string): () => void {
  if (file === ':memory:') return () => undefined
  const lockName = `${withoutLinks(file)}.lock`
  createPrivate(lockName)
  const lock = new Database(lockName, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
    return () => lock.close()
  } catch (cause) {
    lock.close()
    if (!isBusy(cause)) throw cause
    throw new StoreError(
      `Another Gavel uses the database ${file}. Stop it; to run several, set DATABASE_URL to a PostgreSQL database.`,
      { cause },
    )
  }
}

/** Whether another process holds the lock of `lockFile`; takes nothing. */
export function isLocked(file: string): boolean {
  const path = `${withoutLinks(file)}.lock`
  if (!existsSync(path)) return false
  const lock = new Database(path, { readonly: true, timeout: 0 })
  try {
    lock.pragma('schema_version')
    return false
  } catch (cause) {
    if (isBusy(cause)) return true
    throw cause
  } finally {
    lock.close()
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
