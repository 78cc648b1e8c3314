import { Socket } from 'node:net'
import {
  Kysely,
  type KyselyPlugin,
  OperationNodeTransformer,
  PostgresDialect,
  type PrimitiveValueListNode,
  sql,
  type ValueNode,
} from 'kysely'
import { Pool, type PoolConfig, types } from 'pg'
import { migrateToLatest } from './migrate.ts'
import type { Schema } from './schema.ts'
import { type DatabaseWatch, loggingTo } from './sql.ts'

/** Major version that pg-boss and the schema need: https://github.com/timgit/pg-boss#requirements */
const minVersion = 14
const connections = 10
/** Milliseconds, far longer than any statement of the bot takes: one that does is stuck, and may hold locks. */
const maxStatement = 60_000
/**
 * Milliseconds for which a transaction may be idle. A process that vanishes without closing its connection (its machine
 * lost power or the network, or is frozen) keeps its locks for this long: less than its leadership lasts, so that the next
 * leader never waits for them. Far longer than the bot computes between two statements of a transaction.
 */
const maxIdleInTransaction = 8_000
/** Milliseconds after `maxStatement` by which PostgreSQL would have cancelled the statement: the connection is dead then. */
const grace = 5_000
const connectTimeout = 5000
const bigint = types.builtins.INT8
const numeric = types.builtins.NUMERIC

/**
 * Opens the database and migrates it; of several processes that start at once, one migrates and the others wait. A
 * statement may take `statementTimeout` milliseconds.
 */
export async function openPostgres(
  url: string,
  application: string,
  statementTimeout = maxStatement,
  watch: DatabaseWatch = {},
): Promise<Kysely<Schema>> {
  const config = {
    stream: () => socketWithTimeout(statementTimeout + grace),
    connectionString: url,
    max: connections,
    application_name: application,
    statement_timeout: statementTimeout,
  }
  const store = connect(config, watch)
  try {
    await checkVersion(store)
    await migrate(url, application)
    return store
  } catch (error) {
    await store.destroy()
    throw error
  }
}

/** Opens the database for questions alone, as it is: nothing is migrated, and nothing can be written. */
export async function openUnchanged(url: string): Promise<Kysely<Schema>> {
  const store = connect({
    connectionString: url,
    max: 1,
    application_name: 'gavel doctor',
    statement_timeout: grace,
    options: '-c default_transaction_read_only=on',
  })
  try {
    await checkVersion(store)
    return store
  } catch (error) {
    await store.destroy()
    throw error
  }
}

/** Migrates without timeouts: building an index over millions of rows, or waiting for a process that does, takes long. */
async function migrate(url: string, application: string): Promise<void> {
  const store = connect({ connectionString: url, max: 2, application_name: application })
  try {
    await migrateToLatest(store)
  } finally {
    await store.destroy()
  }
}

function connect(config: PoolConfig, watch: DatabaseWatch = {}): Kysely<Schema> {
  const pool = new Pool({
    connectionTimeoutMillis: connectTimeout,
    idle_in_transaction_session_timeout: maxIdleInTransaction,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    ...config,
  })
  // Ignored: the pool replaces connections that break while idle, and those in use reject their queries.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  watch.onPool?.({
    get open() {
      return pool.totalCount
    },
    get idle() {
      return pool.idleCount
    },
    get waiting() {
      return pool.waitingCount
    },
    max: connections,
  })
  const dialect = new PostgresDialect({ pool })
  return new Kysely<Schema>({ dialect, plugins: [noNul], ...loggingTo(watch) })
}

/**
 * A socket that is destroyed after `ms` milliseconds without traffic. `query_timeout` would leave the connection in the
 * pool, and later queries on it would wait behind the one without an answer.
 */
function socketWithTimeout(ms: number): Socket {
  const socket = new Socket()
  socket.setTimeout(ms, () => socket.destroy(new Error('the database gave no answer')))
  return socket
}

/** Parses bigint and numeric as numbers: all stored integers that are read (ids, times, chain ids) are safe integers. */
function parserOf(type: number, format?: 'text' | 'binary') {
  const isWhole = type === bigint || type === numeric
  return isWhole && format !== 'binary' ? Number : types.getTypeParser(type, format)
}

/** Uses the store's connection: its pool closes only connections that it opened itself. */
async function checkVersion(store: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(store)
  const version = rows[0]?.server_version ?? ''
  if (Number.parseInt(version, 10) >= minVersion) return
  throw new Error(`it is PostgreSQL ${version}, and ${minVersion} or newer is needed`)
}

/** Replaces U+0000 by U+FFFD in all values of queries: PostgreSQL's text can't hold U+0000. */
export const noNul: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode(node),
  transformResult: async ({ result }) => result,
}

class Transformer extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: stripNul(node.value) }
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    return { ...node, values: node.values.map(stripNul) }
  }
}

const transformer = new Transformer()

/** Replaces U+0000 by U+FFFD in a text; returns other values unchanged. */
export function stripNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}
