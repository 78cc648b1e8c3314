import { join } from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { openStore } from '../src/db/database.ts'
import { type Findings, table, whole } from './figures.ts'
import { storeEvent } from './matching.ts'
import { createSubscriptions } from './subscriptions.ts'

// What docs/scale.md says of installations that are larger than the measured ones: arithmetic on the figures below.

// Guesses about people: an operator should replace them by their own.
const eventsADay = 10
const commandsADay = 2
/** The busiest hour as a multiple of the average. */
const busiest = 3
const rulesEach = 3
/** Share of all assets, each live for a day. */
const shareLive = 0.2
/** Seconds until the API has answered one request. */
const apiSeconds = 0.2

// Documented by the platforms.
/** Messages per second: https://core.telegram.org/bots/faq */
const telegramPermits = 30
/** Messages per second, and Stars for each, with `allow_paid_broadcast`: https://core.telegram.org/bots/api#sendmessage */
const telegramPaid = 1000
const starsEach = 0.1
/** Requests per second, answers to interactions aside: https://docs.discord.com/developers/topics/rate-limits */
const discordPermits = 50
/** Servers of one gateway connection, and seconds from the start of one to the next: https://docs.discord.com/developers/events/gateway */
const guildsAShard = 2500
const shardStartSeconds = 5

// Measured by `npm run bench -- alerts` and `-- replicas` (docs/performance.md).
/** Messages per second that Gavel sends, on Telegram with answers. */
const pace = { telegram: 29.7, discord: 49.2 }
/** Alerts matched and stored per second. */
const storedASecond = { sqlite: 240_000, postgres: 41_000 }

// Measured by this study; PostgreSQL by pg_total_relation_size of tables just filled.
/** Bytes of a row of SQLite with its indexes. */
const rowBytes = { deliveries: 34, subscriptions: 23, chats: 73 }
/** PostgreSQL takes 133 bytes for an alert, 106 for a subscription and 181 for a chat. */
const postgresBytes = 4

// Measured when the parts were chosen.
/** Seconds of processor time to parse one page (JSON 185 µs, zod 116 µs), and to draw one picture. */
const pageSeconds = 0.0003
const cardSeconds = 0.033
/** Bytes of a picture with a price line. */
const cardBytes = 62_000
/** A guess: bytes that the watcher keeps of an open auction. */
const knownBytes = 400

// Gavel's own.
/** Seconds that an alert waits for others to the same chat, and alerts in one message (`src/alerts/outbox.ts`). */
const gatheringSeconds = 2
const alertsAMessage = 10
/** Edits of live messages per second on a platform (`src/alerts/live-messages.ts`). */
const editsASecond = 5
/** Days for which deliveries are stored, and one for which they can be delivered (`src/alerts/outbox.ts`). */
const storedDays = 30 + 1
/** An alert is stored, made due, claimed (twice) and recorded (twice). */
const writesEach = 6
/**
 * Assets on a page; pages of the upcoming and graduated in each poll; pages of open auctions that are all read; requests of a
 * poll at most beyond that (`src/alerts/chain-poll.ts`); open auctions watched at most (`src/alerts/watcher.ts`).
 */
const pageSize = 50
const otherPages = 3
const wholePages = 20
const pollRequests = 25
const maxOpen = 200_000
/** `WATCH_INTERVAL`: seconds from the begin of a poll to the next; a third of it is left after a long one. */
const watchSeconds = 15

const day = 86_400

/** Predicts an installation with half of its chats on each platform, each Discord channel on its own server. */
export function installation(chats: number) {
  const half = chats / 2
  const commandsASecond = (half * commandsADay) / day
  const [telegram, discord] = [
    notify(half, Math.max(0, pace.telegram - commandsASecond)),
    notify(half, pace.discord),
  ]
  const shards = Math.ceil(half / guildsAShard)
  const deliveries = chats * eventsADay * storedDays
  const bytes =
    deliveries * rowBytes.deliveries + chats * (rowBytes.chats + rulesEach * rowBytes.subscriptions)
  return {
    telegram,
    discord,
    /** Answers in the busiest hour, as a share of Telegram's limit. */
    answersShare: (commandsASecond * busiest) / telegramPermits,
    discordShare: (half * eventsADay) / day / discordPermits,
    upkeepSeconds: half / editsASecond,
    shards,
    shardsSeconds: shards * shardStartSeconds,
    storeSeconds: chats / storedASecond.sqlite,
    postgresStoreSeconds: chats / storedASecond.postgres,
    deliveries,
    bytes,
    postgresBytes: bytes * postgresBytes,
    writesASecond: (chats * eventsADay * writesEach) / day,
    paidSeconds: half / telegramPaid,
    stars: half * starsEach,
  }
}

