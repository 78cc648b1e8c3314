import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoredUpdateDeduplication } from '../../../src/cluster/update-inbox.ts'
import { TestDatabase } from '../../database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await TestDatabase.make()
})
afterEach(() => database.remove())

test('of one number all replicas are told once that it is new', async () => {
  const [one, other] = [await database.open(), await database.open()]
  const replicas = [one, other].map((store) => new StoredUpdateDeduplication(store))
  const id = '1234567890123456789'
  const asked = [...replicas, ...replicas].map((each) => each.isFirst('discord', id))
  expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1)
  for (const each of replicas) expect(await each.isFirst('discord', id)).toBe(false)
  const [first] = replicas
  expect(await first?.isFirst('discord', '1234567890123456788')).toBe(true)
  expect(await first?.isFirst('telegram', id)).toBe(true)
})
