import { createHash } from 'node:crypto'
import { type Address, zeroAddress } from 'viem'
import { formatUnits, parseUnits } from 'viem/utils'
import { z } from 'zod'
import type { AuctionTemplate, TokenMetadata } from '../api/schema.ts'
import { isAddress } from '../chain/address.ts'
import type { ModuleBook } from '../chain/airlock/modules.ts'
import { chainById, type Launcher, numeraireSymbol } from '../chain/chains.ts'
import { exactly } from '../core/number.ts'
import { type Message, t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { Answers, Draft } from './draft.ts'
import type { LaunchSettings, Template } from './settings.ts'
import { percentDecimals, tokenDecimals, type Viewpoint } from './table/value.ts'
import type { Asked } from './table.ts'
import { moduleNames } from './verdict.ts'

/** Hashes a step's inputs: a step whose inputs have the same digest needn't run again. */
export function hashOf(inputs: unknown): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}

/** Hashes what the person confirms: the answers, and what the review showed of the template. */
export function confirmedDigest({ goal, answers, shownTerms }: Draft): string {
  const entries = Object.entries(answers)
  return hashOf([goal, entries.sort(([one], [other]) => (one < other ? -1 : 1)), shownTerms])
}

/** Hex digits of a digest that fit in a button's line; too many for the API to find other terms with the same. */
const termsDigits = 24

/** Hashes what a template sets, as the review shows it and the payload is compared with it. */
export function termsDigest(template: Template | undefined): string {
  return hashOf([template?.openShare, template?.expects]).slice(0, termsDigits)
}

/**
 * Collects the metadata to upload. A picture that was published is named by the CID under which it was.
 * @throws UserError if an answer is missing, or vesting is no whole number of tokens
 */
export function metadataInputs(
  { answers, stepResults }: Draft,
  template: Template | undefined,
): TokenMetadata {
  const { name, description, picture, links, vesting, wallet, feeReceiver, categories } = answers
  const receiver = feeReceiver ?? wallet
  if (name === undefined) throw unanswered()
  const published = publishedPicture({ answers, stepResults })
  return {
    name,
    description: description ?? '',
    image_hash: published?.cid ?? picture?.cid ?? '',
    // The API requires both lists.
    social_links: links ?? [],
    vesting_recipients: (vesting ?? []).map((each) => vestingRecipient(each, template)),
    ...(receiver !== undefined && { fee_receiver: receiver }),
    ...(categories && categories.length > 0 && { categories }),
  }
}

/** Returns how the picture of the answers was published; undefined if it was not, or has been replaced since. */
export function publishedPicture({
  answers,
  stepResults,
}: Pick<Draft, 'answers' | 'stepResults'>): Draft['stepResults']['picture'] {
  return stepResults.picture?.of === answers.picture?.cid ? stepResults.picture : undefined
}

type Recipient = NonNullable<Answers['vesting']>[number]

function vestingRecipient(recipient: Recipient, template: Template | undefined) {
  const { address, percentage } = recipient
  return {
    address,
    // A safe integer, so no digit is lost.
    amount: Number(wholeTokens(recipient, template)),
    ...(percentage !== undefined && { percentage: Number(percentage) }),
  }
}

/** Supply of most templates, in base units; used if the template pins none. */
export const defaultSupply = 10n ** 27n

/** Returns the supply of a launch from a template, in base units. */
export function supplyOf(template: Template | undefined): bigint {
  return pinnedSupply(template) ?? defaultSupply
}

/**
 * Returns what somebody's vesting comes to, in tokens.
 * @throws UserError if that is no whole number, or one that JSON can't hold
 */
export function wholeTokens(
  { amount, percentage = '0' }: Pick<Recipient, 'amount' | 'percentage'>,
  template: Template | undefined,
): bigint {
  const token = 10n ** BigInt(tokenDecimals)
  const supply = supplyOf(template)
  const units =
    amount === undefined
      ? supply * parseUnits(percentage, percentDecimals)
      : parseUnits(amount, tokenDecimals) * token
  if (units % (token * token) !== 0n) {
    throw new UserError(
      amount === undefined
        ? t('launch-percent-whole', {
            percent: `${percentage}%`,
            supply: exactly(String(supply / token)),
          })
        : partOfToken(amount),
    )
  }
  const tokens = units / (token * token)
  if (tokens > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new UserError(t('launch-tokens-many', { max: exactly(String(Number.MAX_SAFE_INTEGER)) }))
  }
  return tokens
}

