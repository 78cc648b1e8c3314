import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { compileCache } from '../../sandbox/bot.ts'
import { type Harness, startHarness } from '../e2e/harness.ts'
import { DiscordUser, TelegramUser } from '../e2e/users.ts'
import { needed } from '../settings.ts'

const { PATH = '', HOME = '' } = process.env
/** A database that nothing answers for: the start fails after the settings were read. */
const deadDatabase = { ...needed, DATABASE_URL: 'postgres://gavel:secret@127.0.0.1:1/gavel' }

describe('a start that fails ends', () => {
  test.each(['stdout', 'stderr'] as const)('if the reader of its %s is gone', async (stream) => {
    const child = spawn(process.execPath, ['src/main.ts'], {
      env: { PATH, HOME, ...compileCache, ...deadDatabase },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child[stream].destroy()
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
  })

  test('if wrong settings can be told to nobody', async () => {
    const child = spawn(process.execPath, ['src/main.ts'], {
      env: { PATH, HOME, ...compileCache },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    child.stderr.destroy()
    const [code] = await once(child, 'exit')
    expect(code).toBe(1)
  })
})

describe('a Node.js that is too old', () => {
  const program = 'src/node-version.mjs'
  const run = (node: string, ...words: string[]) =>
    new Promise<{ code: number | null; stderr: string }>((done) => {
      const child = execFile(node, [...words, program], (_error, _stdout, stderr) =>
        done({ code: child.exitCode, stderr }),
      )
    })
  const as = (version: string) =>
    `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"${version}"}})`

  test.each(['22.18.0', '21.7.3', '18.20.8'])('%s is told what is needed', async (version) => {
    const { code, stderr } = await run(process.execPath, '--import', as(version))
    expect(code).toBe(1)
    expect(stderr).toBe(
      `Gavel needs Node.js 22.19 or newer, and this is ${version}. See https://nodejs.org/en/download\n`,
    )
  })

  test.each(['22.19.0', '24.0.0', process.versions.node])('%s is new enough', async (version) => {
    const { code, stderr } = await run(process.execPath, '--import', as(version))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  })

  test('can read the file that says so, whichever older ones this machine has', async () => {
    const older = ['/usr/bin/node', '/usr/local/bin/node'].filter((node) =>
      /^v(?:1\d|2[01])\./u.test(versionOf(node)),
    )
    for (const node of older) {
      const { code, stderr } = await run(node)
      expect(code).toBe(1)
      expect(stderr).toContain(`this is ${versionOf(node).slice(1).trim()}`)
    }
  })

  test('is told so by every script that runs the bot’s TypeScript', async () => {
    const manifest: unknown = JSON.parse(await readFile('package.json', 'utf8'))
    for (const name of ['start', 'doctor', 'move', 'admin']) {
      expect(manifest).toHaveProperty(['scripts', `pre${name}`], `node ${program}`)
    }
    expect(await readFile('deploy/gavel.service', 'utf8')).toContain(`/opt/gavel/${program}`)
  })
})

function versionOf(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''
}

/** Has a call of Discord's or Telegram's fail, and returns what ends that. */
const failing = {
  discord: ({ discord }: Harness, match: string) => {
    discord.faults.set({ kind: 'status', status: 503, match })
    return () => discord.faults.clear()
  },
  telegram: ({ telegram }: Harness, match: string) => {
    telegram.fault = (method) => (method === match ? 'cut' : undefined)
    return () => {
      telegram.fault = () => undefined
    }
  },
}

test.each([
  ['Discord’s gateway', 'discord', 'GET /gateway/bot', TelegramUser],
  ['Discord', 'discord', 'GET /applications/@me', TelegramUser],
  ['Telegram', 'telegram', 'getMe', DiscordUser],
] as const)(
  'a start that waits for %s answers on the other platform and watches the auctions meanwhile',
  async (_, platform, match, User) => {
    const harness = await startHarness()
    onTestFinished(() => harness.stop())
    await harness.bot.stop()
    const mend = failing[platform](harness, match)
    const before = harness.apiServer.requestCount
    let isReady = false
    const starting = harness.startBot().then(() => {
      isReady = true
    })
    await expect
      .poll(() => harness.apiServer.requestCount, { timeout: 20_000 })
      .toBeGreaterThan(before + 1)
    const user = new User(harness)
    await user.says('/help')
    await user.sees('/asset')
    expect(isReady).toBe(false)
    mend()
    await starting
  },
  60_000,
)
