import { randomInt } from 'node:crypto'
import type { Address } from 'viem'
import { z } from 'zod'
import { categories } from '../api/schema.ts'
import { addressSchema } from '../chain/address.ts'
import type { Context, PlatformName } from '../core/command.ts'
import { t } from '../core/view.ts'
import type { DraftsTable, Store } from '../db/schema.ts'
import { deleteInBatches } from '../db/sql.ts'
import { UserError } from '../errors.ts'

/** The token's picture; `stored`: its bytes are in our database and not published yet. */
const picture = z.object({ cid: z.string(), stored: z.boolean() })

/** The answers, by question. An absent key: not answered yet; an empty value (`''`, `[]`, null): skipped. */
export const answersSchema = z
  .object({
    /** Chain id. */
    chain: z.number().int().positive(),
    /** The template's id in the API. */
    template: z.string(),
    name: z.string(),
    /** Without a dollar sign. */
    symbol: z.string(),
    description: z.string(),
    picture: picture.nullable(),
    links: z.array(z.object({ label: z.string(), url: z.string() })),
    categories: z.array(z.enum(categories)),
    /** The account that signs. */
    wallet: addressSchema,
    /** Null: the wallet itself. */
    feeReceiver: z.nullable(addressSchema),
    /** Amount in whole tokens or percent of the supply; both are decimal texts. */
    vesting: z.array(
      z.object({
        address: addressSchema,
        amount: z.string().optional(),
        percentage: z.string().optional(),
      }),
    ),
    /** Shares are 18-decimal fractions of one as integer texts: 350000000000000000 is 35%. */
    beneficiaries: z.array(z.object({ beneficiary: addressSchema, shares: z.string() })),
  })
  .partial()

/** The answers that a launch takes over from an earlier one: all but the token's own. */
export const reusedAnswersSchema = answersSchema.omit({
  name: true,
  symbol: true,
  description: true,
  picture: true,
})

export type Answers = z.output<typeof answersSchema>
export type QuestionId = keyof Answers

/** A draft's JSON body. */
const draftBodySchema = z.object({
  /** `metadata`: only uploads picture and metadata, for /metadata. */
  goal: z.enum(['launch', 'metadata']).default('launch'),
  answers: answersSchema,
  /** The question that the person went back to; if absent, the first open one is asked. */
  askedQuestion: z.string().optional(),
  /** The account that signed the person's launch before, offered for this one. */
  lastWallet: z.optional(addressSchema),
  /** The CID of a re-encoded picture whose crop the person has not accepted yet. */
  pendingPicture: z.string().optional(),
  /** The chain and symbol that the person wants although the symbol exists already. */
  knownSymbolAccepted: z.string().optional(),
  /** Oddities that the person confirmed, by question; they are not asked about again. */
  acceptedDoubts: z.record(z.string(), z.array(z.string())).default({}),
  /** Texts that were not applied, by question, so that the person can correct them. */
  rejectedTexts: z.record(z.string(), z.string()).default({}),
  /** Digest of all that was confirmed. Building goes on only while it matches. */
  confirmed: z.string().optional(),
  /** Digest of what the confirmed review showed of the template, which the bot may have learned anew since. */
  shownTerms: z.string().optional(),
  /** The ids of the last updates that changed it: a platform may bring one twice. */
  changedBy: z.array(z.string()).default([]),
  /** Names that accounts were given by, by the address in lower case. */
  accountNames: z.record(z.string(), z.string()).default({}),
  /** Whether to announce the launch in the group where the draft began. */
  announce: z.boolean().default(false),
  /** Results of finished steps; `of` is the digest of the step's inputs, or the answered picture's CID. */
  stepResults: z
    .object({
      /** `isChecked` is false if nobody knows whether the CID names the picture. */
      picture: z
        .object({ of: z.string(), cid: z.string(), isChecked: z.boolean().optional() })
        .optional(),
      metadata: z.object({ of: z.string(), uri: z.string() }).optional(),
      /** The API's answer as JSON; it is checked before it becomes a payload. */
      built: z.object({ of: z.string(), answer: z.string() }).optional(),
    })
    .default({}),
})

/**
 * `open`: being answered, reviewed or built (a failed build stays open). `handed`: a payload is stored and
 * about to be handed out, see `payload.ts`: after a crash it may have no link yet. The others are final; `done` is for drafts whose goal is the metadata alone.
 */
export const draftStates = ['open', 'handed', 'launched', 'done', 'cancelled', 'expired'] as const
export type DraftState = (typeof draftStates)[number]

export interface Draft extends z.output<typeof draftBodySchema> {
  /** 8 characters of [a-z0-9]. */
  id: string
  platform: PlatformName
  person: string
  /** The chat id of the group where it began. */
  origin: string | undefined
  rev: number
  state: DraftState
  /** Unix seconds. */
  createdAt: number
  updatedAt: number
}

