import {
  type Address,
  encodeAbiParameters,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbiParameters,
  zeroAddress,
} from 'viem'
import { addressOf } from './address.ts'
import type { TemplateBody } from './launch-body.ts'

/** The templates that this stand-in's "service operator" gave out, and the layouts that each fills. */
export const templates = {
  'sandbox-standard': { token: 'derc20', pool: 'multicurve' },
  'sandbox-hook': { token: 'dopplerErc20V1', pool: 'hook' },
  'sandbox-dynamic': { token: 'derc20', pool: 'dynamic' },
} as const

export type TemplateId = keyof typeof templates

export function isTemplate(id: string): id is TemplateId {
  return Object.hasOwn(templates, id)
}

/** Seconds after a dynamic template's payload is built until its auction starts; later it can't be launched. */
export const dynamicStartsAfter = 900
/** Seconds that a dynamic auction lasts. */
export const dynamicLasts = 86_400

export const initialSupply = 10n ** 27n
export const numTokensToSell = 6n * 10n ** 26n

const whole = 10n ** 18n
const protocolShare = whole / 20n
const protocol = addressOf('protocol of the sandbox')

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
  if (templates[id].token === 'derc20') {
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

/** The pool initializer's data; `now` is in unix seconds. */
export function poolData(id: TemplateId, metadata: TemplateBody['metadata'], now: number): Hex {
  const curves = [{ tickLower: -180_000, tickUpper: -120_000, numPositions: 10, shares: whole }]
  const { pool } = templates[id]
  if (pool === 'multicurve') {
    const beneficiaries = beneficiariesOf(metadata)
    return encodeAbiParameters(poolLayouts.multicurve, [
      { fee: 10_000, tickSpacing: 200, curves, beneficiaries },
    ])
  }
  if (pool === 'hook') {
    return encodeAbiParameters(poolLayouts.hook, [
      {
        fee: 10_000,
        tickSpacing: 200,
        farTick: -160_000,
        curves,
        beneficiaries: beneficiariesOf(metadata),
        dopplerHook: addressOf('shared hook'),
        onInitializationData: '0x',
        graduationData: '0x',
      },
    ])
  }
  const starts = BigInt(now + dynamicStartsAfter)
  return encodeAbiParameters(poolLayouts.dynamic, [
    10n ** 18n,
    10n ** 20n,
    starts,
    starts + BigInt(dynamicLasts),
    -180_000,
    -240_000,
    3600n,
    800,
    false,
    5n,
    3000,
    8,
  ])
}

// As the contracts want them: shares that sum to one, by ascending address, nobody twice.
function beneficiariesOf(metadata: TemplateBody['metadata']): Beneficiary[] {
  const asked = metadata.beneficiaries.map(({ beneficiary, shares }) => ({
    beneficiary: getAddress(beneficiary),
    shares: BigInt(shares),
  }))
  const given = asked.reduce((sum, { shares }) => sum + shares, protocolShare)
  const rest = { beneficiary: getAddress(metadata.user_address), shares: whole - given }
  const merged: Beneficiary[] = []
  for (const next of [{ beneficiary: protocol, shares: protocolShare }, ...asked, rest]) {
    const known = merged.find((one) => isAddressEqual(one.beneficiary, next.beneficiary))
    if (known) known.shares += next.shares
    else merged.push({ ...next })
  }
  return merged
    .filter(({ shares }) => shares > 0n)
    .sort((left, right) => (BigInt(left.beneficiary) < BigInt(right.beneficiary) ? -1 : 1))
}

/** True where the beneficiaries' shares leave room for the protocol's five per cent. */
export function sharesFit({ metadata }: TemplateBody): boolean {
  const asked = metadata.beneficiaries.reduce((sum, { shares }) => sum + BigInt(shares), 0n)
  return asked + protocolShare <= whole
}
