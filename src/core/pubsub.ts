/** Notices between replicas. They may get lost: nothing may depend on their delivery alone. */
export interface PubSub {
  /** Notifies the other replicas within a moment; this replica does not hear its own notices. */
  publish(channel: Channel): void
  /** Calls `onNotice` if another replica published on the channel. */
  subscribe(channel: Channel, onNotice: () => void): void
}

/** `deliveries`: some wait to be sent. `roles`: a lease was released. `settings`: a chat's settings were changed. */
export type Channel = 'deliveries' | 'roles' | 'settings'

/** For a single process. */
export const noReplicas: PubSub = { publish: () => undefined, subscribe: () => undefined }
