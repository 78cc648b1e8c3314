/** Something that a platform brought, with the platform's own number, which grows. */
export interface Update {
  id: number
  /** Those of one lane are handled one after the other, in the order of their numbers. */
  lane: string
  /** JSON. */
  body: string
}

/** Keeps what a platform brings to whichever replica until one of them has handled it. */
export interface Inbox {
  /** Keeps an update, and soon handles it, here or elsewhere; one that is there already is let be. */
  put(update: Update): Promise<void>
  start(): void
  /** Begins nothing more, lets what is under way end, and leaves the rest to others or to the next start. */
  stop(): Promise<void>
}

/** What replicas know together of what a platform brings. */
export interface Inboxes {
  /** One that handles updates with `handle`; what that throws is its own matter, and ends the update all the same. */
  open(platform: string, handle: (body: string) => Promise<void>): Inbox
  /** Whether no replica was asked this before of the number, which is a whole one in digits. */
  isFirst(platform: string, id: string): Promise<boolean>
}
