import type { PlatformName } from '../stand-ins/protocol.ts'
import { Agenda, chances } from './agenda.ts'
import { constants } from './constants.ts'
import { type Line, lineOf } from './lines.ts'

export interface Scenario {
  platform: PlatformName
  chats: number
  /** Times in seconds at which an event for all chats is stored. */
  news: readonly number[]
  /** Commands per second, at random times. */
  commandsASecond: number
  /** Round trip in milliseconds: minimum, and max extra. */
  way: { least: number; spread: number }
  seed: number
  /** Seconds after which the simulation ends even if alerts wait. */
  endSeconds?: number
}

export interface Played {
  /** Per event: seconds from storing it until the last chat had it; undefined if some never did. */
  lastSeconds: (number | undefined)[]
  messages: number
  /** Sent alerts; one message may contain several. */
  told: number
  answers: number
  refused: { alerts: number; answers: number }
  /** Waiting alerts at the end. */
  backlog: number
  seconds: number
}

/** Milliseconds that the next send waits for the one before, as in `alerts/notifier.ts`. */
const spacingMs = 15

/** Simulates a scenario against Gavel's own limiters and the stand-ins' strict ones, on a simulated clock. */
export function play(scenario: Scenario): Promise<Played> {
  return new Simulation(scenario).run()
}

class Simulation {
  readonly #scenario: Scenario
  readonly #scheduler = new Agenda()
  readonly #random: () => number
  readonly #platform: Line
  /** Number of events that each chat got. */
  readonly #sentEvents: Uint16Array
  /** Chats with due events, those that have waited longest first: a ring with each of them at most once. */
  readonly #queue: Uint32Array
  readonly #isQueued: Uint8Array
  #first = 0
  #queued = 0
  #stored = 0
  #messages = 0
  #sentAlerts = 0
  #answers = 0
  readonly #chatsOf: number[]
  readonly #lastAt: number[]

  constructor(scenario: Scenario) {
    const { platform, chats, news, seed } = scenario
    this.#scenario = scenario
    this.#random = chances(seed)
    this.#platform = lineOf(platform, this.#scheduler)
    this.#sentEvents = new Uint16Array(chats)
    this.#queue = new Uint32Array(chats)
    this.#isQueued = new Uint8Array(chats)
    this.#chatsOf = news.map(() => 0)
    this.#lastAt = news.map(() => 0)
  }

  async run(): Promise<Played> {
    const { news, chats, endSeconds = Number.POSITIVE_INFINITY } = this.#scenario
    const agenda = this.#scheduler
    for (const at of news) {
      agenda.add((at + constants.gathering.value) * 1000, () => this.#store())
    }
    this.#command()
    const isOver = () =>
      agenda.now() >= endSeconds * 1000 || (this.#stored === news.length && this.#queued === 0)
    while (!isOver()) {
      if (this.#queued === 0) {
        agenda.until(agenda.next())
        continue
      }
      const wait = this.#platform.room()
      if (wait > 0) agenda.until(agenda.now() + wait)
      else await this.#send()
    }
    const seconds = agenda.now() / 1000
    // Let messages in flight arrive.
    agenda.until(agenda.now() + 1000)
    return {
      lastSeconds: news.map((at, index) =>
        this.#chatsOf[index] === chats ? (this.#lastAt[index] ?? 0) / 1000 - at : undefined,
      ),
      messages: this.#messages,
      told: this.#sentAlerts,
      answers: this.#answers,
      refused: this.#platform.refused,
      backlog: this.#stored * chats - this.#sentAlerts,
      seconds,
    }
  }

  #way(): number {
    const { least, spread } = this.#scenario.way
    return least + spread * this.#random()
  }

  #store(): void {
    this.#stored += 1
    for (let chat = 0; chat < this.#scenario.chats; chat += 1) {
      if (this.#isQueued[chat] === 0) this.#enqueue(chat)
    }
  }

  #enqueue(chat: number): void {
    this.#queue[(this.#first + this.#queued) % this.#queue.length] = chat
    this.#isQueued[chat] = 1
    this.#queued += 1
  }

  /** Schedules the next command: the intervals are exponential. */
  #command(): void {
    const { commandsASecond } = this.#scenario
    if (commandsASecond === 0) return
    const pause = (-Math.log(1 - this.#random()) / commandsASecond) * 1000
    this.#scheduler.add(this.#scheduler.now() + pause, () => {
      this.#platform.answer(this.#answers, this.#way())
      this.#answers += 1
      this.#command()
    })
  }

  async #send(): Promise<void> {
    const agenda = this.#scheduler
    const chat = this.#queue[this.#first] ?? 0
    this.#first = (this.#first + 1) % this.#queue.length
    this.#queued -= 1
    this.#isQueued[chat] = 0
    const from = this.#sentEvents[chat] ?? 0
    const to = Math.min(this.#stored, from + constants.together.value)
    this.#sentEvents[chat] = to
    this.#messages += 1
    this.#sentAlerts += to - from
    const way = this.#way()
    await this.#platform.send(chat, way, () => {
      for (let news = from; news < to; news += 1) {
        this.#chatsOf[news] = (this.#chatsOf[news] ?? 0) + 1
        this.#lastAt[news] = agenda.now()
      }
    })
    if (to < this.#stored) this.#enqueue(chat)
    agenda.until(agenda.now() + Math.min(way, spacingMs))
  }
}
