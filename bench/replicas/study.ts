import { join } from 'node:path'
import { openStore } from '../../src/db/database.ts'
import { StandIns } from '../stand-ins/client.ts'
import { type Answered, measureAnswers } from './commands.ts'
import { type Cost, measureCost } from './deliveries.ts'
import { type Edge, measureEdges } from './edges.ts'
import { measureMatching, type Stored } from './matching.ts'
import { measurePacing, type PacingCost } from './pacing.ts'
import type { ReplicasPlan } from './plan.ts'
import { BenchPostgres } from './postgres.ts'
import { seedBoth } from './seed.ts'

/** All results of the replicas benchmark. */
export interface ReplicasFigures {
  answers: Answered[]
  subscriptions: number
  stored: Stored[]
  costs: Cost[]
  pacing: PacingCost[]
  edges: Edge[]
}

/** Measures replicas on their own PostgreSQL server, and one process on SQLite. */
export async function measureReplicas(
  folder: string,
  plan: ReplicasPlan,
  say: (step: string) => void,
): Promise<ReplicasFigures> {
  const postgres = await BenchPostgres.start()
  try {
    say('replicas start')
    const answers = await withStandIns((standIns) =>
      measureAnswers({ standIns, postgres, folder }, plan, say),
    )
    say('limits of all replicas together')
    const limits = await postgres.database('limits')
    await (await openStore(limits)).destroy()
    const pacing = await measurePacing({ url: limits, postgres }, plan.sends)
    const edges = await measureEdges(limits)
    const file = join(folder, 'subscriptions.db')
    const url = await postgres.database('subscriptions')
    say(`${plan.subscriptions} subscriptions`)
    await seedBoth(file, url, plan.subscriptions)
    say('deliveries claimed and settled')
    const costs = [
      await measureCost('SQLite', file, plan.deliveries, postgres),
      await measureCost('PostgreSQL', url, plan.deliveries, postgres),
    ]
    say('news stored')
    const stored = await measureMatching({ file, url }, plan)
    return { answers, subscriptions: plan.subscriptions, stored, costs, pacing, edges }
  } finally {
    await postgres.stop()
  }
}

async function withStandIns<Result>(use: (standIns: StandIns) => Promise<Result>): Promise<Result> {
  const standIns = new StandIns()
  try {
    return await use(standIns)
  } finally {
    await standIns.stop()
  }
}
