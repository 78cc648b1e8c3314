import { type Address, type Hex, isAddressEqual } from 'viem'
import { formatUnits } from 'viem/utils'
import * as z from 'zod/mini'
import { addressSchema, bytesSchema } from '../chain/address.ts'
import { plain } from '../chain/airlock/calldata.ts'
import { priceAt } from '../chain/airlock/curve.ts'
import { type Effects, effectsOf, type Fee } from '../chain/airlock/effects.ts'
import { asId, isLayoutId } from '../chain/airlock/layouts.ts'
import { decodePayload, type ModuleBook } from '../chain/airlock/modules.ts'
import { exactly, inDollars, price } from '../core/number.ts'
import { type Arg, type Message, t } from '../core/view.ts'
import { baseUnitsText, sentences, type Viewpoint } from './table/value.ts'
import { isDeviation, type Row, tableOf } from './table.ts'

// The result of checking a payload. It is stored with the payload; the chat and the signing page both make their table
// from it and from the calldata that are signed.

/** An argument of a stored message: data, a figure, an account, another message, or a list of them. */
const argSchema: z.ZodMiniType<Arg> = z.lazy(() =>
  z.union([
    z.number(),
    z.string(),
    messageSchema,
    z.object({ code: z.string() }),
    z.object({
      number: z.string().check(z.regex(/^-?\d+(?:\.\d+)?$/u)),
      as: z.enum(['price', 'amount', 'exact', 'change', 'share']),
    }),
  ]),
)
const messageSchema: z.ZodMiniType<Message> = z.object({
  key: z.string(),
  args: z.exactOptional(z.record(z.string(), argSchema)),
})
/** A message of the catalogue; on the way to the signing page also the finished words of one that the page lacks. */
export const storedTextSchema = z.union([z.string(), messageSchema])
export type StoredText = string | Message

const integer = z.string().check(z.regex(/^\d{1,80}$/u))
const holding = z.object({ address: addressSchema, amount: integer })

/** The result of a rehearsal on the chain; amounts in base units. */
const rehearsalSchema = z.object({
  holders: z.array(holding),
  /**
   * The accounts that hold the pool's tokens, its initial square root price in pool order (Q64.96), and its fee in
   * millionths, unless a hook sets it.
   */
  pool: z.optional(
    z.object({
      holders: z.array(addressSchema),
      id: z.optional(bytesSchema),
      sqrtPrice: integer,
      fee: z.optional(z.number()),
    }),
  ),
  timelock: addressSchema,
  governance: addressSchema,
  integrator: addressSchema,
  /** The amounts that the launch took from the creator's account: wei without gas, and quote token. */
  taken: z.object({ coins: integer, quote: integer }),
})
export type Rehearsal = z.infer<typeof rehearsalSchema>

/** A field of the metadata that differs: both values in words, on one line and of limited length. */
const differenceSchema = z.object({
  name: storedTextSchema,
  typed: storedTextSchema,
  found: storedTextSchema,
})
export type FieldDifference = z.infer<typeof differenceSchema>

/**
 * Whether the document on IPFS is what was uploaded: if not, every field that differs, at least one. `links` are other fields of it
 * with links of others. `why` continues "not checked: ".
 */
const metadataSchema = z.union([
  z.object({ kind: z.literal('same'), links: z.optional(z.array(z.string())) }),
  z.object({ kind: z.literal('different'), fields: z.array(differenceSchema) }),
  z.object({ kind: z.literal('not checked'), why: storedTextSchema }),
])

