import type { Transformer } from 'grammy'
import { RateLimits } from '../../sandbox/discord/limits.ts'
import { FloodLimits } from '../../sandbox/telegram/limits.ts'
import { noReplicas } from '../../src/core/pubsub.ts'
import { GlobalLimit } from '../../src/discord/transport.ts'
import { Pacing } from '../../src/telegram/pacing.ts'
import type { PlatformName } from '../stand-ins/protocol.ts'
import type { Agenda } from './agenda.ts'

/** A platform as the simulation has it: Gavel's own limit on one side, the strict stand-in's on the other. */
export interface Line {
  /** Milliseconds until one more alert may begin; 0 takes that place. */
  room(): number
  /** Sends what there was room for; `arrived` is called at the moment at which the platform has it. */
  send(chat: number, wayMs: number, arrived: () => void): Promise<void>
  /** An answer to a command, which goes at once. */
  answer(chat: number, wayMs: number): void
  /** What the platform refused. */
  readonly refused: { alerts: number; answers: number }
}

export function lineOf(platform: PlatformName, agenda: Agenda): Line {
  return platform === 'telegram' ? new TelegramLine(agenda) : new DiscordLine(agenda)
}

/** Who asks does so in a private chat of their own. */
const firstAsker = 1_000_000_000

/** Nothing is sent, and what is counted does not depend on the answer. */
const unsent: Parameters<Transformer>[0] = async () => ({
  ok: false,
  error_code: 400,
  description: 'played, not sent',
})

class TelegramLine implements Line {
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
    await this.#ours.unasked(unsent, 'sendMessage', messageTo(chat))
    this.#agenda.add(this.#agenda.now() + wayMs / 2, () => {
      if (!this.#isTaken(chat)) this.refused.alerts += 1
      arrived()
    })
  }

  answer(chat: number, wayMs: number): void {
    void this.#ours.asked(unsent, 'sendMessage', messageTo(firstAsker + chat))
    this.#agenda.add(this.#agenda.now() + wayMs / 2, () => {
      if (!this.#isTaken(firstAsker + chat)) this.refused.answers += 1
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

class DiscordLine implements Line {
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
    // Its place was taken a moment ago: it begins at once.
    const end = await this.#ours.begin()
    const began = this.#agenda.now()
    this.#agenda.add(began + wayMs / 2, () => {
      const verdict = this.#theirs.take('POST /channels/:id/messages', String(chat), true)
      if (verdict.retryAfter !== undefined) this.refused.alerts += 1
      arrived()
    })
    this.#agenda.add(began + wayMs, end)
  }

  /** Answers to interactions count within no limit but their own. */
  answer(): void {}
}
