import type { NameFinding, Report, SampleRow, Verdict } from './report.ts'

const marks: Record<Verdict, string> = { well: 'ok', wrong: 'FIX', unknown: '?' }

/** The report as lines of at most 80 columns; only the lines to paste may be longer. */
export function printReport(report: Report): string {
  const { calls, names, units, launches, sample, settings, advice } = report
  const sections = [
    { title: `Gavel's doctor at ${address(report.baseUrl)}`, lines: [] },
    {
      title: 'Endpoints',
      lines: calls.map(({ endpoint, verdict, detail }) =>
        row([marks[verdict], 3], [endpoint, 26], [detail, 46]),
      ),
    },
    { title: 'Query names', lines: names.map(nameRow) },
    {
      title: 'Units',
      lines: units.flatMap(({ field, detail, better }) => [
        row([marks.wrong, 3], [field, 72]),
        row(['', 3], [detail, 72]),
        row(['', 3], [`so it is in "${better}"`, 72]),
      ]),
    },
    {
      title: 'Launches',
      lines: launches.map(({ what, verdict, detail }) =>
        row([marks[verdict], 3], [what, 24], [detail, 48]),
      ),
    },
    {
      title: `Sample: ${clipped(sample?.name ?? '', 60)}`,
      lines: sample ? [`  ${sample.address}`, ...sample.rows.map(sampleRow)] : [],
    },
    { title: 'What to set, ready to paste', lines: settings },
    { title: 'What to do', lines: advice.flatMap(wrapped) },
    { title: `${counted(report.requests)}. ${conclusion(report)}`, lines: [] },
  ]
  const [head, ...rest] = sections
  const last = rest.pop()
  const filled = rest.filter(({ lines }) => lines.length > 0)
  return [head, ...filled, last]
    .map((section) => [section?.title, ...(section?.lines ?? [])].join('\n'))
    .join('\n\n')
    .concat('\n')
}

function conclusion({ needsOperator, names }: Report): string {
  if (needsOperator) return 'Something needs you.'
  const open = names.filter((finding) => finding.verdict === 'unknown').length
  return open === 0 ? 'All is well.' : `Nothing is wrong; of ${open} names nothing can be said.`
}

function counted(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`
}

function nameRow({ meaning, name, verdict, detail, better }: NameFinding): string {
  const effect = { well: 'had an effect', wrong: 'no effect', unknown: 'cannot tell' }[verdict]
  const how = better === undefined ? detail : `"${better}" works; ${detail}`
  return row([marks[verdict], 3], [meaning, 9], [name, 13], [effect, 13], [how, 35])
}

function sampleRow({ field, raw, shown }: SampleRow): string {
  return row([field, 37], [shortened(raw), 18], [withUnit(shown, 21), 21])
}

// Of a long integer the number of digits tells more than the digits.
function shortened(raw: string): string {
  return /^\d{19,}$/u.test(raw) ? `${raw.slice(0, 5)}… (${raw.length} digits)` : raw
}

function withUnit(shown: string, columns: number): string {
  const [amount = '', unit] = shown.split(' ')
  if (unit === undefined || shown.length <= columns || shown.startsWith('(')) return shown
  return `${clipped(amount, columns - unit.length - 1)} ${unit}`
}

function row(...cells: [text: string, columns: number][]): string {
  const texts = cells.map(([text, columns]) => clipped(text, columns).padEnd(columns))
  return `  ${texts.join(' ')}`.trimEnd()
}

function wrapped(text: string): string[] {
  return text.match(/.{1,76}(?:\s|$)/gu)?.map((part) => `  ${part.trim()}`) ?? []
}

// Names are written by strangers: no control character of theirs may reach a terminal.
function clipped(text: string, columns: number): string {
  const plain = [...text.replace(/\p{C}/gu, '')]
  return plain.length <= columns ? plain.join('') : `${plain.slice(0, columns - 1).join('')}…`
}

function address(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${pathname}`
}