/** Refuses an amount with a part of a token, and names the whole ones beside it. */
export function partOfToken(amount: string): Message {
  const less = BigInt(amount.split('.')[0] ?? '')
  const [typed, more] = [tokensAsTyped(amount), tokensAsTyped(String(less + 1n))]
  return less === 0n
    ? t('launch-tokens-least', { typed, more })
    : t('launch-tokens-whole', { typed, less: tokensAsTyped(String(less)), more })
}

/** An amount of tokens as people type it, in any language. */
export function tokensAsTyped(amount: string): string {
  return amount === '1' ? '1 token' : `${amount} tokens`
}

/** The inputs of a build. */
export interface LaunchInputs {
  chain: number
  launcher: Launcher
  name: string
  symbol: string
  wallet: `0x${string}`
  /** All confirmed answers; the payload is compared with them. */
  answers: Draft['answers']
  /** The template as the operator configured it. */
  template: Template
  /** Makes the body of `POST /auction-templates` for this token URI. */
  requestFor(uri: string): AuctionTemplate
}

/**
 * Collects the inputs of a build.
 * @throws UserError if an answer is missing, or the operator doesn't offer this launch (any more)
 */
export function launchInputs(
  { answers }: Pick<Draft, 'answers'>,
  settings: LaunchSettings,
): LaunchInputs {
  const { chain, template: id, name, symbol, wallet, beneficiaries = [] } = answers
  if (name === undefined || symbol === undefined || wallet === undefined) throw unanswered()
  if (chain === undefined || id === undefined) throw unanswered()
  const template = templateOf({ chain, template: id }, settings.templates)
  if (!template) {
    throw new UserError(t('launch-template-gone'))
  }
  const launcher = settings.launchers[chain]
  if (!launcher) {
    throw new UserError(t('launch-no-launcher', { chain: chainById(chain).name }))
  }
  const shares = beneficiariesOf({ wallet, beneficiaries }, template)
  return {
    chain,
    launcher,
    name,
    symbol,
    wallet,
    answers,
    template,
    requestFor: (uri) => ({
      template_id: id,
      metadata: {
        token_name: name,
        token_symbol: symbol,
        user_address: wallet,
        token_uri: uri,
        beneficiaries: shares,
      },
      // The API omits the token's address and the parameters without it.
      debug: true,
    }),
  }
}

type Beneficiary = NonNullable<Answers['beneficiaries']>[number]

/**
 * Lists the shares of a request: what the person gives to others and, if it is known what the template leaves open, the rest of
 * that for the person, so that the sum is exact.
 * @throws UserError if others get more than is open
 */
function beneficiariesOf(
  { wallet, beneficiaries }: { wallet: Address; beneficiaries: readonly Beneficiary[] },
  template: Template,
): Beneficiary[] {
  const others = ownShare(template) > 0n ? beneficiaries : []
  const open = openShareOf(template)
  const given = others.reduce((sum, { shares }) => sum + BigInt(shares), 0n)
  if (open !== undefined && given > open) {
    const [sum, max] = [given, open].map((share) => `${formatUnits(share, percentDecimals)}%`)
    throw new UserError(t('launch-beneficiaries-over', { sum: sum ?? '', max: max ?? '' }))
  }
  const rest = open === undefined ? 0n : open - given
  const merged = new Map<bigint, Beneficiary>()
  for (const { beneficiary, shares } of [...others, { beneficiary: wallet, shares: rest }]) {
    const key = BigInt(beneficiary)
    const sum = BigInt(merged.get(key)?.shares ?? 0) + BigInt(shares)
    if (sum > 0n) merged.set(key, { beneficiary, shares: String(sum) })
  }
  // The contracts require ascending addresses.
  return [...merged].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
}

/** The error for a launch with open questions. */
export function unanswered(): UserError {
  return new UserError(t('launch-unanswered'))
}

const sharesSchema = z.array(z.object({ to: z.string(), percent: z.string() }))
const sharesOfNothing = z.object({ ofNothing: sharesSchema })
const vestingSchema = z.array(
  z.object({
    to: z.string(),
    tokens: z.string().optional(),
    percent: z.string().optional(),
    cliff: z.number().optional(),
    duration: z.number().optional(),
  }),
)

