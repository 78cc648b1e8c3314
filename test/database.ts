import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { Client } from 'pg'
import { inject } from 'vitest'
import { isPostgres, openStore, type Store } from '../src/store/database.ts'

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
    return new TestDatabase(join(folder, 'gavel.db'), drop)
  }

  static async onPostgres(): Promise<TestDatabase> {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await ask(`create database ${name}`)
    const drop = () => ask(`drop database ${name} with (force)`)
    return new TestDatabase(`${inject('postgres')}/${name}`, drop)
  }

  /** A connection more, which is closed with the database. */
  async open(): Promise<Store> {
    const store = await openStore(this.address)
    this.#stores.push(store)
    return store
  }

  /** Nothing can be written, until what this returns is called. */
  async outage(): Promise<() => Promise<void>> {
    if (!isPostgres(this.address)) return holdWriteLock(this.address)
    const name = new URL(this.address).pathname.slice(1)
    await ask(`alter database ${name} allow_connections false`)
    await ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
    return () => ask(`alter database ${name} allow_connections true`)
  }

  /** Nothing more fits on the disk once an alert's state changes, until what this returns is called. */
  async fillDisk(store: Store): Promise<() => Promise<void>> {
    return isPostgres(this.address) ? refuseStates(store) : fillFile(store)
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

function holdWriteLock(file: string): () => Promise<void> {
  const holder = new Database(file)
  holder.exec('begin immediate')
  return async () => {
    holder.exec('rollback')
    holder.close()
  }
}

async function fillFile(store: Store): Promise<() => Promise<void>> {
  await sql`create table ballast (bytes blob)`.execute(store)
  await sql`create trigger fills after update of state on deliveries
    begin insert into ballast values (randomblob(100000)); end`.execute(store)
  await sql`pragma max_page_count = 1`.execute(store)
  return async () => {
    await sql`pragma max_page_count = 1000000`.execute(store)
  }
}

/** A cluster of many tests has no disk of its own to fill: the database says that it is, by the same code. */
async function refuseStates(store: Store): Promise<() => Promise<void>> {
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`.execute(
    store,
  )
  await sql`create trigger fills before update of state on deliveries
    for each row execute function refuse()`.execute(store)
  return async () => {
    await sql`drop trigger fills on deliveries`.execute(store)
  }
}

async function ask(statement: string): Promise<void> {
  const client = new Client({ connectionString: `${inject('postgres')}/postgres` })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
