import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export type Store = Kysely<Schema>

/** The database could not be opened or brought up to date; the message says what the operator can do. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * Opens a database and migrates it: a PostgreSQL one by its URL, else the SQLite file (made with its folder where
 * absent; `:memory:` for none). The caller closes it with `destroy()`. PostgreSQL's own lists show it as `application`.
 * @throws StoreError
 */
export async function openStore(database: string, application = 'gavel'): Promise<Store> {
  try {
    if (isPostgres(database)) {
      const { openPostgres } = await import('./postgres.ts')
      return await openPostgres(database, application)
    }
    const { openSqlite } = await import('./sqlite.ts')
    return await openSqlite(database)
  } catch (cause) {
    throw cantOpen(database, cause)
  }
}

export function cantOpen(database: string, cause: unknown): StoreError {
  const message = `The database ${nameOf(database)} can't be opened: ${reason(cause)}`
  return new StoreError(message, { cause })
}

/** Whether a `DATABASE_URL` is PostgreSQL's, which many processes may share. */
export function isPostgres(database: string): boolean {
  return /^postgres(?:ql)?:\/\//u.test(database)
}

/** Without the password that a URL may hold. */
export function nameOf(database: string): string {
  if (!isPostgres(database)) return database
  const { hostname = '', port = '', pathname = '' } = URL.parse(database) ?? {}
  return `postgres://${hostname}${port && `:${port}`}${pathname}`
}

/** What an error that may have several causes says. */
export function reason(cause: unknown): string {
  // Where a name has several addresses each of them has its own reason.
  if (cause instanceof AggregateError) return cause.errors.map(reason).join('; ')
  if (isFromNewer(cause)) return 'a newer version of Gavel has changed it; start that one'
  return cause instanceof Error ? cause.message : String(cause)
}

/** Kysely finds a migration in it that this version does not know. */
function isFromNewer(cause: unknown): boolean {
  return cause instanceof Error && /corrupted migrations: .* is missing/u.test(cause.message)
}
