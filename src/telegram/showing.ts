import { setTimeout as sleep } from 'node:timers/promises'
import { GrammyError } from 'grammy'
import type { Show } from '../chat/command.ts'
import type { View } from '../chat/view.ts'

export interface ShowingParts {
  /** The message that the views take the place of; without one the first view is a new message. */
  message: number | undefined
  send(view: View): Promise<number>
  edit(message: number, view: View): Promise<unknown>
  /** Called before the first view is shown. */
  onFirst?: () => Promise<void>
  onFault: (error: unknown) => void
  /** Milliseconds between two views. */
  pause?: number
}

/** Telegram asks for no more than about one message or edit a second in a chat. */
const usualPause = 1_100

/** Shows views while an answer is still being made: one a second at most, and of those that wait only the latest. */
export class Showing {
  readonly #parts: ShowingParts
  readonly #ending = new AbortController()
  #message: number | undefined
  #next: View | undefined
  #work: Promise<void> | undefined
  #began = false

  constructor(parts: ShowingParts) {
    this.#parts = parts
    this.#message = parts.message
  }

  /** Returns at once: what makes the answer does not wait for Telegram. */
  readonly show: Show = async (view) => {
    this.#next = view
    this.#work ??= this.#run()
  }

  /**
   * Drops what waits, and waits for what is on its way. @returns the message whose place the answer takes; undefined
   * where nothing was shown.
   */
  async end(): Promise<number | undefined> {
    this.#ending.abort()
    await this.#work
    return this.#began ? this.#message : undefined
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending
    while (this.#next !== undefined && !signal.aborted) {
      const view = this.#next
      this.#next = undefined
      const pause = await this.#put(view)
      await sleep(pause, undefined, { signal }).catch(() => undefined)
    }
    // In the same breath as the last look at what waits: nothing that comes now is lost.
    this.#work = undefined
  }

  /** @returns how long to wait before the next */
  async #put(view: View): Promise<number> {
    const { send, edit, onFirst, onFault, pause = usualPause } = this.#parts
    try {
      if (!this.#began) {
        this.#began = true
        await onFirst?.()
      }
      if (this.#message === undefined) this.#message = await send(view)
      else await edit(this.#message, view)
    } catch (error) {
      const known = error instanceof GrammyError ? error : undefined
      const wait = known?.parameters.retry_after
      if (wait !== undefined) {
        this.#next ??= view
        return Math.max(pause, wait * 1000)
      }
      if (!known?.description.includes('message is not modified')) onFault(error)
    }
    return pause
  }
}
