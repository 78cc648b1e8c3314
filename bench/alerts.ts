import { join } from 'node:path'
import { ApiServer } from '../sandbox/api/server.ts'
import { startBot } from '../sandbox/bot.ts'
import { Subscriptions } from '../src/alerts/subscriptions.ts'
import { openStore } from '../src/db/database.ts'
import { apiKey, chain, warmAsset } from './bots.ts'
import { sendEvery } from './commands.ts'
import { atMost, type Findings, millis, percentile, ratio, tableOf, whole } from './figures.ts'
import { openPlatform, type PlatformServer, permitted, platforms, titles } from './platforms.ts'

const full = { chats: 3_000, timeoutSeconds: 300 }
/** Interval of commands on each platform meanwhile. */
const commandEveryMs = 400

/** Measures one alert to many chats on both platforms at once, their limits in force; see docs/performance.md. */
export async function measureAlerts(folder: string, isQuick: boolean): Promise<Findings> {
  const chats = isQuick ? full.chats / 10 : full.chats
  const rows = await measureDelivery(folder, { ...full, chats })
  const table = tableOf(rows, {
    'messages a second': ({ perSecond }) => perSecond.toFixed(1),
    '÷ permitted': (row) => ratio(row.perSecond / row.permitted),
    '429s': ({ refused }) => whole(refused),
    'notified twice': (row) => whole(row.messages - row.chats),
    'to the first': ({ firstMillis }) => `${(firstMillis / 1000).toFixed(1)} s`,
    'to the last': ({ lastMillis }) => `${(lastMillis / 1000).toFixed(0)} s`,
    '`/asset` meanwhile, p50': ({ commands }) => millis(percentile(commands, 0.5)),
    p99: ({ commands }) => millis(percentile(commands, 0.99)),
  })
  return {
    tables: [`Alerts of one new auction to ${whole(chats)} chats on each platform:`, table],
    goals: rows.flatMap((row) => [
      atMost(0, `${row.name}: requests that it refused`, row.refused),
      atMost(0, `${row.name}: chats notified twice`, row.messages - row.chats),
      atMost(1.2, `${row.name}: permitted rate ÷ messages a second`, row.permitted / row.perSecond),
    ]),
  }
}

/** Sends one alert to so many chats of each platform through the real bot. @throws Error if one gets none in time */
export async function measureDelivery(folder: string, plan: typeof full) {
  const api = await ApiServer.start({ key: apiKey, chains: [chain] })
  const servers = await Promise.all(platforms.map((platform) => openPlatform(platform, true)))
  const file = join(folder, 'alerts.db')
  try {
    const audiences = servers.map((server) => ({ server, chats: server.addChats(plan.chats) }))
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
    try {
      // Also a process's first commands, which take longer.
      const warmUp = Array<string>(100).fill(warmAsset)
      await Promise.all(servers.map((server) => sendEvery(server, warmUp, 50)))
      const shown = performance.now()
      api.world.announce(chain)
      return await Promise.all(audiences.map((audience) => deliver(audience, shown, plan)))
    } finally {
      await bot.stop()
    }
  } finally {
    await Promise.all([api, ...servers].map((server) => server.stop()))
  }
}

/** A platform's stand-in with its rate limits on, and the ids of the subscribed chats. */
interface Audience {
  server: PlatformServer
  chats: string[]
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

/** Sends commands until every subscribed chat got the alert. `shown` is the time at which the API began to show the event. */
async function deliver({ server, chats }: Audience, shown: number, plan: typeof full) {
  const missing = new Set(chats)
  const messages = () => chats.reduce((sum, chat) => sum + server.messagesIn(chat), 0)
  const before = { messages: messages(), refused: server.refused() }
  const complete = new AbortController()
  let answers = 0
  let [firstMillis, lastMillis] = [Number.NaN, Number.NaN]
  const stop = server.listen((chat) => {
    if (missing.delete(chat)) {
      lastMillis = performance.now() - shown
      if (Number.isNaN(firstMillis)) firstMillis = lastMillis
      if (missing.size === 0) complete.abort()
      // Answers to Discord's interactions do not count towards its limit.
    } else if (server.platform === 'telegram' && lastMillis >= 0 && missing.size > 0) answers += 1
  })
  const assets = Array<string>((plan.timeoutSeconds * 1000) / commandEveryMs).fill(warmAsset)
  const commands = await sendEvery(server, assets, commandEveryMs, complete.signal)
  stop()
  const { platform } = server
  if (missing.size > 0) throw new Error(`${missing.size} chats on ${platform} got no alert`)
  return {
    name: titles[platform],
    permitted: permitted[platform],
    chats: chats.length,
    messages: messages() - before.messages,
    refused: server.refused() - before.refused,
    perSecond: ((chats.length + answers - 1) / (lastMillis - firstMillis)) * 1000,
    firstMillis,
    lastMillis,
    commands,
  }
}
