import { randomInt } from 'node:crypto'
import type { Turn } from '../chat/command.ts'
import type { Store } from '../store/database.ts'
import type { DraftsTable } from '../store/schema.ts'
import { type Draft, draftBodySchema, draftStates } from './draft.ts'

/** Whose a draft is. */
export type Owner = Pick<Turn, 'platform' | 'person'>

const day = 86_400
/** Seconds after which a draft that nobody touched expires. */
const draftLifetime = 7 * day
/** Seconds after its end for which a draft is still listed. By then nothing of it is watched or told any more. */
const keptAfterEnd = 90 * day
const launchedKept = 365 * day
/** Drafts of which one call forgets what was built. */
const mostLightened = 200

const idLetters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** The draft was changed by somebody else, or from another message, since it was read. */
export class StaleDraftError extends Error {
  override readonly name = 'StaleDraftError'
}

/** The launches of all people, from the first question on. A person has at most one open draft. */
export class Drafts {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** The open draft of a person. One that was left alone for a week expires here. */
  async current(who: Owner): Promise<Draft | undefined> {
    const row = await this.#store
      .selectFrom('drafts')
      .selectAll()
      .where('platform', '=', who.platform)
      .where('person', '=', who.person)
      .where('state', '=', 'open')
      .executeTakeFirst()
    if (row === undefined || row.updated_at > this.#now() - draftLifetime) {
      return row && readDraft(row)
    }
    await this.#expire(row.id)
    return undefined
  }

  /** Since when (unix seconds) the person's last draft lay untouched, where it expired; undefined where it did not. */
  async expiredSince(who: Owner): Promise<number | undefined> {
    const [last] = await this.list(who, 1)
    return last?.state === 'expired' ? last.updatedAt : undefined
  }

  async find(id: string): Promise<Draft | undefined> {
    const row = await this.#store
      .selectFrom('drafts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && readDraft(row)
  }

  /** A new draft; where one is open already, as when somebody presses twice, that one. */
  async begin(
    who: Owner,
    { origin, goal }: { origin?: string | undefined; goal: Draft['goal'] },
  ): Promise<Draft> {
    const id = Array.from({ length: 8 }, () => idLetters[randomInt(idLetters.length)]).join('')
    const at = this.#now()
    const body = draftBodySchema.parse({ goal, answers: {} })
    const { numInsertedOrUpdatedRows = 0n } = await this.#store
      .insertInto('drafts')
      .values({
        id,
        platform: who.platform,
        person: who.person,
        origin: origin ?? null,
        rev: 0,
        state: 'open',
        body: JSON.stringify(body),
        created_at: at,
        updated_at: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const begun = numInsertedOrUpdatedRows > 0n ? await this.find(id) : await this.current(who)
    if (begun === undefined) throw new StaleDraftError('the draft was closed as it was begun')
    return begun
  }

  /**
   * Writes a changed draft, and gives it back with its new rev.
   * @throws StaleDraftError where it is no longer at the rev that it was read at.
   */
  async save(draft: Draft): Promise<Draft> {
    const saved = { ...draft, rev: draft.rev + 1, updatedAt: this.#now() }
    const { numUpdatedRows } = await this.#store
      .updateTable('drafts')
      .set({
        origin: saved.origin ?? null,
        rev: saved.rev,
        state: saved.state,
        body: JSON.stringify(draftBodySchema.parse(saved)),
        updated_at: saved.updatedAt,
      })
      .where('id', '=', draft.id)
      .where('rev', '=', draft.rev)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      throw new StaleDraftError(`draft ${draft.id} is no longer at rev ${draft.rev}`)
    }
    return saved
  }

  /** A person's drafts of every state, the newest first. */
  async list(who: Owner, most: number): Promise<Draft[]> {
    const rows = await this.#store
      .selectFrom('drafts')
      .selectAll()
      .where('platform', '=', who.platform)
      .where('person', '=', who.person)
      .orderBy('created_at', 'desc')
      // An open one was begun after every other, also within one second.
      .orderBy((row) => row.case().when('state', '=', 'open').then(0).else(1).end())
      .orderBy('updated_at', 'desc')
      .limit(most)
      .execute()
    return rows.map(readDraft)
  }

  /** Expires every open draft that was left alone for a week, and gives those back, each to one caller only. */
  async expireOld(): Promise<Draft[]> {
    const rows = await this.#store
      .selectFrom('drafts')
      .select('id')
      .where('state', '=', 'open')
      .where('updated_at', '<=', this.#now() - draftLifetime)
      .execute()
    const expired: Draft[] = []
    for (const { id } of rows) {
      const draft = (await this.#expire(id)) ? await this.find(id) : undefined
      if (draft) expired.push(draft)
    }
    return expired
  }

  /**
   * Forgets drafts that ended long ago, and of every other that is no longer open what was built: its payload has that.
   * Returns how many drafts went; those who call forget their payloads next.
   */
  async prune(): Promise<number> {
    const ended = this.#now() - keptAfterEnd
    const { numDeletedRows } = await this.#store
      .deleteFrom('drafts')
      .where((row) =>
        row.or([
          row('state', 'in', ['cancelled', 'done']).and('updated_at', '<', ended),
          row('state', '=', 'expired').and('updated_at', '<', ended - draftLifetime),
          row('state', '=', 'launched').and('updated_at', '<', this.#now() - launchedKept),
          // Handed out and never signed: it ends with the last of its payloads.
          row('state', '=', 'handed')
            .and('updated_at', '<', ended)
            .and(
              row.not(
                row.exists(
                  row
                    .selectFrom('payloads')
                    .select('payloads.id')
                    .whereRef('payloads.draft', '=', 'drafts.id')
                    .where((of) =>
                      of.or([
                        of('payloads.state', '=', 'active'),
                        of('payloads.updated_at', '>=', ended),
                      ]),
                    ),
                ),
              ),
            ),
        ]),
      )
      .executeTakeFirst()
    await this.#lighten()
    return Number(numDeletedRows)
  }

  async #lighten(): Promise<void> {
    const rows = await this.#store
      .selectFrom('drafts')
      .select(['id', 'rev', 'body'])
      .where('state', '!=', 'open')
      .where('updated_at', '<', this.#now() - day)
      // Within an answer the quotes would be escaped.
      .where('body', 'like', '%"built":%')
      .limit(mostLightened)
      .execute()
    for (const { id, rev, body } of rows) {
      const { done, ...rest } = draftBodySchema.parse(JSON.parse(body))
      const { built: _, ...kept } = done
      await this.#store
        .updateTable('drafts')
        .set({ body: JSON.stringify({ ...rest, done: kept }) })
        .where('id', '=', id)
        .where('rev', '=', rev)
        .execute()
    }
  }

  /** Whether it was this call that expired it; what was touched in the meantime stays open. */
  async #expire(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#store
      .updateTable('drafts')
      .set((row) => ({ state: 'expired', rev: row('rev', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'open')
      .where('updated_at', '<=', this.#now() - draftLifetime)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

function readDraft(row: DraftsTable): Draft {
  const state = draftStates.find((each) => each === row.state)
  if (state === undefined) throw new Error(`draft ${row.id} has the unknown state ${row.state}`)
  return {
    ...draftBodySchema.parse(JSON.parse(row.body)),
    id: row.id,
    platform: row.platform,
    person: row.person,
    origin: row.origin ?? undefined,
    rev: row.rev,
    state,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
