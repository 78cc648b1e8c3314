import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BotStartError } from '../../sandbox/bot.ts'
import { copiedTables } from '../../src/store/move-tables.ts'
import { TestDatabase } from '../database.ts'
import { AlertTown } from './alert-town.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let database: TestDatabase
let alerts: AlertTown
beforeEach(async () => {
  database = await TestDatabase.make()
  alerts = await AlertTown.start({ replicas: { count: 2, database: database.address } })
})
afterEach(async () => {
  await alerts?.stop()
  await database.remove()
})

/** A later version's first replica starts: a table more, and in each of the old ones a column more. */
async function laterVersionStarts(): Promise<void> {
  const store = await database.open()
  const tables = await store.introspection.getTables()
  const old = tables.filter(({ name }) => !name.startsWith('kysely_'))
  expect(old.length).toBeGreaterThan(copiedTables.length)
  await store.transaction().execute(async (tx) => {
    await tx.schema.createTable('later').addColumn('name', 'text').execute()
    for (const { name } of old) {
      await tx.schema.alterTable(name).addColumn('later', 'text').execute()
      const count = sql`alter table ${sql.table(name)} add column counted bigint default 0 not null`
      await count.execute(tx)
    }
    const at = new Date().toISOString()
    await sql`insert into kysely_migration (name, timestamp) values ('9999_later', ${at})`.execute(
      tx,
    )
  })
}

async function asks(text: string, answer: string): Promise<void> {
  const { telegram } = alerts.town
  const [person = 0] = telegram.circumstances.crowd(1)
  telegram.people.text(person, person, text)
  await telegram.people.waitFor(person, (message) => message.text.includes(answer), {
    timeoutMs: 60_000,
  })
}

test('replicas go on while a later version adds to their database: they answer, watch and tell, and take over from each other', async () => {
  const people = alerts.crowd(5)
  await alerts.follows(people.slice(0, 5))
  await alerts.everybodyHas(people.slice(0, 5), alerts.goesLive())
  await laterVersionStarts()
  await alerts.follows(people)
  await asks('/follow live', 'live')
  await alerts.everybodyHas(people, alerts.goesLive())
  const [first] = alerts.town.running()
  expect(await first?.stop()).toEqual({ code: 0, signal: null })
  await asks('/help', 'What you can ask')
  await alerts.everybodyHas(people, alerts.goesLive())
  const refused: unknown = await alerts.town.startBot().catch((error: unknown) => error)
  if (!(refused instanceof BotStartError)) throw new Error('it started', { cause: refused })
  expect(refused.exit.code).toBe(1)
  expect(refused.output).toContain('a newer version of Gavel has changed it')
  expect(alerts.logged('"level":"error"')).toBe(0)
})
