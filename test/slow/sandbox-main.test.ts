import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
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

function start(env: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  const sandbox = spawn(process.execPath, ['sandbox/main.ts'], {
    cwd: root,
    env: { PATH, HOME, TMPDIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = sandbox
  return sandbox
}

describe('npm run sandbox', () => {
  it('prints the console’s address alone, brings the bot up, and leaves nothing behind', async () => {
    const sandbox = start({ SANDBOX_PORT: '0' })
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
    const sandbox = start({ SANDBOX_PORT: 'any' })
    const exit = once(sandbox, 'exit')
    const words = await text(sandbox.stderr)
    expect(await exit).toEqual([1, null])
    expect(words).toBe('SANDBOX_PORT must be a port number, such as 4280\n')
  })
})
