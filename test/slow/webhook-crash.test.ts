import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as cast from '../../sandbox/telegram/cast.ts'
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

test('killed while it answers an update of Telegram’s webhook, the bot answers after the next start, once the lease of the chat has ended', async () => {
  const ada = new TelegramUser(harness)
  harness.apiServer.faults.set({ kind: 'hang' })
  await ada.says('/search harbor')
  const store = await database.open()
  const holders = async () => {
    const lanes = store.selectFrom('lanes').select('holder').where('lane', '=', String(cast.ada.id))
    return (await lanes.execute()).map(({ holder }) => holder)
  }
  await expect.poll(holders).toHaveLength(1)
  const [killed] = await holders()
  await harness.bot.kill()
  expect(await holders()).toEqual([killed])
  harness.apiServer.faults.clear()
  await harness.startBot()
  // Its lease goes on for half a minute.
  expect(await holders()).not.toContain(killed)
  await ada.sees('Harbor')
})
