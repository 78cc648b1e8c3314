import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiServer } from '../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Bot, startBot } from '../../sandbox/bot.ts'
import { ada } from '../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import { inProduction } from '../lock-file.ts'

// The first picture waits for the process that draws.
vi.setConfig({ testTimeout: 120_000 })

const key = 'an-api-key-for-tests'
const token = '4242:telegram-token-for-tests'

let scratch: string
/** The folder of the image in which the bot lies. */
let folder: string
let installedBytes: number
let dockerfile: string
let apiServer: ApiServer
let telegram: TelegramServer
let bot: Bot
beforeAll(async () => {
  dockerfile = (await readFile('Dockerfile', 'utf8')).replaceAll('\\\n', ' ')
  scratch = await mkdtemp(join(tmpdir(), 'gavel-image-'))
  folder = join(scratch, 'image')
  await fill()
  apiServer = await ApiServer.start({ key })
  telegram = await TelegramServer.start({ token, floodLimits: false })
  bot = await startBot({
    program: join(folder, 'dist/main.js'),
    env: {
      API_BASE_URL: apiServer.baseUrl,
      API_KEY: key,
      TELEGRAM_TOKEN: token,
      TELEGRAM_API_ROOT: telegram.root,
      DATABASE_URL: `file:${join(folder, 'data/gavel.db')}`,
      PORT: '0',
      // With both the signing page is made of its sources at the start.
      PUBLIC_URL: 'http://127.0.0.1:4280',
      TEMPLATES: '[{"id":"standard","label":"Standard","chain":8453,"about":"The usual"}]',
    },
  })
})
afterAll(async () => {
  await bot?.kill()
  await Promise.all([apiServer?.stop(), telegram?.stop()])
  await rm(scratch, { recursive: true, force: true })
})

/** Does what the Dockerfile says, with the packages of this checkout in place of those of the registry. */
async function fill(): Promise<void> {
  const [making = '', image = ''] = dockerfile.split(/^FROM .+$/mu).slice(1)
  const stage = join(scratch, 'packages')
  for (const [, instruction, words = ''] of making.matchAll(/^(COPY|RUN) (.+)$/gmu)) {
    if (instruction === 'COPY') await copy(words, '.', stage)
    else if (words.startsWith('npm ci ')) await install(stage)
    else run(words, stage)
  }
  for (const [, words = ''] of image.matchAll(/^COPY (.+)$/gmu)) {
    const made = /^--from=packages \/app\/(?<path>\S+ \S+)$/u.exec(words)?.groups?.path
    if (made === undefined) await copy(words, '.', folder)
    else await copy(made, stage, folder)
  }
}

async function copy(words: string, from: string, to: string): Promise<void> {
  const paths = words.split(' ')
  const target = paths.pop() ?? ''
  for (const path of paths) {
    const name = target === './' ? path : target
    await cp(join(from, path), join(to, name), { recursive: true })
  }
}

/** Copies what `npm ci --omit=dev` installs. */
async function install(to: string): Promise<void> {
  for (const path of inProduction.filter((each) => existsSync(each))) {
    const own = (file: string) => !file.slice(path.length).includes('node_modules')
    await cp(path, join(to, path), { recursive: true, filter: own })
  }
  installedBytes = await bytesIn(to)
}

function run(command: string, cwd: string): void {
  // Nothing outside of the folder is touched here.
  expect(command).not.toMatch(/[\s'"=]\//u)
  // Whoever runs the tests may not give files away.
  execFileSync('sh', ['-ec', `chown() { :; }\n${command}`], { cwd, stdio: 'inherit' })
}

async function bytesIn(path: string): Promise<number> {
  const files = await readdir(path, { recursive: true, withFileTypes: true })
  const sizes = files
    .filter((file) => file.isFile())
    .map(async (file) => (await lstat(join(file.parentPath, file.name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

/** Runs the image's own health check and returns its exit code. */
async function healthCheck(port: string): Promise<unknown> {
  const command = /^HEALTHCHECK .*CMD (?<words>\[.+\])$/mu.exec(dockerfile)?.groups?.words ?? ''
  const [name = '', ...words] = z.array(z.string()).parse(JSON.parse(command))
  expect(name).toBe('node')
  const child = execFile(process.execPath, words, { env: { PORT: port } })
  const [code] = await once(child, 'exit')
  return code
}

test('installed are less than 210 MB, and the image has 110 MB at most beside Node.js', async () => {
  expect(installedBytes / 1_000_000).toBeLessThan(210)
  expect((await bytesIn(folder)) / 1_000_000).toBeLessThanOrEqual(110)
})

test('the programs that the guide runs find all that they import in the image', () => {
  const guide = globSync('docs/operating/*.md').map((page) => readFileSync(page, 'utf8'))
  const programs = new Set(guide.join('\n').match(/\bsrc\/[\w/-]+\.ts\b/gu))
  expect(programs).toContain('src/doctor/main.ts')
  for (const program of programs) {
    // Without any setting each of them says what is missing, and ends.
    const { status, stderr, stdout } = spawnSync(process.execPath, [program], {
      cwd: folder,
      env: {},
      encoding: 'utf8',
    })
    expect(`${stdout}${stderr}`).not.toContain('ERR_MODULE_NOT_FOUND')
    expect(status, `${program}: ${stdout}${stderr}`).not.toBe(null)
  }
})

test('the bot needs nothing but what is in the image, also for pictures', async () => {
  const pictures = () =>
    telegram.people.messages(ada.id).filter(({ photo }) => photo !== undefined).length
  // Without its picture where a busy machine takes too long for it; the next answer has it.
  await expect
    .poll(
      () => {
        telegram.people.text(ada.id, ada.id, `/asset ${showcaseAddresses.moonOtter}`)
        return pictures()
      },
      { timeout: 60_000, interval: 2_000 },
    )
    .toBeGreaterThan(0)
})

test('the image’s health check passes only while the bot runs', async () => {
  const { port } = new URL(bot.healthUrl ?? '')
  expect(await healthCheck(port)).toBe(0)
  expect(await bot.stop()).toEqual({ code: 0, signal: null })
  expect(await healthCheck(port)).toBe(1)
})
