import type { OpenedAlerts } from './alerts/open.ts'
import type { Duty } from './chat/duty.ts'
import type { OpenedLaunches } from './launch/open.ts'
import type { Logger } from './log.ts'
import type { Queue } from './queue/queue.ts'

interface CleanUpParts {
  lines: { prune(): Promise<number> }
  inboxes: { prune(): Promise<number> }
  shared: { queue: Pick<Queue, 'prune'> }
  opened: Pick<OpenedLaunches, 'sweep'> | undefined
  alerts: Pick<OpenedAlerts, 'sweep'>
  log: Logger
}

const hour = 3_600_000

/** Forgets what is old, at once and then every hour. */
export class CleanUp implements Duty {
  readonly begun: Promise<void>
  readonly #parts: CleanUpParts
  readonly #timer: NodeJS.Timeout
  #round: Promise<void>

  constructor(parts: CleanUpParts) {
    this.#parts = parts
    this.#round = this.#forget()
    this.begun = this.#round
    this.#timer = setInterval(() => {
      this.#round = this.#forget()
    }, hour)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#round
  }

  async #forget(): Promise<void> {
    const { lines, inboxes, shared, opened, alerts, log } = this.#parts
    try {
      const buttons = await lines.prune()
      const updates = await inboxes.prune()
      const jobs = await shared.queue.prune()
      const { drafts = 0, pictures = 0 } = (await opened?.sweep()) ?? {}
      const told = await alerts.sweep()
      const gone = { buttons, updates, jobs, drafts, pictures, alerts: told }
      if (Object.values(gone).some((count) => count > 0))
        log.info(gone, 'what is old was forgotten')
    } catch (error) {
      log.error({ err: error }, 'what is old could not be forgotten')
    }
  }
}
