import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiServer } from '../sandbox/api/server.ts'
import { startBot } from '../sandbox/bot.ts'
import { Subscriptions } from '../src/alerts/subscriptions.ts'
import { openStore } from '../src/db/database.ts'
import { apiKey, chain, warmAsset } from './bots.ts'
import {
  atMost,
  type Findings,
  medianRatio,
  millis,
  percentile,
  quickly,
  ratio,
  tableOf,
  whole,
} from './figures.ts'
import { matchingTable, measureMatching } from './matching.ts'
import { openPlatform, type Platform, type PlatformServer, platforms, titles } from './platforms.ts'
import { residentMegabytes } from './process.ts'

const full = {
  /** Subscribed chats on each platform. */
  chats: 10_000,
  /** Seconds of commands before the alerts, with nothing else to do. */
  quietSeconds: 60,
  timeoutSeconds: 600,
  /** Stored subscriptions to match events with, and events of each sort to match. */
  subscriptions: 1_000_000,
  rounds: 9,
}
const warmUpMs = 6_000
/** Interval of commands on each platform. */
const commandEveryMs = 400

/** Messages per second that each platform permits a bot. */
const permitted: Record<Platform, number> = { telegram: 30, discord: 50 }

/** Measures alerts to many chats, and matching events with many subscriptions; see docs/performance.md. */
export async function measureAlerts(folder: string, isQuick: boolean): Promise<Findings> {
  const plan = isQuick ? quickly(full) : full
  const delivery = await measureDelivery(folder, plan)
  const matching = await measureMatching(join(folder, 'subscriptions.db'), plan)
  const { before, after } = delivery.megabytes
  const goals = delivery.platforms.flatMap((row) => [
    atMost(0, `${row.name}: requests that it refused`, row.refused),
    atMost(2, `${row.name}: p99 of a command while chats are notified ÷ idle`, slowdown(row)),
  ])
  for (const { name, millis, plainMillis, stops } of matching.slice(0, 1)) {
    const times = medianRatio(millis, plainMillis)
    goals.push(atMost(20, `SQLite, ${name}: longest stop in ms`, Math.max(...stops)))
    goals.push(atMost(2, `SQLite, ${name}: time to store it ÷ plain SQL's`, times))
  }
  const tables = [
    `Alerts of one new auction to ${whole(plan.chats)} chats on each platform, both at once, their flood limits in force:`,
    deliveriesTable(delivery.platforms),
    `The bot's memory: ${whole(before)} MB before it, ${whole(after)} MB right after.`,
    '`/asset` meanwhile, from another bot that has nothing else to do at the same moments (idle), and from the same bot before:',
    commandsTable(delivery.platforms),
    `${whole(plan.subscriptions)} subscriptions in a SQLite file, each event matched and stored with its deliveries:`,
    matchingTable(matching),
  ]
  return { tables, goals }
}

/** A platform's stand-in with its rate limits on, and the ids of the subscribed chats. */
interface Audience {
  server: PlatformServer
  chats: string[]
}

/** Results on one platform; latencies of commands in milliseconds. */
interface Delivered {
  name: string
  platform: Platform
  /** Chats that got the alert, and the messages that they got in all. */
  chats: number
  messages: number
  /** Milliseconds from the API showing the event to the first and to the last chat's alert. */
  firstMillis: number
  lastMillis: number
  /** Answers to commands between the two that count towards the same limit. */
  answers: number
  refused: number
  busy: number[]
  /** Of another bot that has nothing else to do, to commands of the same moments. */
  idle: number[]
  /** Of the same bot, before there was anything to notify of. */
  quiet: number[]
}

/**
 * Measures sending one alert to all chats of both platforms through the real bot. Another one that has nothing else to do gets the
 * same commands at the same moments: what the machine and the stand-ins add then falls on both.
 */
export async function measureDelivery(
  folder: string,
  plan: Omit<typeof full, 'subscriptions' | 'rounds'>,
): Promise<{ platforms: Delivered[]; megabytes: { before: number; after: number } }> {
  const started: Awaited<ReturnType<typeof startAudiences>>[] = []
  const start = async (name: string, chats: number) => {
    const audiences = await startAudiences(join(folder, name), chats)
    started.push(audiences)
    return audiences
  }
  try {
    const busy = await start('alerts.db', plan.chats)
    const idle = await start('idle.db', 0)
    const servers = started.flatMap(({ audiences }) => audiences.map(({ server }) => server))
    // Not counted: a process's first commands take longer.
    const warmUp = AbortSignal.timeout(warmUpMs)
    await Promise.all(servers.map((server) => sendCommands(server, 50, warmUp)))
    const quietUntil = AbortSignal.timeout(plan.quietSeconds * 1000)
    const quiet = await Promise.all(
      busy.audiences.map(({ server }) => sendCommands(server, commandEveryMs, quietUntil)),
    )
    const before = await residentMegabytes(busy.bot.pid)
    const shown = performance.now()
    busy.api.world.announce(chain)
    const platforms = await Promise.all(
      busy.audiences.map(async (audience, index) => ({
        ...(await deliver(audience, idle.audiences[index]?.server, shown, plan)),
        quiet: quiet[index] ?? [],
      })),
    )
    return { platforms, megabytes: { before, after: await residentMegabytes(busy.bot.pid) } }
  } finally {
    await Promise.all(started.map(({ stop }) => stop()))
  }
}

