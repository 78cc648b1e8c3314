import type { Api } from '../api/client.ts'
import { ConnectionFault } from '../api/http.ts'
import { type Chain, chainById } from '../chain/chains.ts'
import { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/rpc.ts'
import type { Config } from '../config.ts'
import type { Template } from '../launch/draft.ts'
import { rawCid } from '../launch/image.ts'
import { IpfsError, publisherOf, readerOf } from '../launch/ipfs.ts'
import { type Finding, off, ok, unknown, wrong } from './finding.ts'
import { examineTemplate } from './launch-template.ts'

/** Tries each node: whether it answers, for its chain, and whether the launch contracts are there. */
export async function tryNodes({ rpcUrls, chains, launch }: Config): Promise<Finding[]> {
  if (Object.keys(rpcUrls).length === 0) return [off('RPC_URLS')]
  const tried = Object.entries(rpcUrls).map(([id, rpcUrl]) => {
    const chain = chainById(Number(id))
    return tryNode(chain, rpcUrl, launch.launchers[chain.id])
  })
  const wanted = new Set([...chains, ...launch.templates.map(({ chain }) => chain)])
  const missing = [...wanted].filter((id) => rpcUrls[id] === undefined)
  const without = missing.map((id): Finding => {
    const detail = `none for ${nameOf(chainById(id))}: launches there are not simulated`
    return { setting: 'RPC_URLS', verdict: 'off', detail }
  })
  return [...(await Promise.all(tried)).flat(), ...without]
}

async function tryNode(
  chain: Chain,
  rpcUrl: string,
  launcher: Config['launch']['launchers'][number] | undefined,
): Promise<Finding[]> {
  try {
    const node = new ChainNode({ rpcUrl, chainId: chain.id })
    const answers = ok('RPC_URLS', `${nameOf(chain)}: block ${await node.block()}`)
    if (!launcher) return [answers]
    const stand = await Promise.all([node.hasCode(launcher.to), node.hasCode(launcher.airlock)])
    const contract = stand.every(Boolean)
      ? ok('LAUNCHERS', `${nameOf(chain)}: the launch contract is there`)
      : wrong('LAUNCHERS', `${nameOf(chain)}: there is no contract at ${launcher.to}`)
    return [answers, contract]
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return [wrong('RPC_URLS', `${nameOf(chain)}: ${error.message}`)]
  }
}

function nameOf({ id, name }: Chain): string {
  return name.includes(String(id)) ? name : `${name} (${id})`
}

/** Has each template built as a launch would, with debug, for a made-up token; nothing is stored or uploaded. */
export async function tryTemplates(config: Config, api: Api): Promise<Finding[]> {
  const { launch: settings, rpcUrls } = config
  const findings: Finding[] = []
  // One after the other: to build one costs the API a lot.
  for (const template of settings.templates) {
    const rpcUrl = rpcUrls[template.chain]
    const report = await examineTemplate(
      {
        settings,
        api,
        units: config.api.units,
        node: rpcUrl === undefined ? undefined : new ChainNode({ rpcUrl, chainId: template.chain }),
        now: () => Math.floor(Date.now() / 1_000),
      },
      template,
      { vesting: false },
    )
    findings.push(templateFinding(template, report))
  }
  return findings
}

function templateFinding(
  { label, chain }: Template,
  report: Awaited<ReturnType<typeof examineTemplate>>,
): Finding {
  const name = `${label} on ${nameOf(chainById(chain))}`
  if (report.kind === 'unread') {
    const say = report.lacksNode ? unknown : wrong
    return say('TEMPLATES', `${name}: ${report.problems.join(' ')}`)
  }
  const changed = report.rows.filter(({ state }) => state === 'different').length
  if (changed > 0) {
    const rows = changed === 1 ? '1 row' : `${changed} rows`
    const held = report.pinned.length > 0 ? 'changed from what is pinned' : 'not as is usual'
    return wrong(
      'TEMPLATES',
      `${name}: ${rows} ${held}; npm run doctor -- template ${label} shows them`,
    )
  }
  const [doubt] = report.doubts
  const notes = [
    ...(doubt === undefined ? [] : [`not verified: ${doubt}`]),
    report.pinned.length > 0
      ? `${report.pinned.length} rows pinned`
      : `not pinned: npm run doctor -- template ${label}`,
  ]
  return ok('TEMPLATES', `${name} builds`, notes)
}

const sampleText = 'The doctor of Gavel was here.\n'
/** Milliseconds: a gateway may have to find what was added a moment ago. */
const readDeadlineMs = 10_000

/** Adds a few bytes to IPFS, the same ones each time, and reads them back. */
export async function tryIpfs(config: Pick<Config, 'ipfs' | 'ipfsGateway'>): Promise<Finding[]> {
  const { ipfs, ipfsGateway } = config
  const adding = ipfs?.kind === 'pinata' ? 'PINATA_JWT' : 'IPFS_API_URL'
  const bytes = new TextEncoder().encode(sampleText)
  const cid = await rawCid(bytes)
  const publisher = publisherOf(config)
  const reader = readerOf(config)
  try {
    const added = publisher
      ? await publisher.publish({ cid, type: 'image/webp', bytes }).then(
          () => ok(adding, 'a few bytes were added'),
          (error: unknown) => ipfsFinding(adding, error),
        )
      : off(adding)
    if (added.verdict === 'wrong') return [added]
    if (!reader) return [added, off('IPFS_GATEWAY')]
    const reading = ipfsGateway === undefined ? adding : 'IPFS_GATEWAY'
    const read = await reader.read(cid, readDeadlineMs).then(
      () => ok(reading, 'a few bytes were added and read back'),
      (error: unknown) => notReadFinding(reading, error, publisher !== undefined),
    )
    return reading === adding ? [read] : [added, read]
  } finally {
    await publisher?.close()
    await reader?.close()
  }
}

function ipfsFinding(setting: string, error: unknown): Finding {
  if (!(error instanceof IpfsError)) throw error
  if (error.cause instanceof ConnectionFault) {
    return wrong(setting, `nothing answers there (${error.cause.code})`)
  }
  const isKey = error.kind === 'refused'
  return wrong(
    setting,
    isKey ? `it refuses the key, or to add files: ${error.message}` : error.message,
  )
}

/** A gateway may not find yet what was just added, or at all what nobody has added. */
function notReadFinding(setting: string, error: unknown, isAdded: boolean): Finding {
  if (!(error instanceof IpfsError)) throw error
  if (error.cause instanceof ConnectionFault || setting !== 'IPFS_GATEWAY') {
    return ipfsFinding(setting, error)
  }
  if (error.kind === 'unavailable') {
    const what = isAdded ? 'does not find yet what was added' : 'has none of the doctor’s files'
    return unknown(setting, `it answers, and ${what}: ${error.message}`)
  }
  return wrong(setting, `it gives no single blocks (?format=raw): ${error.message}`)
}
