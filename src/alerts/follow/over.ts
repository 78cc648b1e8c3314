import type { Kind } from '../rule.ts'
import type { Phase } from '../state.ts'

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
