import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Store } from '../../../src/db/schema.ts'
import { Lanes, update } from './lanes.ts'

const patience = { timeout: 20_000, interval: 20 }
/** Several times the connections of a store. */
const many = 100

let lanes: Lanes
let store: Store
beforeEach(async () => {
  lanes = await Lanes.open()
  store = await lanes.database.open()
})
afterEach(() => lanes.end())

/** Who writes into the table waits until what this returns is called. */
async function slow(table: 'lanes' | 'updates'): Promise<() => Promise<void>> {
  const other = await lanes.database.open()
  const holder = await other.startTransaction().execute()
  await sql`lock table ${sql.table(table)} in exclusive mode`.execute(holder)
  return () => holder.rollback().execute()
}

async function bring(): Promise<void> {
  const { inbox } = await lanes.inbox({ store, lookEvery: 3_600_000 })
  await Promise.all(Array.from({ length: many }, (_, id) => inbox.put(update(`chat${id}`, id))))
}

const anything = () => store.selectFrom('lines').select('id').execute()
const waiting = async () =>
  (await store.selectFrom('updates').select('id').where('body', 'is not', null).execute()).length

describe('the database has time for all else that the bot does, however many lanes', () => {
  test('begin', async () => {
    const goOn = await slow('lanes')
    await bring()
    expect(await anything()).toEqual([])
    expect(lanes.handled).toEqual([])
    await goOn()
    await expect.poll(waiting, patience).toBe(0)
    expect(lanes.handled).toHaveLength(many)
  })

  test('end', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    lanes.hold = () => promise
    await bring()
    // All at once: who waits for something else keeps no connection.
    await expect.poll(() => lanes.handled.length, patience).toBe(many)
    const goOn = await slow('updates')
    resolve()
    expect(await anything()).toEqual([])
    expect(await waiting()).toBe(many)
    await goOn()
    await expect.poll(waiting, patience).toBe(0)
  })
})
