import { setTimeout as delay } from 'node:timers/promises'
import type { Contender } from '../contender.ts'
import type { Plan } from '../plan.ts'
import { median, percentile, rotated } from '../statistics.ts'
import { warmAsset } from '../warm-asset.ts'

/** Milliseconds from a command to its answer. */
export interface Latency {
  name: string
  p50: number
  p99: number
}

/** Measures warm `/asset` commands one at a time, alternating between the bots. */
export async function latency(contenders: readonly Contender[], plan: Plan): Promise<Latency[]> {
  const seen = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  for (let context = 0; context < plan.turns; context++) {
    for (const contender of rotated(contenders, context)) {
      const one = { address: warmAsset, batch: 1, inFlight: 1 }
      await contender.send({ ...one, batches: 5 })
      const { latencies } = await contender.send({ ...one, batches: plan.singlesPerTurn })
      seen.get(contender.name)?.push(...latencies)
    }
  }
  return contenders.map(({ name }) => summary(name, seen.get(name) ?? []))
}

/** Measures commands for assets that are not cached, one at a time. */
export async function coldLatency(contender: Contender, plan: Plan): Promise<Latency> {
  const cold = contender.addresses.filter((address) => address !== warmAsset).slice(0, plan.cold)
  const latencies: number[] = []
  for (const address of cold) {
    const load = await contender.send({ address, batch: 1, batches: 1, inFlight: 1 })
    latencies.push(...load.latencies)
  }
  return summary(contender.name, latencies)
}

/** Results of a batch sent when the asset's cached answer has just expired. */
export interface Expiry {
  /** Requests to the interface for the whole batch. */
  reads: number
  /** Milliseconds until half of the batch, and all of it, was answered. */
  p50: number
  last: number
}

/** Milliseconds; longer than Gavel caches an answer of the interface. */
const runOutMs = 5_500

export async function expiry(contender: Contender, plan: Plan): Promise<Expiry> {
  const met: Expiry[] = []
  for (let time = 0; time < plan.expiries; time++) {
    await contender.send({ address: warmAsset, batch: 1, batches: 1, inFlight: 1 })
    await delay(runOutMs)
    const load = await contender.send({
      address: warmAsset,
      batch: plan.batch,
      batches: 1,
      inFlight: 1,
    })
    met.push({ reads: load.upstreamReads, p50: percentile(load.latencies, 0.5), last: load.millis })
  }
  return {
    reads: Math.max(...met.map(({ reads }) => reads)),
    p50: median(met.map(({ p50 }) => p50)),
    last: median(met.map(({ last }) => last)),
  }
}

function summary(name: string, latencies: readonly number[]): Latency {
  return { name, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }
}
