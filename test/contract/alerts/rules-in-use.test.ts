import { setImmediate as others } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Watching } from '../../unit/alerts/watching.ts'

const count = 1500
let watching: Watching
beforeEach(async () => {
  watching = await Watching.start({ population: 20 })
})
afterEach(() => watching.stop())

/** Prices that one chat follows, one filter each. */
async function followPrices(): Promise<void> {
  await watching.follow('a', { kind: 'live', setting: {}, scope: {} })
  const setting = JSON.stringify({ moves: 5 })
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(count)})
    insert into filters (kind, chain, asset, numeraire, creator, category, setting, memory)
    select 'price', 0, '0x' || i, '', '', '', ${sql.lit(setting)}, '' from n`.execute(
    watching.store,
  )
  await sql`insert into follows (filter, destination, created_at)
    select filters.id, destinations.id, 1 from filters, destinations where filters.kind = 'price'
  `.execute(watching.store)
}

test('others have their turn while what is in use is read, and all of it is', async () => {
  await followPrices()
  let movements: number | undefined
  const reading = watching.follows.inUse().then((inUse) => {
    movements = inUse.length
  })
  let turns = 0
  while (movements === undefined) {
    await others()
    turns += 1
  }
  await reading
  expect(movements).toBe(count)
  expect(turns).toBeGreaterThan(5)
})

test('what is remembered and what is followed no more is seen each time', async () => {
  await followPrices()
  const [first, second] = await watching.follows.inUse()
  const target = { platform: 'telegram', kind: 'chat', id: 'a' } as const
  const memory = { filter: first?.id ?? 0, before: '', after: 'x' }
  await watching.follows.remember(watching.store, memory)
  await watching.follows.unfollow(target, second?.id ?? 0)
  const movements = await watching.follows.inUse()
  expect(movements).toHaveLength(count - 1)
  expect(movements[0]).toEqual({ ...first, memory: 'x' })
})
