import type { Logger } from '../log.ts'
import { reason } from '../store/database.ts'

interface OutageParts {
  /** Rejects while the database can't be reached. */
  ask: () => Promise<unknown>
  log: Logger
  /** Milliseconds between two questions whether it is over. */
  askEvery?: number
}

/** Tells of a queue that can't reach its jobs at the beginning and at the end, whoever meets it however often. */
export class Outage {
  readonly #parts: Required<OutageParts>
  #timer: NodeJS.Timeout | undefined
  #isOn = false
  #hasStopped = false

  constructor(parts: OutageParts) {
    this.#parts = { askEvery: 2000, ...parts }
  }

  /** Somebody met an error. */
  failed(error: Error): void {
    const { log } = this.#parts
    log.debug({ err: error }, 'the queue met an error')
    if (this.#isOn || this.#hasStopped) return
    this.#isOn = true
    log.error({ reason: reason(error) }, 'the queue can’t reach its jobs')
    this.#askLater()
  }

  stop(): void {
    this.#hasStopped = true
    clearTimeout(this.#timer)
  }

  #askLater(): void {
    this.#timer = setTimeout(() => void this.#ask(), this.#parts.askEvery)
  }

  async #ask(): Promise<void> {
    const { ask, log } = this.#parts
    const isOver = await ask().then(
      () => true,
      () => false,
    )
    if (this.#hasStopped) return
    if (!isOver) return this.#askLater()
    this.#isOn = false
    log.info('the queue reaches its jobs again')
  }
}
