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
import { Migrator } from 'kysely/migration'
import { Pool, type PoolConfig, types } from 'pg'
import { migrations } from './migrations.ts'
import type { Schema } from './schema.ts'

/** What pg-boss and the schema need: https://github.com/timgit/pg-boss#requirements */
const oldest = 14
const connections = 10
/** Milliseconds. Nothing that the bot asks takes nearly as long; what does is stuck, and holds what others wait for. */
const maxStatement = 60_000
/**
 * Milliseconds for which a transaction may wait for the process that began it. Whoever vanishes in one without closing its
 * connection (its machine lost power or the network, or is frozen) keeps its locks so long: less than the lease of its
 * roles, so that who has them next waits for nothing. Nothing computes nearly as long between two statements of one.
 */
const maxPause = 8_000
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
  longest = maxStatement,
): Promise<Kysely<Schema>> {
  const store = connect({
    stream: () => mortal(longest + grace),
    connectionString: url,
    max: connections,
    application_name: application,
    statement_timeout: longest,
  })
  try {
    await checkVersion(store)
    await migrate(url, application)
    return store
  } catch (error) {
    await store.destroy()
    throw error
  }
}

/** However long it takes: an index over millions of rows does, and so does waiting for who builds one. */
async function migrate(url: string, application: string): Promise<void> {
  const store = connect({ connectionString: url, max: 2, application_name: application })
  try {
    const { error } = await new Migrator({ db: store, provider: migrations }).migrateToLatest()
    if (error !== undefined) throw error
  } finally {
    await store.destroy()
  }
}

function connect(config: PoolConfig): Kysely<Schema> {
  const pool = new Pool({
    connectionTimeoutMillis: connectWithin,
    idle_in_transaction_session_timeout: maxPause,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    ...config,
  })
  // A connection that breaks between two statements is replaced, and who makes the next one is told.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins: [noNul] })
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

/** Puts U+FFFD in the place of U+0000 in all that is stored or looked for: PostgreSQL's text has no such character. */
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

/** A value as it is stored. */
export function stripNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}
