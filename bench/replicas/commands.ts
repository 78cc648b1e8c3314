import { median, medianRatio, percentile, rotated } from '../statistics.ts'
import { Group, type GroupEntry, type GroupGround, type GroupLoad } from './group.ts'
import { type ReplicasPlan, replicaCounts } from './plan.ts'

/**
 * Results of commands answered by this many replicas; processor time in microseconds per command, latencies in
 * milliseconds.
 */
export interface Answered {
  name: string
  commands: number
  /** Answers per second. */
  rate: number
  /** Rate relative to one replica on PostgreSQL. */
  ratio: number
  botsCpu: number
  postgresCpu: number
  standInCpu: number
  /** From the webhook until Telegram has the answer, under that load and one at a time. */
  busy: { p50: number; p99: number }
  single: { p50: number; p99: number }
}

const alone: GroupEntry = { name: 'SQLite, one process', engine: 'sqlite', replicas: 1 }
const groups: readonly GroupEntry[] = [
  alone,
  ...replicaCounts.map((replicas) => ({
    name: `PostgreSQL, ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`,
    engine: 'postgres' as const,
    replicas,
  })),
]
const reference = groups.findIndex(({ engine }) => engine === 'postgres')

/** Measures the same load of webhooks for each number of replicas, in alternating rounds. */
export async function measureAnswers(
  ground: GroupGround,
  plan: ReplicasPlan,
  say: (step: string) => void,
): Promise<Answered[]> {
  const running: Group[] = []
  try {
    for (const entry of groups) running.push(await Group.start(ground, entry))
    const { batch, inFlight } = plan
    for (const group of running) {
      // Each replica gets the same number.
      const batches = plan.warmUpBatches * group.entry.replicas
      await group.send({ batch, inFlight, batches })
    }
    say('commands a second')
    const loads = await inRounds(running, plan.rounds, (group) =>
      group.send({ batch, inFlight, batches: plan.batchesPerRound }),
    )
    say('commands one at a time')
    const singles = await inRounds(running, plan.turns, (group) =>
      group.send({ batch: 1, inFlight: 1, batches: plan.singlesPerTurn }),
    )
    return answered(loads, singles)
  } finally {
    await Promise.all(running.map((group) => group.stop()))
  }
}

/** Runs the load of each group, round by round; each round starts with another group. */
async function inRounds(
  running: readonly Group[],
  rounds: number,
  load: (group: Group) => Promise<GroupLoad>,
): Promise<GroupLoad[][]> {
  const loads = new Map(running.map((group): [Group, GroupLoad[]] => [group, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const group of rotated(running, round)) loads.get(group)?.push(await load(group))
  }
  return [...loads.values()]
}

function answered(
  loads: readonly (readonly GroupLoad[])[],
  singles: readonly (readonly GroupLoad[])[],
): Answered[] {
  const rates = loads.map((rounds) => rounds.map(rateOf))
  return groups.map(({ name }, index) => {
    const [rounds = [], ours = []] = [loads[index], rates[index]]
    const commands = sum(rounds, (load) => load.commands)
    const each = (of: (load: GroupLoad) => number) => (sum(rounds, of) / commands) * 1000
    return {
      name,
      commands,
      rate: median(ours),
      ratio: medianRatio(ours, rates[reference] ?? []),
      botsCpu: each(({ botsCpu }) => botsCpu),
      postgresCpu: each(({ postgresCpu }) => postgresCpu),
      standInCpu: each(({ standInCpu }) => standInCpu),
      busy: middle(rounds),
      single: middle(singles[index] ?? []),
    }
  })
}

function rateOf({ commands, millis }: GroupLoad): number {
  return (commands / millis) * 1000
}

function sum(loads: readonly GroupLoad[], of: (load: GroupLoad) => number): number {
  return loads.reduce((total, load) => total + of(load), 0)
}

function middle(loads: readonly GroupLoad[]): { p50: number; p99: number } {
  const all = loads.flatMap(({ latencies }) => latencies)
  return { p50: percentile(all, 0.5), p99: percentile(all, 0.99) }
}
