import { setTimeout as delay } from 'node:timers/promises'
import { type Bot, BotStartError, describeExit } from './bot.ts'
import type { BotStatus } from './console/state.ts'

const restartAfterMs = 1500

/** Keeps a bot running: starts it again a moment after it ended, and tells how it is doing. */
export class Supervisor {
  readonly #start: (signal: AbortSignal) => Promise<Bot>
  readonly #stopping = new AbortController()
  readonly #listeners = new Set<(status: BotStatus) => void>()
  #status: BotStatus = { state: 'starting' }
  #current: Bot | undefined
  #running: Promise<void> | undefined

  /** `start` begins one life of the bot, which ends when the signal is aborted. */
  constructor(start: (signal: AbortSignal) => Promise<Bot>) {
    this.#start = start
  }

  get status(): BotStatus {
    return this.#status
  }

  /** The bot's present life, once it is ready. */
  get current(): Bot | undefined {
    return this.#current
  }

  /** Calls back at each change; returns what ends that. */
  subscribe(listener: (status: BotStatus) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  run(): void {
    this.#running ??= this.#live()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #live(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      this.#change({ state: 'starting' })
      const detail = await this.#oneLife(signal)
      this.#change(signal.aborted ? { state: 'stopped' } : { state: 'stopped', detail })
      await delay(restartAfterMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #oneLife(signal: AbortSignal): Promise<string> {
    try {
      const bot = await this.#start(signal)
      this.#current = bot
      this.#change({ state: 'ready' })
      return describeExit(await bot.exited)
    } catch (error) {
      return error instanceof BotStartError
        ? `${describeExit(error.exit)} while starting`
        : `it could not be started: ${String(error)}`
    } finally {
      this.#current = undefined
    }
  }

  #change(status: BotStatus): void {
    this.#status = status
    for (const listener of this.#listeners) listener(status)
  }
}