/** The contents of a new draft. */
interface Beginning {
  /** The chat id of the group where it began. */
  origin?: string | undefined
  goal: Draft['goal']
  lastWallet?: Address | undefined
  answers?: Answers
  /** The id of the update that gave these answers. */
  update?: string | undefined
}

/** The user that a draft belongs to. */
type Owner = Pick<Context, 'platform' | 'user'>

const day = 86_400
/** Seconds without a change after which a draft expires. */
const draftLifetime = 7 * day
/** For how many days drafts are kept and listed after their end. By then nothing may watch one or notify about it any more. */
export interface DraftsKept {
  /** Of those that were not launched. */
  drafts: number
  launches: number
}

/** Updates that a draft remembers: Telegram brings one again before its person can send that many more. */
const maxChangedBy = 100
/** Max drafts from which one `prune` removes build results. */
const maxCleared = 200
/** Max drafts of a person that end without a launch within a day; older ones are deleted as the next begins. */
const maxEndedPerDay = 50

const idLetters = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Thrown if somebody else, or another message, changed the draft since it was read. */
export class StaleDraftError extends Error {
  override readonly name = 'StaleDraftError'
}

/** Stores everybody's drafts. A person has at most one open draft. */
export class Drafts {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /** Returns the person's open draft; expires it first if it was untouched for a week. */
  async current(owner: Owner): Promise<Draft | undefined> {
    const row = await this.#store
      .selectFrom('drafts')
      .selectAll()
      .where('platform', '=', owner.platform.name)
      .where('person', '=', owner.user)
      .where('state', '=', 'open')
      .executeTakeFirst()
    if (row === undefined || row.updated_at_s > this.#now() - draftLifetime) {
      return row && readDraft(row)
    }
    await this.#expire(row.id)
    return undefined
  }

  /** Returns the unix second of the last change if the person's latest draft expired; else undefined. */
  async expiredSince(owner: Owner): Promise<number | undefined> {
    const last = await this.#newestFirst(owner).executeTakeFirst()
    return last?.state === 'expired' ? last.updated_at_s : undefined
  }

