import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { PlatformName } from '../db/schema.ts'
import type { Context } from './command.ts'

/** Commands that are answered within ten seconds, per person and per chat. */
export interface FloodLimits {
  person: number
  chat: number
  /** Commands that are answered in a group within a minute, per member and in all, where a platform takes few messages there. */
  inGroup?: Partial<Record<PlatformName, { person: number; chat: number }>>
}

export interface Flood {
  /** Seconds until the next command is answered. */
  seconds: number
  /** An earlier command of this flood was already refused. */
  isRepeated: boolean
  /** There are too many in this group only: the person can go on in private. */
  isInGroup: boolean
}

const windowSeconds = 10
const groupWindowSeconds = 60

/**
 * Limits the commands of people and chats. Each process counts for itself. Where the updates of one chat are spread over
 * replicas, each lets through twice its even share of a limit, because load balancers don't spread evenly.
 */
export class FloodControl {
  readonly #limits: FloodLimits
  readonly #replicas: (platform: PlatformName) => number
  readonly #person = counter(windowSeconds)
  readonly #chat = counter(windowSeconds)
  readonly #member = counter(groupWindowSeconds)
  readonly #group = counter(groupWindowSeconds)

  /** @param replicas number of replicas that the updates of one chat are spread over */
  constructor(limits: FloodLimits, replicas: (platform: PlatformName) => number = () => 1) {
    this.#limits = limits
    this.#replicas = replicas
  }

  /** Counts a command; undefined if it may be answered. A person over their own limit does not use up that of the chat. */
  async count(context: Context): Promise<Flood | undefined> {
    const { platform, user, chat, isPrivate, asChat } = context
    const person = `${platform.name}:${user}`
    const place = `${platform.name}:${chat}`
    const replicas = this.#replicas(platform.name)
    const consume = (from: RateLimiterMemory, key: string, limit: number, isInGroup: boolean) =>
      floodOf(from, key, Math.min(limit, Math.ceil((2 * limit) / replicas)), isInGroup)
    const flood =
      (await consume(this.#person, person, this.#limits.person, false)) ??
      (await consume(this.#chat, place, this.#limits.chat, false))
    const inGroup = this.#limits.inGroup?.[platform.name]
    // Without a chat, as in inline mode, its id is that of the person.
    const isGroup = !isPrivate && (chat !== user || asChat === true)
    if (flood || !inGroup || !isGroup) return flood
    return (
      (await consume(this.#member, `${place}:${user}`, inGroup.person, true)) ??
      consume(this.#group, place, inGroup.chat, true)
    )
  }
}

function counter(duration: number): RateLimiterMemory {
  return new RateLimiterMemory({ points: 1, duration })
}

async function floodOf(
  counter: RateLimiterMemory,
  key: string,
  limit: number,
  isInGroup: boolean,
): Promise<Flood | undefined> {
  counter.points = limit
  try {
    await counter.consume(key)
    return undefined
  } catch (exceeded) {
    if (!(exceeded instanceof RateLimiterRes)) throw exceeded
    return {
      seconds: Math.ceil(exceeded.msBeforeNext / 1000),
      isRepeated: exceeded.consumedPoints > limit + 1,
      isInGroup,
    }
  }
}