/** Predicts alerts of which each goes to all chats of a platform, at this many messages per second. */
function notify(chats: number, rate: number) {
  const round = chats / rate
  return {
    lastSeconds: gatheringSeconds + round,
    /** Share of the rate that a day's alerts take if each goes alone; above 1 they are gathered. */
    share: (chats * eventsADay) / day / rate,
    /** A waiting chat gets all events that came meanwhile in one message, up to ten. */
    together: Math.min(alertsAMessage, Math.max(1, (round * eventsADay) / day)),
  }
}

/** Predicts polls of a chain if many auctions are followed: all pages of few live auctions, and as many as a poll may read of more. */
export function polling(assets: number) {
  const live = assets * shareLive
  const watched = Math.min(live, maxOpen)
  const pages = Math.min(maxOpen / pageSize, Math.floor(watched / pageSize) + 1)
  const requests = pages > wholePages ? pollRequests : pages + otherPages
  const pollSeconds = requests * (apiSeconds + pageSeconds)
  const cycle = Math.max(watchSeconds, pollSeconds + watchSeconds / 3)
  // A live auction's picture is drawn again every two minutes at most, and no faster than messages are edited.
  const pictures = live / day + Math.min(2 * editsASecond, live / 120)
  return {
    live,
    requests,
    pollSeconds,
    requestsASecond: requests / cycle,
    meanSeconds: cycle / 2 + pollSeconds / 2,
    longestSeconds: cycle + pollSeconds,
    memory: watched * knownBytes,
    pictures,
    cores: pictures * cardSeconds,
  }
}

/** Computes installations of up to a million chats, and measures the rows that are counted; see docs/scale.md. */
export async function measureScale(folder: string, isQuick: boolean): Promise<Findings> {
  const bytes = await measureRows(join(folder, 'scale.db'), isQuick ? 20_000 : 200_000)
  const rows = Object.entries(rowBytes).map(([name, assumed]) => [
    `a row of \`${name}\``,
    `${assumed} bytes`,
    `${whole(bytes.get(name) ?? Number.NaN)} bytes`,
  ])
  const measured = table(['in the computation', 'in this run'], rows)
  return { tables: [...computedTables(), '### Rows of SQLite', measured], goals: [] }
}

/** Returns the tables that need no measuring. */
export function computedTables(): string[] {
  return [
    '### Chats',
    `Computed. Half of the chats on each platform, every Discord chat on a server of its own; each gets alerts of ${eventsADay} events a day, the same for all, follows ${rulesEach} things, and sends ${commandsADay} commands a day, ${busiest} times as many in the busiest hour. These are guesses.`,
    chatsTable(),
    `While alerts with a picture are sent on Discord, ${bytesText(pace.discord * cardBytes)} of pictures go up each second, however many chats there are.`,
    '### Assets',
    `Computed, for one chain. A guess: ${percent(shareLive)} of all assets live at once, each for a day.`,
    assetsTable(),
  ]
}

