import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { noReplicas } from '../../src/core/pubsub.ts'
import { Pacing } from '../../src/telegram/pacing.ts'
import { Remote } from '../remote.ts'
import { percentile } from '../statistics.ts'
import type { BenchPostgres } from './postgres.ts'

/** Cost of a rate limiter for each send or answer, in milliseconds. */
export interface PacingCost {
  name: string
  /** Time that a send waits for the limiter; absent if it does not. */
  p50: number
  p99: number
  ownCpu: number
  postgresCpu: number
  /** Counted sends per second of all replicas. */
  rate: number
}

const program = fileURLToPath(new URL('pacing-main.ts', import.meta.url))
const answer = z.object({ waits: z.array(z.number()), cpu: z.number(), millis: z.number() })
const replicaCounts = [1, 4]
/** Number of published answers, at the rate that Telegram permits all replicas. */
const answers = 300
const answersASecond = 30
const inMemory = 100_000

/**
 * Compares a limiter in the database with the implemented one: an elected sender that counts in memory and is notified
 * of answers.
 */
export async function measurePacing(
  { url, postgres }: { url: string; postgres: BenchPostgres },
  sends: number,
): Promise<PacingCost[]> {
  const costs: PacingCost[] = []
  for (const replicas of replicaCounts) {
    const name = `a limiter in the database, ${named(replicas)}: each send`
    costs.push({
      name,
      ...(await onReplicas({ what: 'ask', url, replicas, count: sends }, postgres)),
    })
  }
  costs.push({ name: 'one paced sender: each send', ...inMemoryCost() })
  for (const replicas of replicaCounts) {
    const name = `what it is told by ${named(replicas)}: each answer`
    const apart = (replicas * 1_000) / answersASecond
    const cost = await onReplicas({ what: 'tell', url, replicas, count: answers, apart }, postgres)
    costs.push({ name, ...cost, rate: Number.NaN })
  }
  return costs
}

function named(replicas: number): string {
  return `${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
}

interface Work {
  what: 'ask' | 'tell'
  url: string
  replicas: number
  /** Of all replicas. */
  count: number
  apart?: number
}

async function onReplicas(
  { what, url, replicas, count, apart }: Work,
  postgres: BenchPostgres,
): Promise<Omit<PacingCost, 'name'>> {
  const remotes = Array.from({ length: replicas }, () => new Remote(program))
  try {
    const before = await postgres.cpuMillis()
    const each = Math.ceil(count / replicas)
    const given = await Promise.all(
      remotes.map((remote) => remote.ask({ do: what, url, count: each, apart })),
    )
    // Includes the warm-up and opening connections.
    const postgresCpu = (await postgres.cpuMillis()) - before
    const all = given.map((one) => answer.parse(one))
    const waits = all.flatMap((one) => one.waits)
    const done = each * replicas
    const withWarmUp = done + Math.ceil(each / 10) * replicas
    return {
      p50: percentile(waits, 0.5),
      p99: percentile(waits, 0.99),
      ownCpu: all.reduce((sum, { cpu }) => sum + cpu, 0) / done,
      postgresCpu: postgresCpu / withWarmUp,
      rate: (done / Math.max(...all.map(({ millis }) => millis))) * 1000,
    }
  } finally {
    await Promise.all(remotes.map((remote) => remote.stop()))
  }
}

/** Measures the sender's in-memory count, on a clock that advances so that it never waits. */
function inMemoryCost(): Omit<PacingCost, 'name'> {
  let clock = 0
  const now = () => clock
  const pacing = new Pacing({ now, uploads: { waiting: 0 }, pubsub: noReplicas })
  const start = performance.now()
  const { user, system } = process.cpuUsage()
  for (let each = 0; each < inMemory; each += 1) {
    clock += 40
    pacing.room()
  }
  const after = process.cpuUsage()
  const cpu = (after.user + after.system - user - system) / 1000 / inMemory
  const millis = (performance.now() - start) / inMemory
  return { p50: millis, p99: Number.NaN, ownCpu: cpu, postgresCpu: 0, rate: Number.NaN }
}
