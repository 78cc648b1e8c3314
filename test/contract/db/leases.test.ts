import { afterEach, beforeEach, expect, test } from 'vitest'
import { fenceOf, heldLeases, releaseLease, takeLeases } from '../../../src/db/leases.ts'
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

const expire = () => store.updateTable('roles').set({ held_until_ms: 0 }).execute()

/** The number of the role by which the holder has it now, if so. */
const take = async (holder: string) =>
  (await takeLeases(store, ['watch'], holder, minute)).get('watch')

const inTransaction = (fence: ReturnType<typeof fenceOf>) => store.transaction().execute(fence)

test('a lease is renewed by its holder, and taken by another once it has ended, with a higher number', async () => {
  expect(await take('one')).toBe(1)
  expect(await take('one')).toBe(1)
  expect(await take('other')).toBeUndefined()
  expect(await heldLeases(store)).toEqual(['watch'])
  await expire()
  expect(await heldLeases(store)).toEqual([])
  expect(await take('other')).toBe(2)
})

test('of several leases those are taken or renewed that are free or one’s own', async () => {
  const taken = async (holder: string, ...names: string[]) =>
    Object.fromEntries(await takeLeases(store, names, holder, minute))
  expect(await taken('one', 'watch', 'notify')).toEqual({ watch: 1, notify: 1 })
  expect(await taken('other', 'prune', 'notify')).toEqual({ prune: 1 })
  await store.updateTable('roles').set({ held_until_ms: 0 }).where('name', '=', 'watch').execute()
  expect(await taken('other', 'watch', 'prune', 'notify')).toEqual({ watch: 2, prune: 1 })
  expect(await taken('one', 'watch', 'prune', 'notify')).toEqual({ notify: 1 })
})

test('replicas that renew the same leases at once, in whatever order, wait for no lock of each other', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `role ${index}`)
  const rounds = Array.from({ length: 40 }, (_, index) => {
    const inOrder = index % 2 === 0 ? names : names.toReversed()
    return takeLeases(store, inOrder, `holder ${index}`, -minute)
  })
  await Promise.all(rounds)
  expect((await takeLeases(store, names, 'last', minute)).size).toBe(names.length)
})

test('a released lease is free at once, and its number goes on', async () => {
  await take('one')
  expect(await releaseLease(store, 'watch', 'other')).toBe(false)
  expect(await releaseLease(store, 'watch', 'one')).toBe(true)
  expect(await heldLeases(store)).toEqual([])
  expect(await take('one')).toBe(2)
})

test('a fence lets only the last leader write, whether or not its lease has ended', async () => {
  const fence = (holder: string, number: number) => fenceOf({ name: 'watch', holder, number })
  await take('one')
  await expire()
  await inTransaction(fence('one', 1))
  await take('other')
  await expire()
  await take('one')
  await expect(inTransaction(fence('one', 1))).rejects.toThrow('another replica has the role')
  await expect(inTransaction(fence('other', 2))).rejects.toThrow('another replica has the role')
  await inTransaction(fence('one', 3))
})

test('no replica takes over while the leader is in a transaction', async () => {
  if (isSqlite(store)) return
  await take('one')
  await expire()
  await store.transaction().execute(async (tx) => {
    await fenceOf({ name: 'watch', holder: 'one', number: 1 })(tx)
    expect(await take('other')).toBeUndefined()
    expect(await take('one')).toBe(1)
    await expire()
  })
  expect(await take('other')).toBe(2)
})
