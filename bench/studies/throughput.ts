import type { Contender, Load } from '../contender.ts'
import type { Plan } from '../plan.ts'
import { median, medianRatio, percentile, rotated } from '../statistics.ts'
import { warmAsset } from '../warm-asset.ts'

/** One contender under load. */
export interface Throughput {
  name: string
  /** Commands a second, round by round. */
  rates: number[]
  rate: number
  /** Against the bare bot in the same round. */
  ratio: number
  /** Microseconds of processor time for a command: the bot's, and that of the stand-ins it talks to. */
  botCpu: number
  standInCpu: number
  /** The bare bot's processor time over this one's: what the rates would come to if the stand-ins cost nothing. */
  cpuRatio: number
  /** Milliseconds to the answer while 400 others wait for theirs. */
  p50: number
  p99: number
  /** Commands that the process had answered when its memory was read, and the megabytes resident then. */
  commands: number
  megabytes: number
}

export interface ThroughputOptions {
  plan: Plan
  rounds: number
  /** The contender that the ratios are against. */
  bare: string
}

/** Warm `/asset` commands in batches, the contenders taking turns round by round. */
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
      // Another round may have left Gavel's cache to run out: here it is warm.
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

/** Microseconds of something for each command. */
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
