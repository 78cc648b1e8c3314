import { createHash, randomBytes } from 'node:crypto'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { z } from 'zod'
import { addressSchema, bytesSchema, hashSchema } from '../chain/address.ts'
import { decodePayload } from '../chain/airlock/modules.ts'
import { chainById } from '../chain/chains.ts'
import { plainText } from '../core/catalogue.ts'
import { type Attachment, type Span, t } from '../core/view.ts'
import type { PayloadsTable, Store } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { mapSpan } from './table/value.ts'
import { bookOf, checkSchema, storedTextSchema, verdictOf } from './verdict.ts'

const report = z.object({
  hash: hashSchema,
  account: addressSchema,
  at: z.number(),
  /** Whether the link had expired and the node did not know the hash. */
  late: z.boolean().optional(),
})

/** A payload's JSON body. */
const payloadBodySchema = z.object({
  chain: z.number().int().positive(),
  /** The transaction's recipient. */
  to: addressSchema,
  /** The contract that emits `Create`. */
  airlock: addressSchema,
  calldata: bytesSchema,
  digest: hashSchema,
  /** The draft's wallet. */
  wallet: addressSchema,
  /** As the person typed them, and as the upload returned it. */
  name: z.string(),
  symbol: z.string(),
  uri: z.string(),
  /** The picture's CID, if its bytes are in the database. */
  picture: z.string().optional(),
  /** The token's future address, from the API or the simulation. */
  token: z.optional(addressSchema),
  /** Wei sent with the transaction. */
  value: z
    .string()
    .regex(/^\d{1,40}$/u)
    .default('0'),
  /** Whether every byte was decoded and matches what was confirmed; otherwise a second confirmation is needed. */
  verified: z.boolean(),
  /** The check's findings, from which the table is made. A payload without them is not verified. */
  check: z.optional(checkSchema),
  /** Values that could not be compared because the API did not return them, in words. */
  unchecked: z.array(z.string()).optional(),
  /** Result of the simulation on the chain. */
  simulation: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('passed'),
      gas: z.string(),
      /** The steps that the node could not simulate. */
      note: z.optional(storedTextSchema),
    }),
    z.object({ kind: z.literal('none'), reason: storedTextSchema }),
  ]),
  /** The block before which the launch can't be; decimal. */
  fromBlock: z.string().optional(),
  /**
   * Progress of the log search, begun once the token's address has code: block numbers as decimal texts, and complete
   * searches without a result.
   */
  search: z.object({ floor: z.string(), next: z.string(), passes: z.number() }).optional(),
  /** The transaction that the signing page reported: the latest, or the one that the chain knows. */
  reported: report.optional(),
  /** Other reported transactions, newest first. */
  reportedBefore: z.array(report).optional(),
  /** Number of reported hashes; anybody with the link can make some up. */
  reports: z.number().default(0),
  /**
   * Whether the creator chose to build again although a reported transaction can't be seen; no second warning is shown.
   */
  unseenAccepted: z.boolean().optional(),
  /**
   * Other accounts that want to sign, newest last, and whether the creator allowed them. `quiet`: no message was sent
   * about it. `asks`: how often the creator was asked, last at `askedAt` (unix seconds).
   */
  signers: z
    .array(
      z.object({
        account: addressSchema,
        allowed: z.boolean().optional(),
        quiet: z.boolean().optional(),
        asks: z.number().optional(),
        askedAt: z.number().optional(),
      }),
    )
    .default([]),
  /** The transaction that launched it. */
  launchedBy: z.optional(hashSchema),
  /** The pool where it trades: a contract's address, or an id of 32 bytes. */
  pool: z.union([addressSchema, hashSchema]).optional(),
  /** Whether it was launched after being revoked or expired. */
  late: z.boolean().optional(),
  /** Ids of the chats in which the launch was announced, the last ones. */
  announced: z.array(z.string()).default([]),
  /** Digest of the answers that it was built for. */
  of: z.string().optional(),
  /** Unix seconds when a link or a file was last handed to the creator; absent: never. */
  handedAt: z.number().optional(),
  /** Unix seconds after which it can't be launched; absent if its pool sets no time. */
  staleAt: z.number().optional(),
})

type PayloadBody = z.output<typeof payloadBodySchema>

/** A payload as it is built and checked, before anybody has it. */
export type CheckedPayload = Omit<PayloadBody, 'reports' | 'signers' | 'announced'>

