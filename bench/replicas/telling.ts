import { setImmediate as others } from 'node:timers/promises'
import { StoredOutbox } from '../../src/alerts/outbox.ts'
import type { Store } from '../../src/db/schema.ts'

/** As `src/alerts/notifier.ts` claims. */
const claims = { most: 8, together: 10, lease: 40 }

/** What a teller did whose platform takes no time. */
export interface Told {
  deliveries: number
  millis: number
  /** The longest that a claim and the settling of what it gave took, in milliseconds. */
  longest: number
}

/** Claims what is due on Telegram at `now` (unix seconds) and settles it as sent, until told to stop or so much is told. */
export async function tell(
  store: Store,
  { now, most, signal }: { now: number; most?: number; signal?: AbortSignal },
): Promise<Told> {
  const outbox = new StoredOutbox(store, () => now * 1000)
  const start = performance.now()
  let [deliveries, longest] = [0, 0]
  while (!signal?.aborted && deliveries < (most ?? Number.POSITIVE_INFINITY)) {
    const began = performance.now()
    const taken = await outbox.claim('telegram', claims)
    // Others may have been faster.
    if (taken.length === 0 && signal === undefined) break
    const settled = taken.map((claim) =>
      outbox.record(claim, claim.news, { kind: 'sent' }, (now + 2) * 1000),
    )
    await Promise.all(settled)
    for (const { news } of taken) deliveries += news.length
    longest = Math.max(longest, performance.now() - began)
    await others()
  }
  return { deliveries, millis: performance.now() - start, longest }
}
