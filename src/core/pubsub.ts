/** What replicas tell each other in passing. It may get lost: nothing that must happen depends on it alone. */
export interface Bulletin {
  /** Tells the other replicas, soon; this one does not hear itself. */
  tell(topic: Topic, what?: string): void
  /** `heard` gets what others told of the topic, a few at once. */
  hear(topic: Topic, heard: (what: readonly string[]) => void): void
}

/**
 * `news`: there is something to deliver. `roles`: somebody gave one up. The others: to which chat (`what`) a message
 * went on that platform.
 */
export type Topic = 'news' | 'roles' | 'telegram' | 'discord'

/** There is nobody else. */
export const nobodyElse: Bulletin = { tell: () => undefined, hear: () => undefined }
