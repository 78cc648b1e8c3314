import { sameListing } from '../api/guard.ts'
import type { QueryNames } from '../api/query-names.ts'
import { access, hiddenFinding, ignoredFinding, listed, listFinding, singles } from './calls.ts'
import type { Inquiry } from './inquiry.ts'
import { type JudgedNames, judgeNames } from './names.ts'
import type { Nodes } from './nodes.ts'
import type { NoAnswer, Probe } from './probe.ts'
import type { CallFinding, NameFinding, StatusFinding } from './report.ts'
import { requirements } from './required.ts'
import type { Sampled } from './sample.ts'
import { sampleOfChain } from './samples.ts'
import type { DoctorSettings, Tables } from './settings.ts'
import { judgeStatuses } from './status-words.ts'
import type { Truth } from './truth.ts'
import { judgeUnits, type UnitFinding } from './units.ts'

/** The result of one examination with one set of tables. */
export interface Examination {
  calls: CallFinding[]
  names: NameFinding[]
  statuses: StatusFinding[]
  units: UnitFinding[]
  /** The names with those that were found. */
  found: QueryNames
  /** The assets by which units were judged. */
  samples: readonly Sampled[]
  /** What the interface requires and the bot can't send. */
  advice: string[]
}

const maxChains = 5
/** Units and status words are judged by the assets of so many. */
const maxSampled = 2

/** The interface and the nodes that are asked, in one run of the doctor always the same. */
export interface Sources {
  probe: Probe
  nodes: Nodes
}

/** Examines the interface with these tables, or says why it can't be asked at all. */
export async function examineWith(
  settings: DoctorSettings,
  tables: Tables,
  { probe, nodes }: Sources,
): Promise<Examination | NoAnswer> {
  const judged = await judgeOnFirstWithAssets(settings.chains, tables.queryNames, probe)
  if ('error' in judged) return judged
  const { findings, names, inquiry } = judged
  const home = await listed(inquiry, names)
  const { assets } = 'value' in home ? home.value : inquiry.base.answer
  const isEmpty = 'value' in home && home.value.received === 0
  const isHidden = isEmpty && inquiry.base.answer.assets.length > 0
  const calls = [
    ...access(undefined),
    isHidden ? hiddenFinding(inquiry.chain) : listFinding(inquiry.chain, home),
  ]
  const inquiries: Inquiry[] = [inquiry]
  const others = settings.chains.filter((chain) => chain !== inquiry.chain)
  for (const chain of others.slice(0, maxChains - 1)) {
    const other = await inquiry.on(chain)
    const answer = 'error' in other ? other : await listed(other, names)
    const isHomes = 'value' in answer && sameListing(assets, answer.value.assets)
    calls.push(isHomes ? ignoredFinding(chain, inquiry.chain) : listFinding(chain, answer))
    if (!('error' in other) && !isHomes) inquiries.push(other)
  }
  calls.push(...others.slice(maxChains - 1).map(unexamined))
  calls.push(...(await singles(inquiry, names, assets)))
  const required = await requirements(inquiry, names, assets[0]?.asset_address)
  calls.push(...required.calls)
  const sampled = inquiries.slice(0, maxSampled)
  const statuses = await judgeStatuses(sampled, tables.statusWords ?? new Map())
  const { samples, truths } = await samplesWith(sampled, names, nodes)
  const read = samples.map(({ asset }) => asset)
  const units = judgeUnits(read, tables.units, { truths, seen: settings.seen })
  const { advice } = required
  return { calls, names: findings, statuses, units, found: names, samples, advice }
}

function unexamined(chain: number): CallFinding {
  const detail = `not examined: only ${maxChains} chains are`
  return { endpoint: `GET /assets/ on ${chain}`, verdict: 'unknown', detail }
}

/** A chain on which nothing is listed proves nothing of names, and there may be another. */
async function judgeOnFirstWithAssets(
  chains: DoctorSettings['chains'],
  names: QueryNames,
  probe: Probe,
): Promise<JudgedNames | NoAnswer> {
  const [first, ...others] = chains
  const judged = await judgeNames({ probe, names, chains })
  if ('error' in judged || judged.inquiry.base.answer.assets.length > 0) return judged
  for (const chain of others.slice(0, maxChains - 1)) {
    const rest = chains.filter((each) => each !== chain && each !== first)
    const other = await judgeNames({ probe, names, chains: [chain, first, ...rest] })
    if (!('error' in other) && other.inquiry.base.answer.assets.length > 0) return other
  }
  return judged
}

/** The sample, with the decimals of its tokens, and what the chains' nodes say of a few of its assets. */
async function samplesWith(
  inquiries: readonly Inquiry[],
  names: QueryNames,
  nodes: Nodes,
): Promise<{ samples: Sampled[]; truths: Truth[] }> {
  const samples: Sampled[] = []
  const truths: Truth[] = []
  for (const inquiry of inquiries) {
    const { chain } = inquiry
    const read = await nodes.read(chain, await sampleOfChain(inquiry, names))
    samples.push(...read.samples.map((asset) => ({ asset, chain })))
    truths.push(...read.truths)
  }
  return { samples, truths }
}
