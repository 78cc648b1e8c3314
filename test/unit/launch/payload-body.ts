import { chainId, launcher, wallet } from './harness.ts'

/** What a payload says that nothing is wrong with. */
export const payloadBody = {
  chain: chainId,
  ...launcher,
  calldata: '0x882db707' as const,
  digest: `0x${'ab'.repeat(32)}` as const,
  wallet: wallet as `0x${string}`,
  name: 'Moon Otter',
  symbol: 'OTTER',
  uri: 'ipfs://bafy',
  value: '0',
  verified: true,
  check: {
    quote: { symbol: 'WETH', known: true, decimals: 18 },
    now: 1_700_000_000,
    modules: [],
    asked: {},
    metadata: { kind: 'same' as const },
    doubts: [],
  },
  simulation: { kind: 'passed' as const, gas: '900000' },
  reports: 0,
  signers: [],
  announced: [],
}