function chatsTable(): string {
  return sizesTable([1e3, 1e4, 1e5, 1e6], installation, {
    'Telegram: one event, to the last chat': ({ telegram }) => span(telegram.lastSeconds),
    'Telegram: alerts of a day, each alone, of what is left for them': ({ telegram }) =>
      percent(telegram.share),
    '… ten in a message': ({ telegram }) => percent(telegram.share / alertsAMessage),
    'Telegram: answers in the busiest hour, of what it permits': (each) =>
      percent(each.answersShare),
    'Discord: one event, to the last chat': ({ discord }) => span(discord.lastSeconds),
    'Discord: alerts of a day, each alone, of what it permits': (each) =>
      percent(each.discordShare),
    'Discord: shards at least': ({ shards }) => whole(shards),
    'Discord: until all shards are started': ({ shardsSeconds }) => span(shardsSeconds),
    'alerts in one message on Telegram, from waiting': ({ telegram }) =>
      telegram.together.toFixed(1),
    'live messages, one a chat: all of them edited within': (each) => span(each.upkeepSeconds),
    'one event stored, in slices, on SQLite': (each) => span(each.storeSeconds),
    '… on PostgreSQL': (each) => span(each.postgresStoreSeconds),
    'rows of deliveries': ({ deliveries }) => whole(deliveries),
    'database (SQLite)': ({ bytes }) => bytesText(bytes),
    '… (PostgreSQL)': (each) => bytesText(each.postgresBytes),
    'rows written a second, on average': (each) => times(each.writesASecond),
    'with paid broadcast (not built): to the last chat': (each) => span(each.paidSeconds),
    '… and Stars for each event': ({ stars }) => whole(stars),
  })
}

function assetsTable(): string {
  return sizesTable([1e2, 1e3, 1e4, 1e5], polling, {
    'live at once': ({ live }) => whole(live),
    'requests of a poll': ({ requests }) => whole(requests),
    'a poll takes': ({ pollSeconds }) => span(pollSeconds),
    'requests a second': ({ requestsASecond }) => times(requestsASecond),
    'a new auction is found after, on average': ({ meanSeconds }) => span(meanSeconds),
    '… at the longest': ({ longestSeconds }) => span(longestSeconds),
    'memory for what is known of them': ({ memory }) => bytesText(memory),
    'pictures drawn a second, at most': ({ pictures }) => times(pictures),
    '… of one core': ({ cores }) => percent(cores),
  })
}

/** Formats a table with a column for each size, and a line for each of these figures of it. */
function sizesTable<Figures>(
  sizes: readonly number[],
  compute: (size: number) => Figures,
  lines: Readonly<Record<string, (figures: Figures) => string>>,
): string {
  const all = sizes.map(compute)
  const rows = Object.entries(lines).map(([name, cell]) => [name, ...all.map(cell)])
  return table(sizes.map(whole), rows)
}

const sizesSchema = z.array(z.object({ name: z.string(), bytes: z.number(), rows: z.number() }))

/** Stores subscriptions and one event for many chats; returns the bytes of a row with its indexes, by table. */
export async function measureRows(
  file: string,
  subscriptions: number,
): Promise<Map<string, number>> {
  await createSubscriptions(file, subscriptions)
  const store = await openStore(file)
  const database = new Database(file)
  try {
    await storeEvent(store, 'wide', 'scale')
    // As it is once all were sent.
    database.exec(`update deliveries set state = 'sent'; update chats set due_at_ms = null`)
    const count = Object.keys(rowBytes)
      .map((name) => `select '${name}' as name, count(*) as rows from ${name}`)
      .join(' union all ')
    const sizes = database
      .prepare(
        `select counts.name, counts.rows, sum(pgsize) as bytes from (${count}) as counts
         join sqlite_schema on tbl_name = counts.name join dbstat on dbstat.name = sqlite_schema.name
         group by counts.name`,
      )
      .all()
    return new Map(sizesSchema.parse(sizes).map(({ name, bytes, rows }) => [name, bytes / rows]))
  } finally {
    database.close()
    await store.destroy()
  }
}

/** Formats seconds. */
function span(seconds: number): string {
  if (seconds < 0.0995) return `${(seconds * 1000).toFixed(0)} ms`
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 120) return `${seconds.toFixed(0)} s`
  if (seconds < 7_200) return `${(seconds / 60).toFixed(0)} min`
  return `${(seconds / 3_600).toFixed(1)} h`
}

/** Formats a share; small ones with one decimal. */
function percent(share: number): string {
  return `${share < 0.1 ? (share * 100).toFixed(1) : whole(share * 100)}%`
}

function bytesText(count: number): string {
  if (count < 1e6) return `${whole(count / 1e3)} kB`
  return count < 1e9 ? `${whole(count / 1e6)} MB` : `${(count / 1e9).toFixed(1)} GB`
}

function times(rate: number): string {
  return rate < 10 ? rate.toFixed(2) : whole(rate)
}
