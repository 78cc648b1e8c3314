import { size } from 'viem'
import { expect, test } from 'vitest'
import { traderCode } from '../../../../src/chain/airlock/rehearsed-launch.ts'
import { compileFile } from './solidity.ts'

const source = new URL('../../../../src/chain/airlock/rehearsal.sol', import.meta.url)

test('the code that trades in a rehearsal is what its source compiles to, and small', async () => {
  const { complaints, code } = await compileFile(source, {
    viaIR: true,
    optimizer: { enabled: true, runs: 1 },
    evmVersion: 'paris',
    metadata: { appendCBOR: false },
  })
  expect(complaints).toEqual([])
  expect(traderCode).toBe(code.Trader)
  expect(size(traderCode)).toBeLessThan(2500)
})
