/** An update of a platform; `id` is the platform's own number and increases. */
export interface Update {
  id: number
  /** Ordering key: updates with the same one are handled one after the other, in the order of their ids. */
  lane: string
  /** JSON. */
  body: string
}

/** Stores updates, whichever replica receives them, until one replica has handled them. */
export interface Inbox {
  /**
   * Stores an update, to be handled soon by this replica or another one. Ignores an update that is stored already; drops
   * one if too many wait in its lane.
   */
  put(update: Update): Promise<void>
  start(): void
  /**
   * Starts nothing more, waits up to `patience` milliseconds for the updates under way, and releases the rest to other
   * replicas or the next start. Updates that are still under way then, or fail later, are taken over by others once this
   * process's leases end.
   */
  stop(patience: number): Promise<void>
}

/** How a platform handles its updates. An error is logged and the update counts as handled, except after a `stop` has ended. */
export interface InboxHandlers {
  handle: (body: string) => Promise<void>
  /** Answers that there are too many updates; called at most once a minute for each lane. */
  refuse: (body: string) => Promise<void>
}

/** The inboxes of platforms. */
export interface Inboxes {
  open(platform: string, handlers: InboxHandlers): Inbox
}
