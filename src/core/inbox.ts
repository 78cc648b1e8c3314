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
  /**
   * Keeps an update, and soon handles it, here or elsewhere. One that is there already is let be; one that comes while
   * too many wait in its lane is dropped.
   */
  put(update: Update): Promise<void>
  start(): void
  /**
   * Begins nothing more, waits so many milliseconds for what is under way, and leaves the rest to others or to the next
   * start. What is still under way then others do when they know nothing of this process any more; what throws from then
   * on was broken off, and is theirs too.
   */
  stop(patience: number): Promise<void>
}

/** What a platform does with the bodies of its updates; what it throws is logged, and changes nothing before a stop is over. */
export interface InboxHandlers {
  handle: (body: string) => Promise<void>
  /** Says that it is too much at once; asked to once a minute and lane at most. */
  refuse: (body: string) => Promise<void>
}

/** The inboxes of platforms. */
export interface Inboxes {
  open(platform: string, handlers: InboxHandlers): Inbox
}

/** What replicas heard of, over all of them: for what each is brought and one alone may answer. */
export interface UpdateDeduplication {
  /** Whether no replica was asked this before of the number, which is a whole one in digits. */
  isFirst(platform: string, id: string): Promise<boolean>
}
