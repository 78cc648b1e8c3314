import type { Contender, Load } from '../contender.ts'
import type { Plan } from '../plan.ts'
import { median, medianRatio, percentile, rotated } from '../statistics.ts'
import { warmAsset } from '../warm-asset.ts'

/** Results of one bot under load. */
export interface Throughput {
  name: string
  /** Commands per second, round by round. */
  rates: number[]
  rate: number
  /** Relative to the bare bot in the same round. */
  ratio: number
  /** Microseconds of processor time per command: the bot's, and that of its stand-ins. */
  botCpu: number
  standInCpu: number
  /** The bare bot's processor time ÷ this bot's: the ratio of rates if the stand-ins cost nothing. */
  cpuRatio: number
  /** Milliseconds to the answer while 400 others wait. */
  p50: number
  p99: number
  /** Commands answered before the memory was read, and the resident megabytes then. */
  commands: number
  megabytes: number
}

export interface ThroughputOptions {
  plan: Plan
  rounds: number
  /** The bot that ratios are relative to. */
  bare: string
}

/** Measures warm `/asset` commands in batches, alternating between the bots round by round. */
export async function throughput(
  contenders: readonly Contender[],
  { plan, rounds, bare }: ThroughputOptions,
): Promise<Throughput[]> {
  const { batch, inFlight } = plan
  const loads = new Map<string, Load[]>(contenders.map(({ name }) => [name, []]))
  for (const contender of contenders) {
    await contender.send({ address: warmAsset, batch, inFlight, batches: plan.warmUpBatches })
  }
  for (let round = 0; round < rounds; round++) {
    for (const contender of rotated(contenders, round)) {
      // Gavel's cache may have expired during another bot's round: warm it.
      await contender.send({ address: warmAsset, batch: 1, batches: 1, inFlight: 1 })
      const batches = plan.batchesPerRound
      const load = await contender.send({ address: warmAsset, batch, inFlight, batches })
      loads.get(contender.name)?.push(load)
    }
  }
  const bareLoads = loads.get(bare) ?? []
  return Promise.all(
    contenders.map(async (contender) => ({
      ...summary(contender.name, loads.get(contender.name) ?? [], bareLoads),
      commands: contender.commands,
      megabytes: await contender.residentMegabytes(),
    })),
  )
}

function rateOf({ commands, millis }: Load): number {
  return (commands / millis) * 1000
}

/** Returns microseconds per command. */
function microsEach(loads: readonly Load[], part: (load: Load) => number): number {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  return (sum(loads.map(part)) / sum(loads.map(({ commands }) => commands))) * 1000
}

function summary(name: string, loads: readonly Load[], bareLoads: readonly Load[]) {
  const rates = loads.map(rateOf)
  const latencies = loads.flatMap((load) => load.latencies)
  const botCpu = microsEach(loads, (load) => load.botCpu)
  return {
    name,
    rates,
    rate: median(rates),
    ratio: medianRatio(rates, bareLoads.map(rateOf)),
    botCpu,
    standInCpu: microsEach(loads, (load) => load.standInCpu),
    cpuRatio: microsEach(bareLoads, (load) => load.botCpu) / botCpu,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  }
}
