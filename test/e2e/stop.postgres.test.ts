import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestDatabase } from '../database.ts'
import { SilentWay } from '../replicas/silent-way.ts'
import { startTown, type Town } from './town.ts'

vi.setConfig({ testTimeout: 90_000 })

let database: TestDatabase
let way: SilentWay
let town: Town
beforeEach(async () => {
  database = await TestDatabase.make()
  way = await SilentWay.to(new URL(database.address))
  town = await startTown({ env: { DATABASE_URL: way.url } })
})
afterEach(async () => {
  await town?.stop()
  await way.close()
  await database.remove()
})

test('a stop while PostgreSQL is silent ends with exit code 0', async () => {
  way.mute()
  expect(await town.bot.stop()).toEqual({ code: 0, signal: null })
})
