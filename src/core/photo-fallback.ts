import { LRUCache } from 'lru-cache'
import type { Picture } from './view.ts'

const maxPlaces = 10_000
/** Then it is tried again: somebody may have allowed it. */
const keptFor = 60 * 60_000

/** What takes no picture: the whole place, or the platform this one. Undefined where neither is why it was refused. */
export type PhotoRefusal = 'place' | 'picture' | undefined

/** Knows the chats in which the bot may write but show no pictures: there messages go without theirs at once. */
export class PhotoFallback {
  readonly #places: LRUCache<string, true>
  readonly #refusal: (error: unknown) => PhotoRefusal

  /**
   * @param refusal what an error of the platform's says of pictures
   * @param now milliseconds on a clock that never jumps
   */
  constructor(refusal: (error: unknown) => PhotoRefusal, now: () => number) {
    this.#refusal = refusal
    this.#places = new LRUCache({ max: maxPlaces, ttl: keptFor, ttlResolution: 0, perf: { now } })
  }

  /** Shows a message with its picture, and without where that is refused or would be. @throws what `show` throws */
  async show<T>(
    place: string,
    picture: Picture | undefined,
    show: (picture: Picture | undefined) => Promise<T>,
  ): Promise<T> {
    if (!picture || this.#places.has(place)) return show(undefined)
    try {
      return await show(picture)
    } catch (error) {
      const refusal = this.#refusal(error)
      if (refusal === undefined) throw error
      const shown = await show(undefined)
      // Only now is it sure that it was for the picture.
      if (refusal === 'place') this.#places.set(place, true)
      return shown
    }
  }
}
