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
    await ada.says('/search canyon')
    const store = await database.open()
    const stored = () => store.selectFrom('slow_updates').select('id').execute()
    await new Promise((resolve) => setTimeout(resolve, ms))
    expect(await stored()).toHaveLength(ms === 0 ? 0 : 1)
    await harness.bot.kill()
    harness.apiServer.faults.clear()
    await harness.startBot()
    await ada.sees('Canyon')
    await expect.poll(stored).toEqual([])
  },
)

test.each(['polling', 'webhook'])(
  'by %s, an update that kills each process that handles it is given up, and what others asked at the same time is answered',
  async (updates) => {
    await start(updates)
    const [ada, ben] = [new TelegramUser(harness), new TelegramUser(harness, 7_001)]
    const deadly = () =>
      harness.apiServer.requests.filter(({ query }) => Object.values(query).includes('deadly'))
    harness.apiServer.faults.set({ kind: 'hang' })
    const isGivenUp = () => harness.output().includes('telegram: an update was given up')
    await ada.says('/search deadly')
    await ben.says('/search canyon')
    let deaths = 0
    while (!isGivenUp()) {
      const before = deadly().length
      await expect
        .poll(() => deadly().length > before || isGivenUp(), { timeout: 40_000, interval: 5 })
        .toBe(true)
      if (isGivenUp()) break
      await harness.bot.kill()
      deaths += 1
      await harness.startBot()
    }
    harness.apiServer.faults.clear()
    expect(deaths).toBe(4)
    await ben.sees('Canyon')
    const cleo = new TelegramUser(harness, 7_002)
    await cleo.says('/search lantern')
    await cleo.sees('Lantern')
    const store = await database.open()
    const stored = () => store.selectFrom('slow_updates').select('id').execute()
    await expect.poll(stored).toEqual([])
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
