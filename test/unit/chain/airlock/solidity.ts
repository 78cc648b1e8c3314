import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { z } from 'zod'

const compiled = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).default([]),
  contracts: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        evm: z.object({
          deployedBytecode: z.object({ object: z.string().transform((code): Hex => `0x${code}`) }),
        }),
      }),
    ),
  ),
})

/** Compiles one file and returns what stands at the address of each of its contracts. */
export async function compileFile(
  file: URL,
  settings: object = {},
): Promise<{ complaints: string[]; code: Record<string, Hex> }> {
  const before = process.listeners('unhandledRejection')
  const { default: solc } = await import('solc')
  // The compiler makes every unhandled rejection of this process end it in its own way.
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.includes(listener)) process.off('unhandledRejection', listener)
  }
  const input = {
    language: 'Solidity',
    sources: { source: { content: await readFile(file, 'utf8') } },
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
      ...settings,
    },
  }
  const { errors, contracts } = compiled.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const all = Object.entries(contracts.source ?? {})
  return {
    complaints: errors.map(({ formattedMessage }) => formattedMessage),
    code: Object.fromEntries(all.map(([name, { evm }]) => [name, evm.deployedBytecode.object])),
  }
}
