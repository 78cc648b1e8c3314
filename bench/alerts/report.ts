import { millis, origin, type Run, table, whole } from '../markdown.ts'
import { type PlatformName, platforms } from '../stand-ins/protocol.ts'
import { median, medianRatio, percentile } from '../statistics.ts'
import type { Matching, Notifier } from './benchmark.ts'

/** Results of the alerts benchmark. */
export interface AlertsReport extends Run {
  subscriptions: number
  matching: Matching
  delivery: Notifier
}

/** Messages per second that each platform permits a bot. */
const permitted: Record<PlatformName, number> = { telegram: 30, discord: 50 }
const titles: Record<PlatformName, string> = { telegram: 'Telegram', discord: 'Discord' }
const sortNames: Record<string, string> = {
  wide: 'a new auction, which many follow',
  narrow: 'progress of one auction, which few follow',
}

/** Formats the report as Markdown tables. */
export function alertsMarkdown(report: AlertsReport): string {
  const { delivery, matching, subscriptions } = report
  const { before, after } = delivery.megabytes
  return [
    origin(report),
    `\nOne new auction told to ${whole(delivery.chats)} chats on each platform, both at once, their flood limits in force:\n`,
    ...table(
      [
        '',
        'chats told',
        'messages a second',
        '÷ permitted',
        '429s',
        'told twice',
        'to the first',
        'to the last',
      ],
      platforms.map((platform) => deliveryRow(platform, delivery)),
    ),
    `\nThe bot's memory: ${whole(before)} MB before it, ${whole(after)} MB right after.`,
    '\n`/asset` meanwhile, and from the same bot with nothing else to do (half before, half after):\n',
    ...table(
      ['', 'commands', 'p50', 'p99', 'idle commands', 'idle p50', 'idle p99', 'p99 ÷ idle'],
      platforms.map((platform) => commandRow(platform, delivery)),
    ),
    `\n${whole(subscriptions)} subscriptions in a SQLite file, each piece of news matched and its deliveries stored in one transaction:\n`,
    ...table(
      [
        '',
        'deliveries',
        'time',
        'news × subscriptions/s',
        'deliveries stored/s',
        'scan of one table with nulls',
        'scan ÷ it',
      ],
      matching.sorts.map((sort) => matchingRow(sort, subscriptions)),
    ),
    `\nMemory of the process that matched: ${whole(matching.before)} MB before, ${whole(matching.after)} MB after.`,
    '',
  ].join('\n')
}

function deliveryRow(platform: PlatformName, { delivered }: Notifier): string[] {
  const { chats, messages, answers, refused, firstMillis, lastMillis } = delivered[platform]
  const rate = ((messages + answers - 1) / (lastMillis - firstMillis)) * 1000
  return [
    titles[platform],
    whole(chats),
    `${rate.toFixed(1)}${answers > 0 ? ` (${whole(answers)} answers among them)` : ''}`,
    `**${(rate / permitted[platform]).toFixed(2)}**`,
    whole(refused),
    whole(messages - chats),
    `${(firstMillis / 1000).toFixed(1)} s`,
    `${(lastMillis / 1000).toFixed(0)} s`,
  ]
}

function commandRow(platform: PlatformName, delivery: Notifier): string[] {
  const busy = delivery.delivered[platform].latencies
  const idle = [...delivery.idleBefore[platform], ...delivery.idleAfter[platform]]
  return [
    titles[platform],
    whole(busy.length),
    millis(percentile(busy, 0.5)),
    millis(percentile(busy, 0.99)),
    whole(idle.length),
    millis(percentile(idle, 0.5)),
    millis(percentile(idle, 0.99)),
    `**${(percentile(busy, 0.99) / percentile(idle, 0.99)).toFixed(2)}**`,
  ]
}

function matchingRow(sort: Matching['sorts'][number], subscriptions: number): string[] {
  const took = median(sort.millis)
  return [
    sortNames[sort.sort] ?? sort.sort,
    whole(sort.deliveries),
    millis(took),
    whole((subscriptions / took) * 1000),
    whole((sort.deliveries / took) * 1000),
    millis(median(sort.flatMillis)),
    `**${medianRatio(sort.flatMillis, sort.millis).toFixed(1)}**`,
  ]
}
