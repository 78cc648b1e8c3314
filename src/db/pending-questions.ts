import { type Context, ownChat } from '../core/command.ts'
import type { RowOf, Store } from './schema.ts'

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

  /** The question that this update may answer, or has answered already; undefined if there is none. */
  async find(context: Context): Promise<PendingQuestion | undefined> {
    const row = await this.#store
      .selectFrom('pending_questions')
      .select(['line', 'asked_at_s', 'answered_by'])
      .where(matching(context))
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { line, asked_at_s, answered_by } = row
    if (answered_by !== null && answered_by === context.update) return { line, isAnswered: true }
    // A time that is far ahead was written by a wrong clock: such a question would stay open until then.
    const isOpen = line !== '' && Math.abs(this.#now() - asked_at_s) <= openSeconds
    return isOpen ? { line, isAnswered: false } : undefined
  }

  /** Ends the question that this update answered; if the platform brings the update again, it answers no other. */
  async answered(context: Context): Promise<void> {
    await this.#end(context, { answered_by: context.update ?? null })
  }

  /** Ends the question: the person goes on with something else. */
  async close(context: Context): Promise<void> {
    await this.#end(context, {})
  }

  async #end(context: Context, answered: { answered_by?: string | null }): Promise<void> {
    await this.#store
      .updateTable('pending_questions')
      .set({ line: '', ...answered })
      .where(matching(context))
      .execute()
  }
}

interface PendingQuestion {
  /** The command line that asked; '' if nothing is asked any more. */
  line: string
  /** This update has answered a question already: its process died before it was confirmed to the platform. */
  isAnswered: boolean
}

function matching(context: Context) {
  return (row: RowOf<'pending_questions'>) => row.and(keyOf(context))
}

function keyOf(context: Context) {
  return { platform: context.platform.name, person: context.user, chat: ownChat(context) }
}
