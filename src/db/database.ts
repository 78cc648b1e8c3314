import type { Store } from './schema.ts'

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

/**
 * The URL of a PostgreSQL database in its parts; undefined where it names none, or no user, or where a password may not
 * be percent-encoded: a part of it would be taken for the host, the port or the database.
 */
export function parsePostgres(database: string): URL | undefined {
  const url = isPostgres(database) ? URL.parse(database) : null
  if (!url || !/^\/[^/@]+$/u.test(url.pathname) || url.search.includes('@') || url.hash !== '') {
    return undefined
  }
  // Without one what stands before the first / may be a password's beginning, of which .env took the # for a comment's.
  return url.username || url.searchParams.get('user') ? url : undefined
}

/** Without the password that a URL may hold. */
export function nameOf(database: string): string {
  if (!isPostgres(database)) return database
  const url = parsePostgres(database)
  return url ? `postgres://${url.host}${url.pathname}` : 'postgres://…'
}

/** What an error that may have several causes says. */
export function reason(cause: unknown): string {
  // Where a name has several addresses each of them has its own reason.
  if (cause instanceof AggregateError) return cause.errors.map(reason).join('; ')
  if (isFromNewer(cause)) return 'a newer version of Gavel has changed it; start that one'
  if (!(cause instanceof Error)) return String(cause)
  return silences.find(([said]) => said.test(cause.message))?.[1] ?? cause.message
}

/** What PostgreSQL and pg say where they name no way out, and what that means. */
const silences = [
  [
    /^permission denied for (?:schema|database)/u,
    'the user may make no tables in it; make the user the owner of the database',
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

/** Kysely finds a migration in it that this version does not know. */
function isFromNewer(cause: unknown): boolean {
  return cause instanceof Error && /corrupted migrations: .* is missing/u.test(cause.message)
}
