import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Abi, Hex } from 'viem'
import { z } from 'zod'

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

/** A contract of `contracts/`: what a transaction deploys, and what then stands at its address. */
export interface Contract {
  abi: Abi
  bytecode: Hex
  runtime: Hex
}

const hex = z.string().transform((digits): Hex => `0x${digits}`)
const contractOutput = z
  .object({
    abi: z.custom<Abi>(Array.isArray),
    evm: z.object({
      bytecode: z.object({ object: hex }),
      deployedBytecode: z.object({ object: hex }),
    }),
  })
  .transform(
    ({ abi, evm }): Contract => ({
      abi,
      bytecode: evm.bytecode.object,
      runtime: evm.deployedBytecode.object,
    }),
  )
const compilerOutput = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(z.string(), z.record(z.string(), contractOutput)).default({}),
})

const folder = new URL('contracts/', import.meta.url)

/** Compiles `contracts/` and returns them by name; takes about two seconds, most of which is loading the compiler. */
export async function compileContracts(): Promise<ReadonlyMap<string, Contract>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sol'))
  const sources = await Promise.all(
    names.map(async (name) => [name, { content: await readFile(new URL(name, folder), 'utf8') }]),
  )
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      evmVersion: 'cancun',
      outputSelection: {
        '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
      },
    },
  }
  const solc = await loadCompiler()
  const { errors, contracts } = compilerOutput.parse(
    JSON.parse(solc.compile(JSON.stringify(input))),
  )
  const fatal = errors.filter(({ severity }) => severity === 'error')
  if (fatal.length > 0) throw new Error(fatal.map((each) => each.formattedMessage).join('\n'))
  return new Map(Object.values(contracts).flatMap((each) => Object.entries(each)))
}

async function loadCompiler() {
  const before = process.listeners('unhandledRejection')
  const { default: solc } = await import('solc')
  // The compiler makes every unhandled rejection of this process end it in its own way.
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.includes(listener)) process.off('unhandledRejection', listener)
  }
  return solc
}
