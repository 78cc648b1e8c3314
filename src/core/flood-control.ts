import type { PlatformName } from './command.ts'
import type { Sender } from './incoming.ts'

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

const windowMs = 10_000
const groupWindowMs = 60_000

/**
 * Limits the commands of people and chats. Each process counts for itself. Where the updates of one chat are spread over
 * processes, each lets through twice its even share of a limit, because load balancers don't spread evenly.
 */
export class FloodControl {
  readonly #limits: FloodLimits
  readonly #processes: (platform: PlatformName) => number
  readonly #now: () => number
  readonly #person = new Counter(windowMs)
  readonly #chat = new Counter(windowMs)
  readonly #member = new Counter(groupWindowMs)
  readonly #group = new Counter(groupWindowMs)

  /**
   * @param processes number of processes that the updates of one chat are spread over
   * @param now milliseconds on a clock that never jumps
   */
  constructor(
    limits: FloodLimits,
    processes: (platform: PlatformName) => number = () => 1,
    now = () => performance.now(),
  ) {
    this.#limits = limits
    this.#processes = processes
    this.#now = now
  }

  /** Counts a command; undefined if it may be answered. A person over their own limit does not use up that of the chat. */
  count(context: Sender): Flood | undefined {
    const { platform, user, chat, isPrivate, asChat } = context
    const person = `${platform.name}:${user}`
    const place = `${platform.name}:${chat}`
    const processes = this.#processes(platform.name)
    const now = this.#now()
    const count = (counter: Counter, key: string, limit: number, isInGroup: boolean) => {
      const allowed = Math.min(limit, Math.ceil((2 * limit) / processes))
      const { commands, endsAt } = counter.count(key, now)
      if (commands <= allowed) return undefined
      const seconds = Math.ceil((endsAt - now) / 1000)
      return { seconds, isRepeated: commands > allowed + 1, isInGroup }
    }
    // Without a chat, as in inline mode, its id is that of the person.
    const isGroup = !isPrivate && (chat !== user || asChat === true)
    const inGroup = isGroup ? this.#limits.inGroup?.[platform.name] : undefined
    return (
      // First: what a group does not take says nothing against the person elsewhere.
      (inGroup && count(this.#member, `${place}:${user}`, inGroup.person, true)) ??
      count(this.#person, person, this.#limits.person, false) ??
      count(this.#chat, place, this.#limits.chat, false) ??
      (inGroup && count(this.#group, place, inGroup.chat, true))
    )
  }
}

interface FloodWindow {
  commands: number
  endsAt: number
}

/** Counts commands by key, within a time that begins with the first. */
class Counter {
  readonly #ms: number
  readonly #windows = new Map<string, FloodWindow>()
  #sweepAt = 0

  constructor(ms: number) {
    this.#ms = ms
  }

  count(key: string, now: number): FloodWindow {
    this.#sweep(now)
    const current = this.#windows.get(key)
    if (current && current.endsAt > now) {
      current.commands += 1
      return current
    }
    const window = { commands: 1, endsAt: now + this.#ms }
    this.#windows.set(key, window)
    return window
  }

  /** Forgets those that have ended, once in that time. */
  #sweep(now: number): void {
    if (now < this.#sweepAt) return
    this.#sweepAt = now + this.#ms
    for (const [key, { endsAt }] of this.#windows) if (endsAt <= now) this.#windows.delete(key)
  }
}
