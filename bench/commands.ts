import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Answered,
  answerFile,
  type BotSetup,
  type RunningBots,
  startBots,
  warmAsset,
  withBots,
} from './bots.ts'
import {
  inRounds,
  median,
  medianRatio,
  millis,
  percentile,
  quickly,
  ratio,
  tableOf,
  whole,
} from './figures.ts'
import { type Platform, platforms, titles } from './platforms.ts'

/** Milliseconds that a slow platform, and a slow API, takes. */
const slowPlatformMs = 40
const slowApiMs = 200
/** Milliseconds; longer than Gavel caches an answer of the API. */
const expiryMs = 5_500

/** 10,000 commands for each bot: the warm-up's and the rounds'. */
const full = {
  warmUpBatches: 20,
  rounds: 10,
  batchesPerRound: 8,
  slowRounds: 6,
  singleRounds: 10,
  singles: 100,
  cold: 40,
  expiries: 2,
  starts: 5,
}
const one = { batch: 1, batches: 1, inFlight: 1 }
const busy = { batch: 100, inFlight: 4 }

/** What Gavel is compared with. All answer with the same message. */
export const baselines: Record<Platform, { bare: BotSetup; raw: BotSetup }> = {
  telegram: {
    bare: baseline('telegram', 'bare grammY runner', 'grammy'),
    raw: baseline('telegram', 'raw undici loop', 'raw-telegram'),
  },
  discord: {
    bare: baseline('discord', 'bare discord.js', 'discord-js'),
    raw: baseline('discord', 'raw ws and undici', 'raw-discord'),
  },
}

function baseline(platform: Platform, name: string, file: string): BotSetup {
  return { platform, name, program: `bench/baselines/${file}.ts` }
}

/** Measures Gavel beside bots that only answer; see docs/performance.md. */
export async function measureCommands(folder: string, isQuick: boolean): Promise<string[]> {
  const tables: string[] = []
  for (const platform of platforms) {
    const plan = isQuick ? quickly(full) : full
    tables.push(`### ${titles[platform]}`, ...(await measurePlatform(platform, folder, plan)))
  }
  return tables
}

/** Stores one of Gavel's cards as the message for the baselines to answer with; returns its size in bytes. */
export async function storeAnswer(platform: Platform, folder: string): Promise<number> {
  return withBots([{ name: 'Gavel', platform }], folder, async ([gavel]) => {
    await gavel?.send(one)
    const answer = JSON.stringify(gavel?.lastAnswer())
    await writeFile(answerFile(folder, platform), answer)
    return Buffer.byteLength(answer)
  })
}

async function measurePlatform(
  platform: Platform,
  folder: string,
  plan: typeof full,
): Promise<string[]> {
  const bytes = await storeAnswer(platform, folder)
  const { bare, raw } = baselines[platform]
  const gavel: BotSetup = { name: 'Gavel', platform }
  const three = [gavel, bare, raw]
  const starts = await measureStarts(three, folder, plan.starts)
  const slow = await withBots(
    three.map((setup) => ({ ...setup, answerDelayMs: slowPlatformMs })),
    folder,
    (bots) => measureRates(bots, plan, plan.slowRounds),
  )
  const heap = '--max-semi-space-size=2'
  const variants = [
    {
      ...gavel,
      name: `Gavel, API takes ${slowApiMs} ms`,
      apiMs: slowApiMs,
    },
    { ...gavel, name: `Gavel, ${heap}`, env: { NODE_OPTIONS: heap } },
  ]
  return withBots([...three, ...variants], folder, async (bots) => {
    const prompt = await measureRates(bots, plan, plan.rounds)
    const singles = await measureSingles(bots.slice(0, three.length), plan)
    const behindSlow = bots[three.length]
    if (!behindSlow) throw new Error('nothing was started')
    const cold = await measureCold(behindSlow, plan.cold)
    const expiry = await measureExpiry(behindSlow, plan.expiries)
    return [
      `Warm \`/asset\`, an answer of ${bytes} bytes, batches of 100, four in flight:`,
      ratesTable(prompt),
      `The same where the platform takes ${slowPlatformMs} ms for each answer:`,
      ratesTable(slow),
      'One command at a time (added: over the raw loop), and the start:',
      singlesTable(singles.map((single, index) => ({ ...single, start: starts[index] }))),
      `- Not read before, the API taking ${slowApiMs} ms: p50 ${added(percentile(cold, 0.5) - slowApiMs)}, p99 ${added(percentile(cold, 0.99) - slowApiMs)} over the API's own time.\n` +
        `- A batch of 100 just after the cache ran out, the API taking ${slowApiMs} ms: requests to it: ${expiry.requests}, half of the batch answered after ${millis(expiry.p50)}, all after ${millis(expiry.last)}.`,
    ]
  })
}

/** Measures starts, each in a process of its own; returns the medians of a bot. */
async function measureStarts(setups: readonly BotSetup[], folder: string, rounds: number) {
  const starts = await inRounds(setups, rounds, async (setup) => {
    const bot = await startBots(setup, folder)
    const megabytes = await bot.residentMegabytes()
    await bot.stop()
    return { millis: bot.startMillis, megabytes }
  })
  return starts.map((each) => ({
    millis: median(each.map((start) => start.millis)),
    megabytes: median(each.map((start) => start.megabytes)),
  }))
}

