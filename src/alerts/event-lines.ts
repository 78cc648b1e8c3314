import { LRUCache } from 'lru-cache'

/** Events to remember for logging: an event that can't be sent fails in thousands of chats and is logged once. */
export const maxLoggedEvents = 500
/** Messages of one event that are logged, unless the log has what is for debugging. */
const maxLines = 20

/** Counts the lines of events in the log, so that an event for many chats doesn't fill it. */
export class EventLines {
  readonly #counts = new LRUCache<number, number>({ max: maxLoggedEvents })

  /** The level of one more line about a message with these events. */
  level(events: readonly number[]): 'info' | 'debug' {
    const counts = events.map((event) => (this.#counts.get(event) ?? 0) + 1)
    for (const [index, event] of events.entries()) this.#counts.set(event, counts[index] ?? 0)
    return counts.some((count) => count <= maxLines) ? 'info' : 'debug'
  }
}
