import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NoChainError } from '../../sandbox/chain/anvil.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { news } from '../../sandbox/telegram/cast.ts'

let sandbox: Sandbox | undefined
afterEach(async () => {
  await sandbox?.stop()
  sandbox = undefined
})

async function start(options: SandboxOptions): Promise<Sandbox> {
  sandbox = await startSandbox(options)
  const { bot } = sandbox
  await expect.poll(() => bot.status, { timeout: 20_000 }).toEqual({ state: 'ready' })
  return sandbox
}

it('has a chain, a wallet on it, and what the bot needs to launch', async () => {
  const lacks: string[] = []
  const { consoleUrl, chain, api, ipfs } = await start({ onLack: (words) => lacks.push(words) })
  expect(lacks).toEqual([])
  expect(chain?.chainId).toBe(8453)
  expect((await fetch(`${consoleUrl}/wallet.js`)).status).toBe(200)
  expect((await fetch(`${consoleUrl}/s/no-such-link`)).status).not.toBe(502)
  expect(api.launches.built).toEqual([])
  expect(ipfs.pinned).toEqual([])
})

it('says that there is no anvil, and does everything else', async () => {
  const lacks: string[] = []
  const { consoleUrl, chain } = await start({
    startChain: async () => {
      throw new NoChainError('There is no anvil here.')
    },
    onLack: (words) => lacks.push(words),
  })
  expect(lacks).toEqual([
    'There is no anvil here. Launches end at the signing page; everything else works.',
  ])
  expect(chain).toBeUndefined()
  expect((await fetch(consoleUrl)).status).toBe(200)
  expect((await fetch(`${consoleUrl}/wallet.js`)).status).toBe(404)
})

it('lets both news channels follow auctions, so that alerts arrive by themselves', {
  timeout: 120_000,
}, async () => {
  const { consoleUrl, api } = await start({})
  const texts = async (path: string) =>
    JSON.stringify(await (await fetch(`${consoleUrl}${path}`)).json())
  const telegram = `/telegram/messages?chat=${news.id}`
  const discord = '/discord/state?person=ben&place=news'
  const premiere = () =>
    api.world.tokens.filter(({ status, sold }) => status === 'live' && sold < 0.3)
  for (const path of [telegram, discord]) {
    await expect
      .poll(
        async () => {
          const shown = await texts(path)
          return premiere().some(({ address }) =>
            shown.toLowerCase().includes(address.toLowerCase()),
          )
        },
        { timeout: 60_000 },
      )
      .toBe(true)
  }
})

const root = fileURLToPath(new URL('../..', import.meta.url))
describe('npm run sandbox', () => {
  let folder: string
  let child: ChildProcess | undefined

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gavel-test-'))
  })

  afterEach(async () => {
    child?.kill('SIGKILL')
    child = undefined
    await rm(folder, { recursive: true })
  })

  function run(env: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env
    const sandbox = spawn(process.execPath, ['sandbox/main.ts'], {
      cwd: root,
      env: { PATH, HOME, TMPDIR: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = sandbox
    return sandbox
  }

  it('prints the console’s address alone, brings the bot up, and leaves nothing behind', async () => {
    const sandbox = run({ SANDBOX_PORT: '0' })
    const said: string[] = []
    const ready = Promise.withResolvers<void>()
    sandbox.stderr.setEncoding('utf8').on('data', (words: string) => {
      said.push(words)
      if (said.join('').includes('The bot is ready')) ready.resolve()
    })
    const output = text(sandbox.stdout)
    const exit = once(sandbox, 'exit')
    await Promise.race([ready.promise, exit])
    const duringRun = await readdir(folder)
    sandbox.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(await output).toMatch(/^console http:\/\/127\.0\.0\.1:\d+\n$/)
    expect(said.join('').trim().split('\n')).toHaveLength(1)
    // The bot's database was there; a bot that lived on would have it again.
    expect(duringRun.some((name) => name.startsWith('gavel-sandbox-'))).toBe(true)
    expect((await readdir(folder)).filter((name) => name.startsWith('gavel-'))).toEqual([])
  })

  it('says in one line what is wrong with the asked port', async () => {
    const sandbox = run({ SANDBOX_PORT: 'any' })
    const exit = once(sandbox, 'exit')
    const words = await text(sandbox.stderr)
    expect(await exit).toEqual([1, null])
    expect(words).toBe('SANDBOX_PORT must be a port number, such as 4280\n')
  })
})