export const checkSchema = z.object({
  /** The token's future address, from the API or the chain. */
  token: z.optional(addressSchema),
  quote: z.object({
    symbol: z.string(),
    known: z.boolean(),
    launched: z.optional(z.literal(true)),
    decimals: z.optional(z.int().check(z.gte(0), z.lte(255))),
    usd: z.optional(z.string()),
  }),
  protocol: z.optional(addressSchema),
  integrator: z.optional(addressSchema),
  /** Unix seconds. */
  now: z.number(),
  /** The payload's modules that are in the module book. */
  modules: z.array(
    z.object({
      address: addressSchema,
      layout: z.string().check(z.refine(isLayoutId)),
      name: z.string(),
    }),
  ),
  /** Expected values by row, from the template and the answers. */
  asked: z.record(z.string(), z.unknown()),
  /** The rows that only the template pins. */
  pinned: z.optional(z.array(z.string())),
  rehearsal: z.optional(rehearsalSchema),
  /** Estimated gas, the gas price in wei, and the coin's price in dollars. */
  cost: z.optional(
    z.object({ gas: integer, price: z.optional(integer), usd: z.optional(z.string()) }),
  ),
  metadata: metadataSchema,
  /** Set if nobody knows whether the CID under which the picture was published names it. */
  picture: z.optional(z.literal('not read back')),
  /** Doubts besides those from the calldata. */
  doubts: z.array(storedTextSchema),
})
export type Check = z.infer<typeof checkSchema>

/** A payload's table and verdict. */
export interface Verdict {
  rows: readonly Row[]
  /** Why the payload is not verified, most important first; empty if it is. */
  doubts: readonly StoredText[]
  /** Undefined if the calldata can't be decoded. */
  effects: Effects | undefined
}

/** Makes a module book of the modules that a check found. */
export function bookOf({ modules }: Pick<Check, 'modules'>): ModuleBook {
  return new Map(
    modules.map(({ address, layout, name }) => [
      address.toLowerCase(),
      { address, layout: asId(layout), name },
    ]),
  )
}

/**
 * Makes a payload's table and verdict from the calldata and its stored check.
 * @example
 * const { rows, doubts } = verdictOf(payload.calldata, payload.wallet, payload.check, 'ETH')
 */
export function verdictOf(
  calldata: Hex,
  wallet: Address,
  check: Check,
  coin: string,
  lines?: number,
): Verdict {
  const decoded = decodePayload(calldata, bookOf(check))
  if (!decoded.call) {
    const { metadata } = check
    const others = metadata.kind === 'different' ? [metadataReason(metadata)] : []
    return {
      rows: [],
      doubts: [...decoded.problems, ...check.doubts, ...others],
      effects: undefined,
    }
  }
  const effects = effectsOf(decoded, { token: check.token, quoteDecimals: check.quote.decimals })
  const view = { ...viewOf(check, wallet), lines }
  const rows = [
    ...withRehearsal(
      withTemplateDeviations(tableOf(effects, check.asked, view), check),
      effects,
      check,
    ),
    ...costRows(check, coin),
    metadataRow(check),
    ...pictureRows(check),
  ]
  const buys = decoded.call.entry === 'bundle' ? [t('terms-why-purchase')] : []
  const unpriced = check.quote.decimals === undefined ? [t('terms-why-unpriced')] : []
  return {
    rows,
    effects,
    doubts: [
      ...decoded.problems,
      ...buys,
      ...effects.problems,
      ...unpriced,
      ...check.doubts,
      ...templateChangeReasons(rows.filter(({ changed }) => changed)),
      ...rows.filter((row) => isDeviation(row) && !row.changed).map(deviationReason),
    ],
  }
}

/** The gas limit of one transaction (EIP-7825). */
const maxGas = 16_777_216n

function costRows({ cost }: Check, coin: string): Row[] {
  if (!cost) return []
  const gas = BigInt(cost.gas)
  const fee = cost.price === undefined ? undefined : formatUnits(gas * BigInt(cost.price), 18)
  const worth = Number(fee) * Number(cost.usd)
  const isPriced = worth >= 0 && worth < 1e15
  const isOver = gas > maxGas
  const words =
    fee === undefined
      ? t('terms-gas-units', { gas: exactly(cost.gas) })
      : isPriced
        ? t('terms-gas-dollars', {
            fee: price(fee),
            coin,
            dollars: inDollars(price(worth.toFixed(4))),
          })
        : t('terms-gas-fee', { fee: price(fee), coin })
  return [
    {
      key: 'gas',
      group: 'Cost',
      label: t('terms-gas'),
      does: sentences(words, isOver ? t('terms-gas-over') : undefined),
      state: 'unasked',
      ...(isOver && { first: true }),
    },
  ]
}

