import type { Turn } from '../../chat/command.ts'
import type { Destination, Loss } from '../../chat/platform.ts'
import type { Rule } from '../rule.ts'

/** Where alerts go: a destination of one platform. */
export interface Target extends Destination {
  platform: Turn['platform']
}

/** A rule that a target follows; `id` is the filter's. */
export interface Follow {
  id: number
  rule: Rule
}

/** What a target follows, and whether it hears of it. */
export interface Following {
  follows: readonly Follow[]
  /** Why nothing is sent; undefined where all is well. */
  paused: Loss | undefined
  /** Unix seconds; 0 where it is not muted. */
  mutedUntil: number
}
