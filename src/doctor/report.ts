import type { ListStatus, QueryMeaning } from '../api/schema.ts'
import { unknownUnit } from '../api/units.ts'
import type { ApiErrorKind } from '../errors.ts'
import type { UnitFinding } from './units.ts'

/** `ok`: correct. `wrong`: the operator must act. `unknown`: can't be judged. */
export type Verdict = 'ok' | 'wrong' | 'unknown'

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
  answer: string
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

/** Everything that the doctor found out about the API. */
export interface Report {
  baseUrl: string
  /** Why no question was answered, if none was. */
  failure?: ApiErrorKind
  calls: CallFinding[]
  names: NameFinding[]
  statuses: StatusFinding[]
  units: UnitFinding[]
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

const verdictMarks: Record<Verdict, string> = { ok: 'ok', wrong: 'FIX', unknown: '?' }

/** Formats the report in lines of at most 80 columns; only lines to paste may be longer. */
export function printReport(report: Report): string {
  const { calls, names, statuses, units, sample, settings, advice } = report
  const next = settings.length > 0 ? [{ title: nextStep(report), lines: [] }] : []
  const sections: Section[] = [
    { title: 'Endpoints', lines: calls.flatMap(callRows) },
    { title: 'Query names', lines: names.flatMap(nameRows) },
    { title: 'Words in asset_status', lines: statuses.flatMap(statusRows) },
    { title: 'Units', lines: units.flatMap(unitRows) },
    {
      title: `Sample${settings.length > 0 ? ', with the settings below' : ''}: ${clipped(sample?.name ?? '', 50)}`,
      lines: sample ? [`  ${sample.address}`, ...sample.rows.flatMap(sampleRows)] : [],
    },
    { title: 'What to set, ready to paste', lines: settings },
  ]
  const advised: Section[] = [
    { title: 'What to do', lines: advice.flatMap((text) => wrapText(text)) },
    {
      title: 'What could not be proved',
      lines: openFindings(report).flatMap((text) => wrapText(text)),
    },
  ]
  const isFilled = ({ lines }: Section) => lines.length > 0
  return sectionsText([
    { title: `Gavel's doctor at ${shownAddress(report.baseUrl)}`, lines: [] },
    ...sections.filter(isFilled),
    ...next,
    ...advised.filter(isFilled),
    { title: `${countText(report.requests)}. ${conclusion(report)}`, lines: [] },
  ])
}

function conclusion(report: Report): string {
  if (report.needsOperator) {
    return report.settings.length > 0
      ? 'Put what is set above into .env,\nin place of lines of the same name.'
      : 'There is something for you to do, see above.'
  }
  const broken = brokenUnits(report)
  const hidden = broken.filter(({ unit }) => unit === unknownUnit)
  const odd = broken.filter(({ unit }) => unit !== unknownUnit)
  const list = (all: readonly UnitFinding[]) => all.map(({ field }) => `\n  ${field}`).join('')
  const sentences = [
    odd.length === 0
      ? ''
      : `Nothing is known to be wrong to set, but these break\nan identity that holds between figures, and no single unit mends it:${list(odd)}`,
    hidden.length === 0
      ? ''
      : `These are not shown, because several units would fit. Ask who runs the\ninterface, or set a node for the chain (RPC_URLS):${list(hidden)}`,
  ].filter((sentence) => sentence !== '')
  if (sentences.length > 0) return sentences.join('\n')
  return report.sample
    ? `All is well: every figure of the sample${report.odd > 0 ? ', but for the odd assets,' : ''}\nsatisfies every identity.`
    : 'Nothing is wrong, and nothing is listed to judge by.'
}

function nextStep({ isSettled }: Report): string {
  return isSettled
    ? 'With what is set above, another run would change nothing more.'
    : 'These had not come to rest: paste them, and run the doctor again.'
}

/** Lists the findings that nothing proves. */
function openFindings(report: Report): string[] {
  const names = report.names.filter(isUnproved).map(({ name }) => name)
  const units = unprovedUnits(report).map(({ field }) => field)
  return [
    ...(names.length > 0 ? [`query names: ${names.join(', ')}`] : []),
    ...(units.length > 0
      ? [
          `Units of ${units.join(', ')}. They are shown as they are set, and may be wrong by a power of ten: compare the sample with a source that you trust. Who can’t compare them hides them with this line, without its #:`,
        ]
      : []),
    ...report.hiding,
  ]
}

function isUnproved({ verdict }: { verdict: Verdict }): boolean {
  return verdict === 'unknown'
}

function countText(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`
}

function nameRows({ meaning, name, verdict, detail, better }: NameFinding): string[] {
  const effect = { ok: 'had an effect', wrong: 'no effect', unknown: 'cannot tell' }[verdict]
  const what = better === undefined ? effect : `${effect}; "${better}" works`
  return [
    row([verdictMarks[verdict], 3], [meaning, 9], [name, 16], [what, 45]),
    ...detailRows(detail),
  ]
}

function statusRows({ word, verdict, detail, better }: StatusFinding): string[] {
  const what = better === undefined ? detail : `${detail}, so it says ${better}`
  return rowsBeside(verdictMarks[verdict], [word, 24], wrapped(what, 48))
}

function unitRows({ field, unit, verdict, detail, better }: UnitFinding): string[] {
  const so =
    better === unknownUnit ? `so it is "${better}", and not shown` : `so it is in "${better}"`
  return [
    row([verdictMarks[verdict], 3], [field, 38], [unit, 34]),
    ...detailRows(detail),
    ...(better === undefined ? [] : detailRows(so)),
  ]
}

// Shows refusals in full.
function callRows({ endpoint, verdict, detail }: CallFinding): string[] {
  const lines = verdict === 'wrong' ? wrapped(clipped(detail, 200), 45) : [clipped(detail, 45)]
  return rowsBeside(verdictMarks[verdict], [endpoint, 27], lines)
}

function detailRows(detail: string): string[] {
  return wrapped(detail, 70).map((line) => row(['', 3], [line, 72]))
}

/** Rows whose first has a mark and a subject, with lines beside them. */
function rowsBeside(
  mark: string,
  [subject, columns]: [string, number],
  [first = '', ...others]: readonly string[],
): string[] {
  const width = 72 - columns
  return [
    row([mark, 3], [subject, columns], [first, width]),
    ...others.map((line) => row(['', 3], ['', columns], [line, width])),
  ]
}

/** Shows values in full, to compare every digit with another source. */
function sampleRows({ field, raw, shown }: SampleRow): string[] {
  const result = `→ ${withUnit(shown, 38)}`
  if (displayWidth(raw) > 40) {
    return [row([field, 37]), row(['', 4], [raw, 60]), row(['', 37], [result, 40])]
  }
  if (displayWidth(raw) + displayWidth(result) > 39) {
    return [row([field, 37], [raw, 40]), row(['', 37], [result, 40])]
  }
  return [row([field, 37], [`${raw} ${result}`, 40])]
}

/** Shortens an amount that is too long, but keeps its unit. */
function withUnit(shown: string, columns: number): string {
  const [amount = '', unit] = shown.split(' ')
  if (unit === undefined || displayWidth(shown) <= columns || shown.startsWith('(')) return shown
  return `${clipped(amount, columns - unit.length - 1)} ${unit}`
}

function displayWidth(text: string): number {
  return [...text].length
}

function shownAddress(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname}`
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
function row(...cells: [text: string, columns: number][]): string {
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
function wrapped(text: string, columns: number): string[] {
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
