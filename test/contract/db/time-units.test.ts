import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { milliseconds } from '../../../src/db/schema.ts'
import { TestDatabase } from '../../database.ts'
import { furnish } from './installation.ts'

/** No time of ours in seconds is that large, and none in milliseconds as small. */
const between = 100_000_000_000
/** The odd rows of an installation, not times. */
const largest = 10_000_000_000_000

test('a time is in seconds, unless the name of its column ends with _ms or it is one of those of earlier versions', async () => {
  const database = await TestDatabase.make()
  try {
    const store = await database.open()
    await furnish(store)
    const found = new Set<string>()
    const checked = new Set<string>()
    for (const { name: table, columns } of await store.introspection.getTables()) {
      for (const { name } of columns) {
        if (!/(?:^|_)(?:at|until)(?:_ms)?$/u.test(name)) continue
        const { rows } = await sql<{ value: string | number | null }>`
          select ${sql.ref(name)} as value from ${sql.table(table)}`.execute(store)
        const values = rows.map(({ value }) => Number(value)).filter((value) => value > 0)
        if (values.some((value) => value < largest)) checked.add(`${table}.${name}`)
        if (values.some((value) => value > between && value < largest))
          found.add(`${table}.${name}`)
      }
    }
    const isNamed = (column: string) => column.endsWith('_ms') || milliseconds.includes(column)
    expect([...found].filter((column) => !isNamed(column))).toEqual([])
    expect([...checked].filter((column) => isNamed(column) && !found.has(column))).toEqual([])
    expect(checked.size).toBeGreaterThan(20)
  } finally {
    await database.remove()
  }
})
