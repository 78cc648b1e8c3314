import { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Limiters } from '../core/rate-limit.ts'

const connections = 2
/** Milliseconds that counting may take, per person and per chat; after that this replica counts by itself. */
const countTimeout = 500

/** Makes rate limiters that count over all replicas on a PostgreSQL database; `close` ends their connections. */
export function sharedLimiters(url: string): { limiters: Limiters; close: () => Promise<void> } {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'gavel limits',
    connectionTimeoutMillis: countTimeout,
    query_timeout: countTimeout,
    keepAlive: true,
  })
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const limiters: Limiters = (keyPrefix, points, duration) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      tableName: 'flood_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    })
  return { limiters, close: () => pool.end() }
}
