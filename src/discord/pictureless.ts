import { LRUCache } from 'lru-cache'
import { SendError } from '../chat/platform.ts'
import { remembered } from '../chat/remember.ts'
import type { View } from '../chat/view.ts'

const mostPlaces = 10_000
/** Then it is tried again: somebody may have allowed it. */
const keptFor = 60 * 60_000

/** Knows the channels in which the bot may write but attach no files: there a view goes without its picture. */
export class Pictureless {
  readonly #places = new LRUCache<string, true>({ max: mostPlaces, ttl: keptFor })
  readonly #without = remembered(({ picture: _, ...view }: View): View => view)

  /** Shows a view, and again without its picture where that is refused with it. @throws what `show` throws */
  async show<T>(place: string, view: View, show: (view: View) => Promise<T>): Promise<T> {
    if (!view.picture) return show(view)
    if (this.#places.has(place)) return show(this.#without(view))
    try {
      return await show(view)
    } catch (error) {
      if (!(error instanceof SendError) || error.loss !== 'forbidden') throw error
      const shown = await show(this.#without(view))
      this.#places.set(place, true)
      return shown
    }
  }
}
