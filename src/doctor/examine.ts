import type { Address } from 'viem'
import type { QueryNames } from '../api/query-names.ts'
import type { Asset } from '../api/schema.ts'
import { tokenDecimals } from '../chain/decimals.ts'
import { ChainNode } from '../chain/node.ts'
import { NodeError } from '../chain/node-error.ts'
import { access, listed, listFinding, singles } from './calls.ts'
import type { Inquiry } from './inquiry.ts'
import { judgeNames } from './names.ts'
import type { NoAnswer, Probe } from './probe.ts'
import type { CallFinding, NameFinding, StatusFinding } from './report.ts'
import { requirements } from './required.ts'
import { sampleOfChain } from './samples.ts'
import type { DoctorSettings, Tables } from './settings.ts'
import { judgeStatuses } from './status-words.ts'
import { readTruths, type Truth } from './truth.ts'
import { judgeUnits, type UnitFinding } from './units.ts'

/** What one examination with one set of tables came to. */
export interface Examination {
  calls: CallFinding[]
  names: NameFinding[]
  statuses: StatusFinding[]
  units: UnitFinding[]
  /** The names with those that were found. */
  found: QueryNames
  /** What the first chain lists at its beginning. */
  assets: readonly Asset[]
}

const maxChains = 5
/** Units and status words are judged by the assets of so many. */
const maxSampled = 2

/** Examines the interface with these tables, or says why it can't be asked at all. */
export async function examineWith(
  settings: DoctorSettings,
  tables: Tables,
  probe: Probe,
): Promise<Examination | NoAnswer> {
  const [first, ...others] = settings.chains
  const judged = await judgeNames({ probe, names: tables.queryNames, chains: settings.chains })
  if ('error' in judged) return judged
  const { findings, names, inquiry } = judged
  const home = await listed(inquiry, names)
  const { assets } = 'value' in home ? home.value : inquiry.base.answer
  const calls = [...access(undefined), listFinding(first, home)]
  const inquiries: Inquiry[] = [inquiry]
  for (const chain of others.slice(0, maxChains - 1)) {
    const other = await inquiry.on(chain)
    calls.push(listFinding(chain, 'error' in other ? other : await listed(other, names)))
    if (!('error' in other)) inquiries.push(other)
  }
  calls.push(...(await singles(inquiry, names, assets)))
  calls.push(...(await requirements(inquiry, names.term, assets[0]?.asset_address)))
  const sampled = inquiries.slice(0, maxSampled)
  const statuses = await judgeStatuses(sampled, tables.statusWords ?? new Map())
  const { samples, truths } = await samplesWith(sampled, names, settings)
  const units = judgeUnits(samples, tables.units, { truths, seen: settings.seen })
  return { calls, names: findings, statuses, units, found: names, assets }
}

/** The sample, with the decimals of its tokens, and what the chains' nodes say of a few of its assets. */
async function samplesWith(
  inquiries: readonly Inquiry[],
  names: QueryNames,
  { launches: { rpcUrls, settings } }: DoctorSettings,
): Promise<{ samples: Asset[]; truths: Truth[] }> {
  const samples: Asset[] = []
  const truths: Truth[] = []
  for (const inquiry of inquiries) {
    const { chain } = inquiry
    const rpcUrl = rpcUrls[chain]
    const node = rpcUrl === undefined ? undefined : new ChainNode({ rpcUrl, chainId: chain })
    const decimals = tokenDecimals({ nodes: new Map(node ? [[chain, node]] : []) })
    const assets = await sampleOfChain(inquiry, names)
    for (const asset of assets) {
      const quote = asset.asset_numeraire_address
      const known = quote === undefined ? undefined : await decimals(chain, quote)
      samples.push({ ...asset, decimals: { quote: known, token: undefined } })
    }
    if (node) truths.push(...(await truthsOf(node, settings.launchers[chain]?.airlock, assets)))
  }
  return { samples, truths }
}

/** A node that does not answer is told of with the launches; here it only says nothing. */
async function truthsOf(
  node: ChainNode,
  airlock: Address | undefined,
  assets: readonly Asset[],
): Promise<Truth[]> {
  try {
    return await readTruths({ node, airlock }, assets)
  } catch (error) {
    if (error instanceof NodeError) return []
    throw error
  }
}
