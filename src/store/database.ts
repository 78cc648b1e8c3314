import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

export type Store = Kysely<Schema>

/** The database could not be opened or brought up to date; the message says what the operator can do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * Opens the SQLite file (made with its folder where absent; `:memory:` for none) and migrates it. The caller closes
 * it with `destroy()`.
 * @throws StoreError
 */
export async function openStore(file: string): Promise<Store> {
  let store: Store | undefined
  try {
    if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true })
    const database = new Database(file)
    // WAL with NORMAL survives a killed process; only a power cut can lose the last moments.
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    database.pragma('busy_timeout = 5000')
    store = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) })
    const { error } = await new Migrator({ db: store, provider: migrations }).migrateToLatest()
    if (error !== undefined) throw error
    return store
  } catch (cause) {
    await store?.destroy()
    throw new StoreError(`The database ${file} can't be opened: ${reason(cause)}`, { cause })
  }
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
