import type { Loss } from '../chat/platform.ts'

/** News that is due to one destination at this moment, taken by one process until its lease ends. */
export interface Claim {
  destination: {
    id: number
    platform: 'telegram' | 'discord'
    kind: 'person' | 'chat'
    chat: string
    thread: string
  }
  /** Ids of news, oldest first. */
  news: readonly number[]
  /** How often the oldest was tried, this time included. */
  attempts: number
  /** A try before got no answer: one of these may be there already. */
  uncertain: boolean
  /** Counts the claims of this destination: of an older one nothing is believed but that something was sent. */
  number: number
}

/** What became of a claim. */
export type Settlement =
  | { kind: 'sent' }
  /** No answer came: it may be there, and is not sent again. */
  | { kind: 'uncertain'; reason: string }
  /** To be tried again at this unix second; `untried`: nothing was sent, which counts as no try. */
  | { kind: 'later'; runAt: number; reason: string; uncertain?: boolean; untried?: boolean }
  /** Of no use any more. */
  | { kind: 'dropped'; reason: string }
  | { kind: 'given-up'; reason: string }

/**
 * Deliveries of news to destinations: claimed with a lease, at least once whatever happens to the process. All that is
 * due to one destination is claimed together, one destination by one process at a time, none that is paused or muted
 * or was sent to a moment ago.
 */
export interface Outbox {
  /** At most `most` destinations of a platform, each with at most `together` pieces of news; leased for `lease` s. */
  claim(
    platform: 'telegram' | 'discord',
    limits: { most: number; together: number; lease: number },
  ): Promise<Claim[]>
  /** Unix milliseconds at which the next claim can find something; undefined where nothing waits. */
  nextAt(platform: 'telegram' | 'discord'): Promise<number | undefined>
  /** Gives back what is held, unsent and as due as before: at the end of a process. */
  release(claims: readonly Claim[]): Promise<void>
  /** Stores what became of these news of a claim, and that nothing more goes there before `nextAt` (unix ms). */
  settle(
    claim: Claim,
    news: readonly number[],
    settlement: Settlement,
    nextAt: number,
  ): Promise<void>
  /** Stops all sending to a destination, and says why. What still waits is dropped. */
  pause(destination: number, loss: Loss): Promise<void>
  /** The chat goes on under another id. */
  move(destination: number, chat: string): Promise<void>
  /**
   * Forgets deliveries and bodies of news that was of no use any more 30 days ago. Keys of news stay, but for those that
   * name the time at which they were told (`price`, `mcap`, `digest`). Returns how many rows went.
   */
  prune(): Promise<number>
}
