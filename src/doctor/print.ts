import { unknownUnit } from '../api/units.ts'
import {
  brokenUnits,
  type CallFinding,
  clipped,
  type NameFinding,
  type Report,
  type SampleRow,
  type StatusFinding,
  unprovedUnits,
  type Verdict,
} from './report.ts'
import type { UnitFinding } from './units.ts'

const marks: Record<Verdict, string> = { well: 'ok', wrong: 'FIX', unknown: '?' }

/** The report as lines of at most 80 columns; only the lines to paste may be longer. */
export function printReport(report: Report): string {
  const { calls, names, statuses, units, launches, sample, settings, advice } = report
  const sections = [
    { title: `Gavel's doctor at ${address(report.baseUrl)}`, lines: [] },
    {
      title: 'Endpoints',
      lines: calls.flatMap(callRows),
    },
    { title: 'Query names', lines: names.flatMap(nameRows) },
    { title: 'Words in asset_status', lines: statuses.flatMap(statusRows) },
    { title: 'Units', lines: units.flatMap(unitRows) },
    {
      title: 'Launches',
      lines: launches.map(({ what, verdict, detail }) =>
        row([marks[verdict], 3], [what, 24], [detail, 48]),
      ),
    },
    {
      title: `Sample${settings.length > 0 ? ', with the settings below' : ''}: ${clipped(sample?.name ?? '', 50)}`,
      lines: sample ? [`  ${sample.address}`, ...sample.rows.flatMap(sampleRows)] : [],
    },
    { title: 'What to set, ready to paste', lines: settings },
    { title: settings.length > 0 ? afterwards(report) : '', lines: [] },
    { title: 'What to do', lines: advice.flatMap((text) => wrapped(text)) },
    { title: 'What could not be proved', lines: open(report).flatMap((text) => wrapped(text)) },
    { title: `${counted(report.requests)}. ${conclusion(report)}`, lines: [] },
  ]
  const [head, ...rest] = sections
  const last = rest.pop()
  const filled = rest.filter(({ lines, title }) => lines.length > 0 || title === afterwards(report))
  return [head, ...filled, last]
    .map((section) => [section?.title, ...(section?.lines ?? [])].join('\n'))
    .join('\n\n')
    .concat('\n')
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

function afterwards({ isSettled }: Report): string {
  return isSettled
    ? 'With what is set above, another run would change nothing more.'
    : 'These had not come to rest: paste them, and run the doctor again.'
}

/** Lists the findings that nothing proves. */
function open(report: Report): string[] {
  const names = report.names.filter(isOpen).map(({ name }) => name)
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

function isOpen({ verdict }: { verdict: Verdict }): boolean {
  return verdict === 'unknown'
}

function counted(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`
}

function nameRows({ meaning, name, verdict, detail, better }: NameFinding): string[] {
  const effect = { well: 'had an effect', wrong: 'no effect', unknown: 'cannot tell' }[verdict]
  const what = better === undefined ? effect : `${effect}; "${better}" works`
  return [
    row([marks[verdict], 3], [meaning, 9], [name, 16], [what, 45]),
    ...wrapped(detail, 70).map((line) => row(['', 3], [line.trim(), 72])),
  ]
}

function statusRows({ word, verdict, detail, better }: StatusFinding): string[] {
  const what = better === undefined ? detail : `${detail}, so it says ${better}`
  const [first = '', ...others] = wrapped(what, 48).map((line) => line.trim())
  return [
    row([marks[verdict], 3], [word, 24], [first, 48]),
    ...others.map((line) => row(['', 3], ['', 24], [line, 48])),
  ]
}

function unitRows({ field, unit, verdict, detail, better }: UnitFinding): string[] {
  const lines = wrapped(detail, 70).map((line) => row(['', 3], [line.trim(), 72]))
  const words =
    better === unknownUnit ? `so it is "${better}", and not shown` : `so it is in "${better}"`
  const so = better === undefined ? [] : [row(['', 3], [words, 72])]
  return [row([marks[verdict], 3], [field, 38], [unit, 34]), ...lines, ...so]
}

// A refusal is told in full, as far as it goes.
function callRows({ endpoint, verdict, detail }: CallFinding): string[] {
  const mark = marks[verdict]
  if (verdict !== 'wrong') return [row([mark, 3], [endpoint, 27], [detail, 45])]
  const [first = '', ...others] = wrapped(clipped(detail, 200), 45).map((line) => line.trim())
  return [
    row([mark, 3], [endpoint, 27], [first, 45]),
    ...others.map((line) => row(['', 3], ['', 27], [line, 45])),
  ]
}

/** Whole values: who compares them with another source needs every digit. */
function sampleRows({ field, raw, shown }: SampleRow): string[] {
  const result = `→ ${withUnit(shown, 38)}`
  if (length(raw) > 40) {
    return [row([field, 37]), row(['', 4], [raw, 60]), row(['', 37], [result, 40])]
  }
  if (length(raw) + length(result) > 39) {
    return [row([field, 37], [raw, 40]), row(['', 37], [result, 40])]
  }
  return [row([field, 37], [`${raw} ${result}`, 40])]
}

/** An amount that is too long loses digits, but never its unit. */
function withUnit(shown: string, columns: number): string {
  const [amount = '', unit] = shown.split(' ')
  if (unit === undefined || length(shown) <= columns || shown.startsWith('(')) return shown
  return `${clipped(amount, columns - unit.length - 1)} ${unit}`
}

function length(text: string): number {
  return [...text].length
}

function row(...cells: [text: string, columns: number][]): string {
  const texts = cells.map(([text, columns]) => clipped(text, columns).padEnd(columns))
  return `  ${texts.join(' ')}`.trimEnd()
}

// A line to paste stays whole, and a word that is too long for a line is broken.
function wrapped(text: string, columns = 76): string[] {
  if (/^#?API_/u.test(text)) return [text]
  const plain = text.replace(/[\p{C}]/gu, '')
  const lines = new RegExp(`\\S{${columns}}|.{1,${columns}}(?:\\s|$)`, 'gu')
  return plain.match(lines)?.map((part) => `  ${part.trim()}`) ?? []
}

function address(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname}`
}
