import type { QueryMeaning } from '../api/query-names.ts'
import type { ListStatus } from '../api/status.ts'
import { unknownUnit } from '../api/units.ts'
import type { UnitFinding } from './units.ts'

/** `well`: as it should be. `wrong`: the operator must act. `unknown`: nothing to judge by. */
export type Verdict = 'well' | 'wrong' | 'unknown'

/** What a call of one endpoint came to. */
export interface CallFinding {
  endpoint: string
  verdict: Verdict
  detail: string
}

/** Whether a query name had an effect, and how that was judged. */
export interface NameFinding {
  meaning: QueryMeaning
  name: string
  verdict: Verdict
  detail: string
  /** Another name that works. */
  better?: string
  /** The other names that were tried, and the answers to them. */
  tried?: TriedName[]
  /** The name under which the interface counts pages, where it takes no offset. */
  countsPages?: string
}

/** A name that is not the one, and what came back. */
export interface TriedName {
  name: string
  came: string
}

/** A word of `asset_status` that the document does not have. */
export interface StatusFinding {
  word: string
  verdict: Verdict
  detail: string
  /** The documented word that it stands for. */
  better?: ListStatus
}

/** One value of the sample asset: as it came, and as a card would take it. */
export interface SampleRow {
  field: string
  raw: string
  shown: string
}

/** One asset's raw values beside what a card makes of them. */
export interface Sample {
  address: string
  name: string
  rows: SampleRow[]
}

/** Something that launches need. */
export interface LaunchFinding {
  what: string
  verdict: Verdict
  detail: string
}

/** Everything that the doctor found. */
export interface Report {
  baseUrl: string
  calls: CallFinding[]
  names: NameFinding[]
  statuses: StatusFinding[]
  units: UnitFinding[]
  launches: LaunchFinding[]
  sample?: Sample
  /** Lines for the settings file, ready to paste. */
  settings: string[]
  /** Of figures whose unit could not be proved: the commented line that hides them, for who wants to. */
  hiding: string[]
  /** What else to do, in words. */
  advice: string[]
  /** Assets of the sample whose figures contradict each other though the units are right. */
  odd: number
  requests: number
  /** With the settings pasted, another run would change nothing more. */
  isSettled: boolean
  needsOperator: boolean
}

/** Figures that are shown as they are set, though nothing proves that. */
export function unprovedUnits({ units }: Pick<Report, 'units'>): UnitFinding[] {
  return units.filter(
    ({ verdict, unit, better }) =>
      verdict === 'unknown' && unit !== unknownUnit && better === undefined,
  )
}

/** Figures that break an identity where no single unit mends it. */
export function brokenUnits({ units }: Pick<Report, 'units'>): UnitFinding[] {
  return units.filter(
    ({ fits, better }) => !fits && (better === undefined || better === unknownUnit),
  )
}

/** 0: all is well. 1: something needs the operator. 2: figures break an identity, and nothing is known to be set. */
export function exitCode(report: Report): 0 | 1 | 2 {
  if (report.needsOperator) return 1
  return brokenUnits(report).length > 0 ? 2 : 0
}

/**
 * A text of at most so many characters, the last of them … where it is cut. Names and answers are written by strangers: no
 * control character of theirs may reach a terminal.
 */
export function clipped(text: string, most: number): string {
  const plain = [...text.replace(/\p{C}/gu, '')]
  return plain.length <= most ? plain.join('') : `${plain.slice(0, most - 1).join('')}…`
}
