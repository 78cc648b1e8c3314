import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { openStore, type Store } from '../src/store/database.ts'

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

  /** PostgreSQL: ends all connections and takes no new ones. */
  async cutOff(): Promise<void> {
    const name = this.#name
    await ask(`alter database ${name} allow_connections false`)
    await ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }

  async letIn(): Promise<void> {
    await ask(`alter database ${this.#name} allow_connections true`)
  }

  get #name(): string {
    return new URL(this.address).pathname.slice(1)
  }

  async remove(): Promise<void> {
    for (const store of this.#stores) await store.destroy()
    await this.#drop()
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
