import type { PlatformName } from '../stand-ins/protocol.ts'
import { loadOf, usual, way } from './community.ts'
import { constants } from './constants.ts'
import { look } from './looks.ts'
import { looking, telling } from './model.ts'
import { type Played, play } from './simulation.ts'

/** A prediction of the model, the simulation's result, and a real run's if there was one. */
export interface Check {
  what: string
  unit: string
  model: number
  simulated: number
  measured?: number
  /** Messages that the strict stand-in refused in the simulation, and their total. */
  refused?: { count: number; of: number }
}

export interface ScalePlan {
  /** Number of chats, half on each platform. */
  chats: readonly number[]
  /** Numbers of live auctions. */
  live: readonly number[]
  subscriptions: number
  settled: number
}

export const fullScale: ScalePlan = {
  chats: [1e3, 1e4, 1e5, 1e6],
  live: [20, 200, 2_000, 20_000],
  subscriptions: 200_000,
  settled: 3_000,
}

/** Without the slowest parts. */
export const quickScale: ScalePlan = {
  chats: [1e3, 1e4],
  live: [20, 200],
  subscriptions: 20_000,
  settled: 300,
}

const titles: Record<PlatformName, string> = { telegram: 'Telegram', discord: 'Discord' }
/** Latencies on one machine. */
const loopback = { least: 1, spread: 20 }

/** `npm run bench -- alerts` in docs/performance.md, on 2026-11-22: 10,000 chats and a command every 400 ms. */
const measuredRuns = [
  { platform: 'telegram', lastSeconds: 370, answers: 917 },
  { platform: 'discord', lastSeconds: 205, answers: 511 },
] as const

export async function checks(plan: ScalePlan, seed: number): Promise<Check[]> {
  return [
    ...(await measuredBefore(seed)),
    ...(await broadcasts(plan.chats, seed)),
    ...(await overloads(seed)),
    ...(await polls(plan.live, seed)),
  ]
}

async function measuredBefore(seed: number): Promise<Check[]> {
  const found: Check[] = []
  for (const { platform, lastSeconds, answers } of measuredRuns) {
    const chats = 10_000
    const commandsASecond = answers / lastSeconds
    const waySpread = loopback.spread / 2_000
    const model = telling({ platform, chats, newsADay: 1, commandsASecond, waySpread }).lastSeconds
    const played = await play({ platform, chats, news: [0], commandsASecond, way: loopback, seed })
    found.push({
      what: `${titles[platform]}, 10,000 chats, as \`npm run bench -- alerts\`: to the last`,
      unit: 's',
      model,
      simulated: played.lastSeconds[0] ?? Number.NaN,
      measured: lastSeconds,
      refused: refusedOf(played),
    })
  }
  return found
}

async function broadcasts(sizes: readonly number[], seed: number): Promise<Check[]> {
  const found: Check[] = []
  for (const platform of ['telegram', 'discord'] as const) {
    for (const size of sizes) {
      const load = loadOf(platform, size)
      const { chats, commandsASecond } = load
      const played = await play({ platform, chats, news: [0], commandsASecond, way, seed })
      found.push({
        what: `${titles[platform]}, ${chats.toLocaleString('en')} chats: one piece of news to the last`,
        unit: 's',
        model: telling(load).lastSeconds,
        simulated: played.lastSeconds[0] ?? Number.NaN,
        refused: refusedOf(played),
      })
    }
  }
  return found
}

/** Checks events that come faster than they can be sent one by one, and answers that exceed Telegram's limit. */
async function overloads(seed: number): Promise<Check[]> {
  return [...(await coalesced(seed)), await overloaded(seed), await tooManyAnswers(seed)]
}

const day = 86_400

async function coalesced(seed: number): Promise<Check[]> {
  const [chats, apart, pieces] = [20_000, 300, 12]
  const news = Array.from({ length: pieces }, (_, index) => index * apart)
  const commandsASecond = 2
  const model = telling({
    platform: 'telegram',
    chats,
    newsADay: day / apart,
    commandsASecond,
  })
  const played = await play({ platform: 'telegram', chats, news, commandsASecond, way, seed })
  const what = 'Telegram, 20,000 chats, news every 5 minutes'
  return [
    {
      what: `${what}: the longest that a piece of news is on its way`,
      unit: 's',
      model: model.lastSeconds,
      simulated: Math.max(...played.lastSeconds.map((each) => each ?? Number.NaN)),
      refused: refusedOf(played),
    },
  ]
}

async function overloaded(seed: number): Promise<Check> {
  const [chats, apart, seconds] = [5_000, 10, 1_800]
  const news = Array.from({ length: seconds / apart }, (_, index) => index * apart)
  const load = { platform: 'telegram', chats, newsADay: day / apart, commandsASecond: 2 } as const
  const played = await play({ ...load, news, way, seed, endSeconds: seconds })
  return {
    what: 'Telegram, 5,000 chats, news every 10 s: alerts that are added to the backlog',
    unit: 'a second',
    model: telling(load).backlogGrowth,
    simulated: played.backlog / played.seconds,
    refused: refusedOf(played),
  }
}

async function tooManyAnswers(seed: number): Promise<Check> {
  const [chats, seconds] = [1_000, 3_600]
  const { commandsASecond: average } = loadOf('telegram', 1e6)
  const commandsASecond = average * usual.busiest
  const load = { platform: 'telegram', chats, commandsASecond } as const
  const played = await play({ ...load, news: [0], way, seed, endSeconds: seconds })
  return {
    what: `Telegram, ${commandsASecond.toFixed(1)} commands a second: answers that it refuses`,
    unit: 'a second',
    model: commandsASecond - constants.telegramPermits.value,
    simulated: played.refused.answers / played.seconds,
    refused: refusedOf(played),
  }
}

async function polls(sizes: readonly number[], seed: number): Promise<Check[]> {
  const found: Check[] = []
  for (const live of sizes) {
    const [model, played] = [looking(live), await look(live, seed)]
    const what = `${live.toLocaleString('en')} live auctions: `
    found.push(
      {
        what: `${what}requests of a look`,
        unit: '',
        model: model.requests,
        simulated: played.requests,
      },
      { what: `${what}a look`, unit: 's', model: model.lookSeconds, simulated: played.seconds },
    )
  }
  return found
}

function refusedOf({ refused, messages, answers }: Played): { count: number; of: number } {
  return { count: refused.alerts + refused.answers, of: messages + answers }
}
