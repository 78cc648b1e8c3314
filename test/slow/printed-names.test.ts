import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/db/database.ts'
import { runProgram } from '../run-program.ts'

const crafted = '\u001b[2J\u009b31m\u202ea  b'
const acting = /[[\p{Cc}\p{Bidi_Control}]--[\n]]/v

test('what somebody wrote into a database acts on no terminal that npm run admin or npm run move prints to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gavel-printed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'gavel.db')
  const store = await openStore(file)
  await store
    .insertInto('admin_log')
    .values({ done_at_s: 1, who: crafted, what: crafted, outcome: crafted })
    .execute()
  await store.destroy()
  const admin = (...words: string[]) =>
    runProgram(['src/admin/main.ts', ...words], { DATABASE_URL: `file:${file}` })
  const move = (...words: string[]) => runProgram(['src/move.ts', ...words], {})
  const log = await admin('log')
  expect(log).toMatchObject({ code: 0, stderr: '' })
  const unknown = await admin(crafted)
  const database = new DatabaseSync(file)
  database
    .prepare('insert into kysely_migration (name, timestamp) values (?, ?)')
    .run(`moved to ${crafted}`, '2026')
  database.close()
  const sealed = await admin('log')
  const again = await move(`file:${file}`, 'postgres://gavel:x@localhost:1/gavel')
  const unsealed = await move('--unseal', `file:${file}`)
  expect([unknown.code, sealed.code, again.code, unsealed.code]).toEqual([1, 1, 1, 0])
  for (const { stdout, stderr } of [log, unknown, sealed, again, unsealed]) {
    expect(stdout + stderr).toContain('a')
    expect(stdout + stderr).not.toMatch(acting)
  }
})
