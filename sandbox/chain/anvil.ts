import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'

/** The local chain can't run here; the message says why and what to do. */
export class NoChainError extends Error {
  override readonly name = 'NoChainError'
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function fromPackage(): string | undefined {
  const { platform, arch } = process
  if (platform !== 'linux' || arch !== 'x64') return undefined
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil')
  } catch {
    return undefined
  }
}

/** The anvil of the optional package, or else the one on the path; undefined where there is none. */
export function anvilPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = [fromPackage(), ...folders.map((folder) => join(folder, 'anvil'))]
  return candidates.find((path) => path !== undefined && isProgram(path))
}

// The shell's standard input closes when this process ends, however that comes; anvil alone would live on.
const supervisor = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- & child=$!',
  '(read -r _ <&3; kill -9 $child) 2>/dev/null & reader=$!',
  'wait $child',
  'kill $reader 2>/dev/null',
].join('\n')

interface Anvil {
  port: number
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>
}

/**
 * Runs anvil on a free port of 127.0.0.1 and resolves once it listens; it ends with this process.
 * @throws NoChainError where it can't be started.
 */
export async function startAnvil(program: string, args: readonly string[]): Promise<Anvil> {
  const all = ['--host', '127.0.0.1', '--port', '0', ...args]
  const child = spawn('/bin/sh', ['-c', supervisor, 'anvil', program, ...all], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const output: string[] = []
  const listening = Promise.withResolvers<number>()
  const gone = Promise.withResolvers<void>()
  const refuse = (why: string) =>
    listening.reject(
      new NoChainError(
        `The local chain did not start: ${why}. Check that ${program} runs on this machine.`,
      ),
    )
  child.once('error', (error) => {
    refuse(error.message)
    gone.resolve()
  })
  child.once('close', () => {
    const words = output.filter((line) => line.trim() !== '').slice(0, 3)
    refuse(words.join(' ') || 'anvil ended without a word')
    gone.resolve()
  })
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (output.length < 200) output.push(line)
      const port = /^Listening on 127\.0\.0\.1:(\d+)/u.exec(line)?.[1]
      if (port !== undefined) listening.resolve(Number(port))
    })
  }
  const port = await listening.promise
  return {
    port,
    stop: async () => {
      child.stdin.end()
      await gone.promise
    },
  }
}
