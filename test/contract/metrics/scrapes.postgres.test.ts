import { expect, test } from 'vitest'
import { openPostgres } from '../../../src/db/postgres.ts'
import { TestDatabase } from '../../database.ts'
import { SilentProxy } from '../../silent-proxy.ts'
import { labels, openScrapes } from '../../unit/metrics/open-scrapes.ts'

test('waiting counts are left out if the database does not answer, and all other metrics are there soon', async () => {
  const database = await TestDatabase.make()
  const way = await SilentProxy.to(new URL(database.address))
  const store = await openPostgres(way.url, 'gavel')
  try {
    const { metrics, read } = openScrapes(store)
    metrics.platform('telegram', labels).onUpdate('message')
    await expect.poll(async () => (await read()).value('gavel_deliveries_waiting')).toBe(0)
    way.mute()
    // The database is given up only after a minute.
    const figures = await read()
    expect(figures.value('gavel_queue_due')).toBeUndefined()
    expect(figures.value('gavel_deliveries_waiting')).toBeUndefined()
    expect(figures.value('gavel_updates_total')).toBe(1)
  } finally {
    // With its connections silent the store would wait for them.
    await way.close()
    await store.destroy()
    await database.remove()
  }
})
