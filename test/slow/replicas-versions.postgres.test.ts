import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BotStartError } from '../../sandbox/bot.ts'
import { allTables } from '../../src/db/move.ts'
import type { TestDatabase } from '../database.ts'
import { AlertHarness } from '../e2e/alert-harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let alerts: AlertHarness
beforeEach(async () => {
  alerts = await AlertHarness.start({ replicas: { count: 2 } })
})
afterEach(() => alerts?.stop())

/** A later version's first replica starts: a table more, and in each of the old ones a column more. */
async function laterVersionStarts(): Promise<void> {
  const store = await databaseOf(alerts).open()
  await store.transaction().execute(async (tx) => {
    await tx.schema.createTable('later').addColumn('name', 'text').execute()
    for (const name of allTables) {
      await tx.schema.alterTable(name).addColumn('later', 'text').execute()
      const count = sql`alter table ${sql.table(name)} add column counted bigint default 0 not null`
      await count.execute(tx)
    }
    const at = new Date().toISOString()
    const name = sql`insert into kysely_migration (name, timestamp) values ('9998_later', ${at})`
    await name.execute(tx)
  })
}

function databaseOf({ harness: { database } }: AlertHarness): TestDatabase {
  if (!database) throw new Error('the replicas have a database of somebody else’s')
  return database
}

test('replicas go on while a later version migrates their database: they answer, watch, notify and take over from each other; one that starts is refused', async () => {
  const people = alerts.crowd(5)
  const some = people.slice(0, 5)
  await alerts.follows(some)
  await alerts.everybodyHas(some, alerts.goesLive())
  await laterVersionStarts()
  await alerts.follows(people)
  for (const user of [new TelegramUser(alerts.harness), new DiscordUser(alerts.harness)]) {
    await user.says('/alerts add live category:builder-coin')
    await user.sees('Alert added', 'goes live · builder-coin')
  }
  await alerts.everybodyHas(people, alerts.goesLive())
  const [first] = alerts.harness.running()
  expect(await first?.stop()).toEqual({ code: 0, signal: null })
  await alerts.everybodyHas(people, alerts.goesLive())
  const refused: unknown = await alerts.harness.startBot().catch((error: unknown) => error)
  if (!(refused instanceof BotStartError)) throw new Error('it started', { cause: refused })
  expect(refused.exit.code).toBe(1)
  expect(refused.output).toContain("so that this one can't run on it (9998_later)")
  expect(alerts.logged('"level":"error"')).toBe(0)
})
