import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { TestDatabase } from '../../database.ts'
import { furnish } from './installation.ts'

/** No time of ours in seconds is that large, and none in milliseconds as small. */
const between = 100_000_000_000
/** The odd rows of an installation, not times. */
const largest = 10_000_000_000_000

const named = /(?:^|_)(?:at|until|since)(?:_(?<unit>\w+))?$/u

test('the name of a time ends with its unit: _s is for seconds, _ms for milliseconds', async () => {
  const database = await TestDatabase.make()
  try {
    const store = await database.open()
    await furnish(store)
    const tables = await store.introspection.getTables()
    const times = tables.flatMap(({ name: table, columns }) =>
      columns.flatMap(({ name: column }) => {
        const match = named.exec(column)
        return match ? [{ table, column, unit: match.groups?.unit }] : []
      }),
    )
    expect(times.filter(({ unit }) => unit !== 's' && unit !== 'ms')).toEqual([])
    let checked = 0
    for (const { table, column, unit } of times) {
      const { rows } = await sql<{ value: string | number | null }>`
        select ${sql.ref(column)} as value from ${sql.table(table)}`.execute(store)
      const values = rows
        .map(({ value }) => Number(value))
        .filter((value) => value > 0 && value < largest)
      if (values.length > 0) checked += 1
      if (values.some((value) => value > between)) expect([table, column, unit]).toContain('ms')
      else if (values.length > 0) expect([table, column, unit]).toContain('s')
    }
    expect(checked).toBeGreaterThan(20)
  } finally {
    await database.remove()
  }
})