/** Starts a bot with so many subscribed chats on each platform, and stand-ins of its own. */
async function startAudiences(file: string, chats: number) {
  const api = await ApiServer.start({ key: apiKey, chains: [chain] })
  const servers = await Promise.all(
    platforms.map((platform) => openPlatform(platform, { limits: true })),
  )
  const stopServers = () => Promise.all([api, ...servers].map((server) => server.stop()))
  try {
    const audiences = servers.map((server): Audience => ({ server, chats: server.addChats(chats) }))
    await subscribe(file, audiences)
    const bot = await startBot({
      env: {
        ...Object.assign({}, ...servers.map(({ env }) => env)),
        API_BASE_URL: api.baseUrl,
        API_KEY: apiKey,
        CHAINS: String(chain),
        WATCH_INTERVAL: '1',
        PORT: '0',
        LOG_LEVEL: 'info',
        DATABASE_URL: `file:${file}`,
      },
    })
    const stop = () => bot.stop().finally(stopServers)
    return { api, bot, audiences, stop }
  } catch (error) {
    await stopServers()
    throw error
  }
}

/** Subscribes every chat to new auctions before the bot starts. */
async function subscribe(file: string, audiences: readonly Audience[]): Promise<void> {
  const store = await openStore(file)
  try {
    const now = () => Math.floor(Date.now() / 1000)
    const subscriptions = new Subscriptions({ store, now, perChat: 1 })
    const rule = { kind: 'live', setting: {}, scope: {} } as const
    for (const { server, chats } of audiences) {
      const { platform } = server
      const kind = platform === 'telegram' ? 'person' : 'chat'
      for (const id of chats) await subscriptions.subscribe({ platform, kind, id }, rule)
    }
  } finally {
    await store.destroy()
  }
}

/** Sends commands at an interval, without waiting for answers, until the signal; resolves with their latencies. */
async function sendCommands(
  server: PlatformServer,
  everyMs: number,
  signal: AbortSignal,
): Promise<number[]> {
  const sent: Promise<Iterable<number>>[] = []
  while (!signal.aborted) {
    const answered = server.send([warmAsset])
    // Failures surface in `Promise.all` below; this only prevents an unhandled rejection.
    answered.catch(() => undefined)
    sent.push(answered)
    await delay(everyMs, undefined, { signal }).catch(() => undefined)
  }
  return (await Promise.all(sent)).flatMap((latencies) => [...latencies])
}

/**
 * Sends commands, to the idle bot as well, until every subscribed chat got the alert. `shown` is the time at which the API began to
 * show the event. @throws Error after the timeout
 */
async function deliver(
  { server, chats }: Audience,
  idle: PlatformServer | undefined,
  shown: number,
  { timeoutSeconds }: { timeoutSeconds: number },
): Promise<Omit<Delivered, 'quiet'>> {
  const { platform } = server
  const missing = new Set(chats)
  const messages = () => chats.reduce((sum, chat) => sum + server.messagesIn(chat), 0)
  const before = { messages: messages(), refused: server.refused() }
  const complete = new AbortController()
  let answers = 0
  let [firstMillis, lastMillis] = [Number.NaN, Number.NaN]
  const stop = server.listen((chat) => {
    if (missing.size === 0) return
    if (!missing.delete(chat)) {
      // Discord's do not count towards its limit.
      if (platform === 'telegram' && lastMillis >= 0) answers += 1
      return
    }
    lastMillis = performance.now() - shown
    if (Number.isNaN(firstMillis)) firstMillis = lastMillis
    if (missing.size === 0) complete.abort()
  })
  const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
  const over = AbortSignal.any([complete.signal, timeout])
  const [busyMillis, idleMillis] = await Promise.all([
    sendCommands(server, commandEveryMs, over),
    // Not at the very same time: the two bots would wait for each other.
    delay(commandEveryMs / 2).then(() => (idle ? sendCommands(idle, commandEveryMs, over) : [])),
  ])
  stop()
  if (missing.size > 0) throw new Error(`${missing.size} chats on ${platform} got no alert`)
  return {
    name: titles[platform],
    platform,
    chats: chats.length,
    messages: messages() - before.messages,
    refused: server.refused() - before.refused,
    firstMillis,
    lastMillis,
    answers,
    busy: busyMillis,
    idle: idleMillis,
  }
}

function deliveriesTable(rows: readonly Delivered[]): string {
  const rate = ({ messages, answers, firstMillis, lastMillis }: Delivered) =>
    ((messages + answers - 1) / (lastMillis - firstMillis)) * 1000
  return tableOf(rows, {
    'chats notified': ({ chats }) => whole(chats),
    'messages a second': (row) =>
      `${rate(row).toFixed(1)}${row.answers > 0 ? ` (${whole(row.answers)} answers among them)` : ''}`,
    '÷ permitted': (row) => ratio(rate(row) / permitted[row.platform]),
    '429s': ({ refused }) => whole(refused),
    'notified twice': ({ messages, chats }) => whole(messages - chats),
    'to the first': ({ firstMillis }) => `${(firstMillis / 1000).toFixed(1)} s`,
    'to the last': ({ lastMillis }) => `${(lastMillis / 1000).toFixed(0)} s`,
  })
}

function commandsTable(rows: readonly Delivered[]): string {
  return tableOf(rows, {
    commands: ({ busy }) => whole(busy.length),
    p50: ({ busy }) => millis(percentile(busy, 0.5)),
    p99: ({ busy }) => millis(percentile(busy, 0.99)),
    'idle p50': ({ idle }) => millis(percentile(idle, 0.5)),
    'idle p99': ({ idle }) => millis(percentile(idle, 0.99)),
    'p99 ÷ idle': (row) => ratio(slowdown(row)),
    'p99 before': ({ quiet }) => millis(percentile(quiet, 0.99)),
  })
}

/** Returns the p99 of a command while chats are notified, as a multiple of the idle bot's. */
function slowdown({ busy, idle }: Delivered): number {
  return percentile(busy, 0.99) / percentile(idle, 0.99)
}
