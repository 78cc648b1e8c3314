import { Contender, type Entry, type Ground } from '../contender.ts'
import type { Plan } from '../plan.ts'
import { median, rotated } from '../statistics.ts'

/** Time of a bot from the start of its process until it answers commands. */
export interface Start {
  name: string
  platform: string
  millis: number
  /** Resident memory right after. */
  megabytes: number
}

interface Seen {
  entry: Entry
  millis: number[]
  megabytes: number[]
}

/** Starts each bot several times, alternating. */
export async function starts(
  ground: Ground,
  entries: readonly Entry[],
  plan: Plan,
): Promise<Start[]> {
  const seen = entries.map((entry): Seen => ({ entry, millis: [], megabytes: [] }))
  for (let time = 0; time < plan.starts; time++) {
    for (const each of rotated(seen, time)) {
      const contender = await Contender.start(ground, each.entry)
      each.millis.push(contender.startMillis)
      each.megabytes.push(await contender.residentMegabytes())
      await contender.stop()
    }
  }
  return seen.map(({ entry, millis, megabytes }) => ({
    name: entry.name,
    platform: entry.platform,
    millis: median(millis),
    megabytes: median(megabytes),
  }))
}
