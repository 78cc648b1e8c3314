import type { PlatformName } from '../db/schema.ts'

/** Messages between replicas. They may get lost: nothing may depend on their delivery alone. */
export interface PubSub {
  /** Publishes to the other replicas, within a moment; this replica does not receive its own messages. */
  publish(channel: Channel, message?: string): void
  /** Calls `onMessages` with what other replicas published on the channel, several messages at a time. */
  subscribe(channel: Channel, onMessages: (messages: readonly string[]) => void): void
}

/**
 * `news`: there are deliveries of events to send (the channel keeps its old name, by which replicas of the version before
 * subscribe). `roles`: a lease was released. `telegram` and `discord`: a message was sent on that platform, on Telegram to
 * the chat in the message.
 */
export type Channel = 'news' | 'roles' | PlatformName

/** For a single process. */
export const noReplicas: PubSub = { publish: () => undefined, subscribe: () => undefined }
