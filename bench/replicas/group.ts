import { join } from 'node:path'
import { type Bot, startBot } from '../../sandbox/bot.ts'
import { cpuMillis } from '../process.ts'
import type { StandIns } from '../stand-ins/client.ts'
import type { Served } from '../stand-ins/protocol.ts'
import { warmAsset } from '../warm-asset.ts'
import type { BenchPostgres } from './postgres.ts'

export interface GroupGround {
  standIns: StandIns
  postgres: BenchPostgres
  /** Folder for the SQLite file. */
  folder: string
}

export interface GroupEntry {
  name: string
  engine: 'sqlite' | 'postgres'
  replicas: number
}

/** Cost of a number of commands; processor time in milliseconds. */
export interface GroupLoad extends Served {
  commands: number
  botsCpu: number
  /** NaN on SQLite. */
  postgresCpu: number
}

/** Replicas of the bot on one database, with a Telegram stand-in that calls their webhooks. */
export class Group {
  readonly entry: GroupEntry
  readonly #ground: GroupGround
  readonly #venue: number
  readonly #bots: readonly Bot[]

  private constructor(entry: GroupEntry, ground: GroupGround, venue: number, bots: Bot[]) {
    this.entry = entry
    this.#ground = ground
    this.#venue = venue
    this.#bots = bots
  }

  static async start(ground: GroupGround, entry: GroupEntry): Promise<Group> {
    const { standIns, postgres, folder } = ground
    const { engine, replicas } = entry
    const { venue, env } = await standIns.open({
      platform: 'telegram',
      answerDelayMs: 0,
      upstreamMs: 0,
    })
    const name = `replicas_${engine}_${replicas}`
    const database =
      engine === 'sqlite' ? `file:${join(folder, `${name}.db`)}` : await postgres.database(name)
    const bots: Bot[] = []
    try {
      for (let count = 0; count < replicas; count += 1) {
        bots.push(
          await startBot({
            env: {
              ...env,
              DATABASE_URL: database,
              TELEGRAM_UPDATES: 'webhook',
              // Never called: the stand-in calls each replica directly.
              PUBLIC_URL: 'https://bots.invalid',
            },
          }),
        )
      }
      const roots = bots.map(({ healthUrl }) => new URL(healthUrl ?? '').origin)
      await standIns.callInTurn(venue, roots)
    } catch (error) {
      await Promise.all(bots.map((bot) => bot.stop()))
      throw error
    }
    return new Group(entry, ground, venue, bots)
  }

  async send(commands: { batch: number; batches: number; inFlight: number }): Promise<GroupLoad> {
    const { standIns, postgres } = this.#ground
    const onPostgres = this.entry.engine === 'postgres'
    const [botsBefore, postgresBefore] = [await this.#cpu(), await postgres.cpuMillis()]
    const served = await standIns.commands({
      venue: this.#venue,
      address: warmAsset,
      ...commands,
    })
    return {
      ...served,
      commands: commands.batch * commands.batches,
      botsCpu: (await this.#cpu()) - botsBefore,
      postgresCpu: onPostgres ? (await postgres.cpuMillis()) - postgresBefore : Number.NaN,
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#bots.map((bot) => bot.stop()))
    await this.#ground.standIns.close(this.#venue)
  }

  async #cpu(): Promise<number> {
    const each = await Promise.all(this.#bots.map(({ pid }) => cpuMillis(pid)))
    return each.reduce((sum, one) => sum + one, 0)
  }
}
