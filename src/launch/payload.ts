import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { decodePayload } from '../chain/airlock/decode.ts'
import { chainById } from '../chain/chains.ts'
import type { Attachment } from '../core/view.ts'
import type { PayloadsTable, Store } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { bookOf, checkSchema, tellPayload } from './check.ts'
import type { Words } from './table.ts'

const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])
const hex = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/u)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/u)])
const report = z.object({
  hash,
  account: address,
  at: z.number(),
  /** The link had ended, and the node did not know the hash. */
  late: z.boolean().optional(),
})

/** A payload's JSON body. */
const payloadBodySchema = z.object({
  chain: z.number().int().positive(),
  /** Where the transaction goes. */
  to: address,
  /** Who emits `Create`. */
  airlock: address,
  calldata: hex,
  digest: hash,
  /** The wallet of the draft. */
  wallet: address,
  /** What the person typed, and what the upload returned. */
  name: z.string(),
  symbol: z.string(),
  uri: z.string(),
  /** The picture's CID, where its bytes are in the store. */
  picture: z.string().optional(),
  /** Where the interface or the simulation says that the token will stand. */
  token: address.optional(),
  /** Wei that go with the transaction. */
  value: z
    .string()
    .regex(/^\d{1,40}$/u)
    .default('0'),
  /** Whether every byte was read and does what was confirmed: anything else needs a second confirmation. */
  verified: z.boolean(),
  /** What the check found, from which the table is made; absent: built by a version that checked less. */
  check: z.optional(checkSchema),
  /** Values that could not be compared, because the interface did not repeat them; in words. */
  unchecked: z.array(z.string()).optional(),
  /** What the check on the chain said. */
  simulation: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('passed'),
      gas: z.string(),
      /** What the node could not do. */
      note: z.string().optional(),
    }),
    z.object({ kind: z.literal('none'), reason: z.string() }),
  ]),
  /** The block after which the launch can only stand; decimal. */
  fromBlock: z.string().optional(),
  /** How far the logs were searched since a contract stands at the token: blocks, decimal, and whole passes in vain. */
  search: z.object({ floor: z.string(), next: z.string(), passes: z.number() }).optional(),
  /** The transaction that the signing page reported: the last one, or the one that the chain knows. */
  reported: report.optional(),
  /** Those beside it, the last one first. */
  reportedBefore: z.array(report).optional(),
  /** How many hashes were reported; whoever has the link can make them up. */
  reports: z.number().default(0),
  /** The launcher builds again although nobody can tell what became of what was reported: it isn't asked once more. */
  unseenAccepted: z.boolean().optional(),
  /**
   * Other accounts than the wallet that want to sign, the last one last, and what the launcher says of them. A quiet one
   * was not told of by a message of its own. `asks`: how often the launcher was asked about it, last at `askedAt`.
   */
  signers: z
    .array(
      z.object({
        account: address,
        allowed: z.boolean().optional(),
        quiet: z.boolean().optional(),
        asks: z.number().optional(),
        askedAt: z.number().optional(),
      }),
    )
    .default([]),
  /** The transaction that launched it. */
  launchedBy: hash.optional(),
  /** The pool in which it sells since: the address of a contract, or an id of 32 bytes. */
  pool: z.union([address, hash]).optional(),
  /** Whether it had been revoked or had expired when it was launched. */
  late: z.boolean().optional(),
  /** The answers that it was built for: a digest. */
  of: z.string().optional(),
  /** Unix seconds at which a link or a file was last given to the launcher; absent: nobody has it yet. */
  handedAt: z.number().optional(),
  /** Unix seconds after which it can't be launched, where its pool has a time of its own. */
  staleAt: z.number().optional(),
})

const payloadStates = ['active', 'revoked', 'expired', 'launched'] as const
type PayloadState = (typeof payloadStates)[number]

export interface Payload extends z.output<typeof payloadBodySchema> {
  id: string
  draft: string
  state: PayloadState
  /** Unix seconds; absent where there is no link. */
  linkExpiresAt: number | undefined
  rev: number
  createdAt: number
  updatedAt: number
}

