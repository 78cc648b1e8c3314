import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from './retry.ts'

/** What the holder of a role does, from its start to its end. */
export interface Task {
  /** Resolves once it is really under way; at once where it is absent. */
  readonly ready?: Promise<void>
  /** Ends soon: who comes next may have begun. */
  stop(): Promise<void>
}

interface PollingLoopParts {
  look: (signal: AbortSignal) => Promise<void>
  /** Milliseconds before each look, the first one too. */
  every: number
  /** Hears why a look failed; the next one comes all the same. */
  onFault: (error: unknown) => void
}

/** Milliseconds that a look which is broken off may take to end. */
const maxEnd = 1_000

/** Looks after something again and again, until it is stopped. */
export class PollingLoop implements Task {
  readonly #stopping = new AbortController()
  readonly #rounds: Promise<void>

  constructor(parts: PollingLoopParts) {
    this.#rounds = this.#goOn(parts)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await withTimeout(this.#rounds, maxEnd)
  }

  async #goOn({ look, every, onFault }: PollingLoopParts): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await delay(every, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      try {
        await look(signal)
      } catch (error) {
        if (!signal.aborted) onFault(error)
      }
    }
  }
}
