import type { ChatAddress, Loss } from '../core/adapter.ts'
import type { Context } from '../core/command.ts'
import type { Kind, Rule } from './rule.ts'
import type { Phase } from './snapshot.ts'

/** Where alerts go: a destination of one platform. */
export interface Target extends ChatAddress {
  platform: Context['platform']
}

/** A rule that a target follows; `id` is the filter's. */
export interface Subscription {
  id: number
  rule: Rule
}

/** What a target follows, and whether it hears of it. */
export interface Following {
  follows: readonly Subscription[]
  /** Why nothing is sent; undefined where all is well. */
  paused: Loss | undefined
  /** Unix seconds; 0 where it is not muted. */
  mutedUntil: number
}

/** What an asset in each phase has behind it. What has ended is not looked at any more, but may still graduate. */
const behind: Readonly<Record<Phase, readonly Kind[]>> = {
  incoming: ['incoming'],
  live: ['incoming', 'live'],
  graduated: ['incoming', 'live', 'progress', 'ending', 'graduated'],
  ended: ['incoming', 'live', 'progress', 'ending', 'price', 'mcap'],
  gone: [],
}

/** Whether there is nothing more for a kind to tell of an asset in this phase. */
export function isOver(kind: Kind, phase: Phase): boolean {
  return behind[phase].includes(kind)
}
