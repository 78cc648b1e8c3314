import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { eventually } from '../e2e/alert-harness.ts'
import { figures, page, readiness } from '../e2e/bot-pages.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'

vi.setConfig({ testTimeout: 60_000 })

let database: TestDatabase
let harness: Harness
beforeEach(async () => {
  database = await TestDatabase.make()
  harness = await startHarness({ env: { DATABASE_URL: database.address } })
})
afterEach(async () => {
  await harness?.stop()
  await database.remove()
})

test('while the database is out of reach the bot is alive and not ready, and figures are there', async () => {
  const connected = { database: 'ok', telegram: 'connected', discord: 'connected' }
  await eventually(async () =>
    expect(await readiness(harness)).toEqual({ code: 200, status: 'ready', parts: connected }),
  )
  expect((await figures(harness)).value('gavel_queue_due', { queue: 'jobs' })).toBe(0)
  const comesBack = await database.outage()
  await eventually(async () =>
    expect(await readiness(harness)).toMatchObject({ code: 503, parts: { database: 'no answer' } }),
  )
  expect((await page(harness, '/healthz')).status).toBe(200)
  await eventually(async () => {
    const found = await figures(harness)
    expect(found.value('gavel_queue_due')).toBeUndefined()
    expect(found.value('gavel_rate_limited_total')).toBe(0)
  })
  await comesBack()
  await eventually(async () => expect(await readiness(harness)).toMatchObject({ code: 200 }))
  await eventually(async () =>
    expect((await figures(harness)).value('gavel_queue_due', { queue: 'jobs' })).toBe(0),
  )
})
