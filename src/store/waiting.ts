import { sql } from 'kysely'

/** Spelled out, so that the database sees before it has any value that its index of nothing but what waits will do. */
export const waiting = sql.lit('waiting' as const)

/** As `waiting`, for the index of news that still has its body. */
export const noText = sql.lit('' as const)
