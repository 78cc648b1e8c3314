import {
  type ColumnDefinitionBuilder,
  type Kysely,
  type RawBuilder,
  SqliteAdapter,
  sql,
} from 'kysely'
import type { Store } from './schema.ts'

/** A whole number up to 2^53: SQLite's are of any size, PostgreSQL's integers end in the year 2038. */
export function whole(db: Kysely<unknown>) {
  return isSqlite(db) ? 'integer' : 'bigint'
}

/** Bytes as they are. */
export function bytes(db: Kysely<unknown>) {
  return isSqlite(db) ? 'blob' : 'bytea'
}

/** Numbers that the database gives, each once. */
export function numbered(db: Kysely<unknown>) {
  return (column: ColumnDefinitionBuilder) =>
    isSqlite(db)
      ? column.primaryKey().autoIncrement()
      : column.primaryKey().generatedByDefaultAsIdentity()
}

/** A table that is nothing but its primary key's index, where the database has such. */
export function clustered(db: Kysely<unknown>) {
  return isSqlite(db) ? sql`without rowid` : sql``
}

/** Which of the two engines it is. */
export function isSqlite(db: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}

/** Unix milliseconds by the database's own clock, which all who share it share. */
export function databaseNow(store: Store): RawBuilder<number> {
  return isSqlite(store)
    ? sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
    : sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
}

/** Unix seconds by the database's own clock. */
export function databaseSeconds(store: Store): RawBuilder<number> {
  return sql<number>`${databaseNow(store)} / 1000`
}

/** Waits until nobody else on PostgreSQL holds this name, and holds it until the transaction ends. */
export async function lockInTransaction(tx: Store, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** Spelled out, so that the database sees before it has any value that its index of nothing but what waits will do. */
export const waiting = sql.lit('waiting' as const)

/** As `waiting`, for the index of news that still has its body. */
export const noText = sql.lit('' as const)

/**
 * Deletes what `find` finds, unless somebody begins to use it at this moment: what is found is written, so that whoever
 * is about to use it is waited for, and goes if it is found once more. Returns how many went.
 */
export function pruneFound(
  store: Store,
  table: 'filters' | 'destinations',
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
    const held = new Set(found)
    const unused = (await find(tx)).map(({ id }) => id).filter((id) => held.has(id))
    if (unused.length > 0) await tx.deleteFrom(table).where('id', 'in', unused).execute()
    return unused.length
  })
}

/** Tells all who listen on PostgreSQL's channel; a text has 8,000 bytes at most. */
export async function notify(store: Store, channel: string, text: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${text})`.execute(store)
}

/**
 * Seconds by which a row may be ahead of the clock: those of several machines differ, and are put right by a little.
 * What was written by a clock further ahead is not believed.
 */
export const tolerance = 60
