import { afterEach, beforeEach, expect, test } from 'vitest'
import { renewLeases } from '../../../src/db/leases.ts'
import type { Store } from '../../../src/db/schema.ts'
import { StoredSlowUpdates, slowUpdates } from '../../../src/db/slow-updates.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

const minute = 60_000
const replica = (id: string) => new StoredSlowUpdates(store, id)
const left = async (id: string) => (await replica(id).takeOver()).map((update) => update.id)

/** The lease of a replica ended so long ago. */
async function dies(id: string, msAgo: number): Promise<void> {
  await renewLeases(store, id, [], -msAgo)
}

test('the updates of a replica that is alive are its own', async () => {
  await renewLeases(store, 'one', [], minute)
  await replica('one').add({ id: 1, body: '{}', attempts: 1 })
  expect(await left('two')).toEqual([])
  expect(await left('one')).toEqual([])
})

test('those of one that died are taken over once, some seconds after its lease', async () => {
  await replica('one').add({ id: 1, body: '{"a":1}', attempts: 1 })
  await dies('one', 1_000)
  expect(await left('two')).toEqual([])
  await dies('one', 6_000)
  for (const id of ['two', 'three']) await renewLeases(store, id, [], minute)
  const both = await Promise.all([replica('two').takeOver(), replica('three').takeOver()])
  expect(both.flat()).toEqual([{ id: 1, body: '{"a":1}', attempts: 1 }])
})

test('those that a replica leaves as it stops are taken over though its lease goes on', async () => {
  await renewLeases(store, 'one', [], minute)
  await replica('one').add({ id: 1, body: '{}', attempts: 1 })
  await replica('one').leave()
  expect(await left('two')).toEqual([1])
})

test('one that was handled is gone', async () => {
  await replica('one').add({ id: 1, body: '{}', attempts: 1 })
  await replica('one').remove(1)
  expect(await left('two')).toEqual([])
})

test('attempts are counted as they begin, and kept if it is stored again', async () => {
  expect(await replica('one').add({ id: 1, body: '{}', attempts: 0 })).toBe(0)
  expect(await replica('one').countAttempt(1)).toBe(1)
  expect(await replica('two').add({ id: 1, body: '{}', attempts: 0 })).toBe(1)
  expect(await replica('two').countAttempt(1)).toBe(2)
})

test('one that is stored twice belongs to whoever stored it last', async () => {
  await renewLeases(store, 'two', [], minute)
  await replica('one').add({ id: 1, body: '{}', attempts: 1 })
  await replica('two').add({ id: 1, body: '{}', attempts: 1 })
  expect(await left('three')).toEqual([])
})

test('they are counted, with the age of the oldest', async () => {
  expect(await slowUpdates(store)).toEqual({ due: 0, oldest: 0 })
  await replica('one').add({ id: 1, body: '{}', attempts: 1 })
  await store
    .updateTable('slow_updates')
    .set((row) => ({ received_at_ms: row('received_at_ms', '-', 90_000) }))
    .execute()
  await replica('one').add({ id: 2, body: '{}', attempts: 1 })
  const { due, oldest } = await slowUpdates(store)
  expect(due).toBe(2)
  expect(oldest).toBeGreaterThanOrEqual(90)
  expect(oldest).toBeLessThan(150)
})
