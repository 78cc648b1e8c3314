import { sql } from 'kysely'
import { cantOpen } from './database.ts'
import type { Store } from './schema.ts'

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
  const why = `it has room for ${Math.max(0, free)} more connections, and a replica needs ${needed}; raise max_connections, or the limit of the user or the database`
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
