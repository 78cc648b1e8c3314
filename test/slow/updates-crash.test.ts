import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { TelegramUser } from '../e2e/users.ts'
import { LoadBalancer } from '../load-balancer.ts'

vi.setConfig({ testTimeout: 180_000 })

let database: TestDatabase
let balancer: LoadBalancer
let harness: Harness
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
  balancer = await LoadBalancer.start()
})
afterEach(async () => {
  await harness?.stop()
  await balancer.stop()
  await database.remove()
})

async function start(updates: string): Promise<void> {
  const DATABASE_URL = `file:${database.address}`
  const webhook = { TELEGRAM_UPDATES: 'webhook', PUBLIC_URL: balancer.url }
  harness = await startHarness({
    env: { DATABASE_URL, ...(updates === 'webhook' && webhook) },
  })
  balancer.targets = () =>
    harness.running().flatMap(({ healthUrl }) => (healthUrl ? [new URL(healthUrl).origin] : []))
}

test.each(['polling', 'webhook'])(
  'by %s, an update is answered after a kill -9 while it was handled: Telegram brings it again',
  async (updates) => {
    await start(updates)
    const ada = new TelegramUser(harness)
    harness.apiServer.faults.set({ kind: 'hang' })
    await ada.says('/search canyon')
    await harness.bot.kill()
    harness.apiServer.faults.clear()
    await harness.startBot()
    await ada.sees('Canyon')
    await expect.poll(() => harness.telegram.api.queue.length, { timeout: 20_000 }).toBe(0)
  },
)

test('alerts that were added and removed before a kill -9 are as they were, though Telegram brings all of it again', async () => {
  await start('polling')
  const [ada, ben] = [new TelegramUser(harness), new TelegramUser(harness, 7_001)]
  const store = await database.open()
  const followed = async () =>
    (await store.selectFrom('subscriptions').selectAll().execute()).length
  await ada.says('/alerts add live graduated progress ending')
  await expect.poll(followed).toBe(4)
  // Somebody else's slow command keeps all that follows unconfirmed.
  harness.apiServer.faults.set({ kind: 'hang' })
  await ben.says('/search canyon')
  await ada.says('/alerts add incoming')
  await ada.says('/alerts remove 5')
  await ada.says('/alerts remove 1')
  await ada.says('/alerts remove 1')
  await expect.poll(followed).toBe(2)
  await harness.bot.kill()
  harness.apiServer.faults.clear()
  await harness.startBot()
  await ben.sees('Canyon')
  await ada.says('/help search')
  await ada.sees('/search')
  expect(await followed()).toBe(2)
})
