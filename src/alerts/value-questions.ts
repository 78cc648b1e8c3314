import { type Context, ownChat } from '../core/command.ts'
import type { Store } from '../db/schema.ts'

/** Seconds for which an answer is waited for. */
const openSeconds = 600

/**
 * Remembers the value that a person was asked for in a chat, such as the price of an alert: what they type next is the
 * answer. There is one at most for each person and chat, and it is forgotten after ten minutes.
 * @example
 *   await questions.ask(context, 'alerts choose price asset:0x12')
 *   await questions.find(context) // 'alerts choose price asset:0x12'
 */
export class ValueQuestions {
  readonly #store: Store
  readonly #now: () => number
  /** When this process asked last, by person and chat: only then there is something to forget. */
  readonly #asked = new Map<string, number>()

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Asks for a value; `line` is the one that asked, which a later version must be able to read. */
  async ask(context: Context, line: string): Promise<void> {
    const now = this.#now()
    const key = keyOf(context)
    for (const [each, at] of this.#asked) if (!isOpen(at, now)) this.#asked.delete(each)
    this.#asked.set(JSON.stringify(key), now)
    const values = { line, asked_at: now }
    await this.#store
      .deleteFrom('value_questions')
      .where((row) =>
        row.or([row('asked_at', '<', now - openSeconds), row('asked_at', '>', now + openSeconds)]),
      )
      .execute()
    await this.#store
      .insertInto('value_questions')
      .values({ ...key, ...values })
      .onConflict((conflict) =>
        conflict.columns(['platform', 'person', 'chat']).doUpdateSet(values),
      )
      .execute()
  }

  /** The line that asked; undefined if nothing is asked. */
  async find(context: Context): Promise<string | undefined> {
    const { platform, person, chat } = keyOf(context)
    const row = await this.#store
      .selectFrom('value_questions')
      .select(['line', 'asked_at'])
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', '=', chat)
      .executeTakeFirst()
    return row && isOpen(row.asked_at, this.#now()) ? row.line : undefined
  }

  /** Forgets what this process asked, as the person goes on with something else. */
  async forget(context: Context): Promise<void> {
    if (this.#asked.has(JSON.stringify(keyOf(context)))) await this.close(context)
  }

  /** Forgets the question, whoever asked: it was answered, or the next message answers something else. */
  async close(context: Context): Promise<void> {
    const key = keyOf(context)
    this.#asked.delete(JSON.stringify(key))
    await this.#store
      .deleteFrom('value_questions')
      .where('platform', '=', key.platform)
      .where('person', '=', key.person)
      .where('chat', '=', key.chat)
      .execute()
  }
}

/** A time that is far ahead was written by a wrong clock: such a question would stay open until then. */
function isOpen(askedAt: number, now: number): boolean {
  return Math.abs(now - askedAt) <= openSeconds
}

function keyOf(context: Context) {
  return { platform: context.platform.name, person: context.user, chat: ownChat(context) }
}
