import { setTimeout as sleep } from 'node:timers/promises'
import type { Show } from '../chat/command.ts'
import type { View } from '../chat/view.ts'

/** Discord takes five edits of an answer in two seconds; people read more slowly. */
const betweenShows = 1_000

/** Shows one view after another in the same place, a second apart at least: of those that come sooner the last waits. */
export class Progress {
  readonly #put: (view: View) => Promise<unknown>
  readonly #report: (error: unknown) => void
  readonly #ended = new AbortController()
  #next: View | undefined
  #running: Promise<void> | undefined

  constructor(put: (view: View) => Promise<unknown>, report: (error: unknown) => void) {
    this.#put = put
    this.#report = report
  }

  readonly show: Show = async (view) => {
    this.#next = view
    this.#running ??= this.#run()
  }

  /** Shows nothing any more; resolves when nothing is under way either. */
  async end(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#ended
    while (this.#next && !signal.aborted) {
      const view = this.#next
      this.#next = undefined
      await this.#put(view).catch(this.#report)
      await sleep(betweenShows, undefined, { signal }).catch(() => undefined)
    }
    this.#running = undefined
  }
}
