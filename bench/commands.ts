import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
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
  atLeast,
  atMost,
  type Findings,
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
export async function measureCommands(folder: string, isQuick: boolean): Promise<Findings> {
  const findings: Findings = { tables: [], goals: [] }
  execFileSync(process.execPath, [fileURLToPath(new URL('../bundle.ts', import.meta.url))])
  for (const platform of platforms) {
    const plan = isQuick ? quickly(full) : full
    const { tables, goals } = await measurePlatform(platform, folder, plan)
    findings.tables.push(`### ${titles[platform]}`, ...tables)
    findings.goals.push(...goals)
  }
  return findings
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
): Promise<Findings> {
  const bytes = await storeAnswer(platform, folder)
  const { bare, raw } = baselines[platform]
  // As the container image runs it.
  const gavel: BotSetup = {
    name: 'Gavel',
    platform,
    program: 'dist/main.js',
    env: { NODE_OPTIONS: '--max-semi-space-size=32' },
  }
  const three = [gavel, bare, raw]
  const uncompiled = { NODE_DISABLE_COMPILE_CACHE: '1' }
  const fromSources = [
    { name: 'Gavel', platform },
    { name: 'Gavel', platform, env: uncompiled },
  ]
  const starts = await measureStarts([...three, ...fromSources], folder, plan.starts)
  const slow = await withBots(
    three.map((setup) => ({ ...setup, answerDelayMs: slowPlatformMs })),
    folder,
    (bots) => measureRates(bots, plan, plan.slowRounds),
  )
  const asking = { ...bare, name: `${bare.name} that asks the API`, env: { BENCH_ASKS: '1' } }
  const different = await measureDifferent([gavel, bare, asking], folder, plan)
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
    const [own, theirs, least] = prompt
    const [ownStart, bareStart] = starts
    const [again, first] = starts.slice(three.length)
    const title = titles[platform]
    const warm = platform === 'discord' ? 1 : 0.7
    const goals = [
      atLeast(warm, `${title}, warm: commands/s ÷ bare bot's`, own?.ratio ?? Number.NaN),
      ...(platform === 'discord'
        ? [
            atLeast(
              1,
              `${title}, platform takes ${slowPlatformMs} ms: the same`,
              slow[0]?.ratio ?? Number.NaN,
            ),
          ]
        : []),
      atLeast(
        0.9,
        `${title}, a different asset each, answers of the API cached: commands/s ÷ bare bot's`,
        different.cached[0]?.ratio ?? Number.NaN,
      ),
      atLeast(
        0.8,
        `${title}, a different asset each, the API answering at once: the same`,
        different.first[0]?.ratio ?? Number.NaN,
      ),
      atMost(
        1.3,
        `${title}, warm: CPU a command ÷ raw loop's`,
        quotient(own?.botCpu, least?.botCpu),
      ),
      atMost(
        1.5,
        `${title}: start to ready ÷ bare bot's`,
        quotient(ownStart?.millis, bareStart?.millis),
      ),
      atMost(
        1.15,
        `${title}: memory at the end ÷ bare bot's`,
        quotient(own?.megabytes, theirs?.megabytes),
      ),
    ]
    const tables = [
      'A different asset each, the answers of the API in the cache, batches of 100, four in flight:',
      ratesTable(different.cached.slice(0, 2)),
      'The same once before, when what the API lists of their creators and tickers is not in the cache yet:',
      ratesTable(different.again.slice(0, 2)),
      'A different asset each that nobody asked for before, the API answering at once:',
      ratesTable(different.first),
      `Warm \`/asset\`, an answer of ${bytes} bytes, batches of 100, four in flight:`,
      ratesTable(prompt),
      `The same where the platform takes ${slowPlatformMs} ms for each answer:`,
      ratesTable(slow),
      'One command at a time (added: over the raw loop), and the start:',
      singlesTable(singles.map((single, index) => ({ ...single, start: starts[index] }))),
      `- From the sources, as \`npm start\` runs it, the start to ready takes ${whole(again?.millis ?? Number.NaN)} ms, and ${whole(first?.millis ?? Number.NaN)} ms with nothing compiled.\n` +
        `- Not read before, the API taking ${slowApiMs} ms: p50 ${added(percentile(cold, 0.5) - slowApiMs)}, p99 ${added(percentile(cold, 0.99) - slowApiMs)} over the API's own time.\n` +
        `- A batch of 100 just after the cache ran out, the API taking ${slowApiMs} ms: requests to it: ${expiry.requests}, half of the batch answered after ${millis(expiry.p50)}, all after ${millis(expiry.last)}.`,
    ]
    return { tables, goals }
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

type RatesPlan = Pick<typeof full, 'warmUpBatches' | 'batchesPerRound'>

/** Measures bots under load, batch after batch. */
export async function measureRates(
  bots: readonly RunningBots[],
  { warmUpBatches, batchesPerRound }: RatesPlan,
  rounds: number,
) {
  for (const bot of bots) await bot.send({ ...busy, batches: warmUpBatches })
  const loads = await inRounds(bots, rounds, async (bot) => {
    // Gavel's cache may have expired during another bot's round: warm it.
    await bot.send(one)
    return bot.send({ ...busy, batches: batchesPerRound })
  })
  return ratesOf(bots, loads)
}

/**
 * Measures Gavel and the bare bot while each command is for another asset: first one that nobody asked for before, then, while
 * its answer is cached, the same again, and once more, when what the API lists of its creator and ticker is cached, too.
 */
export async function measureDifferent(
  setups: readonly BotSetup[],
  folder: string,
  { warmUpBatches, batchesPerRound, rounds }: RatesPlan & { rounds: number },
) {
  const auctions = (warmUpBatches + rounds * batchesPerRound) * busy.batch
  return withBots(
    setups.map((setup) => ({ ...setup, auctions })),
    folder,
    async (bots) => {
      const fresh = bots.map(({ addresses }) => [...addresses])
      const sendThrice = async (bot: RunningBots, batches: number) => {
        const addresses = fresh[bots.indexOf(bot)]?.splice(0, batches * busy.batch) ?? []
        const load = { ...busy, batches, addresses }
        const first = await bot.send(load)
        return { first, again: await bot.send(load), cached: await bot.send(load) }
      }
      for (const bot of bots) await sendThrice(bot, warmUpBatches)
      const loads = await inRounds(bots, rounds, (bot) => sendThrice(bot, batchesPerRound))
      const rates = (pass: 'first' | 'again' | 'cached') =>
        ratesOf(
          bots,
          loads.map((own) => own.map((each) => each[pass])),
        )
      return {
        first: await rates('first'),
        again: await rates('again'),
        cached: await rates('cached'),
      }
    },
  )
}

/** Returns the rates of bots from the loads of each; processor time in microseconds per command. */
function ratesOf(bots: readonly RunningBots[], loads: readonly (readonly Answered[])[]) {
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
        requests: perCommand(own, (load) => load.requests),
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
  return perCommand(loads, part) * 1000
}

function perCommand<Each extends Answered>(loads: readonly Each[], part: (load: Each) => number) {
  const sum = (of: (load: Each) => number) => loads.reduce((total, load) => total + of(load), 0)
  return sum(part) / sum(({ commands }) => commands)
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
    latencies.push(...(await bot.send({ ...one, addresses: [address] })).latencies)
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

/** Returns NaN where one of them was not measured, which no goal accepts. */
function quotient(ours = Number.NaN, theirs = Number.NaN): number {
  return ours / theirs
}

function ratesTable(rows: Awaited<ReturnType<typeof measureRates>>): string {
  return tableOf(rows, {
    'commands/s': (row) => whole(row.rate),
    "÷ bare bot's": (row) => ratio(row.ratio),
    'CPU a command': (row) => `${whole(row.botCpu)} µs`,
    "bare bot's CPU ÷ it": (row) => row.cpuRatio.toFixed(2),
    "stand-in's CPU a command": (row) => `${whole(row.standInCpu)} µs`,
    'requests to the API a command': (row) => row.requests.toFixed(2),
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
