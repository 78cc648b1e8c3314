import { LRUCache } from 'lru-cache'
import type { Picture } from './view.ts'

const maxChats = 10_000
/** Milliseconds after which pictures are tried again: somebody may have allowed them. */
const retryAfterMs = 60 * 60_000

/** The refused thing: all pictures in the chat ("place"), or this picture. Undefined if the error has another cause. */
export type PhotoRefusal = 'place' | 'picture' | undefined

/** Sends messages without pictures to chats in which the bot may write but not show pictures. */
export class PhotoFallback {
  readonly #chats: LRUCache<string, true>
  readonly #refusal: (error: unknown) => PhotoRefusal

  /**
   * @param refusal classifies an error of the platform
   * @param now milliseconds on a clock that never jumps
   */
  constructor(refusal: (error: unknown) => PhotoRefusal, now: () => number) {
    this.#refusal = refusal
    this.#chats = new LRUCache({
      max: maxChats,
      ttl: retryAfterMs,
      ttlResolution: 0,
      perf: { now },
    })
  }

  /**
   * Shows a message with its picture; without it, if the picture is refused now or was refused in this chat within the
   * last hour. @throws what `show` throws
   */
  async show<T>(
    chat: string,
    picture: Picture | undefined,
    show: (picture: Picture | undefined) => Promise<T>,
  ): Promise<T> {
    if (!picture || this.#chats.has(chat)) return show(undefined)
    try {
      return await show(picture)
    } catch (error) {
      const refusal = this.#refusal(error)
      if (refusal === undefined) throw error
      const shown = await show(undefined)
      // The picture was the cause: the message was accepted without it.
      if (refusal === 'place') this.#chats.set(chat, true)
      return shown
    }
  }
}
