import type { Store } from '../store/database.ts'
import { waiting } from '../store/waiting.ts'
import { tolerance } from './waiting.ts'

/** Seconds; who is muted for longer than this has it for ever, whatever the clock said. */
const longestMute = 366 * 86_400

/** Notices a clock that ran ahead and was put right, and makes due what was put off by it. */
export class ClockWatch {
  readonly #store: Store
  readonly #now: () => number
  #latest = Number.POSITIVE_INFINITY

  /** @param now the time in unix milliseconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * Looks once, and again whenever the clock went back. Who is being sent to is left alone for `lease` seconds more;
   * nobody can say when the rest was meant to be sent.
   */
  async pullBack(lease: number): Promise<void> {
    const now = this.#now()
    const wentBack = now < this.#latest - tolerance * 1000
    if (wentBack) await this.#pullBack(now, lease)
    this.#latest = wentBack ? now : Math.max(this.#latest, now)
  }

  async #pullBack(now: number, lease: number): Promise<void> {
    const seconds = Math.floor(now / 1000)
    await this.#store.transaction().execute(async (tx) => {
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
      await tx
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
        .execute()
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
    })
  }
}
