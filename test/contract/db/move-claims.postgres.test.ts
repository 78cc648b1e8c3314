import { type KyselyPlugin, sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStore } from '../../../src/db/database.ts'
import { claimTarget, MoveSource, mover, moveStore } from '../../../src/db/move.ts'
import { PgBossQueue } from '../../../src/jobs/pg-boss.ts'
import { log } from './installation.ts'
import { Move } from './moving.ts'

vi.setConfig({ testTimeout: 60_000 })

let moving: Move
beforeEach(async () => {
  moving = await Move.prepare()
})
afterEach(() => moving.remove())

test('a move whose machine dies releases the target within minutes', async () => {
  const target = await openStore(moving.target.address, mover)
  try {
    const pause = await target.transaction().execute(async (tx) => {
      await claimTarget(tx)
      const { rows } = await sql<{ setting: number }>`
        select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(
        tx,
      )
      return rows[0]?.setting
    })
    expect(pause).toBeGreaterThan(60_000)
    expect(pause).toBeLessThan(600_000)
  } finally {
    await target.destroy()
  }
})

test('while a large file is compared the target’s lock is kept alive', async () => {
  await moving.write(async (store) => {
    for (let from = 0; from < 5000; from += 500) {
      const lines = Array.from({ length: 500 }, (_, index) => ({
        id: `line ${from + index}`,
        line: 'asset OTTER',
        shown_at_s: 1,
      }))
      await store.insertInto('callback_lines').values(lines).execute()
    }
  })
  expect(await moving.run()).toMatchObject({ code: 0 })
  await moving.unseal()
  const heard: string[] = []
  const listen: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode') heard.push(node.sqlFragments.join('?'))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const source = MoveSource.open(moving.source.address)
  const target = await openStore(moving.target.address, mover)
  const openJobs = () => PgBossQueue.open({ url: moving.target.address, store: target, log })
  try {
    expect(await moveStore(source, target.withPlugin(listen), openJobs)).toBeUndefined()
  } finally {
    await target.destroy()
    source.close()
  }
  expect(heard.filter((said) => said === 'select 1').length).toBeGreaterThanOrEqual(3)
})
