import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as cast from '../../sandbox/telegram/cast.ts'
import { TestDatabase } from '../database.ts'
import { startTown, type Town } from '../e2e/town.ts'
import { TelegramVisitor } from '../e2e/visitor.ts'
import { Spread } from '../spread.ts'

vi.setConfig({ testTimeout: 90_000 })

let database: TestDatabase
let spread: Spread
let town: Town
beforeEach(async () => {
  database = await TestDatabase.onSqlite()
  spread = await Spread.start()
  town = await startTown({
    env: {
      DATABASE_URL: `file:${database.address}`,
      TELEGRAM_UPDATES: 'webhook',
      PUBLIC_URL: spread.url,
    },
  })
  spread.targets = () =>
    town.running().flatMap(({ healthUrl }) => (healthUrl ? [new URL(healthUrl).origin] : []))
})
afterEach(async () => {
  await town?.stop()
  await spread.stop()
  await database.remove()
})

test('killed while it answers a call of Telegram’s, the bot answers after the next start, when nobody has its chat any more', async () => {
  const ada = new TelegramVisitor(town)
  town.upstream.faults.set({ kind: 'hang' })
  await ada.says('/search harbor')
  const store = await database.open()
  const holders = async () => {
    const lanes = store.selectFrom('lanes').select('holder').where('lane', '=', String(cast.ada.id))
    return (await lanes.execute()).map(({ holder }) => holder)
  }
  await expect.poll(holders).toHaveLength(1)
  const [killed] = await holders()
  await town.bot.kill()
  expect(await holders()).toEqual([killed])
  town.upstream.faults.clear()
  await town.startBot()
  // Its lease goes on for half a minute.
  expect(await holders()).not.toContain(killed)
  await ada.sees('Harbor')
})
