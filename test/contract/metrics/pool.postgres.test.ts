import { expect, test } from 'vitest'
import { openStore } from '../../../src/db/database.ts'
import type { ConnectionPool } from '../../../src/db/sql.ts'
import { TestDatabase } from '../../database.ts'
import { openScrapes } from '../../unit/metrics/open-scrapes.ts'

test('connections are counted by state, and queries that wait for one', async () => {
  const database = await TestDatabase.make()
  let pool: ConnectionPool | undefined
  const onPool = (opened: ConnectionPool) => {
    pool = opened
  }
  const store = await openStore(database.address, undefined, { onPool })
  try {
    const { read } = openScrapes(await database.open(), { pool })
    const of = async (state: string) =>
      (await read()).value('gavel_database_connections', { state })
    expect(await of('in use')).toBe(0)
    expect(await of('unopened')).toBe(9)
    const transactions = await Promise.all(
      Array.from({ length: 10 }, () => store.startTransaction().execute()),
    )
    const late = store.selectFrom('callback_lines').select('id').execute()
    await expect.poll(() => of('waited for')).toBe(1)
    expect([await of('in use'), await of('idle'), await of('unopened')]).toEqual([10, 0, 0])
    await Promise.all(transactions.map((each) => each.rollback().execute()))
    await late
    expect([await of('in use'), await of('waited for')]).toEqual([0, 0])
  } finally {
    await store.destroy()
    await database.remove()
  }
})
