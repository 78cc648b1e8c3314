import { execFileSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  type BotSetup,
  bareBots,
  bundled,
  type RunningBot,
  storeAnswer,
  warmAsset,
  withBots,
} from './bots.ts'
import {
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
import { type Platform, permitted, platforms, titles } from './platforms.ts'

const full = {
  starts: 5,
  rounds: 8,
  secondsARound: 5,
  people: 1_000,
  commands: 10_000,
  differentAssets: 30_000,
}
const batch = 100
const batchesInFlight = 4

/** Measures Gavel beside bots that only answer; see docs/performance.md. */
export async function measureCommands(folder: string, isQuick: boolean): Promise<Findings> {
  const findings: Findings = { tables: [], goals: [] }
  execFileSync(process.execPath, [fileURLToPath(new URL('../bundle.ts', import.meta.url))])
  for (const platform of platforms) {
    const { tables, goals } = await measurePlatform(platform, folder, isQuick)
    findings.tables.push(`### ${titles[platform]}`, ...tables)
    findings.goals.push(...goals)
  }
  return findings
}

async function measurePlatform(
  platform: Platform,
  folder: string,
  isQuick: boolean,
): Promise<Findings> {
  const plan = isQuick ? quickly(full) : full
  const bytes = await storeAnswer(platform, folder)
  const both = [{ ...bundled, platform }, bareBots[platform]]
  const fromSources = [
    { platform, name: 'Gavel from its sources, as `npm start` runs it' },
    {
      platform,
      name: 'the same with nothing compiled',
      env: { NODE_DISABLE_COMPILE_CACHE: '1' },
    },
  ]
  const perSecond = permitted[platform]
  const [warm, different] = await measureAtRate(both, folder, { ...plan, perSecond })
  const burst = await measureBurst(platform, folder, plan.people)
  const memory = await measureMemory(both, folder, { commands: plan.commands, areDifferent: false })
  const after = { commands: plan.differentAssets, areDifferent: true }
  const memoryAfterMany = await measureMemory(both, folder, after)
  const starts = await measureStarts([...both, ...fromSources], folder, plan.starts)
  const title = titles[platform]
  const first = (rows: readonly { ratio: number }[]) => rows[0]?.ratio ?? Number.NaN
  return {
    tables: [
      `${perSecond} commands a second for one asset, an answer of ${whole(bytes)} bytes:`,
      latenciesTable(warm),
      `${perSecond} commands a second, each for an asset that nobody asked for before:`,
      latenciesTable(different),
      `${whole(plan.people)} people who send a command at once, with the platform’s limits in force: ${whole(burst.unanswered)} unanswered, and ${whole(burst.refused)} answers that the platform refused; the last one came after ${whole(burst.lastMillis / 1_000)} s.`,
      `Memory after ${whole(plan.commands)} commands for one asset, as fast as the bot answers:`,
      memoryTable(memory),
      `Memory after commands for ${whole(plan.differentAssets)} different assets:`,
      memoryTable(memoryAfterMany),
      'The start:',
      tableOf(starts, {
        'start to ready': (row) => `${whole(row.millis)} ms`,
        "÷ bare bot's": (row) => ratio(row.ratio),
        'memory then': (row) => `${whole(row.megabytes)} MB`,
      }),
    ],
    goals: [
      atMost(10, `${title}, one asset: percent of a core`, warm[0]?.core ?? Number.NaN),
      atMost(1, `${title}, one asset: p50 − bare bot's, ms`, added(warm, 0.5)),
      atMost(5, `${title}, one asset: p99 − bare bot's, ms`, added(warm, 0.99)),
      atMost(0, `${title}, burst: unanswered`, burst.unanswered),
      atMost(0, `${title}, burst: refused by the platform`, burst.refused),
      atMost(
        1.15,
        `${title}: memory after ${whole(full.commands)} commands ÷ bare bot's`,
        first(memory),
      ),
      atMost(
        1.3,
        `${title}: memory after ${whole(full.differentAssets)} assets ÷ bare bot's`,
        first(memoryAfterMany),
      ),
      atMost(1.3, `${title}: start to ready ÷ bare bot's`, first(starts)),
    ],
  }
}

/** Milliseconds of a percentile that Gavel takes more than the bare bot. */
function added([gavel, bare]: readonly AtRate[], share: number): number {
  return percentile(gavel?.latencies ?? [], share) - percentile(bare?.latencies ?? [], share)
}

/** Starts and stops each bot several times, in turns. */
async function measureStarts(setups: readonly BotSetup[], folder: string, times: number) {
  const rounds = await inRounds(setups, times, (setup) =>
    withBots([setup], folder, async ([bot]) => ({
      millis: bot?.startMillis ?? Number.NaN,
      megabytes: (await bot?.residentMegabytes()) ?? Number.NaN,
    })),
  )
  const bare = rounds[1]?.map((start) => start.millis) ?? []
  return setups.map(({ name }, index) => {
    const own = rounds[index] ?? []
    const took = own.map((start) => start.millis)
    return {
      name,
      millis: median(took),
      megabytes: median(own.map(({ megabytes }) => megabytes)),
      ratio: medianRatio(took, bare),
    }
  })
}

interface RatePlan {
  perSecond: number
  rounds: number
  secondsARound: number
}

/** Latencies at a constant rate, in milliseconds, and processor time. */
interface AtRate {
  name: string
  latencies: number[]
  /** The median of the rounds' p50 ÷ the bare bot's in the same round. */
  ratio: number
  /** Percent of a core. */
  core: number
}

/** Sends commands at a constant rate, the bots in turns: for one asset, then for a different one each. */
export async function measureAtRate(
  setups: readonly BotSetup[],
  folder: string,
  { perSecond, rounds, secondsARound }: RatePlan,
): Promise<[warm: AtRate[], different: AtRate[]]> {
  const count = perSecond * secondsARound
  const withAuctions = setups.map((setup) => ({ ...setup, auctions: count * rounds }))
  return withBots(withAuctions, folder, async (bots) => {
    const everyMs = 1000 / perSecond
    const measure = async (assetsOf: (bot: RunningBot) => readonly string[]) => {
      const results = await inRounds(bots, rounds, async (bot) => {
        const assets = assetsOf(bot)
        const before = await bot.cpuMillis()
        const latencies = await sendEvery(bot, assets, everyMs)
        const core = ((await bot.cpuMillis()) - before) / (assets.length * everyMs)
        bot.check(assets)
        return { latencies, core, p50: percentile(latencies, 0.5) }
      })
      const bare = results[1]?.map(({ p50 }) => p50) ?? []
      return bots.map(({ name }, index): AtRate => {
        const own = results[index] ?? []
        return {
          name,
          latencies: own.flatMap(({ latencies }) => latencies),
          ratio: medianRatio(
            own.map(({ p50 }) => p50),
            bare,
          ),
          core: median(own.map(({ core }) => core)) * 100,
        }
      })
    }
    const same = Array<string>(count).fill(warmAsset)
    // A process's first commands take longer; they are not counted.
    for (const bot of bots) await sendEvery(bot, same, everyMs)
    const warm = await measure(() => same)
    const different = await measure((bot) => bot.addresses.splice(0, count))
    return [warm, different]
  })
}

/** Sends a command for each asset at an interval, without waiting for answers; resolves with their latencies. */
export async function sendEvery(
  bot: Pick<RunningBot, 'send'>,
  assets: readonly string[],
  everyMs: number,
  signal?: AbortSignal,
): Promise<number[]> {
  const begin = performance.now()
  const sent: Promise<Iterable<number>>[] = []
  for (const [index, asset] of assets.entries()) {
    const waitMs = Math.max(0, begin + index * everyMs - performance.now())
    await delay(waitMs, undefined, signal && { signal }).catch(() => undefined)
    if (signal?.aborted) break
    const answered = bot.send([asset])
    // Failures surface in `Promise.all` below; this only prevents an unhandled rejection.
    answered.catch(() => undefined)
    sent.push(answered)
  }
  return (await Promise.all(sent)).flatMap((latencies) => [...latencies])
}

/** Has as many people send a command at once, the platform's limits in force. */
async function measureBurst(platform: Platform, folder: string, people: number) {
  return withBots([{ ...bundled, platform, hasLimits: true }], folder, async ([bot]) => {
    if (!bot) throw new Error('no bot')
    const before = bot.refused()
    const latencies = [...(await bot.send(Array<string>(people).fill(warmAsset)))]
    return {
      unanswered: people - latencies.length,
      refused: bot.refused() - before,
      lastMillis: Math.max(...latencies),
    }
  })
}

interface MemoryPlan {
  commands: number
  /** Each for another asset. */
  areDifferent: boolean
}

/** Has each bot answer so many commands, as fast as it does; the resident memory right after. */
export async function measureMemory(
  setups: readonly BotSetup[],
  folder: string,
  { commands, areDifferent }: MemoryPlan,
) {
  const rows: { name: string; megabytes: number }[] = []
  for (const setup of setups) {
    const auctions = areDifferent ? commands : 0
    const megabytes = await withBots([{ ...setup, auctions }], folder, async ([bot]) => {
      if (!bot) return Number.NaN
      const left = areDifferent ? [...bot.addresses] : Array<string>(commands).fill(warmAsset)
      const sequence = async () => {
        while (left.length > 0) await bot.send(left.splice(0, batch))
      }
      await Promise.all(Array.from({ length: batchesInFlight }, sequence))
      bot.check(areDifferent ? bot.addresses : [warmAsset])
      return bot.residentMegabytes()
    })
    rows.push({ name: setup.name, megabytes })
  }
  const bare = rows[1]?.megabytes ?? Number.NaN
  return rows.map((row) => ({ ...row, ratio: row.megabytes / bare }))
}

function memoryTable(rows: readonly { name: string; megabytes: number; ratio: number }[]): string {
  return tableOf(rows, {
    resident: (row) => `${whole(row.megabytes)} MB`,
    "÷ bare bot's": (row) => ratio(row.ratio),
  })
}

function latenciesTable(rows: readonly AtRate[]): string {
  return tableOf(rows, {
    p50: ({ latencies }) => millis(percentile(latencies, 0.5)),
    "÷ bare bot's": (row) => ratio(row.ratio),
    p99: ({ latencies }) => millis(percentile(latencies, 0.99)),
    'of a core': ({ core }) => `${core.toFixed(1)}%`,
  })
}