const payloadStates = ['active', 'revoked', 'expired', 'launched'] as const

type PayloadState = (typeof payloadStates)[number]

export interface Payload extends PayloadBody {
  id: string
  draft: string
  state: PayloadState
  /** Unix seconds; undefined if there is no link. */
  linkExpiresAt: number | undefined
  rev: number
  createdAt: number
  updatedAt: number
}

/** A transaction that the signing page reported as carrying the payload. */
export type Report = NonNullable<Payload['reported']>

/** A reported transaction that may or may not exist. */
export interface UnseenReport {
  payload: Payload
  report: Report
  /**
   * Unix seconds until which it may still reach the node; undefined if it can't be seen at all (no node, or the token
   * is unknown).
   */
  until?: number
}

/** Seconds for which a signing link works. */
const linkLifetime = 3_600

/** Seconds after the last hand-off for which a payload stays active. */
const payloadLifetime = 24 * 3_600
/** Payloads that are looked at in one statement: SQLite blocks the process while it runs. */
const prunedAtOnce = 200

const maxTries = 10

/** Max active payloads per person: each is polled on its chain, so one person's must not crowd out everybody else's. */
const maxActive = 10

/** Thrown if the draft already has an active payload. */
export class ActivePayloadError extends Error {
  override readonly name = 'ActivePayloadError'
}

/** Stores payloads and their links. A link is only stored as its token's SHA-256. */
export class Payloads {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * Stores a draft's new active payload.
   * @throws ActivePayloadError if the draft has one
   * @throws UserError if too many of the person's payloads wait for a signature
   */
  async create(draft: string, body: PayloadBody): Promise<Payload> {
    if ((await this.#countWaiting(draft)) >= maxActive) {
      throw new UserError(t('verify-too-many-active', { count: maxActive }))
    }
    const at = this.#now()
    const row: PayloadsTable = {
      id: randomBytes(6).toString('hex'),
      draft,
      state: 'active',
      link: null,
      link_expires_at_s: null,
      body: JSON.stringify(payloadBodySchema.parse(body)),
      rev: 1,
      created_at_s: at,
      updated_at_s: at,
    }
    // The unique index rejects a second active payload; checking first would be a race.
    const { numInsertedOrUpdatedRows = 0n } = await this.#store
      .insertInto('payloads')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) {
      throw new ActivePayloadError(`the draft ${draft} has an active payload`)
    }
    return fromRow(row)
  }

