import { InteractionType } from 'discord-api-types/v10'
import type { Acknowledgement, Interactions, Watcher } from '../interactions.ts'
import type { Held, World } from '../world.ts'
import { commandData, findCommand, type OptionValues } from './options.ts'
import type { People } from './people.ts'

/** Many uses of one command at once, for benchmarks. */
export interface BurstPlan {
  count: number
  userId: string | ((index: number) => string)
  channelId: string
  name: string
  options: OptionValues | ((index: number) => OptionValues)
  /** Gives up after this many milliseconds; 30,000 by default. */
  timeoutMs?: number
}

export interface BurstResult {
  answered: number
  /** Milliseconds from the event to its visible answer, in order of answering. */
  latencies: Float64Array
}

/**
 * Fires `count` slash commands at once and waits until each has its visible answer (a deferral
 * counts only when it is filled). The checks of the app are made once, not for each.
 */
export class Burst {
  readonly #world: World
  readonly #people: People
  readonly #interactions: Interactions

  constructor(world: World, people: People, interactions: Interactions) {
    this.#world = world
    this.#people = people
    this.#interactions = interactions
  }

  fire(plan: BurstPlan): Promise<BurstResult> {
    const { promise, resolve, reject } = Promise.withResolvers<BurstResult>()
    const latencies = new Float64Array(plan.count)
    let answered = 0
    const timer = setTimeout(
      () => reject(new Error(`only ${answered} of ${plan.count} were answered`)),
      plan.timeoutMs ?? 30_000,
    )
    const done = (since: number) => {
      latencies[answered++] = performance.now() - since
      if (answered < plan.count) return
      clearTimeout(timer)
      resolve({ answered, latencies })
    }
    const dataOf = this.#dataOf(plan)
    for (let index = 0; index < plan.count; index++)
      this.#interactions.open({
        type: InteractionType.ApplicationCommand,
        userId: typeof plan.userId === 'string' ? plan.userId : plan.userId(index),
        channelId: plan.channelId,
        data: dataOf(index),
        command: plan.name,
        watcher: new Stopwatch(done),
      })
    return promise
  }

  #dataOf({ userId, channelId, name, options }: BurstPlan): (index: number) => string {
    const first = typeof userId === 'string' ? userId : userId(0)
    const found = findCommand(this.#people.commands(first, channelId), name)
    if (typeof options === 'function')
      return (index) => commandData(this.#world, channelId, found, options(index))
    const data = commandData(this.#world, channelId, found, options)
    return () => data
  }
}

class Stopwatch implements Watcher {
  readonly #since = performance.now()
  readonly #done: (since: number) => void
  #stopped = false

  constructor(done: (since: number) => void) {
    this.#done = done
  }

  acknowledged(how: Acknowledgement): void {
    if (how.kind === 'message') this.shown(how.held)
  }

  shown(_held: Held): void {
    if (this.#stopped) return
    this.#stopped = true
    this.#done(this.#since)
  }
}
