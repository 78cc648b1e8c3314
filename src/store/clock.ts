import { type RawBuilder, sql } from 'kysely'
import type { Store } from './database.ts'
import { isSqlite } from './dialect.ts'

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
