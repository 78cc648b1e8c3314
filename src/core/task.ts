import { pause, withTimeout } from './retry.ts'

/** Work that has begun and runs until it is stopped; the leader of a role runs one. */
export interface Task {
  /** Resolves once the work is under way. Absent if it is at once. */
  readonly ready?: Promise<void>
  /** Must end the work soon: the next leader may already have begun. */
  stop(): Promise<void>
}

interface PollingLoopParts {
  poll: (signal: AbortSignal) => Promise<void>
  /** Milliseconds between two polls, and before the first. */
  everyMs: number
  /** Milliseconds before the first poll, if it is not to wait for as long. */
  firstAfterMs?: number
  /** Milliseconds that `stop` waits for a poll; 1,000 by default, as polls should end when the signal is aborted. */
  drainMs?: number
  /** Called if a poll failed; polling goes on. */
  onFault: (error: unknown) => void
}

/**
 * Polls until it is stopped.
 * @example
 *   const loop = new PollingLoop({ poll: (signal) => check(signal), everyMs: 60_000, onFault: (err) => log.warn({ err }) })
 *   await loop.stop()
 */
export class PollingLoop implements Task {
  readonly #stopping = new AbortController()
  readonly #drainMs: number
  readonly #polls: Promise<void>

  constructor(parts: PollingLoopParts) {
    this.#drainMs = parts.drainMs ?? 1_000
    this.#polls = this.#run(parts)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await withTimeout(this.#polls, this.#drainMs)
  }

  async #run({ poll, everyMs, firstAfterMs = everyMs, onFault }: PollingLoopParts): Promise<void> {
    const { signal } = this.#stopping
    for (let ms = firstAfterMs; ; ms = everyMs) {
      await pause(ms, signal)
      if (signal.aborted) return
      try {
        await poll(signal)
      } catch (error) {
        if (!signal.aborted) onFault(error)
      }
    }
  }
}
