import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { categories } from '../api/requests.ts'
import type { Context } from '../core/command.ts'
import type { DraftsTable, Store } from '../db/schema.ts'
import { UserError } from '../errors.ts'

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])

/** The picture of the token: `stored` says that the bytes are here and still have to be published. */
const picture = z.object({ cid: z.string(), stored: z.boolean() })

/**
 * The answers of a launch conversation, by question; what is absent was not answered yet. A question that was skipped
 * has an empty answer (`''`, `[]`, null).
 */
export const answersSchema = z
  .object({
    /** Chain id. */
    chain: z.number().int().positive(),
    /** The id under which the service operator knows the template. */
    template: z.string(),
    name: z.string(),
    /** Without a dollar sign. */
    symbol: z.string(),
    description: z.string(),
    picture: picture.nullable(),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    categories: z.array(z.enum(categories)),
    /** The account that signs. */
    wallet: address,
    /** Null stands for the wallet. */
    feeReceiver: address.nullable(),
    /** Each has an amount in whole tokens (a decimal string) or a percentage of the supply (a decimal string). */
    vesting: z.array(
      z.object({ address, amount: z.string().optional(), percentage: z.string().optional() }),
    ),
    /** Shares are 18-decimal fractions of one, as a decimal integer string: 350000000000000000 is 35 %. */
    beneficiaries: z.array(z.object({ beneficiary: address, shares: z.string() })),
  })
  .partial()

export type Answers = z.output<typeof answersSchema>
export type QuestionId = keyof Answers

/** A draft's JSON body. */
const draftBodySchema = z.object({
  /** `metadata`: only the half that uploads, for /metadata. */
  goal: z.enum(['launch', 'metadata']).default('launch'),
  answers: answersSchema,
  /** A question that the person went back to; without it the first open one is asked. */
  asking: z.string().optional(),
  /** A re-encoded picture whose crop the person has not accepted yet: its CID. */
  offered: z.string().optional(),
  /** Symbols that the person was told are known already and wants nonetheless. */
  knownSymbolAccepted: z.string().optional(),
  /** What was odd about answers and was meant, by question: nobody is asked about it again. */
  kept: z.record(z.string(), z.array(z.string())).default({}),
  /** What was typed and not taken, by question, so that nobody has to type it again. */
  typed: z.record(z.string(), z.string()).default({}),
  /** The answers that the person confirmed: a digest. Building goes on only while they are still the same. */
  confirmed: z.string().optional(),
  /** Tell the group in which it began. */
  announce: z.boolean().default(false),
  /** The steps that are done, with what they gave, each for just these inputs (a digest of them). */
  done: z
    .object({
      picture: z.object({ of: z.string(), cid: z.string() }).optional(),
      metadata: z.object({ of: z.string(), uri: z.string() }).optional(),
      /** What the interface built, as JSON; it is checked before it becomes a payload. */
      built: z.object({ of: z.string(), answer: z.string() }).optional(),
      /** The id of the payload. */
      payload: z.object({ of: z.string(), id: z.string() }).optional(),
    })
    .default({}),
})

/**
 * `open`: being answered, reviewed or built (a failed build leaves it open). `handed`: a payload was handed out, see
 * `payload.ts`. The rest are ends; `done` is that of a draft whose goal was the metadata alone.
 */
const draftStates = ['open', 'handed', 'launched', 'done', 'cancelled', 'expired'] as const
export type DraftState = (typeof draftStates)[number]

export interface Draft extends z.output<typeof draftBodySchema> {
  /** 8 characters of [a-z0-9]. */
  id: string
  platform: 'telegram' | 'discord'
  person: string
  /** The group in which it began. */
  origin: string | undefined
  rev: number
  state: DraftState
  /** Unix seconds. */
  createdAt: number
  updatedAt: number
}

/** One of TEMPLATES, as the operator wrote it. */
export interface Template {
  id: string
  label: string
  chain: number
  about?: string | undefined
  /** What every payload of it must do, by row of the table; `npm run doctor -- template NAME` writes it. */
  expects?: Readonly<Record<string, unknown>> | undefined
}

/** Whose a draft is. */
type Owner = Pick<Context, 'platform' | 'user'>

const day = 86_400
/** Seconds after which a draft that nobody touched expires. */
const draftLifetime = 7 * day
/** Seconds after its end for which a draft is still listed. By then nothing of it is watched or told any more. */
const keptAfterEnd = 90 * day
const launchedKept = 365 * day
/** Drafts of which one call forgets what was built. */
const maxLightened = 200

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
      .where('person', '=', who.user)
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
        person: who.user,
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
      .where('person', '=', who.user)
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
      .limit(maxLightened)
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
  async open(context: Context): Promise<Draft | undefined> {
    const draft = await this.#drafts.current(context)
    return draft && this.settled(draft)
  }

  /**
   * The person's open draft that a button or a form names, as in `k3f9a2bc.12`, and whether it moved on since.
   * @throws UserError where it is closed; another person's is answered as one that never was
   */
  async at(at: string, context: Context): Promise<{ draft: Draft; isStale: boolean }> {
    const [, id = '', rev] = /^([a-z0-9]{8})(?:\.(\d{1,9}))?$/u.exec(at) ?? []
    const found = await this.#drafts.find(id)
    if (found?.platform !== context.platform || found.person !== context.user)
      throw closed('cancelled', 'launch')
    // What was left alone for a week expires as it is looked at.
    const draft = found.state === 'open' ? await this.open(context) : undefined
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
