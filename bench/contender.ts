import { join } from 'node:path'
import { type Bot, startBot } from '../sandbox/bot.ts'
import { cpuMillis, residentMegabytes } from './process.ts'
import type { StandIns } from './stand-ins/client.ts'
import type { AnswerBody, Opened, PlatformName, Served } from './stand-ins/protocol.ts'

/** A bot to measure, and the delays of its stand-ins. */
export interface Entry {
  name: string
  platform: PlatformName
  /** The program, relative to the project; Gavel by default. */
  program?: string
  /** Milliseconds by which the platform delays each answer. */
  answerDelayMs?: number
  /** Milliseconds that the interface takes for each answer. */
  upstreamMs?: number
  /** Options for Node.js. */
  nodeOptions?: string
}

export interface Commands {
  address: string
  batch: number
  batches: number
  inFlight: number
}

/** Cost of a number of commands. */
export interface Load extends Served {
  commands: number
  /** The bot's processor time in milliseconds. */
  botCpu: number
}

export interface Ground {
  standIns: StandIns
  /** Folder for databases and answers. */
  folder: string
}

/** A running bot with its own stand-in. */
export class Contender {
  readonly entry: Entry
  /** Milliseconds from the start of the process until it reported that it is ready. */
  readonly startMillis: number
  /** Assets that commands can ask for. */
  readonly addresses: readonly string[]
  readonly #standIns: StandIns
  readonly #venue: number
  readonly #bot: Bot
  #commands = 0

  private constructor(
    entry: Entry,
    standIns: StandIns,
    { venue, addresses }: Opened,
    bot: Bot,
    startMillis: number,
  ) {
    this.entry = entry
    this.addresses = addresses
    this.startMillis = startMillis
    this.#standIns = standIns
    this.#venue = venue
    this.#bot = bot
  }

  static async start({ standIns, folder }: Ground, entry: Entry): Promise<Contender> {
    const { platform, answerDelayMs = 0, upstreamMs = 0 } = entry
    const opened = await standIns.open({ platform, answerDelayMs, upstreamMs })
    const database = join(folder, `${entry.name.replaceAll(/\W+/gu, '-')}-${platform}.db`)
    const start = performance.now()
    const bot = await startBot({
      env: {
        ...opened.env,
        DATABASE_URL: `file:${database}`,
        BENCH_ANSWER: answerFile(folder, platform),
        ...(entry.nodeOptions && { NODE_OPTIONS: entry.nodeOptions }),
      },
      ...(entry.program && { program: entry.program }),
    })
    return new Contender(entry, standIns, opened, bot, performance.now() - start)
  }

  get name(): string {
    return this.entry.name
  }

  /** Number of commands answered so far. */
  get commands(): number {
    return this.#commands
  }

  async send(commands: Commands): Promise<Load> {
    const before = await cpuMillis(this.#bot.pid)
    const served = await this.#standIns.commands({ venue: this.#venue, ...commands })
    const botCpu = (await cpuMillis(this.#bot.pid)) - before
    const count = commands.batch * commands.batches
    this.#commands += count
    return { ...served, commands: count, botCpu }
  }

  /** The bot's last message, without its recipient. */
  lastAnswer(): Promise<AnswerBody> {
    return this.#standIns.lastAnswer(this.#venue)
  }

  residentMegabytes(): Promise<number> {
    return residentMegabytes(this.#bot.pid)
  }

  async stop(): Promise<void> {
    await this.#bot.stop()
    await this.#standIns.close(this.#venue)
  }
}

/** Path of the message that the baselines answer with. */
export function answerFile(folder: string, platform: PlatformName): string {
  return join(folder, `answer-${platform}.json`)
}

/** Starts the bots one after another, and stops them when the work is done or has failed. */
export async function withContenders<T>(
  ground: Ground,
  entries: readonly Entry[],
  work: (contenders: readonly Contender[]) => Promise<T>,
): Promise<T> {
  const contenders: Contender[] = []
  try {
    for (const entry of entries) contenders.push(await Contender.start(ground, entry))
    return await work(contenders)
  } finally {
    await Promise.all(contenders.map((contender) => contender.stop()))
  }
}
