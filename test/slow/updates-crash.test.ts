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

test.each([
  ['polling', 'brings it again', 0],
  ['polling', 'was told that it is stored, since it takes long', 6_000],
  ['webhook', 'brings it again', 0],
  ['webhook', 'was told that it is stored, since it takes long', 6_000],
])(
  'by %s, an update is answered after a kill -9 while it was handled: Telegram %s',
  async (updates, _, ms) => {
    await start(updates)
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
  },
)
