import { createHash } from 'node:crypto'
import { type Address, zeroAddress } from 'viem'
import { formatUnits, parseUnits } from 'viem/utils'
import { z } from 'zod'
import type { AuctionTemplate, TokenMetadata } from '../api/requests.ts'
import { isAddress } from '../chain/address.ts'
import type { ModuleBook } from '../chain/airlock/modules.ts'
import { chainById, numeraireSymbol } from '../chain/chains.ts'
import type { Launcher } from '../chain/launchers.ts'
import { UserError } from '../errors.ts'
import { moduleNames } from './check.ts'
import type { Answers, Draft, Template } from './draft.ts'
import type { LaunchSettings } from './settings.ts'
import type { Asked, Viewpoint } from './table.ts'

/** What a step is made from, as a digest: the same inputs need no second run. */
export function digestOf(inputs: unknown): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex')
}

/** What the person confirms, as a digest. */
export function answersDigest({ goal, answers }: Draft): string {
  const entries = Object.entries(answers)
  return digestOf([goal, entries.sort(([one], [other]) => (one < other ? -1 : 1))])
}

/** What is uploaded. @throws UserError where an answer is missing */
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

const decimals = 18

function vestingRecipient({ address, amount, percentage }: Recipient) {
  return {
    address,
    // As everything that has to do with supply: in base units.
    ...(amount !== undefined && { amount: String(parseUnits(amount, decimals)) }),
    ...(percentage !== undefined && { percentage }),
  }
}

/** What a launch is built from. */
export interface LaunchInputs {
  chain: number
  launcher: Launcher
  name: string
  symbol: string
  wallet: `0x${string}`
  /** All that was confirmed, to hold what is built against. */
  answers: Draft['answers']
  /** The template as the operator describes it. */
  expected: Template
  /** The body of section 4.4 for this token URI. */
  template(uri: string): AuctionTemplate
}

/** @throws UserError where an answer is missing, or the operator does not offer this launch (any more) */
export function launchInputs(
  { answers }: Pick<Draft, 'answers'>,
  settings: LaunchSettings,
): LaunchInputs {
  const { chain, template, name, symbol, wallet, beneficiaries = [] } = answers
  if (name === undefined || symbol === undefined || wallet === undefined) throw unanswered()
  if (chain === undefined || template === undefined) throw unanswered()
  const expected = templateOf({ chain, template }, settings.templates)
  if (!expected) {
    throw new UserError(
      'This bot does not offer that template any more. /launch shows those it has.',
    )
  }
  const launcher = settings.launchers[chain]
  if (!launcher) {
    throw new UserError(
      `This bot does not know the launch contract of ${chainById(chain).name}, so nothing can be launched there. ` +
        'The operator can set it in LAUNCHERS.',
    )
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
        // The contracts want them in this order.
        beneficiaries: (ownShare(expected) > 0n ? beneficiaries : []).toSorted((one, other) =>
          BigInt(one.beneficiary) < BigInt(other.beneficiary) ? -1 : 1,
        ),
      },
      // Some interfaces leave out the token's address without it.
      debug: true,
    }),
  }
}

function unanswered(): UserError {
  return new UserError('Not every question is answered yet. /launch goes on where you are.')
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

/** An 18-decimal fraction in percent. */
const percentDecimals = 16

/** What the conversation promises about fees unless the template says otherwise. */
const defaultShares = [
  { to: 'you', percent: '95' },
  { to: 'protocol', percent: '5' },
]

/**
 * What a launch is asked to do, by row of the table: what its template pins, with the answers worked in. In a pinned
 * `vesting` the line to `asked` says how the vesting that a person asks for is released, which comes out of a pinned
 * `rest`; in pinned `shares` what others are promised comes out of what `you` get.
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

/** The template that the answers name, if the operator offers it. */
export function templateOf(
  { template, chain }: Answers,
  templates: readonly Template[],
): Template | undefined {
  return templates.find((each) => each.id === template && each.chain === chain)
}

/** What the launcher may share of the fees with others, as an 18-decimal fraction; 0 if the template leaves them none. */
export function ownShare(template: Template | undefined): bigint {
  const pinned = template?.expects?.shares
  if (sharesOfNothing.safeParse(pinned).success) return 0n
  const lines = sharesSchema.safeParse(pinned).data ?? defaultShares
  return parseUnits(lines.find(({ to }) => to === 'you')?.percent ?? '0', 16)
}

/** How the template releases what a person has vested, in seconds; undefined if it doesn't say. */
export function vestingSchedule(
  template: Template | undefined,
): { cliff: number; duration: number } | undefined {
  const lines = vestingSchema.safeParse(template?.expects?.vesting).data ?? []
  const { cliff = 0, duration } = lines.find(({ to }) => to === 'asked') ?? {}
  return duration === undefined ? undefined : { cliff, duration }
}

/** The supply that the template pins, in base units; undefined if it pins none. */
export function pinnedSupply(template: Template | undefined): bigint | undefined {
  const pinned = template?.expects?.supply
  const tokens = typeof pinned === 'string' ? /^\d{1,30}/u.exec(pinned)?.[0] : undefined
  return tokens === undefined ? undefined : parseUnits(tokens, 18)
}

/** What may be vested to others, as an 18-decimal fraction of the supply: what the sale and the template leave over. */
export function vestingRoom(template: Template | undefined): bigint {
  const rest = restSchema.safeParse(template?.expects?.rest).data
  return parseUnits(rest?.percent ?? '100', percentDecimals)
}

/** The rows that are the template's alone: no answer has a part in them. */
export function pinnedRows(answers: Answers, template: Template | undefined): string[] {
  const { vesting = [], beneficiaries = [] } = answers
  const mixed = [
    ...(vesting.length > 0 ? ['vesting', 'rest', 'idle'] : []),
    ...(beneficiaries.length > 0 ? ['shares'] : []),
  ]
  return Object.keys(template?.expects ?? {}).filter((key) => !mixed.includes(key))
}

/** The integrator that a template pins by its address. */
export function pinnedIntegrator(template: Template | undefined): Address | undefined {
  const pinned = template?.expects?.integrator
  return typeof pinned === 'string' && isAddress(pinned) ? `0x${pinned.slice(2)}` : undefined
}

/** With whose eyes a review is read, before anything is known of a payload. */
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

/** What a person has vested beside what the template vests anyway: asking for that again asks for nothing more. */
function ownVesting({ vesting = [], wallet }: Answers, pinned: Template['expects'] = {}) {
  const lines = vestingSchema.safeParse(pinned['vesting']).data ?? []
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
  const [supply = ''] = String(pinned['supply'] ?? '').split(' / ')
  return supply
}

function vestingAsked(answers: Answers, pinned: Template['expects']) {
  const lines = vestingSchema.safeParse(pinned?.['vesting']).data ?? []
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
  const rest = restSchema.safeParse(pinned['rest']).data
  const vesting = ownVesting(answers, pinned)
  if (!rest || vesting.length === 0) return {}
  const supply = Number(supplyIn(pinned))
  const asked = vesting.reduce(
    (sum, { amount, percentage = '0' }) =>
      sum + (amount === undefined ? Number(percentage) : (Number(amount) / supply) * 100),
    0,
  )
  // Without the supply nobody knows how much of it so many tokens are.
  return {
    rest: Number.isFinite(asked) ? { ...rest, percent: less(rest.percent, asked) } : undefined,
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

/** Percent of which a part is given away, not below nothing. */
function less(percent: string, given: number): string {
  return Math.max(0, Number(percent) - given).toFixed(10)
}
