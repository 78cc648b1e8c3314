import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openShared } from '../../../src/cluster/cluster.ts'
import { openStore } from '../../../src/db/database.ts'
import { lockFile } from '../../../src/db/sqlite.ts'
import { StoreError } from '../../../src/errors.ts'
import { createLogger } from '../../../src/log.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-sole-'))
  file = join(folder, 'data', 'gavel.db')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const share = (database: string) =>
  openShared({ database, log: createLogger('silent', []), now: () => 1, onFault: () => undefined })

test('a file is locked by one Gavel until it releases it', async () => {
  const first = await share(file)
  const again = share(file)
  await expect(again).rejects.toThrow(StoreError)
  await expect(again).rejects.toThrow(
    `Another Gavel uses the database ${file}. Stop it; to run several, set DATABASE_URL to a PostgreSQL database.`,
  )
  await first.close()
  await (await share(file)).close()
})

test('even under another path', async () => {
  const first = await share(file)
  const link = join(folder, 'link.db')
  await symlink(file, link)
  await symlink(join(folder, 'data'), join(folder, 'link'))
  await expect(share(link)).rejects.toThrow('Another Gavel')
  await expect(share(join(folder, 'link', 'gavel.db'))).rejects.toThrow('Another Gavel')
  await expect(share(join(folder, 'data', '..', 'data', 'gavel.db'))).rejects.toThrow(
    'Another Gavel',
  )
  await first.close()
})

test('a refused process does not touch the file', async () => {
  const letGo = lockFile(file)
  await expect(share(file)).rejects.toThrow('Another Gavel')
  expect(existsSync(file)).toBe(false)
  letGo()
})

test('other programs can read and write it meanwhile', async () => {
  const first = await share(file)
  const store = await openStore(file)
  await store.insertInto('bots').values({ platform: 'telegram', id: '1' }).execute()
  expect(await first.store.selectFrom('bots').select('id').execute()).toEqual([{ id: '1' }])
  await store.destroy()
  await first.close()
})

test('two databases in memory are independent', async () => {
  const both = [await share(':memory:'), await share(':memory:')]
  for (const each of both) await each.close()
})

test('a file that can’t be opened is not reported as locked, and its lock is released', async () => {
  await expect(share('/dev/null/gavel.db')).rejects.toThrow(
    /^The database \/dev\/null\/gavel\.db can't be opened: /u,
  )
  // A folder is no file. The lock's own file would be beside it.
  const notFile = join(folder, 'folder')
  await mkdir(notFile)
  await expect(share(notFile)).rejects.toThrow(/can't be opened/u)
  lockFile(notFile)()
})
