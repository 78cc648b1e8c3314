import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { BotStatus } from './console/state.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Keeps compiled code between processes of this checkout: the bot starts in half of the processor's time. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url)),
}
const maxLogs = 5000
const patienceMs = 15_000

const logLine = z.looseObject({
  level: z.string().optional(),
  msg: z.string().optional(),
  port: z.number().optional(),
})

/** One line of the bot's output; a line that is not JSON has only `msg`. */
export type BotLog = z.infer<typeof logLine>

interface BotExit {
  code: number | null
  signal: NodeJS.Signals | null
}

interface BotOptions {
  /** All settings of the bot; beside PATH, HOME and Node's own cache nothing else reaches it. */
  env: Readonly<Record<string, string>>
  onLog?: (line: BotLog) => void
  /** Stops the bot, also while it starts. */
  signal?: AbortSignal
  /** The program, relative to the project; what `npm start` runs without it. */
  program?: string
}

export interface Bot {
  pid: number
  /** The last lines that it wrote, oldest first. */
  logs: readonly BotLog[]
  /** Where `GET /healthz` answers, once a log line named the port. */
  healthUrl: string | undefined
  /** Resolves when the process is gone, however that came. */
  exited: Promise<BotExit>
  /** Sends SIGTERM and waits; after 15 s SIGKILL. */
  stop(): Promise<BotExit>
  /** Sends SIGKILL, as a crash would end it, and waits. */
  kill(): Promise<BotExit>
}

/** The bot ended before it was ready; the message holds what it wrote. */
export class BotStartError extends Error {
  override readonly name = 'BotStartError'
  readonly exit: BotExit
  readonly output: string

  constructor(exit: BotExit, output: string) {
    super(`the bot ended before it was ready (${describeExit(exit)})\n${output}`)
    this.exit = exit
    this.output = output
  }
}

/** How a process ended, in words. */
function describeExit({ code, signal }: BotExit): string {
  return signal ? `ended by ${signal}` : `exit code ${code}`
}

function readLine(text: string): BotLog {
  try {
    return logLine.parse(JSON.parse(text))
  } catch {
    return { msg: text }
  }
}

async function stopped(child: ChildProcess, exited: Promise<BotExit>): Promise<BotExit> {
  child.kill('SIGTERM')
  const tooLong = new AbortController()
  const killing = delay(patienceMs, undefined, { signal: tooLong.signal }).then(
    () => child.kill('SIGKILL'),
    () => false,
  )
  const exit = await exited
  tooLong.abort()
  await killing
  return exit
}

/**
 * Runs the real bot as `npm start` does and resolves once it logged that it is ready; rejects with
 * `BotStartError` where it ends before.
 */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [options.program ?? 'src/main.ts'], {
    cwd: root,
    env: { PATH, HOME, ...compileCache, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await once(child, 'spawn')
  const { promise: exited, resolve: exit } = Promise.withResolvers<BotExit>()
  // Where this process ends without stopping its bot, the bot must not outlive it.
  const orphaned = () => child.kill('SIGKILL')
  process.once('exit', orphaned)

  const logs: BotLog[] = []
  const output: string[] = []
  const ready = Promise.withResolvers<'ready'>()
  let healthUrl: string | undefined
  const read = [child.stdout, child.stderr].map((stream) => {
    const lines = createInterface({ input: stream })
    lines.on('line', (text) => {
      const line = readLine(text)
      logs.push(line)
      if (logs.length > maxLogs) logs.splice(0, maxLogs / 2)
      if (output.length < 200) output.push(text)
      if (line.port) healthUrl = `http://127.0.0.1:${line.port}/healthz`
      if (line.msg === 'ready') ready.resolve('ready')
      options.onLog?.(line)
    })
    return once(lines, 'close')
  })
  child.once('close', async (code, signal) => {
    process.removeListener('exit', orphaned)
    // What it wrote last may still be read.
    await Promise.all(read)
    exit({ code, signal })
  })
  const abort = () => void stopped(child, exited)
  options.signal?.addEventListener('abort', abort, { once: true })
  if (options.signal?.aborted) abort()
  void exited.then(() => options.signal?.removeEventListener('abort', abort))

  const outcome = await Promise.race([ready.promise, exited])
  if (outcome !== 'ready') throw new BotStartError(outcome, output.join('\n'))
  return {
    pid: child.pid ?? 0,
    logs,
    get healthUrl() {
      return healthUrl
    },
    exited,
    stop: () => stopped(child, exited),
    kill: () => {
      child.kill('SIGKILL')
      return exited
    },
  }
}

const restartAfterMs = 1500

/** Keeps a bot running: starts it again a moment after it ended, and tells how it is doing. */
export class Supervisor {
  readonly #start: (signal: AbortSignal) => Promise<Bot>
  readonly #stopping = new AbortController()
  readonly #listeners = new Set<(status: BotStatus) => void>()
  #status: BotStatus = { state: 'starting' }
  #current: Bot | undefined
  #running: Promise<void> | undefined

  /** `start` begins one life of the bot, which ends when the signal is aborted. */
  constructor(start: (signal: AbortSignal) => Promise<Bot>) {
    this.#start = start
  }

  get status(): BotStatus {
    return this.#status
  }

  /** The bot's present life, once it is ready. */
  get current(): Bot | undefined {
    return this.#current
  }

  /** Calls back at each change; returns what ends that. */
  subscribe(listener: (status: BotStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  run(): void {
    this.#running ??= this.#live()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #live(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#change({ state: 'starting' })
      const detail = await this.#oneLife(signal)
      this.#change(signal.aborted ? { state: 'stopped' } : { state: 'stopped', detail })
      await delay(restartAfterMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #oneLife(signal: AbortSignal): Promise<string> {
    try {
      const bot = await this.#start(signal)
      this.#current = bot
      this.#change({ state: 'ready' })
      return describeExit(await bot.exited)
    } catch (error) {
      return error instanceof BotStartError
        ? `${describeExit(error.exit)} while starting`
        : `it could not be started: ${String(error)}`
    } finally {
      this.#current = undefined
    }
  }

  #change(status: BotStatus): void {
    this.#status = status
    for (const listener of this.#listeners) listener(status)
  }
}
