import type { ChatAddress, Loss } from '../core/adapter.ts'
import type { PlatformName } from '../db/schema.ts'
import type { Kind, Rule } from './rule.ts'
import type { Phase } from './snapshot.ts'

/** A chat that receives alerts, on one platform. */
export interface Target extends ChatAddress {
  platform: PlatformName
}

/** A rule that a chat subscribed to; `id` is the filter's. */
export interface Subscription {
  id: number
  rule: Rule
}

/** A chat's subscriptions, and whether it receives notifications. */
export interface Following {
  follows: readonly Subscription[]
  /** Why sending is paused; undefined if it is not. */
  paused: Loss | undefined
  /** Unix seconds; 0 if it is not muted. */
  mutedUntil: number
}

/** The kinds that can't happen any more in each phase. An ended auction is no longer polled, but may still graduate. */
const pastKinds: Readonly<Record<Phase, readonly Kind[]>> = {
  incoming: ['incoming'],
  live: ['incoming', 'live'],
  graduated: ['incoming', 'live', 'progress', 'ending', 'graduated'],
  ended: ['incoming', 'live', 'progress', 'ending', 'price', 'mcap'],
  gone: [],
}

/** Whether an asset in this phase can produce no more events of a kind. */
export function isOver(kind: Kind, phase: Phase): boolean {
  return pastKinds[phase].includes(kind)
}
