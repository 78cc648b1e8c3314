import { readdir, readFile } from 'node:fs/promises'
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
