import type { Address } from 'viem'
import { startChain } from '../../sandbox/chain/chain.ts'
import { moduleEntries } from '../../sandbox/chain/modules.ts'
import { KuboServer } from '../../sandbox/ipfs/kubo.ts'
import { sandboxTemplates } from '../../sandbox/templates-setting.ts'
import { freePort } from '../free-port.ts'
import { type Harness, type HarnessOptions, startHarness } from './harness.ts'

const chainId = 8453
const airlock = '0x660eAaEdEBc968f8f3694354FA8EC0b4c5Ba8D12'

export type LaunchHarness = Awaited<ReturnType<typeof startLaunchHarness>>

/**
 * A harness with a local chain with its Airlock at the known address, a Kubo node, and the bot's own pages. Launches are
 * sent to `to`, which forwards where it is not the Airlock itself.
 */
export async function startLaunchHarness(
  settings: Record<string, string> = {},
  to: Address = airlock,
  replicas?: HarnessOptions['replicas'],
) {
  const launcher = { to, airlock } as const
  const chain = await startChain({ chainId, launcher })
  const ipfs = await KuboServer.start()
  const port = await freePort()
  const alone = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` }
  const harness: Harness = await startHarness({
    ...(replicas && { replicas }),
    apiServer: { local: [{ ...chain, launcher }], ipfs },
    env: {
      ...(replicas ? {} : alone),
      CHAINS: String(chainId),
      TEMPLATES: JSON.stringify(sandboxTemplates),
      LAUNCHERS: JSON.stringify({ [chainId]: launcher }),
      MODULES: JSON.stringify({ [chainId]: moduleEntries }),
      RPC_URLS: JSON.stringify({ [chainId]: chain.rpcUrl }),
      IPFS_API_URL: ipfs.url,
      COMMANDS_PER_PERSON: '1000',
      COMMANDS_PER_CHAT: '1000',
      ...settings,
    },
  })
  return Object.assign(harness, {
    chain,
    ipfs,
    publicUrl: harness.balancer?.url ?? alone.PUBLIC_URL,
    stopAll: async () => {
      await harness.stop()
      await ipfs.stop()
      await chain.stop()
    },
  })
}
