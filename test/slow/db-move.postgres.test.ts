import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { copiedTables } from '../../src/db/move.ts'
import type { Store } from '../../src/db/schema.ts'
import { PgBossQueue } from '../../src/jobs/pg-boss.ts'
import { limits } from '../contract/alerts/outbox-limits.ts'
import {
  chats,
  type Furniture,
  furnish,
  interaction,
  log,
  maxShown,
  now,
  oddLine,
  partsOf,
  tell,
} from '../contract/db/installation.ts'
import { Move, moveWith } from '../contract/db/moving.ts'
import { TestDatabase } from '../database.ts'
import { eventually } from '../unit/alerts/telling.ts'
import { ada } from '../unit/launch/conversing.ts'

vi.setConfig({ testTimeout: 60_000 })

let moving: Move
let furniture: Furniture

async function prepare(): Promise<void> {
  moving = await Move.prepare()
  furniture = await moving.write(furnish)
}

async function moved(): Promise<Store> {
  expect(await moving.run()).toMatchObject({ code: 0, error: '' })
  return moving.target.open()
}

/** All rows, in some order that both databases agree on. */
async function rowsOf(store: Store, table: string): Promise<string[]> {
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(store)
  const texts = rows.map((row) => JSON.stringify(row).replaceAll('\\u0000', '\uFFFD'))
  return texts.toSorted()
}

describe('a moved installation', () => {
  let target: Store
  let before: Buffer
  beforeAll(async () => {
    await prepare()
    before = await readFile(moving.source.address)
    target = await moved()
  })
  afterAll(() => moving.remove())

  test('has every row as it was, and the file is left as it is', async () => {
    expect(await readFile(moving.source.address)).toEqual(before)
    const source = await moving.source.open()
    for (const table of copiedTables) {
      const rows = await rowsOf(source, table)
      expect(rows, table).not.toEqual([])
      expect(await rowsOf(target, table), table).toEqual(rows)
    }
    expect(await rowsOf(target, 'roles')).toEqual([])
    expect(await rowsOf(target, 'lanes')).toEqual([])
  })

  test('is known to PostgreSQL’s planner', async () => {
    const { rows } = await sql`select reltuples from pg_class where relname = 'deliveries'`.execute(
      target,
    )
    expect(rows).toEqual([{ reltuples: 3 }])
  })

  test('goes on with buttons, drafts, payloads, links and pictures', async () => {
    const { lines, drafts, payloads, pictures } = partsOf(target)
    expect(await lines.find(furniture.line)).toBe(oddLine.replace('\0', '\uFFFD'))
    const draft = await drafts.current(ada)
    expect(draft).toMatchObject({ id: furniture.draft, rev: 1, answers: { name: 'Moon 🦦 Otter' } })
    if (draft) expect(await drafts.save(draft)).toMatchObject({ rev: 2 })
    const payload = await payloads.findByLink(furniture.token)
    expect(payload).toMatchObject({ draft: furniture.draft, state: 'active', name: 'Moon Otter' })
    expect((await pictures.find(furniture.cid))?.bytes.length).toBeGreaterThan(100)
  })

  test('tells what waited once, and news that come now to those who follow', async () => {
    const { follows, outbox } = partsOf(target)
    const claims = await outbox.claim('telegram', limits)
    expect(claims.map(({ destination }) => destination.chat).toSorted()).toEqual(['-1008', '7'])
    expect(claims.map(({ news }) => news)).toEqual([[2], [2]])
    for (const claim of claims) await outbox.record(claim, claim.news, { kind: 'sent' }, 0)
    expect((await follows.of(chats[1])).follows).toHaveLength(1)
    await tell(target, 'Otter')
    expect(await outbox.claim('telegram', limits)).toEqual([])
    await tell(target, 'Newt')
    expect(await outbox.claim('telegram', limits)).toHaveLength(2)
  })

  test('gives no number a second time, also not one whose row is gone', async () => {
    const { follows } = partsOf(target)
    await follows.follow(chats[0], { kind: 'incoming', setting: {}, scope: {} })
    const ids = (await follows.of(chats[0])).follows.map(({ id }) => id)
    expect(furniture.lastFilter).toBeGreaterThan(1)
    expect(ids).toEqual([1, furniture.lastFilter + 1])
  })

  test('knows what it heard, also by numbers beyond what a number holds', async () => {
    const { updates } = partsOf(target)
    expect(await updates.note(interaction)).toBe(false)
    expect(await updates.note(interaction + 1n)).toBe(true)
    expect(await updates.hold('-1008', 'another', 60_000)).toBe(true)
    const next = await updates.next('-1008', 'another')
    expect(next).toMatchObject({ id: 5, body: '{"text":"/help"}' })
  })

  test('runs jobs at their time, with the failures they had, and none that ended', async () => {
    const ran: unknown[] = []
    const again = 'due once more'
    const queue = await PgBossQueue.open({
      url: moving.target.address,
      store: target,
      log,
      tries: 2,
    })
    try {
      queue.handle('greet', async (body) => {
        ran.push(body)
        return 'done'
      })
      queue.handle('fail', async () => {
        throw new Error('again')
      })
      for (const key of ['greeted', 'due', 'later'])
        await queue.add({ key, kind: 'greet', body: again })
      await queue.add({ key: 'failed', kind: 'fail', body: again })
      queue.start()
      await queue.add({ key: 'new', kind: 'greet', body: 'new' })
      await eventually(() => expect(ran).toHaveLength(2))
      expect(ran).toEqual(expect.arrayContaining([{ to: '🦦 \0' }, 'new']))
      await queue.runNow({ key: 'later', kind: 'greet' })
      await eventually(() => expect(ran.slice(2)).toEqual(['later']))
    } finally {
      await queue.stop()
    }
    expect(await kept(target)).toEqual([
      { state: 'completed', output: null, failures: 0, days: 90 },
      { state: 'completed', output: null, failures: 0, days: 90 },
      { state: 'completed', output: null, failures: 1, days: 90 },
      { state: 'completed', output: null, failures: 1, days: 90 },
      { state: 'failed', output: { reason: 'no \uFFFD way' }, failures: 2, days: 90 },
    ])
  })
})

