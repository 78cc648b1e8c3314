import { setImmediate as yieldToOthers } from 'node:timers/promises'
import {
  type AliasableExpression,
  type Expression,
  type Kysely,
  type KyselyConfig,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely'
import type { Store } from './schema.ts'

/** Whether the engine is SQLite, and not PostgreSQL. */
export function isSqlite(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}

/** Has each statement wait for up to 5 s while another process writes; a bot can't, as SQLite blocks the process meanwhile. */
export async function waitForLocks(store: Store): Promise<void> {
  if (isSqlite(store)) await sql`pragma busy_timeout = 5000`.execute(store)
}

/** Unix milliseconds by the database's clock, which is the same for all replicas. */
export function databaseNow(store: Store): RawBuilder<number> {
  return isSqlite(store)
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
}

/** A text of the code's own as a column, written into the statement itself: nothing that people type may come here. */
export function constant<Text extends string>(text: Text): RawBuilder<Text> {
  return sql.lit(text)
}

/** A query that another one reads from. */
export type Subquery<Row> = AliasableExpression<Row>

/** The later of a stored time and another one. */
export function laterOf(stored: Expression<number>, time: number): RawBuilder<number> {
  return sql<number>`case when ${stored} > ${time} then ${stored} else ${time} end`
}

/**
 * A list of ids with commas between, with one more at its end. A long list loses its first half: at least 50 ids of
 * Discord's or 100 of Telegram's are kept, and the first one may have lost digits.
 */
export function withLatest(list: Expression<string | null>, id: string): RawBuilder<string> {
  const half = 1_100
  const from = sql`case when length(${list}) > ${2 * half} then length(${list}) - ${half - 1} else 1 end`
  return sql<string>`coalesce(substr(${list}, ${from}) || ',', '') || cast(${id} as text)`
}

/**
 * Takes a lock of this name, and holds it until the transaction ends. Does nothing on SQLite, which runs one write
 * transaction at a time anyway.
 */
export async function lockInTransaction(tx: Store, name: string): Promise<void> {
  if (isSqlite(tx)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** A literal instead of a parameter, so that the planner can use the partial indexes on `state = 'waiting'`. */
export const waiting = sql.lit('waiting' as const)

/** As `waiting`, for the partial index on active payloads. */
export const active = sql.lit('active' as const)

/** As `waiting`, for the partial index on events that still have a body. */
export const noText = sql.lit('' as const)

/** Rows that one statement changes or deletes: SQLite blocks the process while it runs. */
const sliceSize = 200

/**
 * Repeats a statement that changes at most `limit` rows until it finds none, with turns for others.
 * @param change returns how many rows it has changed, and must not find these again
 * @returns how many were changed in all
 */
export async function inSlices(
  change: (limit: number) => Promise<bigint>,
  limit = sliceSize,
): Promise<number> {
  for (let count = 0; ; ) {
    const changed = await change(limit)
    count += Number(changed)
    // Fewer than `limit` may be left over by others that change the same rows.
    if (changed === 0n) return count
    await yieldToOthers()
  }
}

/** Repeats a DELETE of at most `limit` rows, as `inSlices` does; returns how many went. */
export function deleteInBatches(
  remove: (limit: number) => Promise<{ numDeletedRows: bigint }>,
  limit?: number,
): Promise<number> {
  return inSlices(async (max) => (await remove(max)).numDeletedRows, limit)
}

/** A range of ids, `from` excluded and `to` included. */
export interface IdRange {
  from: number
  to: number
}

/** Ids in a range: SQLite blocks the process while a statement goes through them. */
const rangeSize = 200

/**
 * All values of a key in ranges, `from` excluded and `to` included; the last has no end. Gives other work a turn after each.
 * @param first comes before all values in the order of `find`
 * @param find the value that is the `size`-th after `from`, as `end`
 */
export async function* rangesOf<Key>(
  first: Key,
  find: (from: Key, size: number) => Promise<{ end: Key } | undefined>,
): AsyncGenerator<{ from: Key; to: Key | undefined }> {
  for (let from = first; ; ) {
    const to = (await find(from, rangeSize))?.end
    yield { from, to }
    if (to === undefined) return
    from = to
    await yieldToOthers()
  }
}

/** All ids in ranges, by those that a table has; gives other work a turn after each. */
export async function* idRanges(store: Store, table: 'rules' | 'chats'): AsyncGenerator<IdRange> {
  const ranges = rangesOf(0, (from, size) =>
    store
      .selectFrom(table)
      .select('id as end')
      .where('id', '>', from)
      .orderBy('id')
      .offset(size - 1)
      .limit(1)
      .executeTakeFirst(),
  )
  for await (const { from, to = Number.MAX_SAFE_INTEGER } of ranges) yield { from, to }
}

/**
 * Deletes the rows that `find` finds, unless a concurrent transaction begins to use them: locks the rows by an update,
 * which waits for such transactions, and deletes those that `find` then finds again. Returns how many.
 */
export function pruneFound(
  store: Store,
  table: 'rules' | 'chats',
  find: (tx: Store) => Promise<{ id: number }[]>,
): Promise<number> {
  return store.transaction().execute(async (tx) => {
    const found = (await find(tx)).map(({ id }) => id)
    if (found.length === 0) return 0
    await tx
      .updateTable(table)
      .set((row) => ({ id: row.ref('id') }))
      .where('id', 'in', found)
      .execute()
    const locked = new Set(found)
    const unused = (await find(tx)).map(({ id }) => id).filter((id) => locked.has(id))
    if (unused.length > 0) await tx.deleteFrom(table).where('id', 'in', unused).execute()
    return unused.length
  })
}

/** Whether a column has this text in it, in any case of ASCII letters. Reads all rows. */
export function hasText(column: string, text: string) {
  const pattern = `%${text.replaceAll(/[!%_]/gu, '!$&')}%`
  return sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '!'`
}

/** The connections of a process to PostgreSQL, at the moment of reading. */
export interface ConnectionPool {
  readonly open: number
  readonly idle: number
  /** Queries that wait for a connection. */
  readonly waiting: number
  /** Maximum that may be open. */
  readonly max: number
}

/** Follows the use of a database, for metrics. */
export interface DatabaseWatch {
  /** Called after each query. */
  onQuery?: (query: { seconds: number; failed: boolean }) => void
  /** Called once with the connections to PostgreSQL. */
  onPool?: (pool: ConnectionPool) => void
}

/** The option of Kysely that has a watch follow its queries. */
export function loggingTo({ onQuery }: DatabaseWatch): Pick<KyselyConfig, 'log'> {
  if (!onQuery) return {}
  return {
    log: ({ level, queryDurationMillis }) =>
      onQuery({ seconds: queryDurationMillis / 1000, failed: level === 'error' }),
  }
}