const restSchema = z.object({ to: z.string(), percent: z.string() })

/** The fee shares that the conversation promises unless the template sets its own. */
const defaultShares = [
  { to: 'you', percent: '95' },
  { to: 'protocol', percent: '5' },
]

/** Returns the fee shares of a template that pins none: what it leaves open is the person's, up to 5% beside it the protocol's. */
function usualShares(template: Template | undefined) {
  const open = openShareOf(template)
  if (open === undefined) return defaultShares
  const others = parseUnits('100', percentDecimals) - open
  const percent = formatUnits(others, percentDecimals)
  return [
    { to: 'you', percent: formatUnits(open, percentDecimals) },
    ...(others > 0n ? [{ to: 'protocol', percent }] : []),
  ]
}

/**
 * Returns what a launch is asked to do, by row of the table: the template's pinned values combined with the answers. In
 * a pinned `vesting`, the line to `asked` sets the schedule of the person's own vesting, which is subtracted from a
 * pinned `rest`. In pinned `shares`, what the person gives to others is subtracted from the share of `you`.
 */
export function askedOf(answers: Answers, template: Template | undefined): Asked {
  const pinned = template?.expects ?? {}
  return {
    ...pinned,
    ...restAsked(answers, pinned),
    vesting: vestingAsked(answers, pinned),
    shares: sharesAsked(answers, template),
  }
}

/** Finds the template that the answers name; undefined if the operator doesn't offer it. */
export function templateOf(
  { template, chain }: Answers,
  templates: readonly Template[],
): Template | undefined {
  return templates.find((each) => each.id === template && each.chain === chain)
}

/**
 * Returns the fees that the creator may share with others, as an 18-decimal fraction; 0 if the template leaves none.
 */
export function ownShare(template: Template | undefined): bigint {
  const pinned = template?.expects?.shares
  if (sharesOfNothing.safeParse(pinned).success) return 0n
  const open = openShareOf(template)
  if (open !== undefined) return open
  const lines = sharesSchema.safeParse(pinned).data ?? defaultShares
  return parseUnits(lines.find(({ to }) => to === 'you')?.percent ?? '0', percentDecimals)
}

/** Returns the share of the fees that a request has to give away, as an 18-decimal fraction; undefined if that is unknown. */
function openShareOf(template: Template | undefined): bigint | undefined {
  const open = template?.openShare
  return open === undefined ? undefined : parseUnits(open, percentDecimals)
}

/** Returns the template's schedule for the person's own vesting, in seconds; undefined if it sets none. */
export function vestingSchedule(
  template: Template | undefined,
): { cliff: number; duration: number } | undefined {
  const lines = vestingSchema.safeParse(template?.expects?.vesting).data ?? []
  const { cliff = 0, duration } = lines.find(({ to }) => to === 'asked') ?? {}
  return duration === undefined ? undefined : { cliff, duration }
}

/** Returns the supply that the template pins, in base units; undefined if it pins none. */
export function pinnedSupply(template: Template | undefined): bigint | undefined {
  const pinned = template?.expects?.supply
  const tokens = typeof pinned === 'string' ? /^\d{1,30}/u.exec(pinned)?.[0] : undefined
  return tokens === undefined ? undefined : parseUnits(tokens, tokenDecimals)
}

/**
 * Returns the max share of the supply that may be vested to others, as an 18-decimal fraction: what the sale and the
 * template leave.
 */
export function vestingRoom(template: Template | undefined): bigint {
  const rest = restSchema.safeParse(template?.expects?.rest).data
  return parseUnits(rest?.percent ?? '100', percentDecimals)
}

/** Lists the rows that only the template determines. */
export function pinnedRows(answers: Answers, template: Template | undefined): string[] {
  const { vesting = [], beneficiaries = [] } = answers
  const mixed = [
    ...(vesting.length > 0 ? ['vesting', 'rest', 'idle'] : []),
    ...(beneficiaries.length > 0 ? ['shares'] : []),
  ]
  return Object.keys(template?.expects ?? {}).filter((key) => !mixed.includes(key))
}

