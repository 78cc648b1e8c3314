import { createHash } from 'node:crypto'
import { type Address, zeroAddress } from 'viem'
import { formatUnits, parseUnits } from 'viem/utils'
import { z } from 'zod'
import type { AuctionTemplate, TokenMetadata } from '../api/schema.ts'
import { isAddress } from '../chain/address.ts'
import type { ModuleBook } from '../chain/airlock/modules.ts'
import { chainById, type Launcher, numeraireSymbol } from '../chain/chains.ts'
import { t } from '../core/view.ts'
import { UserError } from '../errors.ts'
import type { Answers, Draft, Template } from './draft.ts'
import type { LaunchSettings } from './settings.ts'
import { percentDecimals, tokenDecimals, type Viewpoint } from './table/value.ts'
import type { Asked } from './table.ts'
import { moduleNames } from './verdict.ts'

/** Hashes a step's inputs: a step whose inputs have the same digest needn't run again. */
export function digestOf(inputs: unknown): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}

/** Hashes the answers that the person confirms. */
export function answersDigest({ goal, answers }: Draft): string {
  const entries = Object.entries(answers)
  return digestOf([goal, entries.sort(([one], [other]) => (one < other ? -1 : 1))])
}

/**
 * Collects the metadata to upload.
 * @throws UserError if an answer is missing
 */
export function metadataInputs({ answers }: Draft): TokenMetadata {
  const { name, description, picture, links, vesting, wallet, feeReceiver, categories } = answers
  const receiver = feeReceiver ?? wallet
  if (name === undefined) throw unanswered()
  return {
    name,
    description: description ?? '',
    image_hash: picture?.cid ?? '',
    ...(links && links.length > 0 && { social_links: links }),
    ...(vesting && vesting.length > 0 && { vesting_recipients: vesting.map(vestingRecipient) }),
    ...(receiver !== undefined && { fee_receiver: receiver }),
    ...(categories && categories.length > 0 && { categories }),
  }
}

type Recipient = NonNullable<Draft['answers']['vesting']>[number]

function vestingRecipient({ address, amount, percentage }: Recipient) {
  return {
    address,
    // In base units, like every supply amount.
    ...(amount !== undefined && { amount: String(parseUnits(amount, tokenDecimals)) }),
    ...(percentage !== undefined && { percentage }),
  }
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
  expected: Template
  /** Makes the request body of section 4.4 for this token URI. */
  template(uri: string): AuctionTemplate
}

/**
 * Collects the inputs of a build.
 * @throws UserError if an answer is missing, or the operator doesn't offer this launch (any more)
 */
export function launchInputs(
  { answers }: Pick<Draft, 'answers'>,
  settings: LaunchSettings,
): LaunchInputs {
  const { chain, template, name, symbol, wallet, beneficiaries = [] } = answers
  if (name === undefined || symbol === undefined || wallet === undefined) throw unanswered()
  if (chain === undefined || template === undefined) throw unanswered()
  const expected = templateOf({ chain, template }, settings.templates)
  if (!expected) {
    throw new UserError(t('launch-template-gone'))
  }
  const launcher = settings.launchers[chain]
  if (!launcher) {
    throw new UserError(t('launch-no-launcher', { chain: chainById(chain).name }))
  }
  return {
    chain,
    launcher,
    name,
    symbol,
    wallet,
    answers,
    expected,
    template: (uri) => ({
      template_id: template,
      metadata: {
        token_name: name,
        token_symbol: symbol,
        user_address: wallet,
        token_uri: uri,
        // The contracts require ascending addresses.
        beneficiaries: (ownShare(expected) > 0n ? beneficiaries : []).toSorted((one, other) =>
          BigInt(one.beneficiary) < BigInt(other.beneficiary) ? -1 : 1,
        ),
      },
      // Some versions of the API omit the token's address without it.
      debug: true,
    }),
  }
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
    shares: sharesAsked(answers, pinned.shares, ownShare(template)),
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
  const lines = sharesSchema.safeParse(pinned).data ?? defaultShares
  return parseUnits(lines.find(({ to }) => to === 'you')?.percent ?? '0', percentDecimals)
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

function sharesAsked({ beneficiaries = [], wallet }: Answers, pinned: unknown, own: bigint) {
  if (own === 0n) return pinned
  const lines = sharesSchema.safeParse(pinned).data ?? defaultShares
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