  /** Counts the payloads of the draft's person that wait for a signature. */
  async #countWaiting(draft: string): Promise<number> {
    const { waiting } = await this.#store
      .selectFrom('drafts as own')
      .innerJoin('drafts as each', (join) =>
        join
          .onRef('each.person', '=', 'own.person')
          .onRef('each.platform', '=', 'own.platform')
          // Payloads that were never handed out can't be revoked by the person, so they don't count.
          .on('each.state', '=', 'handed'),
      )
      .innerJoin('payloads', (join) =>
        join.onRef('payloads.draft', '=', 'each.id').on('payloads.state', '=', 'active'),
      )
      .select(({ fn }) => fn.countAll().as('waiting'))
      .where('own.id', '=', draft)
      .executeTakeFirstOrThrow()
    return Number(waiting)
  }

  async find(id: string): Promise<Payload | undefined> {
    return fromOptionalRow(await this.#rows().where('id', '=', id).executeTakeFirst())
  }

  /** Finds the payload whose current link has this token, in whatever state it is. */
  async findByLink(token: string): Promise<Payload | undefined> {
    // Comparing digests leaks nothing about the token through timing.
    return fromOptionalRow(await this.#rows().where('link', '=', hashOf(token)).executeTakeFirst())
  }

  async active(draft: string): Promise<Payload | undefined> {
    const rows = this.#rows().where('draft', '=', draft).where('state', '=', 'active')
    return fromOptionalRow(await rows.executeTakeFirst())
  }

  /** Lists a draft's payloads, newest first. */
  async ofDraft(draft: string): Promise<Payload[]> {
    const rows = this.#rows().where('draft', '=', draft).orderBy('created_at_s', 'desc')
    return (await rows.orderBy('updated_at_s', 'desc').execute()).map(fromRow)
  }

  /**
   * Gives an active payload a new link for an hour, or less if it goes stale before; the earlier link stops working.
   * @returns undefined if the payload isn't active
   */
  async newLink(id: string): Promise<{ payload: Payload; token: string } | undefined> {
    const token = randomBytes(24).toString('base64url')
    const at = this.#now()
    const payload = await this.change(
      id,
      (current) =>
        current.state === 'active'
          ? {
              ...current,
              handedAt: at,
              linkExpiresAt: Math.min(
                at + linkLifetime,
                current.staleAt ?? Number.POSITIVE_INFINITY,
              ),
            }
          : undefined,
      hashOf(token),
    )
    return payload && { payload, token }
  }

  /**
   * Saves what `edit` returns for the current payload; concurrent edits are applied one after the other.
   * @param link the digest of a new link's token, which replaces the payload's
   * @returns undefined if there is no such payload or `edit` returns undefined
   * @example
   * await payloads.change(id, (each) => (each.state === 'active' ? { ...each, state: 'revoked' } : undefined))
   */
  async change(
    id: string,
    edit: (payload: Payload) => Payload | undefined,
    link?: string,
  ): Promise<Payload | undefined> {
    for (let left = maxTries; left > 0; left -= 1) {
      const current = await this.find(id)
      const edited = current && edit(current)
      if (current === undefined || edited === undefined) return undefined
      const saved: Payload = { ...edited, rev: current.rev + 1, updatedAt: this.#now() }
      if (await this.#save(current, saved, link)) return saved
    }
    throw new Error(`the payload ${id} changes all the time`)
  }

  /** Deletes payloads whose draft is gone; returns how many. */
  async prune(): Promise<number> {
    let count = 0
    for (let last = ''; ; ) {
      const ids = await this.#store
        .selectFrom('payloads')
        .select('id')
        .where('id', '>', last)
        .orderBy('id')
        .limit(prunedAtOnce)
        .execute()
      const next = ids.at(-1)?.id
      if (next === undefined) return count
      const { numDeletedRows } = await this.#store
        .deleteFrom('payloads')
        .where('id', '>', last)
        .where('id', '<=', next)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('drafts').select('drafts.id').whereRef('drafts.id', '=', 'payloads.draft'),
            ),
          ),
        )
        .executeTakeFirstOrThrow()
      count += Number(numDeletedRows)
      last = next
      await yieldToOthers()
    }
  }

  async #save(before: Payload, saved: Payload, link: string | undefined): Promise<boolean> {
    const { numUpdatedRows } = await this.#store
      .updateTable('payloads')
      .set({
        state: saved.state,
        link_expires_at_s: saved.linkExpiresAt ?? null,
        body: JSON.stringify(payloadBodySchema.parse(saved)),
        rev: saved.rev,
        updated_at_s: saved.updatedAt,
        ...(link !== undefined && { link }),
      })
      .where('id', '=', before.id)
      .where('rev', '=', before.rev)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  #rows() {
    return this.#store.selectFrom('payloads').selectAll()
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function fromOptionalRow(row: PayloadsTable | undefined): Payload | undefined {
  return row && fromRow(row)
}

function fromRow(row: PayloadsTable): Payload {
  const body = payloadBodySchema.parse(JSON.parse(row.body))
  return {
    ...body,
    verified: body.verified && body.check !== undefined,
    id: row.id,
    draft: row.draft,
    state: stateOf(row.state),
    linkExpiresAt: row.link_expires_at_s ?? undefined,
    rev: row.rev,
    createdAt: row.created_at_s,
    updatedAt: row.updated_at_s,
  }
}

function stateOf(text: string): PayloadState {
  const state = payloadStates.find((each) => each === text)
  if (state) return state
  throw new TypeError(`not a state of a payload: ${text}`)
}

/** Returns the unix second at which an active payload expires. */
export function payloadExpiresAt({ handedAt, createdAt, staleAt }: Payload): number {
  return Math.min(staleAt ?? Number.POSITIVE_INFINITY, (handedAt ?? createdAt) + payloadLifetime)
}

/** Returns whether the payload's link works at this unix second. */
export function linkWorks({ state, linkExpiresAt }: Payload, now: number): boolean {
  return state === 'active' && linkExpiresAt !== undefined && now < linkExpiresAt
}

/** Max reports stored per payload: anybody with the link can make hashes up. */
const maxReports = 5

/** Seconds that a transaction may take to reach the node. */
const maxTravelSeconds = 120

/** Lists the stored reports; the first one is the one that is shown. */
export function reportsOf({ reported, reportedBefore = [] }: Payload): Report[] {
  return reported ? [reported, ...reportedBefore] : reportedBefore
}

/** Returns whether another report would replace a stored one. */
export function isReportListFull(payload: Payload): boolean {
  return reportsOf(payload).length >= maxReports
}

/**
 * Adds a report; undefined if it is stored already or there is no room. A new report replaces the oldest one that the
 * chain does not know. A late report neither replaces nor precedes one that came in time.
 */
export function withReport(
  payload: Payload,
  report: Report,
  isKnown: (hash: string) => boolean,
): Payload | undefined {
  const before = reportsOf(payload)
  if (before.some(({ hash }) => hash === report.hash)) return undefined
  const dropped = isReportListFull(payload) ? reportToDrop(before, report, isKnown) : undefined
  if (dropped === report) return undefined
  const remaining = before.filter((each) => each !== dropped)
  const [first, ...rest] = remaining
  const isBehindFirst = report.late === true && first !== undefined
  return {
    ...payload,
    reported: isBehindFirst ? first : report,
    reportedBefore: isBehindFirst ? [report, ...rest] : remaining,
    reports: payload.reports + 1,
  }
}

/** Returns the report to drop. */
function reportToDrop(
  before: readonly Report[],
  report: Report,
  isKnown: (hash: string) => boolean,
): Report | undefined {
  const unknown = before.filter(({ hash }) => !isKnown(hash))
  const late = unknown.findLast((each) => each.late)
  if (late) return late
  return report.late ? report : (unknown.at(-1) ?? before.at(-1))
}

/** Moves the report with this hash to the front. The chain knows it, so it is no longer late. */
export function withReportFirst(payload: Payload, hash: string): Payload {
  const all = reportsOf(payload)
  const first = all.find((each) => each.hash === hash)
  if (!first) return payload
  const { late: _, ...confirmed } = first
  return { ...payload, reported: confirmed, reportedBefore: all.filter((each) => each !== first) }
}

/**
 * Returns the unix second until which an unseen transaction may still arrive; 0 for a late report: with an expired link
 * anybody may have made it up, so it delays nothing.
 */
export function mayArriveUntil({ at, late }: Report): number {
  return late ? 0 : at + maxTravelSeconds
}

/** Makes the files for signing with other tools: the decoded transaction, and a batch for Safe. */
export function payloadFiles(payload: Payload): Attachment[] {
  return [
    jsonFile(payload, 'payload', {
      chainId: payload.chain,
      to: payload.to,
      value: payload.value,
      data: payload.calldata,
      digest: payload.digest,
      verified: payload.verified,
      name: payload.name,
      symbol: payload.symbol,
      tokenUri: payload.uri,
      token: payload.token ?? null,
      ...decodedFields(payload),
    }),
    jsonFile(payload, 'safe', {
      version: '1.0',
      chainId: String(payload.chain),
      createdAt: payload.createdAt * 1000,
      meta: { name: `Launch ${payload.name} $${payload.symbol}` },
      transactions: [{ to: payload.to, value: payload.value, data: payload.calldata }],
    }),
  ]
}

/** Decodes the calldata, and adds the table and the doubts. */
function decodedFields({ calldata, wallet, chain, check }: Payload): Record<string, unknown> {
  if (!check) return { decoded: null }
  const { rows, doubts } = verdictOf(calldata, wallet, check, chainById(chain).coin)
  return {
    table: rows.map(({ label, does, asked, state }) => ({
      label: plainText(label),
      ...(does && { does: writtenText(does) }),
      ...(asked && { asked: writtenText(asked) }),
      state,
    })),
    doubts: doubts.map((doubt) => plainText(doubt)),
    decoded: decodePayload(calldata, bookOf(check)),
  }
}

/** In English, with times that say their zone. */
function writtenText(text: Span): string {
  return plainText([
    mapSpan(text, (span) =>
      typeof span === 'object' && 'time' in span ? new Date(span.time * 1000).toISOString() : span,
    ),
  ])
}

/** The name of one of a payload's files. */
export function fileName({ symbol }: Pick<Payload, 'symbol'>, what: 'payload' | 'safe'): string {
  const stem = symbol.replaceAll(/[^A-Za-z0-9]/gu, '') || 'token'
  return `${stem}-${what}.json`
}

function jsonFile(payload: Payload, what: 'payload' | 'safe', content: unknown): Attachment {
  const json = JSON.stringify(
    content,
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    2,
  )
  return {
    name: fileName(payload, what),
    type: 'application/json',
    bytes: Buffer.from(`${json}\n`),
  }
}
