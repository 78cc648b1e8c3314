import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { z } from 'zod'
import { compile } from '../../../../sandbox/chain/compile.ts'

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
  const output = await compile(
    { source: { content: await readFile(file, 'utf8') } },
    { outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } }, ...settings },
  )
  const { errors, contracts } = compiled.parse(output)
  const all = Object.entries(contracts.source ?? {})
  return {
    complaints: errors.map(({ formattedMessage }) => formattedMessage),
    code: Object.fromEntries(all.map(([name, { evm }]) => [name, evm.deployedBytecode.object])),
  }
}
