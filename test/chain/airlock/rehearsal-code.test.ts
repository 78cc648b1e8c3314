import { readFile } from 'node:fs/promises'
import { size } from 'viem'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { traderCode } from '../../../src/chain/airlock/rehearsal-code.ts'

const source = new URL('../../../src/chain/airlock/rehearsal.sol', import.meta.url)
const compiled = z.object({
  errors: z.array(z.object({ formattedMessage: z.string() })).default([]),
  contracts: z.object({
    'rehearsal.sol': z.object({
      Trader: z.object({ evm: z.object({ deployedBytecode: z.object({ object: z.string() }) }) }),
    }),
  }),
})

test('the code that trades in a rehearsal is what its source compiles to, and small', async () => {
  const input = {
    language: 'Solidity',
    sources: { 'rehearsal.sol': { content: await readFile(source, 'utf8') } },
    settings: {
      viaIR: true,
      optimizer: { enabled: true, runs: 1 },
      evmVersion: 'paris',
      metadata: { appendCBOR: false },
      outputSelection: { '*': { Trader: ['evm.deployedBytecode.object'] } },
    },
  }
  const before = process.listeners('unhandledRejection')
  const { default: solc } = await import('solc')
  // The compiler makes every unhandled rejection of this process end it in its own way.
  for (const listener of process.listeners('unhandledRejection')) {
    if (!before.includes(listener)) process.off('unhandledRejection', listener)
  }
  const { errors, contracts } = compiled.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  expect(errors.map(({ formattedMessage }) => formattedMessage)).toEqual([])
  const { object } = contracts['rehearsal.sol'].Trader.evm.deployedBytecode
  expect(traderCode).toBe(`0x${object}`)
  expect(size(traderCode)).toBeLessThan(2500)
})
