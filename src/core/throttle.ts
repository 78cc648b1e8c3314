import { setTimeout as sleep } from 'node:timers/promises'
import type { ShowProgress } from './command.ts'
import type { View } from './view.ts'

/** What came of showing a view: milliseconds until the next may follow, and whether this one did not get through. */
export interface Edited {
  pause: number
  again?: boolean
}

/** Shows views while an answer is still being made, with a pause between two; of those that wait only the latest. */
export class ThrottledEditor {
  readonly #put: (view: View) => Promise<Edited>
  readonly #ending = new AbortController()
  #next: View | undefined
  #work: Promise<void> | undefined

  /** @param put shows one view; it must not reject */
  constructor(put: (view: View) => Promise<Edited>) {
    this.#put = put
  }

  /** Returns at once: what makes the answer does not wait for the platform. */
  readonly show: ShowProgress = async (view) => {
    this.#next = view
    this.#work ??= this.#run()
  }

  /** Drops what waits, and waits for what is on its way. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#work
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (this.#next !== undefined && !signal.aborted) {
      const view = this.#next
      this.#next = undefined
      const { pause, again = false } = await this.#put(view)
      // A newer view takes the place of one that did not get through.
      if (again) this.#next ??= view
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
    // In the same breath as the last look at what waits: nothing that comes now is lost.
    this.#work = undefined
  }
}
