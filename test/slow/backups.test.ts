import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiServer } from '../../sandbox/api/server.ts'
import { type Bot, startBot } from '../../sandbox/bot.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { openStore } from '../../src/db/database.ts'
import { shellBlocks } from '../operators-pages.ts'
import { InstalledPostgres } from './installed-postgres.ts'

vi.setConfig({ testTimeout: 60_000 })

const run = promisify(execFile)
const project = join(import.meta.dirname, '../..')
const blocks = shellBlocks('upgrades-and-backups.md').map(({ text }) => text)
const key = 'an-api-key-for-tests'
const token = '4242:telegram-token-for-tests'

/** Where the bot runs, as a checkout of it is laid out. */
let folder: string
let api: ApiServer
let telegram: TelegramServer
let bot: Bot | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-backups-'))
  await mkdir(join(folder, 'data'))
  await symlink(join(project, 'node_modules'), join(folder, 'node_modules'))
  api = await ApiServer.start({ key })
  telegram = await TelegramServer.start({ token, floodLimits: false })
})
afterEach(async () => {
  await bot?.kill()
  await Promise.all([api.stop(), telegram.stop()])
  await rm(folder, { recursive: true, force: true })
})

/** A copy that is being made. */
const partName = expect.stringMatching(/\.part$/u)

const file = () => join(folder, 'data', 'gavel.db')
const copies = () => join(folder, 'data', 'backups')

async function start(env: Record<string, string> = {}): Promise<Bot> {
  bot = await startBot({
    env: {
      API_BASE_URL: api.baseUrl,
      API_KEY: key,
      TELEGRAM_TOKEN: token,
      TELEGRAM_API_ROOT: telegram.root,
      DATABASE_URL: `file:${file()}`,
      PORT: '0',
      ...env,
    },
  })
  return bot
}

/** The bot is asked, as an operator's monitoring asks it. */
async function get(of: Bot, path: string): Promise<string> {
  return (await fetch(new URL(path, of.healthUrl))).text()
}

async function remember(id: string, database = file()): Promise<void> {
  const store = await openStore(database)
  await store
    .insertInto('callback_lines')
    .values({ id, line: 'asset OTTER', shown_at_s: maxShown })
    .execute()
  await store.destroy()
}

/** Never too old to be kept. */
const maxShown = Number.MAX_SAFE_INTEGER

async function remembered(database = file()): Promise<string[]> {
  const store = await openStore(database)
  const rows = await store.selectFrom('callback_lines').select('id').orderBy('id').execute()
  await store.destroy()
  return rows.map(({ id }) => id)
}

/** The commands of the page that begin so, as they stand there. */
function commands(start: string): string {
  const block = blocks.find((text) => text.startsWith(start))
  if (block === undefined) throw new Error(`no commands begin with ${start}`)
  return block
}

/** Runs them where the bot runs. */
async function follow(script: string): Promise<void> {
  await run('bash', ['-euc', script], { cwd: folder })
}

const copyAtOnce = () => commands('node -e "new (require(')
/** The old file is put aside; then a copy made by hand, or the newest of the daily ones, takes its place. */
const [putAside = '', copyBack = ''] = commands('mkdir -m 700 data/old').split('\n')
const newestBack = commands('cp "$(ls data/backups')

test('the bot makes a copy, says how old it is, and is as it was then once it is restored as the documents say', async () => {
  await remember('before')
  const made = await start({ BACKUP_DIR: copies() })
  const logged = () => made.logs.map(({ msg }) => msg)
  await expect.poll(logged).toContain('the database was backed up')
  const { parts } = JSON.parse(await get(made, '/healthz'))
  expect(parts.backup).toEqual({ state: 'ok', age: expect.any(Number) })
  expect(await get(made, '/metrics')).toMatch(/^gavel_backup_age_seconds \d+$/mu)
  expect(await made.stop()).toEqual({ code: 0, signal: null })
  await remember('since')
  expect(await remembered()).toEqual(['before', 'since'])
  await follow(`${putAside}\n${newestBack}`)
  expect(await remembered()).toEqual(['before'])
  await start({ BACKUP_DIR: copies() })
})

test('a copy that a kill -9 broke off is no copy, and the next start makes a whole one', async () => {
  const first = await start()
  await first.stop()
  const large = new Database(file())
  large.exec('create table filler (text text)')
  const insert = large.prepare('insert into filler values (?)')
  large.transaction(() => {
    for (let row = 0; row < 3_000; row += 1) insert.run('x'.repeat(100_000))
  })()
  large.close()
  const killed = await start({ BACKUP_DIR: copies() })
  const found = () => readdir(copies()).catch(() => [])
  await expect.poll(found, { interval: 5, timeout: 20_000 }).toContainEqual(partName)
  await killed.kill()
  bot = undefined
  const after = await start({ BACKUP_DIR: copies() })
  const health = async () => JSON.parse(await get(after, '/healthz'))
  await expect
    .poll(health, { timeout: 30_000 })
    .toMatchObject({ parts: { backup: { state: 'ok' } } })
  const names = await found()
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([])
  for (const name of names) {
    const copy = new Database(join(copies(), name), { readonly: true })
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(copy.prepare('select count(*) from filler').pluck().get()).toBe(3_000)
    copy.close()
  }
})

