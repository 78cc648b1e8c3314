import { type ColumnDefinitionBuilder, type Kysely, SqliteAdapter, sql } from 'kysely'

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