/** Seconds for which a signing link works. */
const linkLifetime = 3_600
/** Seconds after the last hand-over for which a payload stays the draft's one and only. */
const payloadLifetime = 24 * 3_600
const maxTries = 10
/** Each is looked for on its chain again and again: one person's must not keep everybody's from being found. */
const maxActive = 10

/** A draft can have one active payload at most, and has one. */
export class ActivePayloadError extends Error {
  override readonly name = 'ActivePayloadError'
}

type Body = Omit<
  Payload,
  'id' | 'draft' | 'state' | 'linkExpiresAt' | 'rev' | 'createdAt' | 'updatedAt'
>

/** The payloads that were built, and the links to them. Of a link only the SHA-256 of its token is kept. */
export class Payloads {
  readonly #store: Store
  readonly #now: () => number

  /** @param now the time in unix seconds */
  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * The new active payload of a draft.
   * @throws ActivePayloadError
   * @throws UserError where the person has too many that wait for a signature
   */
  async create(draft: string, body: Body): Promise<Payload> {
    if ((await this.#waitingBeside(draft)) >= maxActive) {
      throw new UserError(
        `${maxActive} launches of yours wait for a signature, and more is not possible. Revoke one of them with /launches, then go on here.`,
      )
    }
    const at = this.#now()
    const row: PayloadsTable = {
      id: randomBytes(6).toString('hex'),
      draft,
      state: 'active',
      link: null,
      link_expires_at: null,
      body: JSON.stringify(payloadBodySchema.parse(body)),
      rev: 1,
      created_at: at,
      updated_at: at,
    }
    // The index refuses a second active one; asking first would leave a gap.
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

  /** How many payloads of the draft's person wait to be signed. */
  async #waitingBeside(draft: string): Promise<number> {
    const { waiting } = await this.#store
      .selectFrom('drafts as own')
      .innerJoin('drafts as each', (join) =>
        join
          .onRef('each.person', '=', 'own.person')
          .onRef('each.platform', '=', 'own.platform')
          // What was built and never handed out is nothing that a person could revoke.
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
    return read(await this.#rows().where('id', '=', id).executeTakeFirst())
  }

  /** The payload whose present link has this token, whatever became of it since. */
  async findByLink(token: string): Promise<Payload | undefined> {
    // Equality of digests: what the comparison takes tells nothing of the token.
    return read(await this.#rows().where('link', '=', digestOf(token)).executeTakeFirst())
  }

  async active(draft: string): Promise<Payload | undefined> {
    const rows = this.#rows().where('draft', '=', draft).where('state', '=', 'active')
    return read(await rows.executeTakeFirst())
  }

  /** All payloads of a draft, newest first. */
  async ofDraft(draft: string): Promise<Payload[]> {
    const rows = this.#rows().where('draft', '=', draft).orderBy('created_at', 'desc')
    return (await rows.orderBy('updated_at', 'desc').execute()).map(fromRow)
  }

  /** Gives the payload a link for an hour, or for as long as it can be launched: the token goes into the path. A link that it had stops working. */
  async newLink(id: string): Promise<{ payload: Payload; token: string } | undefined> {
    const token = randomBytes(24).toString('base64url')
    const at = this.#now()
    const payload = await this.#change(
      id,
      (found) =>
        found.state === 'active'
          ? {
              ...found,
              handedAt: at,
              linkExpiresAt: Math.min(at + linkLifetime, found.staleAt ?? Number.POSITIVE_INFINITY),
            }
          : undefined,
      digestOf(token),
    )
    return payload && { payload, token }
  }

  /**
   * Saves what `edit` makes of the payload, which it gets as it stands at that moment; undefined where there is none,
   * or `edit` gives undefined. Edits at the same time follow each other.
   */
  change(
    id: string,
    edit: (payload: Payload) => Payload | undefined,
  ): Promise<Payload | undefined> {
    return this.#change(id, edit)
  }

  /** Forgets the payloads of drafts that were forgotten; returns how many. */
  async prune(): Promise<number> {
    const { numDeletedRows } = await this.#store
      .deleteFrom('payloads')
      .where((row) =>
        row.not(
          row.exists(
            row.selectFrom('drafts').select('id').whereRef('drafts.id', '=', 'payloads.draft'),
          ),
        ),
      )
      .executeTakeFirst()
    return Number(numDeletedRows)
  }

  async #change(
    id: string,
    edit: (payload: Payload) => Payload | undefined,
    link?: string,
  ): Promise<Payload | undefined> {
    for (let left = maxTries; left > 0; left -= 1) {
      const found = await this.find(id)
      const edited = found && edit(found)
      if (found === undefined || edited === undefined) return undefined
      const saved: Payload = { ...edited, rev: found.rev + 1, updatedAt: this.#now() }
      if (await this.#save(found, saved, link)) return saved
    }
    throw new Error(`the payload ${id} changes all the time`)
  }

  async #save(before: Payload, saved: Payload, link: string | undefined): Promise<boolean> {
    const { numUpdatedRows } = await this.#store
      .updateTable('payloads')
      .set({
        state: saved.state,
        link_expires_at: saved.linkExpiresAt ?? null,
        body: JSON.stringify(payloadBodySchema.parse(saved)),
        rev: saved.rev,
        updated_at: saved.updatedAt,
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

/** Unix seconds at which an active payload ends by itself. */
export function payloadExpiresAt({ handedAt, createdAt, staleAt }: Payload): number {
  return Math.min(staleAt ?? Number.POSITIVE_INFINITY, (handedAt ?? createdAt) + payloadLifetime)
}

/** Whether the link of a payload can still be used at this unix second. */
export function linkWorks({ state, linkExpiresAt }: Payload, now: number): boolean {
  return state === 'active' && linkExpiresAt !== undefined && now < linkExpiresAt
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function read(row: PayloadsTable | undefined): Payload | undefined {
  return row && fromRow(row)
}

function fromRow(row: PayloadsTable): Payload {
  const body = payloadBodySchema.parse(JSON.parse(row.body))
  return {
    ...body,
    // A version that kept no check verified less than is promised now.
    verified: body.verified && body.check !== undefined,
    id: row.id,
    draft: row.draft,
    state: stateOf(row.state),
    linkExpiresAt: row.link_expires_at ?? undefined,
    rev: row.rev,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function stateOf(text: string): PayloadState {
  const state = payloadStates.find((each) => each === text)
  if (state) return state
  throw new TypeError(`not a state of a payload: ${text}`)
}

/** A payload for who signs elsewhere: the transaction with all that it says, and a file for a Safe. */
export function payloadFiles(payload: Payload): Attachment[] {
  return [
    file(payload, 'payload', {
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
      ...told(payload),
    }),
    file(payload, 'safe', {
      version: '1.0',
      chainId: String(payload.chain),
      createdAt: payload.createdAt * 1000,
      meta: { name: `Launch ${payload.name} $${payload.symbol}` },
      transactions: [{ to: payload.to, value: payload.value, data: payload.calldata }],
    }),
  ]
}

/** All that the calldata say, and the table of what that does. */
function told({ calldata, wallet, chain, check }: Payload): Record<string, unknown> {
  if (!check) return { decoded: null }
  const { rows, doubts } = tellPayload(calldata, wallet, check, chainById(chain).coin)
  return {
    table: rows.map(({ label, does, asked, state }) => ({
      label,
      does: text(does),
      ...(asked && { asked: text(asked) }),
      state,
    })),
    doubts,
    decoded: decodePayload(calldata, bookOf(check)),
  }
}

function text(words: Words = []): string {
  return words
    .map((word) => {
      if (typeof word === 'string') return word
      return 'account' in word ? word.account : new Date(word.time * 1000).toISOString()
    })
    .join('')
}

function file({ symbol }: Payload, what: string, content: unknown): Attachment {
  const json = JSON.stringify(
    content,
    (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    2,
  )
  const stem = symbol.replaceAll(/[^A-Za-z0-9]/gu, '') || 'token'
  return {
    name: `${stem}-${what}.json`,
    type: 'application/json',
    bytes: Buffer.from(`${json}\n`),
  }
}
