import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { openStore } from '../src/db/database.ts'

const template = 'as_new'

/** All that is in the schema, whatever tests made of it. */
const shape = `
  select md5(string_agg(part, ' ' order by part)) as shape from (
    select concat_ws(':', oid, relname, relnatts) as part from pg_class where oid >= 16384 and relkind <> 't'
    union all select concat_ws(':', oid, tgname, tgenabled) from pg_trigger where oid >= 16384
    union all select concat_ws(':', oid, proname) from pg_proc where oid >= 16384
    union all select concat_ws(':', oid, nspname) from pg_namespace where oid >= 16384
  ) as parts`

const used = `
  select quote_ident(relname) as name, pg_relation_size(oid) > 1000000 as is_large from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'
    and pg_relation_size(oid) > 0`

const rewind = `
  select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
  from pg_sequences where last_value is not null`

/**
 * The databases of a cluster that the tests of a process take and give back: emptying one is many times quicker than
 * making one, and making one from another that is migrated than migrating it.
 */
export class PostgresDatabases {
  /** Of the cluster, without a database. */
  readonly #url: string
  /** Names of those that were given back as they were taken. */
  readonly #free: string[] = []

  constructor(url: string) {
    this.#url = url
  }

  /** Makes what all others are copies of; once in a run. */
  async prepare(): Promise<void> {
    await this.#administer((client) => client.query(`create database ${template}`))
    const store = await openStore(this.urlOf(template))
    await store.destroy()
    await this.#ask(template, async (client) => {
      const { rows } = await client.query(shape)
      await client.query(`comment on schema public is '${rows[0].shape}'`)
    })
  }

  /** The name of a database that is migrated, and has no rows. */
  async take(): Promise<string> {
    return this.#free.pop() ?? this.#create(`template ${template}`)
  }

  /** The name of a database in which there is nothing. */
  takeEmpty(): Promise<string> {
    return this.#create()
  }

  /** What a test changed otherwise than by its rows is dropped. */
  async giveBack(name: string): Promise<void> {
    if (await this.#empty(name)) this.#free.push(name)
    else await this.#administer((client) => client.query(`drop database ${name} with (force)`))
  }

  /** No new connections are let in and those that are there end, until what this returns is called. */
  async shut(name: string): Promise<() => Promise<void>> {
    await this.#administer(async (client) => {
      await client.query(`alter database ${name} allow_connections false`)
      await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      )
    })
    return async () => {
      await this.#administer((client) =>
        client.query(`alter database ${name} allow_connections true`),
      )
    }
  }

  urlOf(name: string): string {
    return `${this.#url}/${name}`
  }

  async #create(how = ''): Promise<string> {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await this.#administer((client) => client.query(`create database ${name} ${how}`))
    return name
  }

  #empty(name: string): Promise<boolean> {
    return this.#ask(name, async (client) => {
      const { rows } = await client.query(
        `select (${shape}) = obj_description('public'::regnamespace) as same,
          (select count(*) from pg_stat_activity where datname = current_database()) as users`,
      )
      if (rows[0].same !== true || rows[0].users !== '1') return false
      const tables = (await client.query(used)).rows
      // To truncate a table makes new files for it and its indexes: a hundred times slower than to delete a few rows.
      const emptying = tables.map(({ name, is_large: isLarge }) =>
        isLarge ? `truncate ${name} cascade` : `delete from ${name}`,
      )
      // In whatever order: rows may refer to others that are gone already.
      await client.query(['set session_replication_role = replica', ...emptying, rewind].join(';'))
      // Into the room of deleted rows the next ones would go in any order, and be read so where a query asks for none.
      const names = tables.map(({ name }) => name)
      if (names.length > 0) await client.query(`vacuum ${names.join(', ')}`)
      return true
    })
  }

  #administer<Result>(use: (client: Client) => Promise<Result>): Promise<Result> {
    return this.#ask('postgres', use)
  }

  async #ask<Result>(name: string, use: (client: Client) => Promise<Result>): Promise<Result> {
    const client = new Client({ connectionString: this.urlOf(name) })
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }
}