async function kept(store: Store) {
  const { rows } = await sql`
    select state, output, (data->>'failures')::int as failures,
      round(deletion_seconds / 86400.0)::int as days
    from pgboss.job order by state, failures`.execute(store)
  return rows
}

describe('a job of the file', () => {
  beforeEach(prepare)
  afterEach(() => moving.remove())

  test('that ended long ago is remembered for the rest of its time', async () => {
    await moving.write((store) =>
      store
        .updateTable('jobs')
        .set({ updated_at: now() - 60 * 86_400 })
        .where('key', '=', 'greeted')
        .execute(),
    )
    const days = (await kept(await moved())).map((row) => Object(row).days)
    expect(days.toSorted((one, other) => one - other)).toEqual([30, 90, 90, 90])
  })

  test('that failed before has so many tries less', async () => {
    const store = await moved()
    const queue = await PgBossQueue.open({ url: moving.target.address, store, log, tries: 2 })
    try {
      queue.handle('greet', async () => {
        throw new Error('still busy')
      })
      queue.start()
      await eventually(async () =>
        expect(await kept(store)).toContainEqual(
          expect.objectContaining({ state: 'failed', output: { reason: 'still busy' } }),
        ),
      )
    } finally {
      await queue.stop()
    }
  })
})

describe('the command', () => {
  beforeEach(prepare)
  afterEach(() => moving.remove())

  test('prints what it moved, and what to do next', async () => {
    const { out } = await moving.run()
    expect(out).toMatch(/^lines +2 +\d+\.\d s$/mu)
    expect(out).toMatch(/^deliveries +3 +\d+\.\d s$/mu)
    expect(out).toMatch(/^jobs +4 +\d+\.\d s$/mu)
    expect(out).toMatch(/^Moved \d+ rows in \d+\.\d s\. All were read back and are the same/mu)
    expect(out).toContain('Now set DATABASE_URL')
    expect(out).not.toContain('password')
  })

  test('moves to the database of the environment where none is named', async () => {
    const env = { DATABASE_URL: moving.target.address }
    const said = await moveWith([`file:${moving.source.address}`], undefined, env)
    expect(said).toMatchObject({ code: 0, error: '' })
    expect(said.out).toMatch(/^Moved \d+ rows/mu)
    expect((await moving.run()).out).toContain('It is moved already')
  })

  test('says a second time that it is moved, and changes nothing', async () => {
    const target = await moved()
    const before = await allOf(target)
    await moving.target.close()
    const { code, out } = await moving.run()
    expect(code).toBe(0)
    expect(out).toContain('It is moved already')
    expect(await allOf(await moving.target.open())).toEqual(before)
  })

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['has rows more', (store) => tell(store, 'Newt')],
    ['has rows less', (store) => sql`delete from lines where id = 'x'`.execute(store)],
    [
      'has other values',
      (store) =>
        store
          .updateTable('lines')
          .set({ shown_at: maxShown - 1 })
          .execute(),
    ],
    ['has other jobs', (store) => sql`delete from pgboss.job where name = 'fail'`.execute(store)],
  ])('refuses a database that %s since, and changes nothing', async (_, change) => {
    const target = await moved()
    await change(target)
    const before = await allOf(target)
    await moving.target.close()
    const { code, error } = await moving.run()
    expect(code).toBe(1)
    expect(error).toMatch(/^The PostgreSQL database has rows of its own \(.*create it anew.*\n$/u)
    expect(await allOf(await moving.target.open())).toEqual(before)
  })

  test('refuses where the file went on after it was moved', async () => {
    await moved()
    await moving.target.close()
    await moving.write((store) => tell(store, 'Newt'))
    expect(await moving.run()).toMatchObject({
      code: 1,
      error: expect.stringContaining('in the file, not the same)'),
    })
  })

  test('moves nothing at all where something can’t be moved', async () => {
    // SQLite takes any value in any column.
    await moving.write((store) => sql`update updates set attempts = 'many'`.execute(store))
    const { code, error } = await moving.run()
    expect(code).toBe(1)
    expect(error).toMatch(/^The move broke off, and nothing was changed: .*"many".*\n$/u)
    const target = await moving.target.open()
    for (const table of copiedTables) expect(await rowsOf(target, table)).toEqual([])
  })

  test('moves an installation in which nothing happened yet', async () => {
    const source = await TestDatabase.onSqlite()
    try {
      await source.open()
      await source.close()
      const other = new Move(source, moving.target)
      for (let times = 0; times < 2; times += 1)
        expect((await other.run()).out).toContain('Moved 0 rows')
    } finally {
      await source.remove()
    }
  })
})

async function allOf(store: Store): Promise<string[][]> {
  const tables = [...copiedTables, 'pgboss.job']
  const all: string[][] = []
  for (const table of tables) all.push(await rowsOf(store, table))
  return all
}
