import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { eventually } from '../e2e/alert-town.ts'
import { startTown, type Town } from '../e2e/town.ts'
import { figures, page, readiness } from '../e2e/watched-bot.ts'

vi.setConfig({ testTimeout: 60_000 })

let database: TestDatabase
let town: Town
beforeEach(async () => {
  database = await TestDatabase.make()
  town = await startTown({ env: { DATABASE_URL: database.address } })
})
afterEach(async () => {
  await town?.stop()
  await database.remove()
})

test('while the database is out of reach the bot is alive and not ready, and figures are there', async () => {
  const connected = { database: 'ok', telegram: 'connected', discord: 'connected' }
  await eventually(async () =>
    expect(await readiness(town)).toEqual({ code: 200, status: 'ready', parts: connected }),
  )
  expect((await figures(town)).value('gavel_queue_due', { queue: 'jobs' })).toBe(0)
  const comesBack = await database.outage()
  await eventually(async () =>
    expect(await readiness(town)).toMatchObject({ code: 503, parts: { database: 'no answer' } }),
  )
  expect((await page(town, '/healthz')).status).toBe(200)
  await eventually(async () => {
    const found = await figures(town)
    expect(found.value('gavel_queue_due')).toBeUndefined()
    expect(found.value('gavel_rate_limited_total')).toBe(0)
  })
  await comesBack()
  await eventually(async () => expect(await readiness(town)).toMatchObject({ code: 200 }))
  await eventually(async () =>
    expect((await figures(town)).value('gavel_queue_due', { queue: 'jobs' })).toBe(0),
  )
})
