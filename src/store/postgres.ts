import { Socket } from 'node:net'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Pool, types } from 'pg'
import { migrations } from './migrations.ts'
import { noNul } from './no-nul.ts'
import type { Schema } from './schema.ts'

/** What pg-boss and the schema need: https://github.com/timgit/pg-boss#requirements */
const oldest = 14
const connections = 10
/** Milliseconds. Nothing that the bot asks takes nearly as long; what does is stuck, and holds what others wait for. */
const longestStatement = 60_000
/** Milliseconds beyond that: PostgreSQL would have said something. The connection is dead where nothing told us so. */
const grace = 5_000
const connectWithin = 5000
const bigint = types.builtins.INT8
const numeric = types.builtins.NUMERIC

/**
 * Opens the database and migrates it; of several processes that start at once one does, and the others wait. A statement
 * may take `longest` milliseconds.
 */
export async function openPostgres(
  url: string,
  application: string,
  longest = longestStatement,
): Promise<Kysely<Schema>> {
  const pool = new Pool({
    stream: () => mortal(longest + grace),
    connectionString: url,
    max: connections,
    application_name: application,
    connectionTimeoutMillis: connectWithin,
    statement_timeout: longest,
    idle_in_transaction_session_timeout: longest,
    keepAlive: true,
    types: { getTypeParser: parserOf },
  })
  // A connection that breaks between two statements is replaced, and who makes the next one is told.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const store = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [noNul] })
  try {
    await checkVersion(store)
    const { error } = await new Migrator({ db: store, provider: migrations }).migrateToLatest()
    if (error !== undefined) throw error
    return store
  } catch (error) {
    await store.destroy()
    throw error
  }
}

/**
 * A connection that breaks when nothing came or went for so long. `query_timeout` would leave it in the pool, with all
 * that is asked on it next waiting behind what has no answer.
 */
function mortal(ms: number): Socket {
  const socket = new Socket()
  socket.setTimeout(ms, () => socket.destroy(new Error('the database gave no answer')))
  return socket
}

/** All whole numbers that are stored are exact as numbers: ids, times, chain ids. */
function parserOf(type: number, format?: 'text' | 'binary') {
  const isWhole = type === bigint || type === numeric
  return isWhole && format !== 'binary' ? Number : types.getTypeParser(type, format)
}

/** Asked by the store, which on its end closes only the connections that it made itself. */
async function checkVersion(store: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(store)
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= oldest) return
  throw new Error(`it is PostgreSQL ${version}, and ${oldest} or newer is needed`)
}
