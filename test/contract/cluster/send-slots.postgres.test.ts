import { afterEach, beforeEach, expect, test } from 'vitest'
import { sendSlots } from '../../../src/cluster/cluster.ts'
import { openStore } from '../../../src/db/database.ts'
import type { Store } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { SilentProxy } from '../../silent-proxy.ts'

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

test('blocks of all replicas follow each other, on each platform', async () => {
  const replicas = [sendSlots(store, 'telegram'), sendSlots(await database.open(), 'telegram')]
  const waits: number[] = []
  for (const reserve of [...replicas, ...replicas]) waits.push(await reserve(10, 1_000))
  const begins = [0, 10_000, 20_000, 30_000]
  for (const [index, wait] of waits.entries()) {
    expect(wait).toBeLessThanOrEqual(begins[index] ?? 0)
    expect(wait).toBeGreaterThan((begins[index] ?? 0) - 5_000)
  }
  expect(await sendSlots(store, 'discord')(10, 1_000)).toBeLessThanOrEqual(0)
})

test('of blocks reserved at once each begins where another one ends', async () => {
  const reserve = sendSlots(store, 'telegram')
  const waits = await Promise.all(Array.from({ length: 5 }, () => reserve(10, 1_000)))
  const rounded = waits
    .toSorted((one, other) => one - other)
    .map((wait) => Math.ceil(wait / 10_000))
  expect(rounded.map((each) => each + 0)).toEqual([0, 1, 2, 3, 4])
})

test.each([-3_600_000, 90_000, 86_400_000])(
  'a time that is %d ms from now, of a pause or of a clock that was wrong, holds nothing up',
  async (ahead) => {
    const next_at_ms = Date.now() + ahead
    await store.insertInto('send_slots').values({ platform: 'telegram', next_at_ms }).execute()
    const reserve = sendSlots(store, 'telegram')
    expect(await reserve(1, 1_000)).toBeLessThanOrEqual(0)
    expect(await reserve(1, 1_000)).toBeGreaterThan(0)
  },
)

test('a database that is away, or says nothing, is given up soon', async () => {
  const way = await SilentProxy.to(new URL(database.address))
  const silent = await openStore(way.url)
  try {
    const reserve = sendSlots(silent, 'telegram')
    await reserve(1, 1_000)
    way.mute()
    const from = performance.now()
    await expect(reserve(1, 1_000)).rejects.toThrow('does not answer')
    expect(performance.now() - from).toBeLessThan(5_000)
    const letIn = await database.outage()
    await expect(sendSlots(store, 'telegram')(1, 1_000)).rejects.toThrow()
    await letIn()
    expect(await sendSlots(store, 'telegram')(1, 1_000)).toBeLessThan(5_000)
  } finally {
    await way.close()
    await silent.destroy()
  }
})
