import { availableParallelism, loadavg } from 'node:os'

/** What a study found: tables in Markdown, and the figures that must not get worse. */
export interface Findings {
  tables: string[]
  goals: Goal[]
}

/** A figure with the most that it may be. */
interface Goal {
  figure: string
  value: number
  bound: number
}

export function atMost(bound: number, figure: string, value: number): Goal {
  return { figure, value, bound }
}

/** Whether the figure is as good as its goal; one that could not be measured (NaN) is not. */
export function isReached({ value, bound }: Goal): boolean {
  return value <= bound
}

export function goalsTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => ({ ...goal, name: goal.figure }))
  return tableOf(rows, {
    measured: ({ value }) => String(Number(value.toPrecision(3))),
    goal: ({ bound }) => `≤ ${bound}`,
    reached: (goal) => (isReached(goal) ? 'yes' : '**no**'),
  })
}

/** Returns a tenth of the work, to try it out; its figures are not reliable. */
export function quickly<Plan extends Record<string, number>>(plan: Plan): Plan {
  const entries = Object.entries(plan).map(([name, value]) => [name, Math.ceil(value / 10)])
  return { ...plan, ...Object.fromEntries(entries) }
}

/** Returns the value below which this share (0 to 1) of the values lies, the nearest that occurred; NaN if empty. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** Returns the median of the ratios of two bots' rounds: a disturbance of a round affects both and cancels out. */
export function medianRatio(ours: readonly number[], theirs: readonly number[]): number {
  return median(ours.flatMap((our, round) => (theirs[round] ? [our / theirs[round]] : [])))
}

/** Measures each item in every round; rounds start with another item each, so that none is always first. */
export async function inRounds<Item, Result>(
  items: readonly Item[],
  rounds: number,
  measure: (item: Item) => Promise<Result>,
): Promise<Result[][]> {
  const results = items.map((): Result[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < items.length; turn += 1) {
      const index = (round + turn) % items.length
      const item = items[index]
      if (item !== undefined) results[index]?.push(await measure(item))
    }
  }
  return results
}

/** Formats a Markdown table with a line for each row, which its name begins, and these columns by their titles. */
export function tableOf<Row extends { name: string }>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const head = ['', ...Object.keys(columns)]
  const cells = Object.values(columns)
  const lines = rows.map((row) => line([row.name, ...cells.map((cell) => cell(row))]))
  return [line(head), line(head.map(() => '---')), ...lines].join('\n')
}

export function whole(value: number): string {
  return Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en')
}

export function millis(value: number): string {
  if (Number.isNaN(value)) return '–'
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
}

export function ratio(value: number): string {
  return `**${value.toFixed(2)}**`
}

/** Formats the line above the tables that says how they were made. */
export function origin(command: string): string {
  const date = new Date().toISOString().slice(0, 10)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  return `\`${command}\` · Node.js ${process.versions.node} · ${availableParallelism()} cores · ${date} · load before it ${load}`
}

/** Returns the page with this command's tables replaced. */
export function withFigures(page: string, command: string, figures: string): string {
  const begin = `<!-- figures: ${command} --docs -->`
  const end = '<!-- end of figures -->'
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < from) throw new Error(`the page has no place for figures: ${begin}`)
  return `${page.slice(0, from)}${begin}\n\n${figures}\n\n${page.slice(to)}`
}
