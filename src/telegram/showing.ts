import { GrammyError } from 'grammy'
import type { Show } from '../chat/command.ts'
import { Paced, type Shown } from '../chat/paced.ts'
import { saidWait } from '../chat/said-wait.ts'
import type { View } from '../chat/view.ts'

export interface ShowingParts {
  /** The message that the views take the place of; without one the first view is a new message. */
  message: number | undefined
  send(view: View): Promise<number>
  /** @returns the message that shows it now, a new one where the old one could not */
  edit(message: number, view: View): Promise<number>
  /** Called before the first view is shown. */
  onFirst?: () => Promise<void>
  onFault: (error: unknown) => void
  /** Milliseconds between two views. */
  pause?: number
}

/** Telegram asks for no more than about one message or edit a second in a chat. */
const usualPause = 1_100

/** Shows views in the place of an answer that is still being made, one a second at most. */
export class Showing {
  readonly #parts: ShowingParts
  readonly #paced = new Paced((view) => this.#put(view))
  #message: number | undefined
  #began = false

  constructor(parts: ShowingParts) {
    this.#parts = parts
    this.#message = parts.message
  }

  get show(): Show {
    return this.#paced.show
  }

  /** @returns the message whose place the answer takes; undefined where nothing was shown */
  async end(): Promise<number | undefined> {
    await this.#paced.end()
    return this.#began ? this.#message : undefined
  }

  async #put(view: View): Promise<Shown> {
    const { send, edit, onFirst, onFault, pause = usualPause } = this.#parts
    try {
      if (!this.#began) {
        this.#began = true
        await onFirst?.()
      }
      if (this.#message === undefined) this.#message = await send(view)
      else this.#message = await edit(this.#message, view)
    } catch (error) {
      const known = error instanceof GrammyError ? error : undefined
      const wait = saidWait(known?.parameters.retry_after)
      if (wait !== undefined) return { pause: Math.max(pause, wait * 1000), again: true }
      if (!known?.description.includes('message is not modified')) onFault(error)
    }
    return { pause }
  }
}
