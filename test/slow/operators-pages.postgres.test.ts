import { spawn } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiServer } from '../../sandbox/api/server.ts'
import { moduleEntries } from '../../sandbox/chain/modules.ts'
import { DiscordServer } from '../../sandbox/discord/server.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { TestDatabase } from '../database.ts'
import { freePort } from '../free-port.ts'
import { operatorsPages, shellBlocks } from '../operators-pages.ts'

// A page starts a process for each of its commands.
vi.setConfig({ testTimeout: 240_000 })

const key = 'an-api-key-for-tests'
const telegramToken = '4242:telegram-token-for-tests'
const discordToken = 'discord.token-for.tests'

/** What a checkout has that its commands read; beside it there is what they write. */
const copied = ['package.json', 'package-lock.json', '.env.example', 'compose.yaml', 'Dockerfile']
const linked = ['src', 'commands', 'locales', 'assets', 'deploy', 'node_modules']

let apiServer: ApiServer
let telegram: TelegramServer
let discord: DiscordServer
let database: TestDatabase
let folder: string
let port: number

beforeEach(async () => {
  apiServer = await ApiServer.start({ key })
  telegram = await TelegramServer.start({ token: telegramToken, floodLimits: false })
  discord = await DiscordServer.start({ token: discordToken, rateLimits: false })
  database = await TestDatabase.onEmptyPostgres()
  port = await freePort()
  folder = await mkdtemp(join(tmpdir(), 'gavel-pages-'))
  for (const each of copied) await cp(each, join(folder, each))
  for (const each of linked) await symlink(resolve(each), join(folder, each))
})
afterEach(async () => {
  await Promise.all([apiServer.stop(), telegram.stop(), discord.stop()])
  await database.remove()
  await rm(folder, { recursive: true, force: true })
})

/** Settings as a reader fills them in, with stand-ins for what is not on this machine. */
function settings(): string {
  return Object.entries({
    API_BASE_URL: apiServer.baseUrl,
    API_KEY: key,
    TELEGRAM_TOKEN: telegramToken,
    TELEGRAM_API_ROOT: telegram.root,
    DISCORD_TOKEN: discordToken,
    DISCORD_API_ROOT: discord.root,
    PORT: port,
    TEMPLATES: JSON.stringify(sandboxTemplates),
    MODULES: JSON.stringify({ 8453: moduleEntries }),
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/**
 * What the shell of the test does otherwise: npm ci looks whether everything could be installed, and npm start goes on
 * beside what follows, once the bot is ready.
 */
const preamble = `
set -e -o pipefail
npm() {
  if [[ $1 = ci ]]; then command npm "$@" --dry-run --offline >/dev/null; return; fi
  if [[ $1 != start ]]; then command npm "$@"; return; fi
  node --env-file-if-exists=.env src/main.ts >bot.log 2>&1 &
  bot=$!
  until grep -q '"msg":"ready"' bot.log; do kill -0 $bot; sleep 0.2; done
}
stop() { if [[ -n $bot ]]; then kill -TERM $bot; wait $bot; bot=; fi }
add_group() {
  sqlite "insert into chats (platform, kind, chat, thread, muted_until_s, next_at_ms, created_at_s)
    values ('telegram', 'chat', '-100123456', '', 0, 0, unixepoch())"
}
sqlite() { node -e "new (require('better-sqlite3'))('data/gavel.db').exec(process.argv[1])" "$1"; }
fill_in() { cat settings >>.env; }
trap 'code=$?; [[ -z $bot ]] || kill -KILL $bot; [[ $code = 0 ]] || tail -n 5 bot.log; exit $code' EXIT
`

/** What a reader does before a block, by its first line: what the words above it say. */
const before: Readonly<Record<string, string>> = {
  'npm ci --omit=dev': 'fill_in',
  'npm run move -- file:data/gavel.db':
    'npm start; stop; echo "DATABASE_URL=$TEST_DATABASE" >>.env',
  'curl --fail http://127.0.0.1:8080/healthz': 'npm start',
  'upgrades-and-backups.md: curl --fail http://127.0.0.1:8080/readyz': 'npm start',
  'mkdir -m 700 data/old && mv data/gavel.db* data/old/': 'stop',
  'cp "$(ls data/backups/gavel-*.db | tail -n 1)" data/gavel.db':
    'mkdir data/backups; cp gavel-copy.db data/backups/gavel-20261123T040000Z.db',
  'admin.md: npm run admin -- help': 'npm start; add_group',
  'runbook.md: curl http://127.0.0.1:8080/readyz': 'npm start; add_group',
  'npm run admin -- forget person telegram:123456': 'npm start',
}

/** Runs a script in the folder; resolves to its exit code and all that it wrote. */
async function bash(script: string): Promise<{ code: number | null; output: string }> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: folder,
    env: { PATH: `${resolve('node_modules/.bin')}:${PATH}`, HOME, TEST_DATABASE: database.address },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const code = new Promise<number | null>((done) => child.once('close', done))
  const output = await textOf(child.stdout)
  return { code: await code, output }
}

const pages = operatorsPages.flatMap((page) => {
  const blocks = shellBlocks(page).filter(({ lacks }) => lacks.length === 0)
  return blocks.length > 0 ? [{ page, blocks }] : []
})

test.each(pages)('the commands of $page do what they are for', async ({ page, blocks }) => {
  await appendFile(join(folder, 'settings'), settings())
  const startsAtNothing = blocks.some(({ text }) => text.includes('cp .env.example .env'))
  if (!startsAtNothing) await cp(join(folder, 'settings'), join(folder, '.env'))
  const script = blocks.flatMap(({ name, text }) => [
    `echo "## ${page}"`,
    before[`${page}: ${name}`] ?? before[name] ?? '',
    text.replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`),
  ])
  const { code, output } = await bash([preamble, ...script, 'stop'].join('\n'))
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
})

test('what a reader does before a block stands before one that there is', () => {
  const names = pages.flatMap(({ page, blocks }) =>
    blocks.flatMap(({ name }) => [name, `${page}: ${name}`]),
  )
  expect(Object.keys(before).filter((name) => !names.includes(name))).toEqual([])
})