function metadataRow({ metadata }: Pick<Check, 'metadata'>): Row {
  const base = { key: 'metadata', group: 'Control', label: t('terms-metadata') } as const
  switch (metadata.kind) {
    case 'same': {
      const { links } = metadata
      if (!links) return { ...base, does: t('terms-metadata-same'), state: 'same' }
      const names = links.map((each) => t('terms-quoted', { label: plain(each) }))
      const fields = { list: firstDoubts(names), as: 'and' } as const
      return { ...base, does: t('terms-metadata-links', { fields }), state: 'unasked' }
    }
    case 'not checked':
      return {
        ...base,
        does: t('terms-metadata-unchecked', { why: reasonText(metadata.why) }),
        state: 'unasked',
      }
    case 'different': {
      const words = metadata.fields.slice(0, 5).map(({ name, typed, found }) =>
        t('terms-metadata-field', {
          name: reasonText(name),
          found: reasonText(found),
          typed: reasonText(typed),
        }),
      )
      return {
        ...base,
        does: { list: words, as: 'and' },
        state: 'unusual',
        why: metadataReason(metadata),
      }
    }
  }
}

/** A picture that was read back, or whose CID says enough, needs no row. */
function pictureRows({ picture }: Pick<Check, 'picture'>): Row[] {
  if (picture === undefined) return []
  const label = t('terms-picture')
  const does = t('terms-picture-unread')
  return [{ key: 'picture', group: 'Control', label, does, state: 'unasked' }]
}

/** Makes the viewpoint of a table from a stored check. */
export function viewOf(
  check: Pick<Check, 'integrator' | 'protocol' | 'quote' | 'now' | 'modules'>,
  wallet: Address,
): Viewpoint {
  const { integrator, protocol, quote, now } = check
  return { wallet, integrator, protocol, quote, now, modules: moduleNames(check.modules) }
}

/** Names modules by address, for display. */
export function moduleNames(
  modules: Iterable<{ address: Address; name: string }>,
): ReadonlyMap<string, string> {
  return new Map([...modules].map(({ address, name }) => [address.toLowerCase(), plain(name)]))
}

/** Max doubts that are listed; the table has them all. */
const maxDoubts = 5

/** Returns the most important doubts, and how many more there are. */
export function firstDoubts(doubts: readonly StoredText[]): StoredText[] {
  const more = doubts.length - maxDoubts
  return [...doubts.slice(0, maxDoubts), ...(more > 0 ? [t('terms-more', { count: more })] : [])]
}

/** Why a stored payload without a check is not verified. */
export const uncheckedReason = t('terms-why-unchecked')

const changedWhy = t('terms-why-template')

/** Marks deviations that come from the template, not from an answer. */
function withTemplateDeviations(rows: readonly Row[], { pinned = [] }: Check): Row[] {
  return rows.map((row) =>
    row.state === 'different' && pinned.includes(row.key)
      ? { ...row, changed: true, why: changedWhy }
      : row,
  )
}

function templateChangeReasons(rows: readonly Row[]): Message[] {
  if (rows.length === 0) return []
  return [
    t('terms-why-template-rows', {
      rows: { list: rows.map(({ label }) => t('terms-quoted', { label })), as: 'and' },
    }),
  ]
}

function deviationReason({ label, why, state }: Row): Message {
  return state === 'unusual' && why !== undefined ? why : t('terms-why-different', { row: label })
}

function metadataReason({ fields }: Extract<Check['metadata'], { kind: 'different' }>): Message {
  const names = fields.map(({ name }) => reasonText(name))
  return t('terms-why-metadata', { names: { list: names, as: 'and' } })
}

/** A reason without what could act on its surroundings: finished words may contain a stranger's. */
function reasonText(reason: StoredText): StoredText {
  return typeof reason === 'string' ? plain(reason) : reason
}

