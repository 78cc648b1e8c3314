import type { KyselyConfig } from 'kysely'

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
