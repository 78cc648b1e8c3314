/** What replicas tell each other in passing. It may get lost: nothing that must happen depends on it alone. */
export interface PubSub {
  /** Tells the other replicas, soon; this one does not hear itself. */
  publish(topic: Channel, what?: string): void
  /** `heard` gets what others told of the topic, a few at once. */
  subscribe(topic: Channel, heard: (what: readonly string[]) => void): void
}

/**
 * `news`: there is something to deliver. `roles`: somebody gave one up. The others: to which chat (`what`) a message
 * went on that platform.
 */
export type Channel = 'news' | 'roles' | 'telegram' | 'discord'

/** There is nobody else. */
export const noReplicas: PubSub = { publish: () => undefined, subscribe: () => undefined }
