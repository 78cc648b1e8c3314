import { setTimeout as delay } from 'node:timers/promises'
import { withTimeout } from './retry.ts'

/** Work that has begun and runs until it is stopped; the leader of a role runs one. */
export interface Task {
  /** Resolves once the work is under way. Absent if it is at once. */
  readonly ready?: Promise<void>
  /** Must end the work soon: the next leader may already have begun. */
  stop(): Promise<void>
}

interface PollingLoopParts {
  look: (signal: AbortSignal) => Promise<void>
  /** Milliseconds before each poll, including the first. */
  every: number
  /** Called if a poll failed; polling goes on. */
  onFault: (error: unknown) => void
}

/** Milliseconds that `stop` waits for an aborted poll. */
const stopTimeout = 1_000

/**
 * Polls until it is stopped.
 * @example
 *   const loop = new PollingLoop({ look: (signal) => check(signal), every: 60_000, onFault: (err) => log.warn({ err }) })
 *   await loop.stop()
 */
export class PollingLoop implements Task {
  readonly #stopping = new AbortController()
  readonly #polls: Promise<void>

  constructor(parts: PollingLoopParts) {
    this.#polls = this.#run(parts)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await withTimeout(this.#polls, stopTimeout)
  }

  async #run({ look, every, onFault }: PollingLoopParts): Promise<void> {
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
