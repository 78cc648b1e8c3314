import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { TelegramUser } from '../e2e/users.ts'
import { LoadBalancer } from '../load-balancer.ts'

vi.setConfig({ testTimeout: 90_000 })

let database: TestDatabase
let balancer: LoadBalancer
let harness: Harness
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
  balancer = await LoadBalancer.start()
  harness = await startHarness({
    env: {
      DATABASE_URL: `file:${database.address}`,
      TELEGRAM_UPDATES: 'webhook',
      PUBLIC_URL: balancer.url,
    },
  })
  balancer.targets = () =>
    harness.running().flatMap(({ healthUrl }) => (healthUrl ? [new URL(healthUrl).origin] : []))
})
afterEach(async () => {
  await harness?.stop()
  await balancer.stop()
  await database.remove()
})

test.each([
  ['at once: Telegram brings it again', 0],
  ['after it was stored, since it takes long: the next process takes it over', 3_000],
])('an update is answered after the process that handled it was killed, %s', async (_, ms) => {
  const ada = new TelegramUser(harness)
  harness.apiServer.faults.set({ kind: 'hang' })
  await ada.says('/search harbor')
  const store = await database.open()
  const stored = () => store.selectFrom('slow_updates').select('id').execute()
  await new Promise((resolve) => setTimeout(resolve, ms))
  expect(await stored()).toHaveLength(ms === 0 ? 0 : 1)
  await harness.bot.kill()
  harness.apiServer.faults.clear()
  await harness.startBot()
  await ada.sees('Harbor')
  await expect.poll(stored).toEqual([])
})
