import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoredCallbacks } from '../../../src/db/callback-lines.ts'
import { isPostgres } from '../../../src/db/database.ts'
import { createLogger } from '../../../src/log.ts'
import { TestDatabase } from '../../database.ts'
import { hostileText } from '../../hostile.ts'

const day = 86_400

let database: TestDatabase
let now: number
let logged: string[]

async function open(): Promise<StoredCallbacks> {
  const store = await database.open()
  const log = createLogger('error', [], { write: (line: string) => void logged.push(line) })
  return new StoredCallbacks(store, () => now, log)
}

beforeEach(async () => {
  database = await TestDatabase.make()
  logged = []
  now = 1_700_000_000
})
afterEach(() => database.remove())

async function kept(lines: StoredCallbacks, line: string): Promise<string> {
  const id = await lines.store(line)
  if (id === undefined) throw new Error(`not kept: ${logged.join()}`)
  return id
}

test('a line is found by a short id, even after the file was closed', async () => {
  const id = await kept(await open(), 'search "moon otter" chain:8453')
  expect(id).toMatch(/^[\w-]{16}$/u)
  await database.close()
  expect(await (await open()).find(id)).toBe('search "moon otter" chain:8453')
})

test('any line is read back as it was, and a line always has the same id', async () => {
  const store = await database.open()
  const log = createLogger('silent', [])
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const line = text.toWellFormed()
      const lines = new StoredCallbacks(store, () => now, log)
      const id = await kept(lines, line)
      expect(await lines.find(id)).toBe(line)
      expect(await lines.store(line)).toBe(id)
      // PostgreSQL's text has no such character.
      const stored = isPostgres(database.address) ? line.replaceAll('\0', '\uFFFD') : line
      expect(await new StoredCallbacks(store, () => now, log).find(id)).toBe(stored)
    }),
    { numRuns: 200 },
  )
})

test.each(['', 'AAAAAAAAAAAAAAAA', "' or 1=1 --", '__proto__'])(
  'nothing is found under %j',
  async (id) => {
    const lines = await open()
    await lines.store('help')
    expect(await lines.find(id)).toBeUndefined()
  },
)

test('two connections to the same file find each other’s lines', async () => {
  const [one, other] = [await open(), await open()]
  const id = await kept(one, 'asset OTTER')
  expect(await other.find(id)).toBe('asset OTTER')
  expect(await other.store('asset OTTER')).toBe(id)
  expect(await one.prune()).toBe(0)
})

test('lines that were not shown for half a year are deleted, and nothing else', async () => {
  const lines = await open()
  const old = await kept(lines, 'old')
  const shownAgain = await kept(lines, 'shown again')
  now += 100 * day
  await lines.store('shown again')
  const recent = await kept(lines, 'recent')
  now += 80 * day
  expect(await lines.prune()).toBe(0)
  now += 1
  expect(await lines.prune()).toBe(1)
  expect(await lines.find(old)).toBeUndefined()
  expect(await lines.find(shownAgain)).toBe('shown again')
  expect(await lines.find(recent)).toBe('recent')
  now += 101 * day
  expect(await lines.prune()).toBe(2)
})

test('a line that can’t be stored has no id, is logged without ending anything, and is tried again', async () => {
  const lines = await open()
  const store = await database.open()
  await store.schema.alterTable('callback_lines').renameTo('gone').execute()
  expect(await lines.store('asset OTTER')).toBeUndefined()
  expect(logged.join()).toContain('a button was left out')
  await store.schema.alterTable('gone').renameTo('callback_lines').execute()
  expect(await lines.find(await kept(lines, 'asset OTTER'))).toBe('asset OTTER')
})

test('a line shown again and again is written once an hour', async () => {
  const lines = await open()
  const store = await database.open()
  const shownAt = async () =>
    (await store.selectFrom('callback_lines').select('shown_at_s').execute()).map(
      (row) => row.shown_at_s,
    )
  const first = now
  await kept(lines, 'asset OTTER')
  now += 3_599
  await kept(lines, 'asset OTTER')
  expect(await shownAt()).toEqual([first])
  now += 1
  await kept(lines, 'asset OTTER')
  expect(await shownAt()).toEqual([now])
})

test('of too many lines those not shown for longest are deleted, and can be stored again', async () => {
  const lines = await open()
  const store = await database.open()
  const oldest = await kept(lines, 'asset OTTER')
  await sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 200000)
    insert into callback_lines (id, line, shown_at_s)
    select 'line-' || i, 'x', ${sql.lit(now + 1)} + i from n`.execute(store)
  expect(await lines.prune()).toBe(2)
  expect(await lines.find(oldest)).toBeUndefined()
  expect(await lines.find('line-0')).toBeUndefined()
  expect(await lines.find('line-1')).toBe('x')
  expect(await lines.find(await kept(lines, 'asset OTTER'))).toBe('asset OTTER')
})
