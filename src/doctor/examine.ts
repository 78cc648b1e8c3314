import type { QueryNames } from '../api/query-names.ts'
import type { Asset } from '../api/schema.ts'
import { access, listed, listFinding, singles } from './calls.ts'
import type { Inquiry } from './inquiry.ts'
import { judgeNames } from './names.ts'
import { judgeUnits } from './numbers.ts'
import type { NoAnswer, Probe } from './probe.ts'
import type { CallFinding, NameFinding, StatusFinding, UnitFinding } from './report.ts'
import { requirements } from './required.ts'
import { samplesOf } from './samples.ts'
import type { DoctorSettings, Tables } from './settings.ts'
import { judgeStatuses } from './status-words.ts'

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
  const units = judgeUnits(await samplesOf(sampled, names), tables.units)
  return { calls, names: findings, statuses, units, found: names, assets }
}
