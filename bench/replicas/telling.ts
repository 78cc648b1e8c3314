import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { StoredOutbox } from '../../src/alerts/outbox.ts'
import type { Store } from '../../src/db/schema.ts'

/** The claim options of `src/alerts/notifier.ts`. */
const claims = { most: 8, together: 10, lease: 40 }

/** Results of a notifier on a platform that takes no time. */
export interface Told {
  deliveries: number
  millis: number
  /** Max milliseconds of a claim with recording its results. */
  longest: number
}

/**
 * Claims what is due on Telegram at `now` (unix seconds) and records it as sent, until aborted or the max number is
 * reached.
 */
export async function tell(
  store: Store,
  { now, most, signal }: { now: number; most?: number; signal?: AbortSignal },
): Promise<Told> {
  const outbox = new StoredOutbox(store, () => now * 1000)
  const start = performance.now()
  let [deliveries, longest] = [0, 0]
  while (!signal?.aborted && deliveries < (most ?? Number.POSITIVE_INFINITY)) {
    const claimStart = performance.now()
    const claimed = await outbox.claim('telegram', claims)
    // Other replicas may have claimed everything.
    if (claimed.length === 0 && signal === undefined) break
    const recorded = claimed.map((claim) =>
      outbox.record(claim, claim.news, { kind: 'sent' }, (now + 2) * 1000),
    )
    await Promise.all(recorded)
    for (const { news } of claimed) deliveries += news.length
    longest = Math.max(longest, performance.now() - claimStart)
    await yieldToOthers()
  }
  return { deliveries, millis: performance.now() - start, longest }
}
