import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { isPostgres, openStore } from '../src/db/database.ts'
import type { Store } from '../src/db/schema.ts'
import { PostgresDatabases } from './postgres-databases.ts'

/** A new, empty database of one test, on the engine that this run is about. */
export class TestDatabase {
  /** As `DATABASE_URL` names it, and `openStore` takes it. */
  readonly address: string
  readonly #stores: Store[] = []
  readonly #drop: () => Promise<void>

  private constructor(address: string, drop: () => Promise<void>) {
    this.address = address
    this.#drop = drop
  }

  static async make(): Promise<TestDatabase> {
    return inject('postgres') ? TestDatabase.onPostgres() : TestDatabase.onSqlite()
  }

  static async onSqlite(): Promise<TestDatabase> {
    const folder = await mkdtemp(join(tmpdir(), 'gavel-sqlite-'))
    const drop = () => rm(folder, { recursive: true, force: true })
    const file = join(folder, 'gavel.db')
    await writeFile(file, migrated)
    return new TestDatabase(file, drop)
  }

  static async onPostgres(): Promise<TestDatabase> {
    const databases = cluster()
    const name = await databases.take()
    return new TestDatabase(databases.urlOf(name), () => databases.giveBack(name))
  }

  /** One that no store has opened yet. */
  static async onEmptyPostgres(): Promise<TestDatabase> {
    const databases = cluster()
    const name = await databases.takeEmpty()
    return new TestDatabase(databases.urlOf(name), () => databases.giveBack(name))
  }

  /** A connection more, which is closed with the database. */
  async open(): Promise<Store> {
    const store = await openStore(this.address)
    // A power cut would destroy nothing of use: to wait for the disk at each close takes longer than many tests.
    if (!isPostgres(this.address)) await sql`pragma synchronous = off`.execute(store)
    this.#stores.push(store)
    return store
  }

  /** Nothing can be written, until what this returns is called. */
  async outage(): Promise<() => Promise<void>> {
    if (!isPostgres(this.address)) return holdWriteLock(this.address)
    return cluster().shut(new URL(this.address).pathname.slice(1))
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const store of this.#stores.splice(0)) await store.destroy()
  }

  async remove(): Promise<void> {
    await this.close()
    await this.#drop()
  }
}

/** A database without rows, for copies: to migrate each anew takes longer than many tests. */
const migrated = await migratedFile()

async function migratedFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-sqlite-'))
  const file = join(folder, 'gavel.db')
  await (await openStore(file)).destroy()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}

function holdWriteLock(file: string): () => Promise<void> {
  const holder = new Database(file)
  holder.exec('begin immediate')
  return async () => {
    holder.exec('rollback')
    holder.close()
  }
}

let databases: PostgresDatabases | undefined

function cluster(): PostgresDatabases {
  databases ??= new PostgresDatabases(inject('postgres') ?? '')
  return databases
}
