import { setTimeout as sleep } from 'node:timers/promises'
import type { ShowProgress } from './command.ts'
import type { View } from './view.ts'

/** Result of showing a view: milliseconds until the next one may follow, and whether this one has to be retried. */
export interface Edited {
  pause: number
  again?: boolean
}

/**
 * Shows interim views while an answer is being made, with a pause between them. Skips all but the latest waiting view.
 * @example
 *   const editor = new ThrottledEditor(async (view) => ({ pause: await edit(view) }))
 *   const view = await command.run(line, services, context, editor.show)
 *   await editor.end()
 */
export class ThrottledEditor {
  readonly #edit: (view: View) => Promise<Edited>
  readonly #ending = new AbortController()
  #next: View | undefined
  #work: Promise<void> | undefined

  /** @param edit shows one view; it must not reject */
  constructor(edit: (view: View) => Promise<Edited>) {
    this.#edit = edit
  }

  /** Returns at once, so that commands don't wait for the platform. */
  readonly show: ShowProgress = async (view) => {
    this.#next = view
    this.#work ??= this.#run()
  }

  /** Drops the waiting view, and waits for the one being shown. */
  async end(): Promise<void> {
    this.#ending.abort()
    await this.#work
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (this.#next !== undefined && !signal.aborted) {
      const view = this.#next
      this.#next = undefined
      const { pause, again = false } = await this.#edit(view)
      // A newer view replaces one that has to be retried.
      if (again) this.#next ??= view
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
    // Synchronous with the last check of `#next`, so that no view is missed.
    this.#work = undefined
  }
}
