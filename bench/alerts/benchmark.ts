import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { startBot } from '../../sandbox/bot.ts'
import { Subscriptions } from '../../src/alerts/subscriptions.ts'
import { openStore } from '../../src/db/database.ts'
import { residentMegabytes } from '../process.ts'
import { Remote } from '../remote.ts'
import { platforms } from '../stand-ins/protocol.ts'
import type { AlertsPlan } from './plan.ts'
import type { Delivered, Idled, Opened } from './protocol.ts'
import { seed } from './seed.ts'
import { Town } from './town.ts'

/** Warm-up that is not counted: a process's first commands take longer. */
const warmUpSeconds = 6
const warmUpEveryMs = 50
const matchingProgram = fileURLToPath(new URL('matching-main.ts', import.meta.url))

const matchingSchema = z.object({
  sorts: z.array(
    z.object({
      sort: z.string(),
      deliveries: z.number(),
      millis: z.array(z.number()),
      flatMillis: z.array(z.number()),
    }),
  ),
  before: z.number(),
  after: z.number(),
})
/** Results of matching events with stored subscriptions; the process's resident megabytes before and after. */
export type Matching = z.infer<typeof matchingSchema>

/** Results of sending one alert to every chat, with latencies of commands meanwhile and while idle. */
export interface Notifier {
  chats: number
  idleBefore: Idled
  delivered: Delivered
  idleAfter: Idled
  /** The bot's resident megabytes before the event and after all alerts. */
  megabytes: { before: number; after: number }
}

/** Measures matching events with a database of many subscriptions, in its own process. */
export async function measureMatching(folder: string, plan: AlertsPlan): Promise<Matching> {
  const file = join(folder, 'subscriptions.db')
  await seed(file, plan.subscriptions)
  const remote = new Remote(matchingProgram)
  try {
    return matchingSchema.parse(await remote.ask({ file, rounds: plan.rounds }))
  } finally {
    await remote.stop()
  }
}

/** Measures sending one alert to all chats of both platforms through the real bot. */
export async function measureDelivery(
  folder: string,
  plan: AlertsPlan,
  say: (step: string) => void,
): Promise<Notifier> {
  const { chats, idleSeconds, commandEveryMs, patienceSeconds } = plan
  const town = new Town()
  try {
    const opened = await town.open(chats)
    const file = join(folder, 'alerts.db')
    say(`${chats} chats on each platform begin to follow`)
    await follow(file, opened)
    const bot = await startBot({ env: { ...opened.env, DATABASE_URL: `file:${file}` } })
    try {
      await town.idle(warmUpSeconds, warmUpEveryMs)
      say('commands to the idle bot')
      const idleBefore = await town.idle(idleSeconds, commandEveryMs)
      const before = await residentMegabytes(bot.pid)
      say('one piece of news')
      const delivered = await town.news(commandEveryMs, patienceSeconds)
      const after = await residentMegabytes(bot.pid)
      say('commands to the idle bot')
      const idleAfter = await town.idle(idleSeconds, commandEveryMs)
      return { chats, idleBefore, delivered, idleAfter, megabytes: { before, after } }
    } finally {
      await bot.stop()
    }
  } finally {
    await town.stop()
  }
}

/** Subscribes every chat to new auctions before the bot starts. */
async function follow(file: string, { followers }: Opened): Promise<void> {
  const store = await openStore(file)
  try {
    const now = () => Math.floor(Date.now() / 1000)
    const follows = new Subscriptions({ store, now, perChat: 1 })
    for (const platform of platforms) {
      const kind = platform === 'telegram' ? 'person' : 'chat'
      for (const id of followers[platform]) {
        await follows.follow({ platform, kind, id }, { kind: 'live', setting: {}, scope: {} })
      }
    }
  } finally {
    await store.destroy()
  }
}