  async find(id: string): Promise<Draft | undefined> {
    const row = await this.#store
      .selectFrom('drafts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && readDraft(row)
  }

  /** Creates a draft; returns the open one if there is one, e.g. after a double press. */
  async begin(
    who: Owner,
    { origin, goal, lastWallet, answers = {}, update }: Beginning,
  ): Promise<Draft> {
    const id = Array.from({ length: 8 }, () => idLetters[randomInt(idLetters.length)]).join('')
    const at = this.#now()
    const changedBy = update === undefined ? [] : [update]
    const body = draftBodySchema.parse({ goal, answers, lastWallet, changedBy })
    const { numInsertedOrUpdatedRows = 0n } = await this.#store
      .insertInto('drafts')
      .values({
        id,
        platform: who.platform.name,
        person: who.user,
        origin: origin ?? null,
        rev: 0,
        state: 'open',
        body: JSON.stringify(body),
        created_at_s: at,
        updated_at_s: at,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    const begun = numInsertedOrUpdatedRows > 0n ? await this.find(id) : await this.current(who)
    if (begun === undefined) throw new StaleDraftError('the draft was closed as it was begun')
    if (numInsertedOrUpdatedRows > 0n) await this.#boundEnded(who)
    return begun
  }

  /** Deletes what a person began and ended all day long, so that nobody fills the database. */
  async #boundEnded({ platform, user }: Owner): Promise<void> {
    await this.#store
      .deleteFrom('drafts')
      .where('id', 'in', (row) =>
        row
          .selectFrom('drafts')
          .select('id')
          .where('platform', '=', platform.name)
          .where('person', '=', user)
          .where('state', 'in', ['cancelled', 'done', 'expired'])
          .where('updated_at_s', '>', this.#now() - day)
          // An earlier payload of it may be signed all the same.
          .where((draft) =>
            draft.not(
              draft.exists(
                draft
                  .selectFrom('payloads')
                  .select('payloads.id')
                  .whereRef('payloads.draft', '=', 'drafts.id'),
              ),
            ),
          )
          .orderBy('updated_at_s', 'desc')
          .orderBy('id')
          .limit(maxCleared)
          .offset(maxEndedPerDay),
      )
      .execute()
  }

  /**
   * Saves a changed draft, and returns it with its new rev.
   * @param update the id of the update that changed it
   * @throws StaleDraftError if the stored rev is not the one that was read
   */
  async save(draft: Draft, update?: string): Promise<Draft> {
    const changedBy =
      update === undefined ? draft.changedBy : [...draft.changedBy, update].slice(-maxChangedBy)
    const saved = { ...draft, changedBy, rev: draft.rev + 1, updatedAt: this.#now() }
    const { numUpdatedRows } = await this.#store
      .updateTable('drafts')
      .set({
        origin: saved.origin ?? null,
        rev: saved.rev,
        state: saved.state,
        body: JSON.stringify(draftBodySchema.parse(saved)),
        updated_at_s: saved.updatedAt,
      })
      .where('id', '=', draft.id)
      .where('rev', '=', draft.rev)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      throw new StaleDraftError(`draft ${draft.id} is no longer at rev ${draft.rev}`)
    }
    return saved
  }

  /** Lists a person's drafts, newest first, without those that were discarded. */
  async list(owner: Owner, max: number): Promise<Draft[]> {
    const rows = await this.#newestFirst(owner)
      .where('state', '!=', 'cancelled')
      .limit(max)
      .execute()
    return rows.map(readDraft)
  }

  /** Lists everybody's drafts by their state or person, last changed first. */
  async latest(
    {
      states = draftStates,
      owner,
    }: { states?: readonly DraftState[]; owner?: Pick<Draft, 'platform' | 'person'> },
    max: number,
  ): Promise<Draft[]> {
    const all = this.#store.selectFrom('drafts').selectAll().where('state', 'in', states)
    const theirs = owner
      ? all.where('platform', '=', owner.platform).where('person', '=', owner.person)
      : all
    const latest = theirs.orderBy('updated_at_s', 'desc').orderBy('id')
    return (await latest.limit(max).execute()).map(readDraft)
  }

  #newestFirst({ platform, user }: Owner) {
    return (
      this.#store
        .selectFrom('drafts')
        .selectAll()
        .where('platform', '=', platform.name)
        .where('person', '=', user)
        .orderBy('created_at_s', 'desc')
        // An open draft is newer than every other, even within one second.
        .orderBy((row) => row.case().when('state', '=', 'open').then(0).else(1).end())
        .orderBy('updated_at_s', 'desc')
    )
  }

  /** Expires every open draft that was untouched for a week, and returns them; each goes to one caller only. */
  async expireOld(): Promise<Draft[]> {
    const rows = await this.#store
      .selectFrom('drafts')
      .select('id')
      .where('state', '=', 'open')
      .where('updated_at_s', '<=', this.#now() - draftLifetime)
      .execute()
    const expired: Draft[] = []
    for (const { id } of rows) {
      const draft = (await this.#expire(id)) ? await this.find(id) : undefined
      if (draft) expired.push(draft)
    }
    return expired
  }

  /**
   * Deletes drafts that ended long ago, and removes build results from those that are no longer open: their payloads
   * hold them.
   * @returns the number of deleted drafts; callers prune the payloads next
   */
  async prune(days: DraftsKept): Promise<number> {
    const ended = this.#now() - days.drafts * day
    const until: readonly (readonly [DraftState, number])[] = [
      ['cancelled', ended],
      ['done', ended],
      ['expired', ended - draftLifetime],
      ['launched', this.#now() - days.launches * day],
      ['handed', ended],
    ]
    let count = 0
    for (const [state, before] of until) {
      const old = this.#store
        .selectFrom('drafts')
        .select('drafts.id')
        .where('state', '=', state)
        .where('updated_at_s', '<', before)
        // A draft that was handed out and never signed ends with its last payload.
        .$if(state === 'handed', (rest) =>
          rest.where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('payloads')
                  .select('payloads.id')
                  .whereRef('payloads.draft', '=', 'drafts.id')
                  .where((of) =>
                    of.or([
                      of('payloads.state', '=', 'active'),
                      of('payloads.updated_at_s', '>=', before),
                    ]),
                  ),
              ),
            ),
          ),
        )
      count += await deleteInBatches((limit) =>
        this.#store
          .deleteFrom('drafts')
          .where('id', 'in', old.limit(limit))
          .executeTakeFirstOrThrow(),
      )
    }
    await this.#clearBuilt()
    return count
  }

  async #clearBuilt(): Promise<void> {
    const rows = await this.#store
      .selectFrom('drafts')
      .select(['id', 'rev', 'body'])
      .where('state', '!=', 'open')
      .where('updated_at_s', '<', this.#now() - day)
      // Quotes inside an answer are escaped, so this matches the key only.
      .where('body', 'like', '%"built":%')
      .limit(maxCleared)
      .execute()
    for (const { id, rev, body } of rows) {
      const { stepResults, ...rest } = draftBodySchema.parse(JSON.parse(body))
      const { built: _, ...remaining } = stepResults
      await this.#store
        .updateTable('drafts')
        .set({ body: JSON.stringify({ ...rest, stepResults: remaining }) })
        .where('id', '=', id)
        .where('rev', '=', rev)
        .execute()
    }
  }

  /** Returns whether this call expired it; a draft changed in the meantime stays open. */
  async #expire(id: string): Promise<boolean> {
    const { numUpdatedRows } = await this.#store
      .updateTable('drafts')
      .set((row) => ({ state: 'expired', rev: row('rev', '+', 1) }))
      .where('id', '=', id)
      .where('state', '=', 'open')
      .where('updated_at_s', '<=', this.#now() - draftLifetime)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

/** The CIDs of the pictures that a draft's stored body names. */
export function picturesOf(body: string): string[] {
  const { answers, pendingPicture, stepResults } = draftBodySchema.parse(JSON.parse(body))
  return [answers.picture?.cid, pendingPicture, stepResults.picture?.cid].filter(
    (each) => each !== undefined,
  )
}

/** Discards a draft, with its answers and all that was made of them. */
export function discarded(draft: Draft): Draft {
  const { id, platform, person, origin, rev, createdAt, updatedAt, goal, announce } = draft
  const body = draftBodySchema.parse({ goal, answers: {}, announce })
  return { ...body, id, platform, person, origin, rev, createdAt, updatedAt, state: 'cancelled' }
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
    createdAt: row.created_at_s,
    updatedAt: row.updated_at_s,
  }
}

/** Gives a person access to their own open draft only. */
export class OwnDraft {
  readonly #drafts: Drafts
  readonly #reconcile: (draft: Draft) => Promise<Draft>

  /** @param reconcile fills in answers without a choice, and reopens those that no longer fit the templates */
  constructor(drafts: Drafts, reconcile: (draft: Draft) => Promise<Draft>) {
    this.#drafts = drafts
    this.#reconcile = reconcile
  }

  /** Returns the person's open draft, reconciled with the templates. */
  async open(context: Context): Promise<Draft | undefined> {
    const draft = await this.#drafts.current(context)
    return draft && this.reconciled(draft)
  }

  /**
   * Finds the open draft that a button or form names, as in `k3f9a2bc.12`; `isStale`: it changed since.
   * @throws UserError if it is closed; somebody else's draft reads as one that doesn't exist
   */
  async at(at: string, context: Context): Promise<{ draft: Draft; isStale: boolean }> {
    const [, id = '', rev] = /^([a-z0-9]{8})(?:\.(\d{1,9}))?$/u.exec(at) ?? []
    const found = await this.#drafts.find(id)
    if (found?.platform !== context.platform.name || found.person !== context.user)
      throw closed('cancelled', 'launch')
    // Expires it if it was untouched for a week.
    const draft = found.state === 'open' ? await this.open(context) : undefined
    if (draft?.id !== id) throw closed(found.state === 'open' ? 'expired' : found.state, found.goal)
    return { draft, isStale: String(draft.rev) !== rev }
  }

  /** Reconciles the draft with the templates, and saves it if that changed anything. */
  async reconciled(draft: Draft): Promise<Draft> {
    const next = await this.#reconcile(draft)
    const { chain, template } = draft.answers
    if (next.answers.chain === chain && next.answers.template === template) return draft
    return this.saved(draft, next)
  }

  /** Saves a change; returns the current draft if somebody else saved first. */
  async saved(before: Draft, changed: Draft): Promise<Draft> {
    try {
      return await this.#drafts.save(changed)
    } catch (error) {
      const now = error instanceof StaleDraftError ? await this.#drafts.find(before.id) : undefined
      if (now?.state === 'open') return this.#reconcile(now)
      throw error
    }
  }
}

/** Whether this update has changed the draft already: its process died before it was confirmed to the platform. */
export function isRepeated({ changedBy }: Draft, { update }: Context): boolean {
  return update !== undefined && changedBy.includes(update)
}

/** The error for a button that was made for an earlier rev of its draft. */
export function answeredAlready({ goal }: Draft, cause?: unknown): UserError {
  const said = goal === 'launch' ? t('launch-answered-already') : t('launch-answered-metadata')
  return new UserError(said, { cause })
}

/** Explains why a draft is closed; one that never existed reads as discarded. */
function closed(state: Draft['state'], goal: Draft['goal']): UserError {
  if (state === 'expired') {
    return new UserError(
      goal === 'launch' ? t('launch-closed-expired') : t('launch-closed-expired-metadata'),
    )
  }
  if (state === 'done') {
    return new UserError(t('launch-closed-uploaded'))
  }
  if (state === 'handed' || state === 'launched') {
    return new UserError(t('launch-closed-built'))
  }
  return new UserError(
    goal === 'launch' ? t('launch-closed-gone') : t('launch-closed-gone-metadata'),
  )
}