test('the documents’ command copies the database of a bot that runs, and it is as it was then once it is restored', async () => {
  await remember('before')
  const running = await start()
  await follow(copyAtOnce())
  await running.stop()
  await remember('since')
  await follow(`${putAside}\n${copyBack}`)
  expect(await remembered()).toEqual(['before'])
})

describe('a disk that fills during a copy', () => {
  const script = `
    import { Backups } from ${JSON.stringify(join(project, 'src/backup/backups.ts'))}
    import { createLogger } from ${JSON.stringify(join(project, 'src/log.ts'))}
    const [, , file, folder] = process.argv
    const log = createLogger('info', [])
    const backups = new Backups({ file, folder, keep: 3, now: () => 1_700_000_000, log })
    const task = backups.start()
    while (backups.state().state === 'none yet') await new Promise((go) => setTimeout(go, 20))
    await task.stop()
    log.info(backups.state(), 'done')
  `

  test('is said in one line; nothing is left of the copy, and the database is as it was', async () => {
    await remember('before')
    await writeFile(join(folder, 'full.mjs'), script)
    const args = [process.execPath, join(folder, 'full.mjs'), file(), copies()]
    // One byte more is what a full disk is to a process.
    const { stdout } = await run('prlimit', ['--fsize=20000:unlimited', ...args])
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        msg: expect.stringContaining('no backup could be made in'),
        reason: expect.stringMatching(/^(?:disk I\/O error|database or disk is full)$/u),
      }),
      expect.objectContaining({ state: 'failed' }),
    ])
    expect(await readdir(copies())).toEqual([])
    expect(await remembered()).toEqual(['before'])
  })
})

test('a start warns of what others can read: the settings’ file, the database, a key on its way', async () => {
  await remember('before')
  await run('chmod', ['755', folder, join(folder, 'data')])
  await run('chmod', ['644', file()])
  const env = join(folder, '.env')
  await writeFile(
    env,
    [
      `API_BASE_URL=${api.baseUrl}`,
      `API_KEY=${key}`,
      `TELEGRAM_TOKEN=${token}`,
      `TELEGRAM_API_ROOT=${telegram.root}`,
      `DATABASE_URL=file:${file()}`,
      'RPC_URLS={"8453":"http://rpc.example.org/v2/a-key-of-more-than-sixteen"}',
      'PORT=0',
    ].join('\n'),
    { mode: 0o644 },
  )
  const args = [`--env-file=${env}`, join(project, 'src/main.ts')]
  const started = execFile(process.execPath, args, { cwd: project, env: {} })
  let out = ''
  started.stdout?.on('data', (text: string) => {
    out += text
  })
  try {
    await expect.poll(() => out, { timeout: 20_000 }).toContain('"ready"')
  } finally {
    started.kill('SIGKILL')
  }
  const warnings = out.split('\n').filter((line) => line.includes('"level":"warn"'))
  expect(warnings.map((line) => JSON.parse(line).msg)).toEqual([
    expect.stringMatching(/^RPC_URLS: the key in the address of chain 8453’s node is sent over/u),
    `other users of this machine can read ${file()}: chmod o-rwx ${file()}`,
    `other users of this machine can read ${env}: chmod o-rwx ${env}`,
  ])
  expect(out).not.toContain('a-key-of-more')
})

// Packages of Node.js lack pg_dump, which must be as new as the server: so with PostgreSQL's own, where it is installed.
test.each(InstalledPostgres.find())(
  'a PostgreSQL database that is saved and restored by the documents’ commands is as it was then ($version)',
  async (installed) => {
    const server = await installed.start()
    try {
      const onPostgres = async (script: string) =>
        server.administer(script.replaceAll('postgres://gavel@host/gavel', server.url))
      await onPostgres('createdb --owner=gavel gavel')
      await remember('before', server.url)
      await onPostgres(commands('pg_dump '))
      await remember('since', server.url)
      expect(await remembered(server.url)).toEqual(['before', 'since'])
      await onPostgres(commands('sudo -u postgres dropdb'))
      expect(await remembered(server.url)).toEqual(['before'])
    } finally {
      await server.stop()
    }
  },
)
