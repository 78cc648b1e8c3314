import type { Logger } from '../log.ts'
import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import { tolerance } from './waiting.ts'

/** Seconds; who is muted for longer than this has it for ever, whatever the clock said. */
const longestMute = 366 * 86_400

interface ClockWatchParts {
  store: Store
  /** Unix milliseconds. */
  now: () => number
  /** Milliseconds of a clock that nobody sets. */
  elapsed: () => number
  log: Logger | undefined
}

/** Notices a clock that jumps, makes due what was put off by one that ran ahead, and says so. */
export class ClockWatch {
  readonly #parts: ClockWatchParts
  #latest: number | undefined
  /** By how much the clock was ahead of the one that nobody sets, when it was last looked at. */
  #lead = 0
  #looking: Promise<void> | undefined

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  /**
   * Looks once, and again whenever the clock went back. Who is being sent to is left alone for `lease` seconds more;
   * nobody can say when the rest was meant to be sent.
   */
  pullBack(lease: number): Promise<void> {
    this.#looking ??= this.#look(lease).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(lease: number): Promise<void> {
    const { now: clock, elapsed, log } = this.#parts
    const [now, before] = [clock(), this.#latest]
    const lead = now - elapsed()
    const wentBack = before !== undefined && now < before - tolerance * 1000
    if (before === undefined || wentBack) {
      const chats = await this.#pullBack(now, lease)
      if (wentBack) {
        const seconds = Math.round((before - now) / 1000)
        log?.warn({ seconds, chats }, 'the clock went back: what it had put off is due now')
      } else if (chats > 0) {
        log?.warn({ chats }, 'the clock had run ahead: what it had put off is due now')
      }
    } else if (lead > this.#lead + tolerance * 1000) {
      const seconds = Math.round((lead - this.#lead) / 1000)
      log?.warn({ seconds }, 'the clock went ahead: what waits is due sooner')
    }
    this.#latest = before === undefined || wentBack ? now : Math.max(before, now)
    this.#lead = lead
  }

  /** Returns to how many chats something was put off. */
  async #pullBack(now: number, lease: number): Promise<number> {
    const seconds = Math.floor(now / 1000)
    return this.#parts.store.transaction().execute(async (tx) => {
      await tx
        .updateTable('deliveries')
        .set({ run_at: seconds })
        .where('state', '=', waiting)
        .where('run_at', '>', seconds)
        .where('destination', 'in', (row) =>
          row
            .selectFrom('destinations')
            .select('id')
            .where('due_at', 'is not', null)
            .where('updated_at', '>', seconds + tolerance),
        )
        .execute()
      const from = now + lease * 1000
      const { numUpdatedRows } = await tx
        .updateTable('destinations')
        .set((row) => {
          const isHeld = row.exists(
            row
              .selectFrom('deliveries')
              .select('news')
              .whereRef('deliveries.destination', '=', 'destinations.id')
              .where('deliveries.claim', '>', 0)
              .whereRef('deliveries.claim', '=', 'destinations.claims')
              .where('deliveries.state', '=', waiting),
          )
          const at = row.case().when(isHeld).then(from).else(now).end()
          return { next_at: at, due_at: at, updated_at: seconds }
        })
        .where('due_at', 'is not', null)
        .where('updated_at', '>', seconds + tolerance)
        .executeTakeFirst()
      await tx
        .updateTable('destinations')
        .set((row) => ({
          muted_until: row(row('muted_until', '-', row.ref('updated_at')), '+', seconds),
          next_at: now,
          updated_at: seconds,
        }))
        .where('updated_at', '>', seconds + tolerance)
        .where('muted_until', '>', seconds)
        .where('due_at', 'is', null)
        .where((row) => row(row('muted_until', '-', row.ref('updated_at')), '<', longestMute))
        .execute()
      return Number(numUpdatedRows)
    })
  }
}
