import type { Turn } from '../chat/command.ts'
import { UserError } from '../errors.ts'
import type { Draft } from './draft.ts'
import { type Drafts, StaleDraftError } from './drafts.ts'

/** A person's way to the draft that is theirs and open; nobody gets at another's. */
export class OwnDraft {
  readonly #drafts: Drafts
  readonly #settle: (draft: Draft) => Draft

  /** @param settle fills in what the operator's templates leave no choice about, and opens what no longer fits */
  constructor(drafts: Drafts, settle: (draft: Draft) => Draft) {
    this.#drafts = drafts
    this.#settle = settle
  }

  /** The person's open draft, settled. */
  async open(turn: Turn): Promise<Draft | undefined> {
    const draft = await this.#drafts.current(turn)
    return draft && this.settled(draft)
  }

  /**
   * The person's open draft that a button or a form names, as in `k3f9a2bc.12`, and whether it moved on since.
   * @throws UserError where it is closed; another person's is answered as one that never was
   */
  async at(at: string, turn: Turn): Promise<{ draft: Draft; isStale: boolean }> {
    const [, id = '', rev] = /^([a-z0-9]{8})(?:\.(\d{1,9}))?$/u.exec(at) ?? []
    const found = await this.#drafts.find(id)
    if (found?.platform !== turn.platform || found.person !== turn.person)
      throw closed('cancelled', 'launch')
    // What was left alone for a week expires as it is looked at.
    const draft = found.state === 'open' ? await this.open(turn) : undefined
    if (draft?.id !== id) throw closed(found.state === 'open' ? 'expired' : found.state, found.goal)
    return { draft, isStale: String(draft.rev) !== rev }
  }

  /** The draft, settled and saved where that changes anything. */
  async settled(draft: Draft): Promise<Draft> {
    const next = this.#settle(draft)
    const { chain, template } = draft.answers
    if (next.answers.chain === chain && next.answers.template === template) return draft
    return this.saved(draft, next)
  }

  /** The changed draft, or what it became meanwhile where somebody else was first. */
  async saved(before: Draft, changed: Draft): Promise<Draft> {
    try {
      return await this.#drafts.save(changed)
    } catch (error) {
      const now = error instanceof StaleDraftError ? await this.#drafts.find(before.id) : undefined
      if (now?.state === 'open') return this.#settle(now)
      throw error
    }
  }
}

/** What a button says that was made for an earlier state of its draft. */
export function answeredAlready({ goal }: Pick<Draft, 'goal'>): UserError {
  return new UserError(`This was already answered. /${goal} goes on where you are.`)
}

/** Why a draft can't be gone on with, by how it ended; one that never was reads as one that was dropped. */
function closed(state: Draft['state'], goal: Draft['goal']): UserError {
  if (state === 'expired') {
    return new UserError(
      `This draft expired: it was left alone for a week. /${goal} begins a new one.`,
    )
  }
  if (state === 'done') {
    return new UserError('This was uploaded already. /launches shows it; /metadata begins anew.')
  }
  if (state === 'handed' || state === 'launched') {
    return new UserError('This was built already. /launches shows how it stands.')
  }
  return new UserError(
    goal === 'launch'
      ? 'This launch is no longer there. /launch begins a new one.'
      : 'This upload is no longer there. /metadata begins a new one.',
  )
}
