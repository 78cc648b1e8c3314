/** One figure: its name with what histograms append, and its labels. */
interface Sample {
  name: string
  labels: Readonly<Record<string, string>>
  value: number
}

interface Family {
  name: string
  type: string
  help: string
  samples: Sample[]
}

const types = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const named = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const labelled = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
// Prometheus reads NaN in any case, and prom-client writes it in one of its own.
const number = '[-+]?(?:Inf|\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)|[Nn]a[Nn]'
const comment = new RegExp(`^# (HELP|TYPE) (${named}) (.+)$`, 'u')
const sampleLine = new RegExp(
  `^(${named})(?:\\{(${labelled}(?:,${labelled})*)\\})? (${number})$`,
  'u',
)
const oneLabel = /(\w+)="((?:[^"\\]|\\.)*)"/gu
const suffixes: Readonly<Record<string, RegExp>> = {
  histogram: /^_(?:bucket|sum|count)$/u,
  summary: /^(?:|_sum|_count)$/u,
}

/** Figures as Prometheus would read them; its text format 0.0.4 leaves nothing to taste here. */
export class Exposition {
  readonly families: readonly Family[]

  /** @throws where a line breaks the format, or a family says what can't be */
  constructor(text: string) {
    if (!text.endsWith('\n')) throw new Error('the last line has no end')
    this.families = familiesOf(text.slice(0, -1).split('\n'))
    for (const family of this.families) checkFamily(family)
  }

  get samples(): Sample[] {
    return this.families.flatMap(({ samples }) => samples)
  }

  /** The sum of all that have at least these labels; undefined where there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const values = this.samples
      .filter((sample) => sample.name === name)
      .filter((sample) => Object.entries(labels).every(([key, of]) => sample.labels[key] === of))
      .map(({ value }) => value)
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0)
  }
}

function familiesOf(lines: readonly string[]): Family[] {
  const families: Family[] = []
  for (const line of lines.filter((each) => each !== '')) {
    const [, keyword, name = '', rest = ''] = comment.exec(line) ?? []
    if (keyword === 'HELP') {
      if (families.some((family) => family.name === name)) throw new Error(`twice: ${line}`)
      families.push({ name, type: '', help: rest, samples: [] })
      continue
    }
    const family = families.at(-1)
    if (family === undefined) throw new Error(`of no family: ${line}`)
    if (keyword === 'TYPE') family.type = typeOf(name, rest, family)
    else family.samples.push(sampleOf(line, family))
  }
  return families
}

function typeOf(name: string, type: string, family: Family): string {
  if (name === family.name && family.type === '' && types.includes(type)) return type
  throw new Error(`no type of ${family.name}: ${type} of ${name}`)
}

function sampleOf(line: string, { name: family, type }: Family): Sample {
  if (type === '') throw new Error(`${family} has no type`)
  const [whole, name = '', labels = '', value = ''] = sampleLine.exec(line) ?? []
  if (whole === undefined) throw new Error(`no figure: ${line}`)
  const suffix = name.startsWith(family) ? name.slice(family.length) : 'of another'
  if (!(suffixes[type] ?? /^$/u).test(suffix)) throw new Error(`not of ${family}: ${line}`)
  const pairs = [...labels.matchAll(oneLabel)].map(
    ([, key = '', text = '']) => [key, text.replaceAll(/\\(.)/gu, unescaped)] as const,
  )
  if (new Set(pairs.map(([key]) => key)).size < pairs.length) throw new Error(`twice: ${line}`)
  return { name, labels: Object.fromEntries(pairs), value: numberOf(value) }
}

function unescaped(_: string, character: string): string {
  return character === 'n' ? '\n' : character
}

function numberOf(text: string): number {
  return Number(text.replace('Inf', 'Infinity'))
}

function checkFamily({ name, type, samples }: Family): void {
  const series = samples.map((each) =>
    JSON.stringify([each.name, Object.entries(each.labels).sort()]),
  )
  if (new Set(series).size < series.length) throw new Error(`a series of ${name} is there twice`)
  if (type === 'counter' && samples.some(({ value }) => value < 0)) throw new Error(`${name} fell`)
  if (type !== 'histogram') return
  const groups = Object.groupBy(samples, ({ labels: { le: _, ...others } }) =>
    JSON.stringify(Object.entries(others).sort()),
  )
  for (const group of Object.values(groups)) checkHistogram(name, group ?? [])
}

/** Buckets grow with their bounds, and the last of them holds all. */
function checkHistogram(name: string, samples: readonly Sample[]): void {
  const buckets = samples
    .filter((sample) => sample.name === `${name}_bucket`)
    .map(({ labels: { le = '' }, value }) => ({ le: numberOf(le), value }))
  const count = samples.find((sample) => sample.name === `${name}_count`)?.value
  const grows = buckets.every(
    ({ le, value }, at) =>
      at === 0 || (le > (buckets[at - 1]?.le ?? 0) && value >= (buckets[at - 1]?.value ?? 0)),
  )
  const last = buckets.at(-1)
  const isWhole = last?.le === Number.POSITIVE_INFINITY && last.value === count
  const hasSum = samples.some((sample) => sample.name === `${name}_sum`)
  if (!grows || !isWhole || !hasSum) throw new Error(`${name} is no histogram`)
}