/** Returns the integrator that a template pins by its address. */
export function pinnedIntegrator(template: Template | undefined): Address | undefined {
  const pinned = template?.expects?.integrator
  return typeof pinned === 'string' && isAddress(pinned) ? `0x${pinned.slice(2)}` : undefined
}

/** Makes the viewpoint for a review, before a payload exists. */
export function reviewViewpoint(
  { wallet = zeroAddress, chain: id = 0 }: Answers,
  template: Template | undefined,
  modules: ModuleBook,
): Viewpoint {
  const chain = chainById(id)
  const quote = template?.expects?.quote
  const symbol = typeof quote === 'string' ? numeraireSymbol(chain, quote) : undefined
  return {
    wallet,
    integrator: pinnedIntegrator(template),
    likelyIntegrator: template?.integrator,
    quote: { symbol: symbol ?? 'quote tokens', known: symbol !== undefined },
    modules: moduleNames(modules.values()),
    now: 0,
  }
}

/** Returns the person's vesting without lines that the template has anyway. */
function ownVesting({ vesting = [], wallet }: Answers, pinned: Template['expects'] = {}) {
  const lines = vestingSchema.safeParse(pinned.vesting).data ?? []
  const supply = Number(supplyIn(pinned))
  const same = (one: number, other: number) => Math.abs(one - other) <= one * 1e-12
  return vesting.filter(
    ({ address, amount, percentage = '0' }) =>
      !lines.some(
        ({ to, tokens }) =>
          tokens !== undefined &&
          (to === 'you' ? wallet : to)?.toLowerCase() === address.toLowerCase() &&
          same(Number(amount ?? (Number(percentage) / 100) * supply), Number(tokens)),
      ),
  )
}

function supplyIn(pinned: Template['expects'] = {}): string {
  const [supply = ''] = String(pinned.supply ?? '').split(' / ')
  return supply
}

function vestingAsked(answers: Answers, pinned: Template['expects']) {
  const lines = vestingSchema.safeParse(pinned?.vesting).data ?? []
  const { to: _, ...schedule } = lines.find(({ to }) => to === 'asked') ?? { to: 'asked' }
  return [
    ...lines.filter(({ to }) => to !== 'asked'),
    ...ownVesting(answers, pinned).map(({ address, amount, percentage }) => ({
      to: address,
      ...(amount === undefined ? { percent: percentage ?? '0' } : { tokens: amount }),
      ...schedule,
    })),
  ]
}

function restAsked(answers: Answers, pinned: Template['expects'] = {}) {
  const rest = restSchema.safeParse(pinned.rest).data
  const vesting = ownVesting(answers, pinned)
  if (!rest || vesting.length === 0) return {}
  const supply = Number(supplyIn(pinned))
  const askedPercent = vesting.reduce(
    (sum, { amount, percentage = '0' }) =>
      sum + (amount === undefined ? Number(percentage) : (Number(amount) / supply) * 100),
    0,
  )
  // Without the supply, an amount of tokens can't be turned into a share.
  return {
    rest: Number.isFinite(askedPercent)
      ? { ...rest, percent: subtractPercent(rest.percent, askedPercent) }
      : undefined,
  }
}

function sharesAsked({ beneficiaries = [], wallet }: Answers, template: Template | undefined) {
  const pinned = template?.expects?.shares
  if (ownShare(template) === 0n) return pinned
  const lines = sharesSchema.safeParse(pinned).data ?? usualShares(template)
  const others = beneficiaries
    .filter(({ beneficiary }) => beneficiary.toLowerCase() !== wallet?.toLowerCase())
    .map(({ beneficiary, shares }) => ({ to: beneficiary.toLowerCase(), share: BigInt(shares) }))
  const given = others.reduce((sum, { share }) => sum + share, 0n)
  const left = lines.map(({ to, percent }) => ({
    to,
    share: parseUnits(percent, percentDecimals) - (to === 'you' ? given : 0n),
  }))
  return [...left, ...others]
    .filter(({ share }) => share > 0n)
    .map(({ to, share }) => ({ to, percent: formatUnits(share, percentDecimals) }))
}

/** Subtracts from a percentage, but not below 0. */
function subtractPercent(percent: string, subtracted: number): string {
  return Math.max(0, Number(percent) - subtracted).toFixed(10)
}
