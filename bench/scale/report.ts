import { origin, table, whole } from '../markdown.ts'
import type { Check } from './checks.ts'
import { community, usual } from './community.ts'
import { type Constant, constants } from './constants.ts'
import { drawing, looking, paceOf } from './model.ts'
import { errorOf, type ScaleReport, tolerance } from './study.ts'
import { bytes, percent, span, times } from './units.ts'

const chats = [1e3, 1e4, 1e5, 1e6]
const assets = [1e2, 1e3, 1e4, 1e5]

/** Formats the report as Markdown tables. */
export function scaleMarkdown(report: ScaleReport): string {
  return [
    origin(report),
    '\n### Chats\n',
    `Computed. Half of the chats on each platform, every Discord chat on a server of its own; each hears ${usual.newsADay} pieces of news a day, the same for all, follows ${usual.rules} things, and sends ${usual.commandsADay} commands a day, ${usual.busiest} times as many in the busiest hour. These are guesses.\n`,
    ...chatsTable(),
    `\nWhile news with a picture is told on Discord, ${bytes(paceOf('discord') * constants.cardBytes.value)} of pictures go up each second, however many chats there are.`,
    '\n### Assets\n',
    `Computed, for one chain. A guess: ${percent(usual.shareLive)} of all assets live at once, each for a day.\n`,
    ...assetsTable(),
    '\n### The model beside the simulation\n',
    `Seed ${report.seed}. Anything off by more than ${percent(tolerance)} ends the run.\n`,
    ...checksTable(report.checks),
    '\n### What the model rests on\n',
    ...constantsTable(),
    '\nRows of SQLite, measured in this run:\n',
    ...databaseTable(report),
    '',
  ].join('\n')
}

function chatsTable(): string[] {
  const all = chats.map(community)
  const row = (name: string, cell: (each: (typeof all)[number]) => string) => [
    name,
    ...all.map(cell),
  ]
  return table(
    ['chats in all', ...chats.map(whole)],
    [
      row('Telegram: one piece of news, to the last chat', (each) =>
        span(each.telegram.lastSeconds),
      ),
      row('Telegram: alerts of a day, each alone, of what is left for them', (each) =>
        percent(each.telegram.used * constants.together.value),
      ),
      row('… ten in a message', (each) => percent(each.telegram.used)),
      row('Telegram: answers in the busiest hour, of what it permits', (each) =>
        percent(each.answersShare),
      ),
      row('Discord: one piece of news, to the last chat', (each) => span(each.discord.lastSeconds)),
      row('Discord: alerts of a day, each alone, of what it permits', (each) =>
        percent(each.discord.used * constants.together.value),
      ),
      row('Discord: shards at least', (each) => whole(each.sharding.shards)),
      row('Discord: until all shards are started', (each) => span(each.sharding.startSeconds)),
      row('alerts in one message on Telegram, from waiting', (each) =>
        each.telegram.together.toFixed(1),
      ),
      row('live messages, one a chat: all of them edited within', (each) =>
        span(each.telegram.upkeepSeconds),
      ),
      row('the transaction that stores one piece of news, on SQLite', (each) =>
        span(each.storage.newsSeconds),
      ),
      row('… on PostgreSQL', (each) => span(each.storage.postgresNewsSeconds)),
      row('rows of what was told', (each) => whole(each.storage.deliveries)),
      row('database (SQLite)', (each) => bytes(each.storage.bytes)),
      row('… (PostgreSQL)', (each) => bytes(each.storage.postgresBytes)),
      row('rows written a second, on average', (each) => times(each.storage.writesADay / 86_400)),
      row('with paid broadcast (not built): to the last chat', (each) =>
        span(each.paid.lastSeconds),
      ),
      row('… and Stars for each piece of news', (each) => whole(each.paid.stars)),
    ],
  )
}

function assetsTable(): string[] {
  const all = assets.map((count) => {
    const live = count * usual.shareLive
    return { live, look: looking(live), drawn: drawing(live, live) }
  })
  const row = (name: string, cell: (each: (typeof all)[number]) => string) => [
    name,
    ...all.map(cell),
  ]
  return table(
    ['assets in all', ...assets.map(whole)],
    [
      row('live at once', ({ live }) => whole(live)),
      row('requests of a look', ({ look }) => whole(look.requests)),
      row('a look takes', ({ look }) => span(look.lookSeconds)),
      row('requests a second', ({ look }) => times(look.requestsASecond)),
      row('news is found after, on average', ({ look }) => span(look.foundSeconds.mean)),
      row('… at the longest', ({ look }) => span(look.foundSeconds.longest)),
      row('memory for what is known of them', ({ look }) => bytes(look.snapshotBytes)),
      row('pictures drawn a second, at most', ({ drawn }) => times(drawn.pictures)),
      row('… of one core', ({ drawn }) => percent(drawn.cores)),
    ],
  )
}

function checksTable(checks: readonly Check[]): string[] {
  return table(
    ['', 'model', 'simulation', 'model is off by', 'measured', 'refused by the strict stand-in'],
    checks.map((check) => {
      const { what, unit, model, simulated, measured, refused } = check
      const value = (figure: number) =>
        `${figure < 100 ? figure.toFixed(1) : whole(figure)} ${unit}`.trim()
      return [
        what,
        value(model),
        value(simulated),
        percent(errorOf(check)),
        measured === undefined
          ? '–'
          : `${value(measured)} (model ${percent(model / measured - 1)})`,
        refused ? `${whole(refused.count)} of ${whole(refused.of)}` : '–',
      ]
    }),
  )
}

function constantsTable(): string[] {
  const all: Constant[] = Object.values(constants)
  return table(
    ['', 'value', 'basis', 'source'],
    all.map(({ about, value, unit, basis, source }) => [
      about,
      `${value.toLocaleString('en', { maximumFractionDigits: 4 })} ${unit}`,
      basis === 'guess' ? '**guess**' : basis,
      source,
    ]),
  )
}

function databaseTable({ database }: ScaleReport): string[] {
  const { deliveryBytes, followBytes, destinationBytes, outboxRate } = database
  const rows: [string, Constant, number][] = [
    ['an alert, sent', constants.deliveryBytes, deliveryBytes],
    ['a wish', constants.followBytes, followBytes],
    ['a chat', constants.destinationBytes, destinationBytes],
    ['claimed and settled', constants.outboxRate, outboxRate],
  ]
  return table(
    ['', 'in the model', 'in this run'],
    rows.map(([name, { value, unit }, found]) => [
      name,
      `${whole(value)} ${unit}`,
      `${whole(found)} ${unit}`,
    ]),
  )
}