/** Marks rows that the rehearsal confirmed, and adds rows for what only the rehearsal showed. */
function withRehearsal(
  rows: readonly Row[],
  effects: Effects,
  { rehearsal, token, protocol }: Check,
): Row[] {
  if (!rehearsal || token === undefined) return [...rows]
  const { holders, pool, timelock } = rehearsal
  const includesAddress = (who: Address, all: readonly Address[]) =>
    all.some((each) => isAddressEqual(each, who))
  const heldBy = (all: readonly Address[]) =>
    holders
      .filter(({ address }) => includesAddress(address, all))
      .reduce((total, { amount }) => total + BigInt(amount), 0n)
  const inPool = pool?.holders ?? []
  const expectedHolders = [token, timelock, ...inPool]
  const unnamedHolders = holders.filter(
    ({ address, amount }) => BigInt(amount) > 0n && !includesAddress(address, expectedHolders),
  )
  // Builds of one module round differently, by far less than anybody could gain from.
  const isRounded = (shown: bigint, stated: bigint) =>
    (shown > stated ? shown - stated : stated - shown) * 1_000_000_000n <= effects.supply
  const vested = effects.vesting?.reduce((total, { amount }) => total + amount, 0n)
  const confirmedRows: Partial<Record<Row['key'], boolean>> = {
    ...(effects.pool !== undefined && { sale: isRounded(heldBy(inPool), effects.pool) }),
    ...(vested !== undefined && { vesting: isRounded(heldBy([token]), vested) }),
    ...(effects.rest !== undefined && {
      rest: isRounded(heldBy([timelock]), effects.rest) && isTimelock(effects, timelock),
    }),
    ...(effects.opening && {
      opening: pool !== undefined && isOpening(effects, BigInt(pool.sqrtPrice), token),
    }),
    governance: isTimelock(effects, timelock),
    ...(effects.fee && pool?.fee !== undefined && { tradingFee: isFee(effects.fee, pool.fee) }),
    integrator: isIntegrator(effects, rehearsal.integrator, protocol),
  }
  const marked = rows.map((row): Row => {
    const shown = confirmedRows[row.key]
    if (shown === undefined) return row
    if (shown) return { ...row, rehearsed: true }
    const why = t('terms-why-simulation-row', { row: row.label })
    return { ...row, state: 'unusual', why }
  })
  return [
    ...unnamedHolders.slice(0, maxUnnamedHolders).map(unnamedHolderRow),
    ...takenRows(rehearsal),
    ...marked,
  ]
}

const maxUnnamedHolders = 5

function isFee({ first, last }: Fee, shown: number): boolean {
  return first === shown && last === shown
}

/** Reports what the launch took, although no coins are sent along: a contract used an old approval. */
function takenRows({ taken }: Rehearsal): Row[] {
  if (BigInt(taken.coins) === 0n && BigInt(taken.quote) === 0n) return []
  return [
    {
      key: 'taken',
      group: 'Cost',
      label: t('terms-simulation'),
      does: t('terms-taken'),
      state: 'unusual',
      why: t('terms-why-taken'),
    },
  ]
}

function unnamedHolderRow({ address, amount }: { address: Address; amount: string }): Row {
  return {
    key: 'stranger',
    group: 'Supply',
    label: t('terms-stranger'),
    does: t('terms-stranger-gets', {
      account: { code: address },
      tokens: baseUnitsText(BigInt(amount)),
    }),
    state: 'unusual',
    why: t('terms-why-stranger'),
  }
}

const dead = '0x000000000000000000000000000000000000dead'

/** Checks whether this is governance's timelock; a DAO's address is known only from the rehearsal. */
function isTimelock({ restTo }: Effects, timelock: Address): boolean {
  if (restTo === 'dao') return !isAddressEqual(timelock, dead)
  return isAddressEqual(
    timelock,
    restTo === undefined || restTo === 'nobody' || restTo === 'contract' ? dead : restTo,
  )
}

function isOpening({ opening, quote }: Effects, sqrtPrice: bigint, token: Address): boolean {
  if (!opening || sqrtPrice === 0n) return false
  const shown = priceAt(sqrtPrice, BigInt(token) < BigInt(quote))
  const [left, right] = [
    shown.numerator * opening.denominator,
    opening.numerator * shown.denominator,
  ]
  const difference = left > right ? left - right : right - left
  return difference * 1_000_000n <= right
}

function isIntegrator(
  { integrator }: Effects,
  shown: Address,
  protocol: Address | undefined,
): boolean {
  if (BigInt(integrator) !== 0n) return isAddressEqual(integrator, shown)
  return protocol === undefined || isAddressEqual(protocol, shown)
}
