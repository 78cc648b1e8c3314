import type { Platform } from '../chat/platform.ts'
import { within } from '../chat/within.ts'

export interface ReadinessParts {
  platforms: readonly Pick<Platform, 'name' | 'state'>[]
  /** Asks the database anything. */
  askDatabase: () => Promise<unknown>
  /** Milliseconds that it may take. */
  patience?: number
}

/** Whether people are answered, and the state of each part that it takes; no secrets, nothing of users. */
export interface Ready {
  status: 'starting' | 'ready' | 'not ready' | 'stopping'
  parts: Record<string, string>
}

/** Says whether the bot can work: each platform is connected (or another replica hears it), and the database answers. */
export class Readiness {
  readonly #parts: Required<ReadinessParts>
  #asking: Promise<boolean> | undefined
  #phase: 'starting' | 'running' | 'stopping' = 'starting'

  constructor(parts: ReadinessParts) {
    this.#parts = { patience: 1_000, ...parts }
  }

  /** From now on it is ready while all its parts are; nothing where it stops already. */
  start(): void {
    if (this.#phase === 'starting') this.#phase = 'running'
  }

  /** From now on it is not, whatever still works. */
  stop(): void {
    this.#phase = 'stopping'
  }

  async read(): Promise<Ready> {
    const { platforms, patience } = this.#parts
    // One question for all who ask: nobody loads the database with this.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    const answers = (await within(this.#asking, patience)) ?? false
    const states = platforms.map((platform) => [platform.name, platform.state()] as const)
    const connected = states.every(([, state]) => state === 'connected' || state === 'standby')
    const working = answers && connected ? 'ready' : 'not ready'
    return {
      status: this.#phase === 'running' ? working : this.#phase,
      parts: { database: answers ? 'ok' : 'no answer', ...Object.fromEntries(states) },
    }
  }

  async #ask(): Promise<boolean> {
    try {
      await this.#parts.askDatabase()
      return true
    } catch {
      return false
    }
  }
}
