import type { Launcher } from '../chain/launchers.ts'
import { ChainNode } from '../chain/node.ts'
import { NodeError, type NodeErrorKind } from '../chain/rpc.ts'
import type { Template } from '../launch/draft.ts'
import type { LaunchSettings } from '../launch/settings.ts'
import type { LaunchFinding } from './report.ts'

/** The operator's settings that concern launches. */
export interface LaunchesToExamine {
  settings: LaunchSettings
  rpcUrls: Readonly<Record<number, string>>
  /** Whether pictures can be published. */
  publishes: boolean
}

/** Faults of a node, without its URL. */
export const nodeFaults: Record<NodeErrorKind, string> = {
  unavailable: 'the node does not answer: check RPC_URLS',
  'wrong-chain': 'the node is on another chain: check RPC_URLS',
  malformed: 'no node answers there: check RPC_URLS',
}

/**
 * Examines what launches need beyond the interface: nodes, launch contracts, the signing page and picture storage.
 * Empty without templates.
 */
export async function examineLaunches(launches: LaunchesToExamine): Promise<LaunchFinding[]> {
  const { settings, rpcUrls, publishes } = launches
  const { templates, launchers, publicUrl, signingUrlTemplate } = settings
  if (templates.length === 0) return []
  const findings: LaunchFinding[] = []
  for (const chain of new Set(templates.map((template) => template.chain))) {
    findings.push(await chainFinding(chain, launchers[chain], rpcUrls[chain]))
  }
  findings.push(...templates.map(templateFinding))
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

function templateFinding({ label, expects = {} }: Template): LaunchFinding {
  const rows = Object.keys(expects).length
  return rows === 0
    ? { what: label, verdict: 'unknown', detail: 'not pinned: run npm run doctor -- template NAME' }
    : {
        what: label,
        verdict: 'well',
        detail: `pinned: ${rows} ${rows === 1 ? 'row' : 'rows'} of its table`,
      }
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
    return { what, verdict: 'wrong', detail: nodeFaults[error.kind] }
  }
}
