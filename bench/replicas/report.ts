import { millis, origin, type Run, table, whole } from '../markdown.ts'
import type { Answered } from './commands.ts'
import type { Cost } from './deliveries.ts'
import type { Edge } from './edges.ts'
import { rateOf, type Stored } from './matching.ts'
import type { PacingCost } from './pacing.ts'
import type { ReplicasFigures } from './study.ts'

/** Results of the replicas benchmark. */
export interface ReplicasReport extends Run, ReplicasFigures {}

/** Formats the report as Markdown tables. */
export function replicasMarkdown(report: ReplicasReport): string {
  return [
    origin(report),
    '\nWarm `/asset` by webhook, brought to the replicas in turn, batches of 100, four in flight:\n',
    ...answersTable(report.answers),
    `\nOne piece of news of ${whole(report.subscriptions)} subscriptions, stored with its deliveries in one transaction:\n`,
    ...storedTable(report.stored),
    '\nOne delivery claimed and settled, the sending left out:\n',
    ...costsTable(report.costs),
    '\nHow the replicas together keep to a platform’s limit:\n',
    ...pacingTable(report.pacing),
    '\nMost that was let through within one second, after a pause:\n',
    ...edgesTable(report.edges),
    '',
  ].join('\n')
}

function answersTable(rows: readonly Answered[]): string[] {
  return table(
    [
      '',
      'commands/s',
      "÷ one replica's",
      'p50',
      'p99',
      'one at a time p50',
      'p99',
      'CPU a command, all replicas',
      "PostgreSQL's",
      "stand-in's",
    ],
    rows.map((row) => [
      row.name,
      whole(row.rate),
      `**${row.ratio.toFixed(2)}**`,
      millis(row.busy.p50),
      millis(row.busy.p99),
      millis(row.single.p50),
      millis(row.single.p99),
      `${whole(row.botsCpu)} µs`,
      Number.isNaN(row.postgresCpu) ? '–' : `${whole(row.postgresCpu)} µs`,
      `${whole(row.standInCpu)} µs`,
    ]),
  )
}

function storedTable(rows: readonly Stored[]): string[] {
  return table(
    [
      '',
      'deliveries',
      'time',
      'deliveries stored/s',
      'told meanwhile/s',
      'a teller waited at most',
    ],
    rows.map((row) => {
      const { told } = row
      const rounds = row.millis.length
      const seconds = told.reduce((sum, each) => sum + each.millis, 0) / told.length / 1000
      const deliveries = told.reduce((sum, each) => sum + each.deliveries, 0) / rounds
      const took = rateOf(row)
      return [
        row.name,
        whole(row.deliveries),
        millis(took.millis),
        `**${whole(took.rate)}**`,
        told.length === 0 ? '–' : whole(deliveries / seconds),
        told.length === 0 ? '–' : millis(Math.max(...told.map(({ longest }) => longest))),
      ]
    }),
  )
}

function costsTable(rows: readonly Cost[]): string[] {
  return table(
    [
      '',
      'deliveries',
      'time',
      "the process's CPU",
      "PostgreSQL's CPU",
      'statements',
      'one teller could tell',
      '÷ Telegram’s 30',
      '÷ Discord’s 50',
    ],
    rows.map((row) => {
      const rate = 1000 / row.millis
      return [
        row.name,
        whole(row.deliveries),
        millis(row.millis),
        millis(row.ownCpu),
        Number.isNaN(row.postgresCpu) ? '–' : millis(row.postgresCpu),
        row.statements.toFixed(1),
        `${whole(rate)} a second`,
        `**${whole(rate / 30)}**`,
        `**${whole(rate / 50)}**`,
      ]
    }),
  )
}

function pacingTable(rows: readonly PacingCost[]): string[] {
  const orNone = (value: number) => (Number.isNaN(value) ? '–' : millis(value))
  return table(
    ['', 'a send waits p50', 'p99', "the processes' CPU", "PostgreSQL's CPU", 'at most, a second'],
    rows.map(({ name, p50, p99, ownCpu, postgresCpu, rate }) => [
      name,
      orNone(p50),
      orNone(p99),
      millis(ownCpu),
      millis(postgresCpu),
      whole(rate),
    ]),
  )
}

function edgesTable(rows: readonly Edge[]): string[] {
  return table(
    ['', 'permitted', 'let through', '÷ permitted'],
    rows.map(({ name, permitted, most }) => [
      name,
      whole(permitted),
      whole(most),
      `**${(most / permitted).toFixed(2)}**`,
    ]),
  )
}
