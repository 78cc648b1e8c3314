import {
  type Address,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  http,
  parseAbi,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../../../sandbox/chain/chain.ts'
import type { CreateParams } from '../../../src/chain/airlock/calldata.ts'
import type { Rehearsal } from '../../../src/chain/airlock/rehearse.ts'
import type { Launcher } from '../../../src/chain/chains.ts'
import { ada, encodeCreate, otterParams } from './airlock/sample.ts'

export const tokenAbi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function tokenURI() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
export const smartAccountAbi = parseAbi(['function execute(address to, uint256 value, bytes data)'])

/** A wallet on a local chain, with which a test sends, reads and lets time pass. */
export function walletOn(chain: LocalChain) {
  const definition = defineChain({
    id: chain.chainId,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [chain.rpcUrl] } },
  })
  const shared = { transport: http(), chain: definition, pollingInterval: 10 }
  const client = createTestClient({ ...shared, mode: 'anvil' }).extend(publicActions)
  const [first] = chain.accounts
  if (!first) throw new Error('no accounts')
  const wallet = createWalletClient({ ...shared, account: privateKeyToAccount(first.privateKey) })
  return {
    client,
    wallet,
    account: first.address,
    /** Sends and waits until it is mined. */
    send: async (to: Address, data: Hex) => {
      const hash = await wallet.sendTransaction({ to, data, gas: 8_000_000n })
      return client.waitForTransactionReceipt({ hash })
    },
  }
}

/** A launch of the otter through the chain's own modules; each salt makes another token. */
export function paramsOn(chain: LocalChain, changes: Partial<CreateParams> = {}): CreateParams {
  return { ...otterParams, ...chain.standard, ...changes }
}

/** What a node is given to rehearse a launch by ada. */
export function rehearsalOf({ to, airlock }: Launcher, params: CreateParams): Rehearsal {
  return {
    to,
    airlock,
    calldata: encodeCreate(params),
    from: ada,
    quote: params.numeraire,
    modules: [],
    beneficiaries: [],
  }
}

/** The 32 bytes of a salt. */
export function salt(number: number): Hex {
  return `0x${number.toString(16).padStart(64, '0')}`
}
