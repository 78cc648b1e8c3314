import type { Store } from '../../../src/db/schema.ts'
import { EmbeddedQueue } from '../../../src/jobs/embedded.ts'
import { Metrics } from '../../../src/metrics/metrics.ts'
import { Scrapes, type ScrapesParts } from '../../../src/metrics/scrapes.ts'
import { silent } from '../api/server.ts'
import { Exposition } from './exposition.ts'

export const seconds = () => Math.floor(Date.now() / 1000)

/** A platform's labels, fewer than there are. */
export const labels = { updates: ['message', 'command'], commands: ['asset'] }

/** What answers scrapes, with nothing to tell yet; `changes` in place of the usual parts. */
export function openScrapes(store: Store, changes: Partial<ScrapesParts> = {}) {
  const metrics = new Metrics('0.1.0')
  const scrapes = new Scrapes({
    registry: metrics.registry,
    store,
    queue: new EmbeddedQueue({ store, log: silent, now: seconds }),
    platforms: [{ name: 'telegram', waiting: () => ({ edit: 1, answer: 2, background: 0 }) }],
    lag: () => [],
    isLeader: () => true,
    log: silent,
    keepFor: 0,
    ...changes,
  })
  return { metrics, read: async () => new Exposition((await scrapes.read()).text), scrapes }
}
