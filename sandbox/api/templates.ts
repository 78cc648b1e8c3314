import {
  type Address,
  encodeAbiParameters,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { type ModuleName, protocol } from '../chain/modules.ts'
import type { TemplateBody } from './launch-body.ts'
import { addressOf } from './token.ts'

/** What whoever runs the templates may do otherwise from one day to the next. */
export interface TemplateChanges {
  /** The trading fee in millionths. */
  fee?: number
  /** Who gets what is not for sale, in place of nobody. */
  restTo?: Address
  /** Seconds after which a dynamic template's auction starts. */
  startsAfter?: number
}

const whole = 10n ** 18n
const percent = whole / 100n
const protocolShare = whole / 20n

interface TemplateTerms {
  /** What it is called in the list of templates. */
  name: string
  description: string | null
  token: ModuleName
  pool: ModuleName
  /** The share of the fees that a request has to give away, to the last unit; the template presets the rest. */
  open: bigint
}

/** The templates that this stand-in's "service operator" gave out, and the modules that each uses. */
export const templates = {
  'sandbox-standard': {
    name: 'Standard curve',
    description: 'A price curve that opens as soon as you sign.',
    token: 'TokenFactory80',
    pool: 'UniswapV4MulticurveInitializer',
    open: 95n * percent,
  },
  'sandbox-hook': {
    name: 'Curve with a hook',
    description: null,
    token: 'DopplerERC20V1Factory',
    pool: 'DopplerHookInitializer',
    open: 95n * percent,
  },
  'sandbox-shared': {
    name: 'Shared fees',
    description: 'Most of the trading fees go to the app.',
    token: 'TokenFactory80',
    pool: 'UniswapV4MulticurveInitializer',
    open: 35n * percent,
  },
  'sandbox-dynamic': {
    name: 'Dutch auction',
    description: 'Starts 15 minutes after it is built: sign before that.',
    token: 'TokenFactory80',
    pool: 'UniswapV4Initializer',
    open: 0n,
  },
} as const satisfies Record<string, TemplateTerms>

export type TemplateId = keyof typeof templates

export function isTemplate(id: string): id is TemplateId {
  return Object.hasOwn(templates, id)
}

/** Seconds after a dynamic template's payload is built until its auction starts; later it can't be launched. */
export const dynamicStartsAfter = 900
/** Seconds that a dynamic auction lasts. */
export const dynamicLasts = 86_400

/** What a dynamic auction has to raise at least, in base units of the quote token. */
export const dynamicMinimum = 2n * 10n ** 18n

export const initialSupply = 10n ** 27n
export const numTokensToSell = 6n * 10n ** 26n

export interface Vesting {
  address: Address
  /** Base units. */
  amount: bigint
}

interface Beneficiary {
  beneficiary: Address
  shares: bigint
}

const tokenLayouts = {
  derc20: parseAbiParameters(
    'string name, string symbol, uint256 yearlyMintRate, uint256 vestingDuration, address[] recipients, uint256[] amounts, string tokenURI',
  ),
  dopplerErc20V1: parseAbiParameters([
    'string name, string symbol, Schedule[] schedules, address[] recipients, uint256[] scheduleIds, uint256[] amounts, string tokenURI, uint256 maxBalanceLimit, uint48 balanceLimitEnd, address controller, address[] excluded',
    'struct Schedule { uint64 cliff; uint64 duration; }',
  ]),
}

const curves = 'Curve[] curves; Beneficiary[] beneficiaries;'
const curve =
  'struct Curve { int24 tickLower; int24 tickUpper; uint16 numPositions; uint256 shares; }'
const beneficiary = 'struct Beneficiary { address beneficiary; uint96 shares; }'
const poolLayouts = {
  multicurve: parseAbiParameters([
    'InitData data',
    `struct InitData { uint24 fee; int24 tickSpacing; ${curves} }`,
    curve,
    beneficiary,
  ]),
  hook: parseAbiParameters([
    'InitData data',
    `struct InitData { uint24 fee; int24 tickSpacing; int24 farTick; ${curves} address dopplerHook; bytes onInitializationData; bytes graduationData; }`,
    curve,
    beneficiary,
  ]),
  dynamic: parseAbiParameters(
    'uint256 minProceeds, uint256 maxProceeds, uint256 startingTime, uint256 endingTime, int24 startingTick, int24 endingTick, uint256 epochLength, int24 gamma, bool isToken0, uint256 numPDSlugs, uint24 lpFee, int24 tickSpacing',
  ),
}

const vestingSeconds = 365n * 86_400n

/** The token factory's data: name, symbol, URI and who gets tokens over a year. */
export function tokenData(
  id: TemplateId,
  { token_name, token_symbol, token_uri }: TemplateBody['metadata'],
  vesting: readonly Vesting[],
): Hex {
  const recipients = vesting.map(({ address }) => address)
  const amounts = vesting.map(({ amount }) => amount)
  const duration = vesting.length > 0 ? vestingSeconds : 0n
  if (templates[id].token === 'TokenFactory80') {
    return encodeAbiParameters(tokenLayouts.derc20, [
      token_name,
      token_symbol,
      0n,
      duration,
      recipients,
      amounts,
      token_uri,
    ])
  }
  return encodeAbiParameters(tokenLayouts.dopplerErc20V1, [
    token_name,
    token_symbol,
    vesting.length > 0 ? [{ cliff: 0n, duration }] : [],
    recipients,
    recipients.map(() => 0n),
    amounts,
    token_uri,
    0n,
    0,
    zeroAddress,
    [],
  ])
}

// As if the token were token0. A billion tokens are worth 15 WETH at the lowest of these, 113 at the auctions' first.
const ticks = { lowest: -180_000, highest: -120_000, ofAuctions: -160_000 }

/** What a token costs at first, in the quote token: an auction's price falls from there, a curve's rises. */
export function openingPrice(isAuction: boolean): number {
  return 1.0001 ** (isAuction ? ticks.ofAuctions : ticks.lowest)
}

export interface PoolCircumstances {
  /** Unix seconds. */
  now: number
  /** Whether the token's address is below the numeraire's. */
  isToken0: boolean
  changes: TemplateChanges
}

/** The pool initializer's data. */
export function poolData(
  id: TemplateId,
  metadata: TemplateBody['metadata'],
  { now, isToken0, changes }: PoolCircumstances,
): Hex {
  const { fee = 10_000, startsAfter = dynamicStartsAfter } = changes
  const curves = [
    { tickLower: ticks.lowest, tickUpper: ticks.highest, numPositions: 10, shares: whole },
  ]
  const { pool } = templates[id]
  if (pool === 'UniswapV4MulticurveInitializer') {
    const beneficiaries = beneficiariesOf(id, metadata)
    return encodeAbiParameters(poolLayouts.multicurve, [
      { fee, tickSpacing: 200, curves, beneficiaries },
    ])
  }
  if (pool === 'DopplerHookInitializer') {
    return encodeAbiParameters(poolLayouts.hook, [
      {
        fee,
        tickSpacing: 200,
        farTick: ticks.highest - 200,
        curves,
        beneficiaries: beneficiariesOf(id, metadata),
        dopplerHook: zeroAddress,
        onInitializationData: '0x',
        graduationData: '0x',
      },
    ])
  }
  const starts = BigInt(now + startsAfter)
  return encodeAbiParameters(poolLayouts.dynamic, [
    dynamicMinimum,
    40n * whole,
    starts,
    starts + BigInt(dynamicLasts),
    // An auction's ticks are in the order of its pool.
    isToken0 ? ticks.ofAuctions : -ticks.ofAuctions,
    isToken0 ? ticks.lowest : -ticks.lowest,
    3600n,
    1600,
    isToken0,
    5n,
    fee,
    8,
  ])
}

/** Gets what a template presets beyond the protocol's share, and is the integrator of each launch. */
export const integrator = addressOf('integrator of the sandbox')

// As the contracts want them: shares that sum to one, by ascending address, nobody twice.
function beneficiariesOf(id: TemplateId, metadata: TemplateBody['metadata']): Beneficiary[] {
  const asked = metadata.beneficiaries.map(({ beneficiary, shares }) => ({
    beneficiary: getAddress(beneficiary),
    shares: BigInt(shares),
  }))
  const preset = [
    { beneficiary: protocol, shares: protocolShare },
    { beneficiary: integrator, shares: whole - templates[id].open - protocolShare },
  ]
  const merged: Beneficiary[] = []
  for (const next of [...preset, ...asked]) {
    const known = merged.find((one) => isAddressEqual(one.beneficiary, next.beneficiary))
    if (known) known.shares += next.shares
    else merged.push({ ...next })
  }
  return merged
    .filter(({ shares }) => shares > 0n)
    .sort((left, right) => (BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1))
}

/** Whether the beneficiaries' shares sum to exactly what the template leaves open. */
export function sharesFit(id: TemplateId, { metadata }: TemplateBody): boolean {
  const asked = metadata.beneficiaries.reduce((sum, { shares }) => sum + BigInt(shares), 0n)
  return asked === templates[id].open
}
