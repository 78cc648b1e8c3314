import type { QueryMeaning } from '../api/requests.ts'
import type { ListStatus } from '../api/schema.ts'
import { unknownUnit } from '../api/units.ts'
import type { UnitFinding } from './units.ts'

/** `well`: correct. `wrong`: the operator must act. `unknown`: can't be judged. */
export type Verdict = 'well' | 'wrong' | 'unknown'

/** Result of calling an endpoint. */
export interface CallFinding {
  endpoint: string
  verdict: Verdict
  detail: string
}

/** Result for a query name: whether it has an effect, and how that was judged. */
export interface NameFinding {
  meaning: QueryMeaning
  name: string
  verdict: Verdict
  detail: string
  /** Another name that works. */
  better?: string
  /** The other names that were tried, and the answers to them. */
  tried?: TriedName[]
  /** Name of a parameter that counts pages, if the API has no offset. */
  countsPages?: string
}

/** A name that was tried in vain, and the answer. */
export interface TriedName {
  name: string
  came: string
}

/** Result for a word of `asset_status` that is not in the document. */
export interface StatusFinding {
  word: string
  verdict: Verdict
  detail: string
  /** The documented word with the same meaning. */
  better?: ListStatus
}

/** A value of the sample asset: raw, and as a card shows it. */
export interface SampleRow {
  field: string
  raw: string
  shown: string
}

/** Raw and shown values of one asset. */
export interface Sample {
  address: string
  name: string
  rows: SampleRow[]
}

/** Result for something that launches need. */
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
  /** Commented line that hides the figures whose unit could not be proved. */
  hiding: string[]
  /** Further advice. */
  advice: string[]
  /** Number of sampled assets whose figures contradict each other although the units are right. */
  odd: number
  requests: number
  /** Set if another run with the proposed settings would change nothing. */
  isSettled: boolean
  needsOperator: boolean
}

/** Lists figures that are shown with the configured unit, although nothing proves it. */
export function unprovedUnits({ units }: Pick<Report, 'units'>): UnitFinding[] {
  return units.filter(
    ({ verdict, unit, better }) =>
      verdict === 'unknown' && unit !== unknownUnit && better === undefined,
  )
}

/** Lists figures that break an identity and that no unit can correct. */
export function brokenUnits({ units }: Pick<Report, 'units'>): UnitFinding[] {
  return units.filter(
    ({ fits, better }) => !fits && (better === undefined || better === unknownUnit),
  )
}

/**
 * Returns the exit code. 0: all is well. 1: the operator must act. 2: figures break an identity, and no setting is
 * known to correct it.
 */
export function exitCode(report: Report): 0 | 1 | 2 {
  if (report.needsOperator) return 1
  return brokenUnits(report).length > 0 ? 2 : 0
}

/**
 * Cuts a text to this many characters, ending in … if cut, and removes control characters, because names and answers
 * are untrusted.
 */
export function clipped(text: string, max: number): string {
  const plain = [...withoutControls(text)]
  return plain.length <= max ? plain.join('') : `${plain.slice(0, max - 1).join('')}…`
}

/** Removes invisible characters, which could act on a terminal. */
function withoutControls(text: string): string {
  return text.replaceAll(/\p{C}/gu, '')
}

/** Makes a line of cells of fixed widths. */
export function row(...cells: [text: string, columns: number][]): string {
  const texts = cells.map(([text, columns]) => clipped(text, columns).padEnd(columns))
  return `  ${texts.join(' ')}`.trimEnd()
}

/**
 * Breaks a text into lines of at most 80 columns, the later ones indented by `hanging` more. Words that are longer than
 * a line are broken; a line to paste stays whole.
 */
export function wrapText(text: string, hanging = 0): string[] {
  if (/^#?API_/u.test(text)) return [text]
  return wrapped(text, 76).map((line, index) => `  ${index > 0 ? ' '.repeat(hanging) : ''}${line}`)
}

/** Breaks a text into lines of at most this many columns. */
export function wrapped(text: string, columns: number): string[] {
  const lines = new RegExp(`\\S{${columns}}|.{1,${columns}}(?:\\s|$)`, 'gu')
  return (
    withoutControls(text)
      .match(lines)
      ?.map((line) => line.trim()) ?? []
  )
}

/** A titled part of what is printed. */
export interface Section {
  title: string
  lines: readonly string[]
}

/** Joins sections, with an empty line between them. */
export function sectionsText(sections: readonly Section[]): string {
  const texts = sections.map(({ title, lines }) => [title, ...lines].join('\n'))
  return `${texts.join('\n\n')}\n`
}
