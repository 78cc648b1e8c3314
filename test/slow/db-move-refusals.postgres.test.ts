import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { lockFile } from '../../src/db/file-lock.ts'
import { releaseLease, takeLease } from '../../src/db/leases.ts'
import type { Store } from '../../src/db/schema.ts'
import { Move, move, moveWith } from '../contract/db/moving.ts'
import { oldPostgres } from '../contract/db/old-postgres.ts'

vi.setConfig({ testTimeout: 60_000 })

let moving: Move
let file: string
let url: string
beforeEach(async () => {
  moving = await Move.prepare()
  await moving.write(async () => undefined)
  file = `file:${moving.source.address}`
  url = moving.target.address
})
afterEach(() => moving.remove())

/** What the command said, in one line and with exit code 1; how it is used may follow. */
async function refusal(from = file, to = url): Promise<string> {
  const { code, error } = await move(from, to)
  expect(code).toBe(1)
  const [line, ...more] = error.split('\n')
  expect(more.join('\n')).toMatch(/^(?:Usage: .*)?$/su)
  return line ?? ''
}

describe('it is refused to move', () => {
  test.each([[[]], [['file:a']], [['file:a', 'postgres://b/c', 'd']]])(
    'other than two databases: %j',
    async (given) => {
      const { code, error } = await moveWith(given)
      expect(code).toBe(1)
      expect(error).toContain('Two databases are needed')
      expect(error).toContain('Usage: npm run move -- file:')
    },
  )

  test('other than from a file to PostgreSQL', async () => {
    expect(await refusal(file, file)).toContain('It is moved to a PostgreSQL database')
    expect(await refusal(url, url)).toContain('must be a file')
    expect(await refusal(url, file)).toContain('must be a file')
    expect(await refusal(file, 'mysql://gavel:secret@host/gavel')).not.toContain('secret')
    expect(await refusal(file, 'postgres://host')).toContain('such as postgres://')
  })

  test('to a URL whose password is not percent-encoded, none of which is repeated', async () => {
    const { code, out, error } = await move(file, 'postgres://gavel:12/secret@127.0.0.1:1/x')
    expect(code).toBe(1)
    expect(error).toContain('in the password write @ : / ? # % as %40')
    expect(out + error).not.toContain('secret')
  })

  test('to what the environment names, where that is no PostgreSQL database', async () => {
    const { code, error } = await moveWith([file], undefined, { DATABASE_URL: file })
    expect(code).toBe(1)
    expect(error).toContain('It is moved to a PostgreSQL database')
  })

  test('a file that is not there, and none is made', async () => {
    const other = `${moving.source.address}.other`
    expect(await refusal(`file:${other}`)).toContain(`There is no file ${other}`)
    expect([other, `${other}.lock`].filter(existsSync)).toEqual([])
    await mkdir(other)
    expect(await refusal(`file:${other}`)).toContain(`There is no file ${other}`)
  })

  test('a file that is none of Gavel’s, and nothing is made beside it', async () => {
    const other = `${moving.source.address}.other`
    await writeFile(other, 'these are my notes, not a database\n'.repeat(100))
    expect(await refusal(`file:${other}`)).toBe(`${other} is no database of Gavel's.`)
    await writeFile(other, '')
    expect(await refusal(`file:${other}`)).toBe(`${other} is no database of Gavel's.`)
    expect(existsSync(`${other}.lock`)).toBe(false)
  })

  test('a file of a newer Gavel', async () => {
    await moving.write((store) =>
      sql`insert into kysely_migration values ('9999_later', '')`.execute(store),
    )
    expect(await refusal()).toMatch(/used by a newer Gavel than this one \(it has 9999_later\)/u)
  })

  test('a file of an older Gavel', async () => {
    await moving.write((store) =>
      sql`delete from kysely_migration where name like '0006%'`.execute(store),
    )
    expect(await refusal()).toContain('start this one on it once')
  })

  test('a file on which a Gavel runs', async () => {
    const letGo = lockFile(moving.source.address)
    try {
      expect(await refusal()).toMatch(/^A Gavel uses .*Stop it/u)
    } finally {
      letGo()
    }
  })

  test('to a database on which a Gavel runs', async () => {
    await moving.target.open()
    expect(await refusal()).toContain('A Gavel runs on the PostgreSQL database')
  })

  test('to a database on which a Gavel was killed a moment ago', async () => {
    const holder = randomUUID()
    const on = async (use: (store: Store) => Promise<unknown>) => {
      await use(await moving.target.open())
      await moving.target.close()
    }
    await on((store) => takeLease(store, 'watch', holder, 600_000))
    expect(await refusal()).toContain('killed less than 15 seconds ago')
    await on((store) => releaseLease(store, 'watch', holder))
    expect(await move(file, url)).toMatchObject({ code: 0 })
  })

  test('to a database in which somebody else writes', async () => {
    await moving.target.open()
    await moving.target.close()
    const somebody = new Client({ connectionString: url })
    await somebody.connect()
    try {
      await somebody.query("begin; insert into lines (id, line, shown_at) values ('a', 'b', 1)")
      expect(await refusal()).toContain('Somebody else writes to the PostgreSQL database')
    } finally {
      await somebody.end()
    }
  })

  test('to a database that is not there, or whose password is wrong, which is not repeated', async () => {
    const other = new URL(url)
    other.pathname = '/elsewhere'
    expect(await refusal(file, other.href)).toMatch(/^The database postgres:\S+ can't be opened/u)
    other.password = 'wrong-password'
    const { out, error } = await move(file, other.href)
    expect(error).toContain('password authentication failed')
    expect(out + error).not.toContain('wrong-password')
  })

  test('to a PostgreSQL that is too old, or not there', async () => {
    const old = await oldPostgres('13.22')
    expect(await refusal(file, old.url)).toContain('it is PostgreSQL 13.22, and 14 or newer')
    await old.close()
    expect(await refusal(file, old.url)).toContain('ECONNREFUSED')
  })
})
