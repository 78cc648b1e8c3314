import type { PlatformResult } from './benchmark.ts'
import { lateMs, slowMs } from './entries.ts'
import { millis, origin, type Run, table, whole } from './markdown.ts'
import type { Throughput } from './studies/throughput.ts'

/** Results of the commands benchmark. */
export interface Report extends Run {
  platforms: PlatformResult[]
}

/** Formats the report as Markdown tables. */
export function markdown(report: Report): string {
  return [origin(report), ...report.platforms.flatMap(platformTables), ''].join('\n')
}

const titles = { telegram: 'Telegram', discord: 'Discord' }

function platformTables(result: PlatformResult): string[] {
  return [
    `\n### ${titles[result.platform]}`,
    `\nWarm \`/asset\`, an answer of ${result.answerBytes} bytes, batches of 100, four in flight:\n`,
    ...throughputTable(result.prompt),
    `\nThe same where the platform takes ${lateMs} ms for each answer:\n`,
    ...throughputTable(result.late),
    '\nOne command at a time (added: over the raw loop), and the start:\n',
    ...table(
      ['', 'p50', 'p99', 'added p50', 'added p99', 'start to ready', 'memory then'],
      latencyRows(result),
    ),
    '',
    `- Not read before, the interface taking ${slowMs} ms: p50 ${added(result.cold.p50 - slowMs)}, p99 ${added(result.cold.p99 - slowMs)} over the interface's own time.`,
    `- A batch of 100 just after the cache ran out, the interface taking ${slowMs} ms: requests to it: ${result.expiry.reads}, half of the batch answered after ${millis(result.expiry.p50)}, all after ${millis(result.expiry.last)}.`,
  ]
}

function throughputTable(rows: readonly Throughput[]): string[] {
  return table(
    [
      '',
      'commands/s',
      "÷ bare bot's",
      'CPU a command',
      "bare bot's CPU ÷ it",
      "stand-in's CPU a command",
      'memory',
    ],
    rows.map((row) => [
      row.name,
      whole(row.rate),
      `**${row.ratio.toFixed(2)}**`,
      `${whole(row.botCpu)} µs`,
      row.cpuRatio.toFixed(2),
      `${whole(row.standInCpu)} µs`,
      `${whole(row.megabytes)} MB after ${whole(row.commands)}`,
    ]),
  )
}

function latencyRows({ warm, starts }: PlatformResult): string[][] {
  const limit = warm.at(-1)
  return warm.map(({ name, p50, p99 }) => {
    const start = starts.find((each) => each.name === name)
    return [
      name,
      millis(p50),
      millis(p99),
      added(p50 - (limit?.p50 ?? Number.NaN)),
      added(p99 - (limit?.p99 ?? Number.NaN)),
      `${whole(start?.millis ?? Number.NaN)} ms`,
      `${whole(start?.megabytes ?? Number.NaN)} MB`,
    ]
  })
}

function added(value: number): string {
  return `${value < 0 ? '−' : '+'}${millis(Math.abs(value))}`
}
