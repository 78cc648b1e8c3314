import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Abi, Hex } from 'viem'
import { z } from 'zod'

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
const complaint = z.object({ severity: z.string(), formattedMessage: z.string() })
const compilerOutput = z.object({
  errors: z.array(complaint).default([]),
  contracts: z.record(z.string(), z.record(z.string(), contractOutput)).default({}),
})

const folder = new URL('contracts/', import.meta.url)

/** Compiles `contracts/` and returns them by name. */
export async function compileContracts(): Promise<ReadonlyMap<string, Contract>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sol')).sort()
  const sources = await Promise.all(
    names.map(async (name) => [name, { content: await readFile(new URL(name, folder), 'utf8') }]),
  )
  const output = await compile(Object.fromEntries(sources), {
    outputSelection: {
      '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
    },
  })
  const { errors, contracts } = compilerOutput.parse(output)
  const fatal = errors.filter(({ severity }) => severity === 'error')
  if (fatal.length > 0) throw new Error(fatal.map((each) => each.formattedMessage).join('\n'))
  return new Map(Object.values(contracts).flatMap((each) => Object.entries(each)))
}

const kept = new URL('../../node_modules/.cache/gavel/', import.meta.url)

/**
 * Compiles Solidity and returns the compiler's answer. What came of the same sources and settings is kept beside the
 * packages: loading the compiler alone takes two seconds, in each process.
 */
export async function compile(
  sources: Readonly<Record<string, { content: string }>>,
  settings: object,
): Promise<unknown> {
  const input = JSON.stringify({
    language: 'Solidity',
    sources,
    settings: { evmVersion: 'cancun', ...settings },
  })
  const key = createHash('sha256').update(compilerVersion()).update(input).digest('hex')
  const file = new URL(`${key}.json`, kept)
  const known = await readFile(file, 'utf8').catch(() => undefined)
  if (known !== undefined) return JSON.parse(known)
  const solc = await loadCompiler()
  const output = solc.compile(input)
  // Where nothing can be written, the next process compiles, too.
  await keep(file, output).catch(() => undefined)
  return JSON.parse(output)
}

function compilerVersion(): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(createRequire(import.meta.url)('solc/package.json'))
  return version
}

/** Others may read the file at any time, and write the same. */
async function keep(file: URL, text: string): Promise<void> {
  await mkdir(kept, { recursive: true })
  const unfinished = new URL(`${file.href}.${process.pid}`)
  await writeFile(unfinished, text)
  await rename(unfinished, file)
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
