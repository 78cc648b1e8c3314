import type { Adapter } from '../core/adapter.ts'
import { withTimeout } from '../core/task.ts'

export interface ReadinessParts {
  platforms: readonly Pick<Adapter, 'name' | 'state'>[]
  /** Runs any query on the database. */
  askDatabase: () => Promise<unknown>
  /** The obstacle between the bot and the API, if there is one: then the bot serves people, but with little. */
  obstacle?: () => string | undefined
  /** Max milliseconds for that query. */
  patience?: number
}

/** Whether the bot serves people, and the state of each part it depends on; without secrets or users' data. */
export interface Ready {
  status: 'starting' | 'ready' | 'degraded' | 'not ready' | 'stopping'
  parts: Record<string, string>
}

/** Reports readiness: every platform is connected, or served by another replica, and the database answers. */
export class Readiness {
  readonly #parts: Required<ReadinessParts>
  #databaseCheck: Promise<boolean> | undefined
  #phase: 'starting' | 'running' | 'stopping' = 'starting'

  constructor(parts: ReadinessParts) {
    this.#parts = { patience: 1_000, obstacle: () => undefined, ...parts }
  }

  /** Lets readiness follow the parts' state; does nothing after `stop`. */
  start(): void {
    if (this.#phase === 'starting') this.#phase = 'running'
  }

  /** Reports `stopping` from now on. */
  stop(): void {
    this.#phase = 'stopping'
  }

  async read(): Promise<Ready> {
    const { platforms, patience, obstacle } = this.#parts
    // Concurrent requests share one query, so nobody can load the database with this.
    this.#databaseCheck ??= this.#checkDatabase().finally(() => {
      this.#databaseCheck = undefined
    })
    const isDatabaseUp = (await withTimeout(this.#databaseCheck, patience)) ?? false
    const states = platforms.map((platform) => [platform.name, platform.state()] as const)
    const connected = states.every(([, state]) => state === 'connected' || state === 'standby')
    const inTheWay = obstacle()
    const serving = inTheWay === undefined ? 'ready' : 'degraded'
    const status = isDatabaseUp && connected ? serving : 'not ready'
    return {
      status: this.#phase === 'running' ? status : this.#phase,
      parts: {
        database: isDatabaseUp ? 'ok' : 'no answer',
        ...Object.fromEntries(states),
        ...(inTheWay !== undefined && { interface: inTheWay }),
      },
    }
  }

  async #checkDatabase(): Promise<boolean> {
    try {
      await this.#parts.askDatabase()
      return true
    } catch {
      return false
    }
  }
}