/** Measures bots under load, batch after batch; processor time in microseconds per command. */
export async function measureRates(
  bots: readonly RunningBots[],
  { warmUpBatches, batchesPerRound }: Pick<typeof full, 'warmUpBatches' | 'batchesPerRound'>,
  rounds: number,
) {
  for (const bot of bots) await bot.send({ ...busy, batches: warmUpBatches })
  const loads = await inRounds(bots, rounds, async (bot) => {
    // Gavel's cache may have expired during another bot's round: warm it.
    await bot.send(one)
    return bot.send({ ...busy, batches: batchesPerRound })
  })
  // The bare bot is the second of them.
  const bareLoads = loads[1] ?? []
  const bareCpu = cpuPerCommand(bareLoads, ({ botCpu }) => botCpu)
  return Promise.all(
    bots.map(async (bot, index) => {
      const own = loads[index] ?? []
      const botCpu = cpuPerCommand(own, (load) => load.botCpu)
      return {
        name: bot.name,
        /** Commands per second, and relative to the bare bot in the same rounds. */
        rate: median(own.map(rateOf)),
        ratio: medianRatio(own.map(rateOf), bareLoads.map(rateOf)),
        botCpu,
        standInCpu: cpuPerCommand(own, (load) => load.standInCpu),
        /** The ratio of rates if the stand-ins cost nothing. */
        cpuRatio: bareCpu / botCpu,
        commands: bot.commands(),
        megabytes: await bot.residentMegabytes(),
      }
    }),
  )
}

/** Returns commands per second. */
export function rateOf({ commands, millis: took }: Answered): number {
  return (commands / took) * 1000
}

/** Returns microseconds of processor time per command. */
export function cpuPerCommand<Each extends Answered>(
  loads: readonly Each[],
  part: (load: Each) => number,
): number {
  const sum = (of: (load: Each) => number) => loads.reduce((total, load) => total + of(load), 0)
  return (sum(part) / sum(({ commands }) => commands)) * 1000
}

/** Measures warm commands one at a time; returns their milliseconds. */
async function measureSingles(bots: readonly RunningBots[], plan: typeof full) {
  const rounds = await inRounds(bots, plan.singleRounds, async (bot) => {
    await bot.send({ ...one, batches: 5 })
    return (await bot.send({ ...one, batches: plan.singles })).latencies
  })
  return bots.map(({ name }, index) => {
    const latencies = (rounds[index] ?? []).flat()
    return { name, p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) }
  })
}

/** Measures commands for assets that are not cached; returns their milliseconds. */
async function measureCold(bot: RunningBots, count: number): Promise<number[]> {
  const latencies: number[] = []
  const cold = bot.addresses.filter((address) => address !== warmAsset)
  for (const address of cold.slice(0, count)) {
    latencies.push(...(await bot.send({ ...one, address })).latencies)
  }
  return latencies
}

/** Measures a batch that is sent when the asset's cached answer has just expired. */
async function measureExpiry(bot: RunningBots, times: number) {
  const batches: Answered[] = []
  for (let time = 0; time < times; time += 1) {
    await bot.send(one)
    await delay(expiryMs)
    batches.push(await bot.send({ ...one, batch: 100 }))
  }
  return {
    requests: Math.max(...batches.map(({ requests }) => requests)),
    p50: median(batches.map(({ latencies }) => percentile(latencies, 0.5))),
    last: median(batches.map((batch) => batch.millis)),
  }
}

function ratesTable(rows: Awaited<ReturnType<typeof measureRates>>): string {
  return tableOf(rows, {
    'commands/s': (row) => whole(row.rate),
    "÷ bare bot's": (row) => ratio(row.ratio),
    'CPU a command': (row) => `${whole(row.botCpu)} µs`,
    "bare bot's CPU ÷ it": (row) => row.cpuRatio.toFixed(2),
    "stand-in's CPU a command": (row) => `${whole(row.standInCpu)} µs`,
    memory: (row) => `${whole(row.megabytes)} MB after ${whole(row.commands)}`,
  })
}

interface Single {
  name: string
  p50: number
  p99: number
  start: { millis: number; megabytes: number } | undefined
}

function singlesTable(rows: readonly Single[]): string {
  const raw = rows.at(-1)
  return tableOf(rows, {
    p50: ({ p50 }) => millis(p50),
    p99: ({ p99 }) => millis(p99),
    'added p50': ({ p50 }) => added(p50 - (raw?.p50 ?? Number.NaN)),
    'added p99': ({ p99 }) => added(p99 - (raw?.p99 ?? Number.NaN)),
    'start to ready': ({ start }) => `${whole(start?.millis ?? Number.NaN)} ms`,
    'memory then': ({ start }) => `${whole(start?.megabytes ?? Number.NaN)} MB`,
  })
}

function added(value: number): string {
  return `${value < 0 ? '−' : '+'}${millis(Math.abs(value))}`
}
