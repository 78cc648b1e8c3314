import { type Context, ownChat } from '../core/command.ts'
import type { Store } from './schema.ts'

/** Seconds for which an answer is waited for. */
const openSeconds = 600

/**
 * Stores the question that a person is being asked in a chat, such as for the price of an alert: what they type next is the
 * answer. There is one at most for each person and chat, and it ends after ten minutes. The questions of a launch are not
 * stored here: they follow from its draft, and are asked while nothing is pending.
 * @example
 *   await questions.ask(context, 'alerts choose price asset:0x12')
 *   await questions.find(context) // 'alerts choose price asset:0x12'
 */
export class PendingQuestions {
  readonly #store: Store
  readonly #now: () => number

  /** @param now unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Asks a question; `line` is the command line that asked, which a later version must be able to read. */
  async ask(context: Context, line: string): Promise<void> {
    const now = this.#now()
    const values = { line, asked_at_s: now }
    await this.#store
      .deleteFrom('pending_questions')
      .where((row) =>
        row.or([
          row('asked_at_s', '<', now - openSeconds),
          row('asked_at_s', '>', now + openSeconds),
        ]),
      )
      .execute()
    await this.#store
      .insertInto('pending_questions')
      .values({ ...keyOf(context), ...values })
      .onConflict((conflict) =>
        conflict.columns(['platform', 'person', 'chat']).doUpdateSet(values),
      )
      .execute()
  }

  /** The line that asked; undefined if nothing is asked. */
  async find(context: Context): Promise<string | undefined> {
    const { platform, person, chat } = keyOf(context)
    const row = await this.#store
      .selectFrom('pending_questions')
      .select(['line', 'asked_at_s'])
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', '=', chat)
      .executeTakeFirst()
    // A time that is far ahead was written by a wrong clock: such a question would stay open until then.
    const isOpen = row && Math.abs(this.#now() - row.asked_at_s) <= openSeconds
    return isOpen ? row.line : undefined
  }

  /** Ends the question: it was answered, or the person goes on with something else. */
  async close(context: Context): Promise<void> {
    const { platform, person, chat } = keyOf(context)
    await this.#store
      .deleteFrom('pending_questions')
      .where('platform', '=', platform)
      .where('person', '=', person)
      .where('chat', '=', chat)
      .execute()
  }
}

function keyOf(context: Context) {
  return { platform: context.platform.name, person: context.user, chat: ownChat(context) }
}
