import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { furnish } from '../contract/db/installation.ts'
import { Move } from '../contract/db/moving.ts'
import { eventually } from '../unit/alerts/telling.ts'

vi.setConfig({ testTimeout: 60_000 })

let moving: Move
let beside: Client
beforeEach(async () => {
  moving = await Move.prepare()
  await moving.write(furnish)
  // Migrated, and let go of.
  await moving.target.open()
  await moving.target.close()
  beside = new Client({ connectionString: moving.target.address })
  await beside.connect()
})
afterEach(async () => {
  await beside.end()
  await moving.remove()
})

/** The move stops between two tables, until this lets it go on. */
async function holdMove(): Promise<() => Promise<unknown>> {
  await beside.query(`
    create function wait() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(1); return new; end';
    create trigger wait before insert on deliveries for each row execute function wait();
    select pg_advisory_lock(1)`)
  return () => beside.query('select pg_advisory_unlock(1)')
}

async function waitsInTheMiddle(): Promise<void> {
  const { rows } = await beside.query(
    `select 1 from pg_stat_activity where datname = current_database()
      and wait_event = 'advisory' and query like '%into "deliveries"%'`,
  )
  expect(rows).toHaveLength(1)
}

async function count(table: string): Promise<number> {
  const { rows } = await beside.query(`select count(*)::int as count from ${table}`)
  return rows[0].count
}

test('a move that is killed half way leaves nothing, and the next one begins anew', async () => {
  const letGo = await holdMove()
  let pid = 0
  const killed = moving.run((its) => {
    pid = its
  })
  await eventually(waitsInTheMiddle)
  process.kill(pid, 'SIGKILL')
  expect(await killed).toMatchObject({ code: null })
  expect(await count('news')).toBe(0)
  await letGo()
  const { code, out } = await moving.run()
  expect(code).toBe(0)
  expect(out).toMatch(/^deliveries +3 /mu)
  expect([await count('news'), await count('deliveries'), await count('pgboss.job')]).toEqual([
    2, 3, 4,
  ])
})

test('a move whose connection breaks says so in one line, and can be run again', async () => {
  const letGo = await holdMove()
  const broken = moving.run()
  await eventually(waitsInTheMiddle)
  await beside.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'gavel move'`,
  )
  const { code, error } = await broken
  expect(code).toBe(1)
  expect(error).toMatch(/^The move broke off, and nothing was changed: .*can be run again\.\n$/u)
  await letGo()
  expect(await moving.run()).toMatchObject({ code: 0 })
})

test('a bot that starts in the middle of a move writes nothing before it is over', async () => {
  const letGo = await holdMove()
  const run = moving.run()
  await eventually(waitsInTheMiddle)
  const store = await moving.target.open()
  const late = store.insertInto('lines').values({ id: 'late', line: 'late', shown_at: 1 }).execute()
  await eventually(async () => {
    const { rows } = await beside.query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%into "lines"%'`,
    )
    expect(rows).toHaveLength(1)
  })
  await letGo()
  expect(await run).toMatchObject({ code: 0 })
  await late
  expect(await count('lines')).toBe(3)
})

test('a move after which rows are missing is undone', async () => {
  await beside.query(`
    create function lose() returns trigger language plpgsql as 'begin return null; end';
    create trigger lose before insert on lines for each row when (new.id = 'x') execute function lose()`)
  const { code, error } = await moving.run()
  expect(code).toBe(1)
  expect(error).toMatch(/^Of lines 2 rows were read and 1 arrived, .*Nothing was changed\.\n$/u)
  expect(await count('lines')).toBe(0)
})

test('a move after which a row is not what it was is undone', async () => {
  await beside.query(`
    create function change() returns trigger language plpgsql as
      'begin new.line = upper(new.line); return new; end';
    create trigger change before insert on lines for each row execute function change()`)
  const { code, error } = await moving.run()
  expect(code).toBe(1)
  expect(error).toContain('or not as they were')
  expect(await count('lines')).toBe(0)
})
