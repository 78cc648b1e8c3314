/** Notices between replicas. They may get lost: nothing may depend on their delivery alone. */
export interface PubSub {
  /** Notifies the other replicas within a moment; this replica does not hear its own notices. */
  publish(channel: Channel): void
  /** Calls `onNotice` if another replica published on the channel. */
  subscribe(channel: Channel, onNotice: () => void): void
}

/**
 * `news`: there are deliveries of events to send (an old name, by which replicas of the version before subscribe). `roles`: a
 * lease was released. `settings`: a chat's settings were changed.
 */
export type Channel = 'news' | 'roles' | 'settings'

/** For a single process. */
export const noReplicas: PubSub = { publish: () => undefined, subscribe: () => undefined }
