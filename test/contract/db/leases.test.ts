import { afterEach, beforeEach, expect, test } from 'vitest'
import { fenceOf, heldLeases, releaseLease, takeLease } from '../../../src/db/leases.ts'
import type { Store } from '../../../src/db/schema.ts'
import { isSqlite } from '../../../src/db/sql.ts'
import { TestDatabase } from '../../database.ts'

const minute = 60_000

let database: TestDatabase
let store: Store
beforeEach(async () => {
  database = await TestDatabase.make()
  store = await database.open()
})
afterEach(() => database.remove())

const expire = () => store.updateTable('roles').set({ held_until: 0 }).execute()

const inTransaction = (fence: ReturnType<typeof fenceOf>) => store.transaction().execute(fence)

test('a lease is renewed by its holder, and taken by another once it has ended, with a higher number', async () => {
  expect(await takeLease(store, 'watch', 'one', minute)).toBe(1)
  expect(await takeLease(store, 'watch', 'one', minute)).toBe(1)
  expect(await takeLease(store, 'watch', 'other', minute)).toBeUndefined()
  expect(await heldLeases(store)).toEqual(['watch'])
  await expire()
  expect(await heldLeases(store)).toEqual([])
  expect(await takeLease(store, 'watch', 'other', minute)).toBe(2)
})

test('a released lease is free at once, and its number goes on', async () => {
  await takeLease(store, 'watch', 'one', minute)
  expect(await releaseLease(store, 'watch', 'other')).toBe(false)
  expect(await releaseLease(store, 'watch', 'one')).toBe(true)
  expect(await heldLeases(store)).toEqual([])
  expect(await takeLease(store, 'watch', 'one', minute)).toBe(2)
})

test('a fence lets only the last leader write, whether or not its lease has ended', async () => {
  const fence = (holder: string, number: number) => fenceOf({ name: 'watch', holder, number })
  await takeLease(store, 'watch', 'one', minute)
  await expire()
  await inTransaction(fence('one', 1))
  await takeLease(store, 'watch', 'other', minute)
  await expire()
  await takeLease(store, 'watch', 'one', minute)
  await expect(inTransaction(fence('one', 1))).rejects.toThrow('another replica has the role')
  await expect(inTransaction(fence('other', 2))).rejects.toThrow('another replica has the role')
  await inTransaction(fence('one', 3))
})

test('no replica takes over while the leader is in a transaction', async () => {
  if (isSqlite(store)) return
  await takeLease(store, 'watch', 'one', minute)
  await expire()
  await store.transaction().execute(async (tx) => {
    await fenceOf({ name: 'watch', holder: 'one', number: 1 })(tx)
    expect(await takeLease(store, 'watch', 'other', minute)).toBeUndefined()
    expect(await takeLease(store, 'watch', 'one', minute)).toBe(1)
    await expire()
  })
  expect(await takeLease(store, 'watch', 'other', minute)).toBe(2)
})
