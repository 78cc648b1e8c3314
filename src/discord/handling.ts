import { LRUCache } from 'lru-cache'
import type { Heard } from '../chat/inbox.ts'
import { within } from '../chat/within.ts'
import type { Logger } from '../log.ts'
import type { AnswerParts } from './answering.ts'
import { onDirectMessage } from './direct.ts'
import type { Interaction, WrittenMessage } from './incoming.ts'
import { onInteraction } from './interactions.ts'

export interface HandlingParts {
  /** What answering takes, once it is known. */
  answering: () => AnswerParts
  heard: Heard
  /** There are no other replicas to be asked. */
  isAlone: boolean
  log: Logger
  /** Hears of each thing that people did, in a word. */
  onUpdate: (kind: string) => void
  /** A person and the bot have this private chat. */
  onPrivateChat: (person: string, channel: string) => void
}

/** How many things are remembered that came here: those of some minutes, where there are hundreds a second. */
const remembered = 50_000
/** The first answer has to be there after 3 s. */
const askFor = 1_000

/** Handles what people do, each thing once over all replicas, and knows what is under way. */
export class Handling {
  readonly #parts: HandlingParts
  readonly #seen = new LRUCache<string, true>({ max: remembered })
  readonly #underWay = new Set<Promise<void>>()

  constructor(parts: HandlingParts) {
    this.#parts = parts
  }

  interaction(interaction: Interaction): void {
    const { id, kind, person, place, direct } = interaction
    this.#take(id, kind, async (parts) => {
      if (direct) this.#parts.onPrivateChat(person, place)
      await onInteraction(parts, interaction)
    })
  }

  message(message: WrittenMessage): void {
    const { id, isBot, direct, author, place } = message
    if (isBot || !direct) return
    this.#take(id, 'message', async (parts) => {
      this.#parts.onPrivateChat(author, place)
      await onDirectMessage(parts, message)
    })
  }

  /** Lets what is under way end, for so many milliseconds. */
  async end(milliseconds: number): Promise<void> {
    await within(Promise.allSettled(this.#underWay), milliseconds)
  }

  #take(id: string, kind: string, handle: (parts: AnswerParts) => Promise<void>): void {
    const { answering, onUpdate } = this.#parts
    const parts = answering()
    const tracked = this.#isFirst(id)
      .then(async (isFirst) => {
        if (!isFirst) return
        onUpdate(kind)
        await handle(parts)
      })
      .catch(parts.report)
      .finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  /**
   * Where the database does not say, it counts as first: Discord lets an interaction be answered once, whoever tries,
   * and most commands need no database; silence would be worse. Who is alone does not ask: writing it down takes a
   * tenth of a millisecond, a good part of what a command takes in all.
   */
  async #isFirst(id: string): Promise<boolean> {
    if (this.#seen.has(id)) return false
    this.#seen.set(id, true)
    const { heard, isAlone, log } = this.#parts
    if (isAlone) return true
    try {
      return (await within(heard.isFirst('discord', id), askFor)) ?? true
    } catch (error) {
      log.warn({ err: error }, 'discord: the database does not say who answers; this replica does')
      return true
    }
  }
}
