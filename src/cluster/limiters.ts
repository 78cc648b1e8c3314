import { Pool } from 'pg'
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Limiters } from '../core/rate-limit.ts'

const connections = 2
/** Milliseconds. Nobody waits longer than this to be counted, as a person and in a chat: then this replica counts alone. */
const countWithin = 500

/** Limits that hold over all replicas on a PostgreSQL database, and the connections by which they are counted. */
export function sharedLimiters(url: string): { limiters: Limiters; close: () => Promise<void> } {
  const pool = new Pool({
    connectionString: url,
    max: connections,
    application_name: 'gavel limits',
    connectionTimeoutMillis: countWithin,
    query_timeout: countWithin,
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
