import type { Launcher } from '../chain/launchers.ts'
import { ChainNode } from '../chain/node.ts'
import { NodeError, type NodeErrorKind } from '../chain/node-error.ts'
import type { LaunchSettings } from '../launch/settings.ts'
import type { LaunchFinding } from './report.ts'

/** The operator's settings of launches. */
export interface LaunchesToExamine {
  settings: LaunchSettings
  rpcUrls: Readonly<Record<number, string>>
  /** Whether pictures can be published. */
  publishes: boolean
}

const faults: Record<NodeErrorKind, string> = {
  unavailable: 'the node does not answer: check RPC_URLS',
  'wrong-chain': 'the node is on another chain: check RPC_URLS',
  malformed: 'no node answers there: check RPC_URLS',
}

/** What launches need beyond the interface: nodes, launch contracts, a page and a place for pictures. None without templates. */
export async function examineLaunches(launches: LaunchesToExamine): Promise<LaunchFinding[]> {
  const { settings, rpcUrls, publishes } = launches
  const { templates, launchers, publicUrl, signingUrlTemplate } = settings
  if (templates.length === 0) return []
  const findings: LaunchFinding[] = []
  for (const chain of new Set(templates.map((template) => template.chain))) {
    findings.push(await chainFinding(chain, launchers[chain], rpcUrls[chain]))
  }
  const hasPage = publicUrl !== undefined || signingUrlTemplate !== undefined
  findings.push({
    what: 'signing page',
    verdict: hasPage ? 'well' : 'unknown',
    detail: hasPage ? 'people get a link' : 'people get files: set PUBLIC_URL',
  })
  findings.push({
    what: 'pictures',
    verdict: publishes ? 'well' : 'unknown',
    detail: publishes ? 'an IPFS service is set' : 'CIDs only: set IPFS_API_URL or PINATA_JWT',
  })
  return findings
}

async function chainFinding(
  chainId: number,
  launcher: Launcher | undefined,
  rpcUrl: string | undefined,
): Promise<LaunchFinding> {
  const what = `chain ${chainId}`
  if (launcher === undefined || rpcUrl === undefined) {
    return { what, verdict: 'unknown', detail: 'nothing is simulated: set RPC_URLS' }
  }
  try {
    const node = new ChainNode({ rpcUrl, chainId })
    const stand = await Promise.all([node.hasCode(launcher.to), node.hasCode(launcher.airlock)])
    return stand.every(Boolean)
      ? { what, verdict: 'well', detail: 'the node answers, the launch contract is there' }
      : { what, verdict: 'wrong', detail: 'no contract at the launcher: check LAUNCHERS' }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return { what, verdict: 'wrong', detail: faults[error.kind] }
  }
}
