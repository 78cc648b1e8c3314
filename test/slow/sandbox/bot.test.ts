import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bot, BotStartError, Supervisor, startBot } from '../../../sandbox/bot.ts'
import type { BotStatus } from '../../../sandbox/console/state.ts'

// A program that behaves as its MODE says, in place of the real bot.
const source = `
const say = (line) => console.log(JSON.stringify(line))
if (process.env.MODE === 'refuses') {
  console.error('API_KEY is missing')
  process.exit(1)
}
process.on('SIGTERM', () => { say({ msg: 'draining' }); process.exit(0) })
setInterval(() => {}, 1000)
say({ level: 'info', msg: 'listening', port: 4321 })
say({ level: 'info', msg: 'settings', names: Object.keys(process.env) })
console.log('not JSON')
if (process.env.MODE !== 'never ready') say({ level: 'info', msg: 'ready' })
`

let folder: string
let program: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gavel-test-'))
  program = join(folder, 'bot.mjs')
  await writeFile(program, source)
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('startBot', () => {
  it('resolves once the bot is ready, with its output and where its health answers', async () => {
    const seen: (string | undefined)[] = []
    const bot = await startBot({ program, env: {}, onLog: (line) => seen.push(line.msg) })
    expect(bot.healthUrl).toBe('http://127.0.0.1:4321/healthz')
    expect(seen).toEqual(['listening', 'settings', 'not JSON', 'ready'])
    expect(bot.logs.map((line) => line.msg)).toEqual(seen)
    await bot.stop()
  })

  it('gives the bot its settings, PATH, HOME and Node’s cache, and no other variables', async () => {
    const bot = await startBot({ program, env: { MODE: 'usual', PORT: '0' } })
    const settings = bot.logs.find((line) => line.msg === 'settings')
    expect(settings?.names).toEqual(
      expect.arrayContaining(['PATH', 'HOME', 'NODE_COMPILE_CACHE', 'MODE', 'PORT']),
    )
    expect(settings?.names).toHaveLength(5)
    await bot.stop()
  })

  it('rejects with the output and the exit code if the bot ends before it is ready', async () => {
    const failing = startBot({ program, env: { MODE: 'refuses' } })
    await expect(failing).rejects.toThrow(/exit code 1[\s\S]*API_KEY is missing/)
    await expect(failing).rejects.toBeInstanceOf(BotStartError)
  })

  it('lets the bot finish on stop and ends it at once on kill', async () => {
    const stopped = await startBot({ program, env: {} })
    expect(await stopped.stop()).toEqual({ code: 0, signal: null })
    expect(stopped.logs.at(-1)?.msg).toBe('draining')
    const killed = await startBot({ program, env: {} })
    expect(await killed.kill()).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await killed.exited).toEqual({ code: null, signal: 'SIGKILL' })
    for (const { pid } of [stopped, killed]) expect(alive(pid)).toBe(false)
  })

  it('ends by its signal also while it starts', async () => {
    const ending = new AbortController()
    const starting = startBot({
      program,
      env: { MODE: 'never ready' },
      signal: ending.signal,
      onLog: () => ending.abort(),
    })
    await expect(starting).rejects.toMatchObject({ exit: { code: 0, signal: null } })
  })
})

describe('the supervisor', () => {
  it('starts the bot again after it ended, says so, and ends it for good on stop', async () => {
    const lives: Bot[] = []
    const supervisor = new Supervisor(async (signal) => {
      const bot = await startBot({ program, env: {}, signal })
      lives.push(bot)
      return bot
    })
    const states: BotStatus[] = []
    supervisor.subscribe((status) => states.push(status))
    supervisor.run()
    await expect.poll(() => supervisor.status.state).toBe('ready')
    await lives[0]?.kill()
    await expect.poll(() => lives.length, { timeout: 15_000 }).toBe(2)
    await supervisor.stop()
    expect(states).toEqual([
      { state: 'starting' },
      { state: 'ready' },
      { state: 'stopped', detail: 'ended by SIGKILL' },
      { state: 'starting' },
      { state: 'ready' },
      { state: 'stopped' },
    ])
    expect(lives.map(({ pid }) => alive(pid))).toEqual([false, false])
  })

  it('says that the bot ends while starting', async () => {
    const supervisor = new Supervisor((signal) =>
      startBot({ program, env: { MODE: 'refuses' }, signal }),
    )
    supervisor.run()
    const stopped = { state: 'stopped', detail: 'exit code 1 while starting' }
    await expect.poll(() => supervisor.status, { timeout: 15_000 }).toEqual(stopped)
    await supervisor.stop()
  })
})
