import type { KyselyPlugin } from 'kysely'
import { enqueue } from '../../src/alerts/matching.ts'
import { isPostgres, openStore } from '../../src/db/database.ts'
import { newsOf } from '../alerts/crowd.ts'
import { clear } from './matching.ts'
import type { BenchPostgres } from './postgres.ts'
import { tell } from './telling.ts'

/** Cost of claiming and recording one delivery: milliseconds of this process and of PostgreSQL's. */
export interface Cost {
  name: string
  deliveries: number
  millis: number
  ownCpu: number
  postgresCpu: number
  /** Statements, without those that begin and end transactions. */
  statements: number
}

/** Unix seconds. */
const now = 1_800_000_000
/** Part of the deliveries that is a warm-up. */
const warmUpPart = 0.2

/** Claims and records this many deliveries, as one notifier does on a platform that takes no time. */
export async function measureCost(
  name: string,
  database: string,
  most: number,
  postgres: BenchPostgres,
): Promise<Cost> {
  await clear(database)
  const opened = await openStore(database)
  let statements = 0
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const store = opened.withPlugin(counting)
  try {
    await opened
      .transaction()
      .execute((tx) => enqueue(tx, [newsOf('wide', `cost of ${name}`, now)], now))
    await tell(store, { now: now + 60, most: most * warmUpPart })
    const [postgresBefore, ownBefore] = [await postgres.cpuMillis(), process.cpuUsage()]
    statements = 0
    const { deliveries, millis } = await tell(store, { now: now + 60, most })
    const { user, system } = process.cpuUsage(ownBefore)
    const postgresCpu = (await postgres.cpuMillis()) - postgresBefore
    return {
      name,
      deliveries,
      millis: millis / deliveries,
      ownCpu: (user + system) / 1000 / deliveries,
      postgresCpu: isPostgres(database) ? postgresCpu / deliveries : Number.NaN,
      statements: statements / deliveries,
    }
  } finally {
    await opened.destroy()
  }
}
