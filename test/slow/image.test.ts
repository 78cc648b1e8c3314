import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ApiServer } from '../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../sandbox/api/showcase.ts'
import { type Bot, startBot } from '../../sandbox/bot.ts'
import { ada } from '../../sandbox/telegram/cast.ts'
import { TelegramServer } from '../../sandbox/telegram/server.ts'

// The first picture waits for the process that draws.
vi.setConfig({ testTimeout: 120_000 })

const key = 'an-api-key-for-tests'
const token = '4242:telegram-token-for-tests'
const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })),
})

let folder: string
let dockerfile: string
let apiServer: ApiServer
let telegram: TelegramServer
let bot: Bot
beforeAll(async () => {
  dockerfile = (await readFile('Dockerfile', 'utf8')).replaceAll('\\\n', ' ')
  folder = await mkdtemp(join(tmpdir(), 'gavel-image-'))
  await fill()
  apiServer = await ApiServer.start({ key })
  telegram = await TelegramServer.start({ token, floodLimits: false })
  bot = await startBot({
    program: join(folder, 'src/main.ts'),
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
  await rm(folder, { recursive: true, force: true })
})

/** Lays out what the image has: the files that are copied there, and no packages but those that are left there. */
async function fill(): Promise<void> {
  for (const [, from = '', to = ''] of dockerfile.matchAll(/^COPY ([\w.]+) ([\w.]+)$/gmu)) {
    await cp(from, join(folder, to), { recursive: true })
  }
  const { packages } = lockSchema.parse(JSON.parse(await readFile('package-lock.json', 'utf8')))
  const removed = /rm -rf (?<paths>.+?) +&&/u.exec(dockerfile)?.groups?.paths?.split(/\s+/u) ?? []
  const left = Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/u.test(path) && !dev)
    .map(([path]) => path)
    .filter(
      (path) => existsSync(path) && !removed.some((each) => `${path}/`.startsWith(`${each}/`)),
    )
  for (const path of left) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(resolve(path), join(folder, path))
  }
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
