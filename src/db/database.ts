import { sql } from 'kysely'
import { StoreError } from '../errors.ts'
import type { Store } from './schema.ts'
import type { DatabaseWatch } from './sql.ts'

/**
 * Opens a database and migrates it: PostgreSQL by its URL, or else a SQLite file, which is created with its folder if
 * absent. `application` is the `application_name` in PostgreSQL. The caller closes the database with `destroy()`.
 * @throws StoreError
 * @example
 *   const store = await openStore('data/gavel.db') // or 'postgres://gavel:secret@host/gavel', or ':memory:'
 */
export async function openStore(
  database: string,
  application = 'gavel',
  watch: DatabaseWatch = {},
): Promise<Store> {
  try {
    if (isPostgres(database)) {
      const { openPostgres } = await import('./postgres.ts')
      return await openPostgres(database, application, undefined, watch)
    }
    const { openSqlite } = await import('./sqlite.ts')
    return await openSqlite(database, watch)
  } catch (cause) {
    throw cantOpen(database, cause)
  }
}

export function cantOpen(database: string, cause: unknown): StoreError {
  const message = `The database ${nameOf(database)} can't be opened: ${reason(cause)}`
  return new StoreError(message, { cause })
}

/** Whether a `DATABASE_URL` names a PostgreSQL database, which several processes may share. */
export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(database)
}

/**
 * Parses the URL of a PostgreSQL database. Undefined if it names no database or no user, or looks as if its password is
 * not percent-encoded: part of the password would be taken for the host, the port or the database.
 */
export function parsePostgres(database: string): URL | undefined {
  const url = isPostgres(database) ? URL.parse(database) : null
  if (!url || !/^\/[^/@]+$/u.test(url.pathname) || url.search.includes('@') || url.hash !== '') {
    return undefined
  }
  // A host has no @: everything before the last one is a name and a password, which is not encoded then.
  if (/^[^/]+\/\/[^/?#]*@[^/?#]*@/u.test(database)) return undefined
  // Without a user, the text before the first / may be the beginning of a password that .env cut off at a #.
  return url.username || url.searchParams.get('user') ? url : undefined
}

/** A database's name for messages, without the password that a URL may hold. */
export function nameOf(database: string): string {
  if (!isPostgres(database)) return database
  const url = parsePostgres(database)
  return url ? `postgres://${url.host}${url.pathname}` : 'postgres://…'
}

/** Describes an error, with what the operator can do where PostgreSQL's message doesn't say. */
export function reason(cause: unknown): string {
  // Connecting to a host name with several addresses fails with one error for each.
  if (cause instanceof AggregateError) return cause.errors.map(reason).join('; ')
  if (!(cause instanceof Error)) return String(cause)
  return clearerMessages.find(([pattern]) => pattern.test(cause.message))?.[1] ?? cause.message
}

/** Messages of PostgreSQL and pg that don't say what to do, and better ones. */
const clearerMessages = [
  [
    /^permission denied for (?:schema|database)/u,
    'the user may not create tables in it; make the user the owner of the database',
  ],
  [
    /timeout expired|connection timeout|when trying to connect/u,
    'no answer within 5 s; check the address and the firewall',
  ],
  [
    /^Connection terminated unexpectedly$/u,
    'the connection was closed; check the address and the firewall, and see what PostgreSQL logs',
  ],
] as const

/** Connections that a busy replica needs. */
const needed = 20

/**
 * Checks at the start that a PostgreSQL database allows the connections of one more replica; otherwise the replica would
 * fail later, once it is busy. @throws StoreError
 */
export async function checkHeadroom(store: Store, database: string): Promise<void> {
  const { rows } = await freeConnections.execute(store)
  const free = rows[0]?.free ?? needed
  if (free >= needed) return
  const why = `it has room for ${Math.max(0, free)} more connections, but a replica needs ${needed}; raise max_connections, or the limit of the user or the database`
  throw cantOpen(database, new Error(why))
}

/** The smallest remainder of the server's, role's and database's limits: -1 is no limit; only the server's binds superusers. */
const freeConnections = sql<{ free: number | null }>`
  select least(
    current_setting('max_connections')::int
      - case when role.rolsuper then 0 else
          current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0)
        end
      - (select sum(numbackends)::int from pg_stat_database),
    case when not role.rolsuper and role.rolconnlimit >= 0 then
      role.rolconnlimit - (select count(*)::int from pg_stat_activity where usesysid = role.oid)
    end,
    case when not role.rolsuper and base.datconnlimit >= 0 then
      base.datconnlimit - (select numbackends from pg_stat_database where datid = base.oid)
    end
  ) as free
  from pg_roles as role, pg_database as base
  where role.rolname = current_user and base.datname = current_database()`
