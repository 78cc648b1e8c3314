import type { Transformer } from 'grammy'
import { RateLimits } from '../../sandbox/discord/limits.ts'
import { FloodLimits } from '../../sandbox/telegram/limits.ts'
import { noReplicas } from '../../src/core/pubsub.ts'
import { GlobalLimit } from '../../src/discord/transport.ts'
import { Pacing } from '../../src/telegram/pacing.ts'
import type { PlatformName } from '../stand-ins/protocol.ts'
import type { Agenda } from './agenda.ts'

/** A simulated platform: Gavel's own limiter on one side, the strict stand-in's on the other. */
export interface Line {
  /** Returns the milliseconds until the next alert may be sent; 0 reserves the slot. */
  room(): number
  /** Sends a message whose slot was reserved; calls `arrived` when the platform has it. */
  send(chat: number, wayMs: number, arrived: () => void): Promise<void>
  /** Sends an answer to a command at once. */
  answer(chat: number, wayMs: number): void
  /** Number of refused alerts and answers. */
  readonly refused: { alerts: number; answers: number }
}

export function lineOf(platform: PlatformName, agenda: Agenda): Line {
  return platform === 'telegram' ? new SimulatedTelegram(agenda) : new SimulatedDiscord(agenda)
}

/** Users send commands in their own private chats. */
const firstUserId = 1_000_000_000

/** Sends nothing: the limiter does not depend on the answer. */
const withoutSending: Parameters<Transformer>[0] = async () => ({
  ok: false,
  error_code: 400,
  description: 'played, not sent',
})

class SimulatedTelegram implements Line {
  readonly refused = { alerts: 0, answers: 0 }
  readonly #agenda: Agenda
  readonly #ours: Pacing
  readonly #theirs: FloodLimits

  constructor(agenda: Agenda) {
    this.#agenda = agenda
    const { now } = agenda
    this.#ours = new Pacing({ now, uploads: { waiting: 0 }, pubsub: noReplicas })
    this.#theirs = new FloodLimits(now)
  }

  room(): number {
    return this.#ours.room()
  }

  async send(chat: number, wayMs: number, arrived: () => void): Promise<void> {
    await this.#ours.unasked(withoutSending, 'sendMessage', messageTo(chat))
    this.#agenda.add(this.#agenda.now() + wayMs / 2, () => {
      if (!this.#isTaken(chat)) this.refused.alerts += 1
      arrived()
    })
  }

  answer(chat: number, wayMs: number): void {
    void this.#ours.asked(withoutSending, 'sendMessage', messageTo(firstUserId + chat))
    this.#agenda.add(this.#agenda.now() + wayMs / 2, () => {
      if (!this.#isTaken(firstUserId + chat)) this.refused.answers += 1
    })
  }

  #isTaken(chat: number): boolean {
    try {
      this.#theirs.take(chat, false)
      return true
    } catch {
      return false
    }
  }
}

function messageTo(chat: number): { chat_id: number; text: string } {
  return { chat_id: chat, text: '' }
}

class SimulatedDiscord implements Line {
  readonly refused = { alerts: 0, answers: 0 }
  readonly #agenda: Agenda
  readonly #ours: GlobalLimit
  readonly #theirs: RateLimits

  constructor(agenda: Agenda) {
    this.#agenda = agenda
    this.#ours = new GlobalLimit(agenda.now)
    this.#theirs = new RateLimits(agenda.now)
  }

  room(): number {
    return this.#ours.room()
  }

  async send(chat: number, wayMs: number, arrived: () => void): Promise<void> {
    // Its slot was just reserved, so it starts at once.
    const end = await this.#ours.begin()
    const began = this.#agenda.now()
    this.#agenda.add(began + wayMs / 2, () => {
      const verdict = this.#theirs.take('POST /channels/:id/messages', String(chat), true)
      if (verdict.retryAfter !== undefined) this.refused.alerts += 1
      arrived()
    })
    this.#agenda.add(began + wayMs, end)
  }

  /** Answers to interactions count towards no limit but their own. */
  answer(): void {}
}
