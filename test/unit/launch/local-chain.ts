import { afterAll } from 'vitest'
import { startChain } from '../../../sandbox/chain/chain.ts'
import { chainId, launcher } from './harness.ts'

/** Starts a chain with the launch contract that is stopped after the file's tests. */
export async function localChain() {
  const chain = await startChain({ chainId, launcher })
  afterAll(() => chain.stop())
  return chain
}
