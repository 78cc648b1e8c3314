import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { numerairesOf } from '../../sandbox/api/token.ts'
import { NoChainError } from '../../sandbox/chain/anvil.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import { ada, news } from '../../sandbox/telegram/cast.ts'

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

it('shows a fake whose quote token is not the one that it imitates', async () => {
  const { api } = await start({})
  const [[address, reasons] = []] = [...api.fakes]
  const fake = api.world.tokens.find((each) => each.address.toLowerCase() === address)
  expect(reasons).toMatchObject([{ message: 'Its quote token only pretends to be USDC' }])
  expect(fake?.numeraire.symbol).toBe('USDC')
  expect(numerairesOf(8453).map((each) => each.address)).not.toContain(fake?.numeraire.address)
})

it('can start the bot with a key, tokens and chains alone, which launches by the API’s list of templates', async () => {
  const { consoleUrl } = await start({ isMinimal: true })
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const sent = { person: ada.id, chat: ada.id, ...body }
    await fetch(`${consoleUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(sent) })
  }
  const seen = async () => (await fetch(`${consoleUrl}/telegram/messages?chat=${ada.id}`)).text()
  await post('/telegram/text', { text: '/launch RIVER "River Otter"' })
  await expect.poll(seen, { timeout: 10_000 }).toContain('Robinhood Chain')
  const { id: message } =
    z
      .array(z.object({ id: z.int() }))
      .parse(JSON.parse(await seen()))
      .at(-1) ?? {}
  await post('/telegram/press', { message, row: 0, column: 0 })
  // TEMPLATES of the sandbox has no such template.
  await expect.poll(seen, { timeout: 10_000 }).toContain('Curve with a hook')
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
