import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Binding, LaunchCall } from './calldata.ts'
import {
  bought,
  costOfAll,
  curvePositions,
  decimal,
  maxTick,
  type Position,
  priceAt,
  type Ratio,
  soldUntil,
  sqrtPriceAt,
  tokensTaken,
  v3Positions,
  wad,
} from './curve.ts'
import type {
  AuctionData,
  Beneficiary,
  CurvesData,
  FeeDecay,
  HookData,
  TokenData,
  V3Data,
} from './layouts.ts'
import type { Decoded, UsedModule } from './modules.ts'

/** Facts about the launch that are not in the payload. */
interface Facts {
  /** Token address. Without it the order of the pair is unknown, and with it the price in some pools. */
  token?: Address | undefined
  /** Decimals of the quote token; undefined if unknown. */
  quoteDecimals?: number | undefined
}

/**
 * An account with a role in the launch. `dao`: the timelock of the token's own DAO, deployed by the launch; `contract`:
 * the launch contract.
 */
export type AccountOrRole = Address | 'nobody' | 'dao' | 'contract'

/** A fee in millionths that falls from `first` to `last`; `from` in unix seconds, by default the launch. */
export interface Fee {
  first: number
  last: number
  seconds: number
  from?: number
}

export interface Share {
  to: AccountOrRole
  /** An 18-decimal fraction. */
  share: bigint
}

interface VestedAmount {
  to: Address
  amount: bigint
  /** Seconds. */
  cliff: bigint
  duration: bigint
}

export interface HookUse {
  hook: UsedModule
  fee: Fee
  data: HookData
}

/** Liquidity and proceeds at the graduation of a pool. */
export interface Graduation {
  to: 'v2' | 'v4'
  split?: { to: Address; share: bigint }
  /** Owners of the new pool's liquidity, with their 18-decimal shares. */
  liquidity: readonly { to: AccountOrRole | 'locked'; share: bigint; seconds?: number }[]
  /** Set if `migrate` would revert: a V2 pool needs both tokens, but a curve that must sell out leaves none. */
  fails?: true
  fee?: { millionths: number; dynamic: boolean }
  /** Of the new pool on Uniswap V4. */
  tickSpacing?: number
  shares?: readonly Share[]
  hook?: HookUse
}

/** Effects of a payload; amounts in base units. A part that was not read is absent. */
export interface Effects {
  supply: bigint
  forSale: bigint
  quote: Address
  integrator: Address
  modules: readonly UsedModule[]
  name?: string
  symbol?: string
  uri?: string
  collectible?: bigint
  vesting?: readonly VestedAmount[]
  /** Tokens that the pool takes; `rest` of the supply goes to `restTo`. Pool, rest and vesting sum to the supply. */
  pool?: bigint
  rest?: bigint
  restTo?: AccountOrRole
  /** Max yearly minting by the owner after graduation, an 18-decimal fraction of the supply. */
  minting?: bigint
  limit?: { maxBalance: bigint; until: number; controller: Address; excluded: readonly Address[] }
  opening?: Ratio
  end?: Ratio
  /** A curve without an upper limit: which part of the sale, an 18-decimal fraction, is sold below which price. */
  open?: { sold: bigint; below: Ratio }
  /** Base units of the quote token for the whole curve, or for what `open` says is sold, fee included. */
  cost?: bigint | undefined
  /** Base units of the token for one whole quote token at the opening, fee included. */
  buys?: bigint
  /** All parameters of the curve, for people. */
  shape?: string
  raise?: { min: bigint; max: bigint }
  /** Unix seconds; absent: at once, and without an end. */
  starts?: number
  ends?: number
  fee?: Fee
  hook?: HookUse
  /**
   * Shares of the pool's trading fees until graduation; if empty, integrator and protocol get the fees at graduation.
   */
  shares?: readonly Share[]
  /** Whether the pool's liquidity is locked for ever. */
  locked?: boolean
  /** Data without an effect, for people. */
  idle?: readonly string[]
  /** Absent if it never graduates, or the migrator was not read. */
  graduation?: Graduation
  /** The migrator's data if they are unused because the pool is locked and never graduates. */
  unusedGraduation?: Graduation
  /** Price from which it can graduate. */
  graduatesAt?: Ratio
  governance?: Decoded['governance']
  binding?: Binding
  /** Problems found in data that were read, for people. */
  problems: readonly string[]
}

const million = 1_000_000n
const v3Spacing: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** Derives the effects of a payload. Never throws: what can't be computed is a problem in words. */
export function effectsOf(decoded: Decoded & { call: object }, facts: Facts): Effects {
  const { call, token, governance, modules } = decoded
  const { params } = call
  const problems = [...feeProblems(decoded), ...bindingProblems(call, facts)]
  const base: Effects = {
    supply: params.initialSupply,
    forSale: params.numTokensToSell,
    quote: params.numeraire,
    integrator: params.integrator,
    modules,
    ...(token && tokenEffects(token)),
    ...(governance && { governance, restTo: holderOf(governance) }),
    ...(call.binding && { binding: call.binding }),
    problems,
  }
  const idle = idleParts(decoded)
  let sale: Partial<Effects> = {}
  try {
    sale = saleOf(decoded, base, facts)
  } catch (error) {
    problems.push(error instanceof SaleError ? error.message : 'its curve can’t be worked out')
  }
  const rest = restOf(base, sale.pool)
  if (rest !== undefined && rest < 0n) problems.push('vesting and sale are more than the supply')
  return {
    ...base,
    ...sale,
    ...(idle.length > 0 && { idle }),
    ...(rest !== undefined && rest >= 0n && { rest }),
    ...graduationOf(decoded, base.restTo),
  }
}

function bindingProblems({ binding }: LaunchCall, { token }: Facts): string[] {
  return binding && token && !isAddressEqual(binding.expectedAsset, token)
    ? ['it is bound to a token other than the one it launches']
    : []
}

function tokenEffects({
  name,
  symbol,
  uri,
  unit,
  yearlyMintRate,
  balanceLimit,
  vesting,
}: TokenData) {
  return {
    name,
    symbol,
    uri,
    ...(unit !== undefined && { collectible: unit }),
    minting: yearlyMintRate ?? 0n,
    ...(balanceLimit && { limit: balanceLimit }),
    vesting: vesting.map(({ recipient, ...rest }) => ({ to: recipient, ...rest })),
  }
}

function restOf({ supply, vesting }: Effects, pool: bigint | undefined): bigint | undefined {
  if (!vesting || pool === undefined) return undefined
  return supply - pool - vesting.reduce((sum, { amount }) => sum + amount, 0n)
}

/** Fees and shares that the contracts would refuse, in words. */
function feeProblems({ pool, migrator, poolHook, migratorHook }: Decoded): string[] {
  const shareLists = [
    ...(pool && pool.form !== 'auction' && pool.beneficiaries.length > 0
      ? [pool.beneficiaries]
      : []),
    ...(migrator?.pool ? [migrator.pool.beneficiaries] : []),
    ...(poolHook && poolHook.beneficiaries.length > 0 ? [poolHook.beneficiaries] : []),
  ]
  const hooks = [poolHook, migratorHook].filter((hook) => hook !== undefined)
  return [
    ...(migrator?.form === 'v4' && !migrator.pool
      ? ['its liquidity migrator gets no data for the new pool, which it refuses']
      : []),
    ...(shareLists.every(areValidShares)
      ? []
      : ['those who get fees are not in order, or their shares do not sum to 100%']),
    ...(hooks.every(
      ({ distribution }) => sumsToOne(distribution.slice(0, 4)) && sumsToOne(distribution.slice(4)),
    )
      ? []
      : ['the parts into which a hook divides its fees do not sum to 100%']),
  ]
}

function areValidShares(beneficiaries: readonly Beneficiary[]): boolean {
  return (
    sumsToOne(beneficiaries.map(({ shares }) => shares)) &&
    beneficiaries.every(({ beneficiary, shares }, index) => {
      const before = beneficiaries[index - 1]?.beneficiary ?? zeroAddress
      return shares > 0n && BigInt(beneficiary) > BigInt(before)
    })
  )
}

function sumsToOne(parts: readonly bigint[]): boolean {
  return parts.reduce((sum, part) => sum + part, 0n) === wad
}

/** A sale that the contracts would refuse; the message is for people. */
class SaleError extends Error {}

function holderOf(governance: NonNullable<Decoded['governance']>): AccountOrRole {
  if (governance.form === 'dao') return 'dao'
  return governance.form === 'multisig' ? governance.account : 'nobody'
}

function saleOf(
  { pool, poolHook, modules }: Decoded,
  base: Effects,
  facts: Facts,
): Partial<Effects> {
  if (!pool) return {}
  switch (pool.form) {
    case 'curves':
      return curvesSale(pool, poolHook, modules, base, facts)
    case 'v3':
      return v3Sale(pool, base, facts)
    case 'auction':
      return auctionSale(pool, base, facts)
  }
}

function orderOf(token: Address | undefined, quote: Address): boolean | undefined {
  return token === undefined ? undefined : BigInt(token) < BigInt(quote)
}

function curvesSale(
  pool: CurvesData,
  hookData: HookData | undefined,
  modules: readonly UsedModule[],
  base: Effects,
  facts: Facts,
): Partial<Effects> {
  const { curves, tickSpacing, beneficiaries, decay, hook } = pool
  if (curves.length === 0 || tickSpacing <= 0) throw new SaleError('its pool has no curve')
  if (curves.some(({ numPositions, shares }) => numPositions === 0 || shares === 0n)) {
    throw new SaleError('one of its curves is empty')
  }
  checkFee(decay?.startFee ?? pool.fee)
  checkFee(pool.fee)
  checkPositions(curves)
  if (curves.some((curve) => !isRange(curve, tickSpacing))) {
    throw new SaleError('the ticks of its curves are not in order, or not on the pool’s spacing')
  }
  if (!sumsToOne(curves.map(({ shares }) => shares))) {
    throw new SaleError('the shares of its curves do not sum to 100%')
  }
  // The ticks are written for token0, so the order affects only rounding.
  const isToken0 = orderOf(facts.token, base.quote) ?? true
  const positions = curvePositions(curves, tickSpacing, base.forSale, isToken0)
  const opening = Math.min(...curves.map(({ tickLower }) => tickLower))
  const end = Math.max(...curves.map(({ tickUpper }) => tickUpper))
  const fee = decay ? feeOf(decay) : { first: pool.fee, last: pool.fee, seconds: 0 }
  const used =
    hook && modules.find(({ kind, address }) => kind === 'hook' && address === hook.address)
  return {
    ...openingPrices(positions, isToken0, fee.first, facts),
    ...(end > maxTick - 2 * tickSpacing && openEnd(pool, positions, isToken0, base, fee.first)),
    pool: tokensTaken(positions, isToken0),
    opening: priceAt(sqrtPriceAt(opening), true),
    end: priceAt(sqrtPriceAt(end), true),
    shape: [
      `spacing ${tickSpacing}`,
      ...curves.map(({ tickLower, tickUpper, numPositions, shares }) => {
        const part =
          shares === wad
            ? ''
            : ` for ${decimal({ numerator: shares, denominator: wad }, 18)} of the sale`
        return `ticks ${tickLower} to ${tickUpper} in ${numPositions} positions${part}`
      }),
      ...(hook ? [`far tick ${hook.farTick}`] : []),
    ].join(', '),
    ...(pool.startingTime !== undefined && !decay && { starts: pool.startingTime }),
    fee,
    ...(hookData && used && { hook: { hook: used, fee: feeOf(hookData.fee), data: hookData } }),
    shares: beneficiaries.map(shareOf),
    locked: beneficiaries.length > 0,
    graduatesAt: priceAt(sqrtPriceAt(hook ? hook.farTick : end), true),
  }
}

/**
 * Returns which part of a sale without an upper limit is sold below where its other curves end, and what that costs. The pool's last
 * ticks stand for no limit: nobody ever pays such a price.
 */
function openEnd(
  { curves, tickSpacing }: CurvesData,
  positions: readonly Position[],
  isToken0: boolean,
  { forSale }: Effects,
  fee: number,
): Required<Pick<Effects, 'open'>> & { cost: bigint | undefined } {
  const ends = curves.map(({ tickUpper }) => tickUpper)
  const limited = ends.filter((tick) => tick <= maxTick - 2 * tickSpacing)
  const [start = 0] = curves.map(({ tickLower }) => tickLower)
  const tick = limited.length === 0 ? start : Math.max(...limited)
  const { tokens, quote } = soldUntil(positions, sqrtPriceAt(isToken0 ? tick : -tick), isToken0)
  const open = { sold: (tokens * wad) / (forSale || 1n), below: priceAt(sqrtPriceAt(tick), true) }
  return { open, cost: limited.length === 0 ? undefined : withFee(quote, fee) }
}

function isRange({ tickLower, tickUpper }: Ticks, spacing: number): boolean {
  return tickLower < tickUpper && tickLower % spacing === 0 && tickUpper % spacing === 0
}

interface Ticks {
  tickLower: number
  tickUpper: number
}

/** Max positions: more exceed any block's gas, and computing them would take minutes. */
const maxPositions = 1000

/** Rejects a fee above 100%. Uniswap V4 accepts only one larger value, for fees that the hook sets. */
function checkFee(fee: number): void {
  if (fee > Number(million)) throw new SaleError('its trading fee is more than the whole trade')
}

/**
 * Formats ticks as if the token were token0: depending on the token's address, one template has them in either order.
 */
function formatTicks(from: number, to: number, isToken0: boolean): string {
  const sign = isToken0 ? 1 : -1
  return `ticks ${sign * from} to ${sign * to}`
}

function checkPositions(curves: readonly { numPositions: number }[]): void {
  const count = curves.reduce((sum, { numPositions }) => sum + numPositions, 0)
  if (count > maxPositions) {
    throw new SaleError(`it has ${count} positions, more than the gas of any block allows`)
  }
}

function v3Sale(pool: V3Data, base: Effects, facts: Facts): Partial<Effects> {
  const { tickLower, tickUpper, numPositions, maxShareToBeSold, fee, beneficiaries } = pool
  const isToken0 = orderOf(facts.token, base.quote)
  const spacing = v3Spacing[fee]
  if (spacing === undefined) throw new SaleError('its trading fee is not one that Uniswap V3 has')
  if (isToken0 === undefined) {
    throw new SaleError('the token’s side of the pool is not known, and its price depends on that')
  }
  checkPositions([pool])
  if (numPositions === 0 || maxShareToBeSold > wad || !isRange(pool, spacing)) {
    throw new SaleError('its curve can’t be worked out')
  }
  const { curve, tail } = v3Positions(pool, spacing, base.forSale, isToken0)
  const [near, far] = isToken0 ? [tickLower, tickUpper] : [tickUpper, tickLower]
  return {
    ...openingPrices(curve, isToken0, fee, facts),
    pool: tokensTaken([...curve, tail], isToken0),
    opening: priceAt(sqrtPriceAt(near), isToken0),
    end: priceAt(sqrtPriceAt(far), isToken0),
    shape:
      `${formatTicks(near, far, isToken0)} in ${numPositions} positions, ` +
      `${decimal({ numerator: maxShareToBeSold * 100n, denominator: wad }, 18)}% of the sale on the curve`,
    fee: { first: fee, last: fee, seconds: 0 },
    shares: beneficiaries.map(shareOf),
    locked: beneficiaries.length > 0,
    graduatesAt: priceAt(sqrtPriceAt(far), isToken0),
  }
}

function auctionSale(pool: AuctionData, base: Effects, facts: Facts): Partial<Effects> {
  const { isToken0, startingTick, endingTick, startingTime, endingTime, fee } = pool
  const order = orderOf(facts.token, base.quote)
  if (order !== undefined && order !== isToken0) {
    throw new SaleError('its auction has the token on the wrong side of the pool')
  }
  if (endingTime > 10n ** 12n) throw new SaleError('its auction has no end')
  if (startingTime >= endingTime) throw new SaleError('its auction ends before it starts')
  checkFee(fee)
  const opening = priceAt(sqrtPriceAt(startingTick), isToken0)
  return {
    pool: base.forSale,
    opening,
    end: priceAt(sqrtPriceAt(endingTick), isToken0),
    ...(facts.quoteDecimals !== undefined && {
      buys:
        (10n ** BigInt(facts.quoteDecimals) * opening.denominator * (million - BigInt(fee))) /
        (opening.numerator * million || 1n),
    }),
    shape:
      `${formatTicks(startingTick, endingTick, isToken0)}, a step every ${pool.epochLength} s, gamma ${pool.gamma}, ` +
      `${pool.numPDSlugs} price discovery slugs, spacing ${pool.tickSpacing}`,
    raise: { min: pool.minProceeds, max: pool.maxProceeds },
    starts: Number(startingTime),
    ends: Number(endingTime),
    fee: { first: fee, last: fee, seconds: 0 },
    shares: [],
    locked: false,
  }
}

function openingPrices(
  positions: readonly Position[],
  isToken0: boolean,
  fee: number,
  { quoteDecimals }: Facts,
): Pick<Effects, 'cost' | 'buys'> {
  const left = million - BigInt(fee)
  const cost = withFee(costOfAll(positions, isToken0), fee)
  if (quoteDecimals === undefined) return { ...(cost !== undefined && { cost }) }
  const paid = (10n ** BigInt(quoteDecimals) * left) / million
  return { ...(cost !== undefined && { cost }), buys: bought(positions, isToken0, paid) }
}

/** Adds a fee to an amount; undefined if the fee is all that is paid. */
function withFee(amount: bigint, fee: number): bigint | undefined {
  const left = million - BigInt(fee)
  return left > 0n ? (amount * million) / left : undefined
}

/** Lists data without an effect, so that every difference between two payloads is shown. */
function idleParts({ token, pool, migrator }: Decoded): string[] {
  const decay = pool?.form === 'curves' ? pool.decay : undefined
  const isFlat = decay !== undefined && decay.startFee === decay.endFee
  return [
    ...(token?.idleVesting ? [`vesting over ${token.idleVesting} seconds, of nobody`] : []),
    ...(isFlat
      ? [
          `the trading fee falls to itself within ${decay.duration} seconds from ${decay.startingTime} on`,
        ]
      : []),
    ...(migrator?.split?.recipient === zeroAddress
      ? [
          `a split of ${decimal({ numerator: migrator.split.share * 100n, denominator: wad }, 18)}% of the proceeds, for nobody, which is not made`,
        ]
      : []),
  ]
}

function feeOf({ startFee, endFee, duration, startingTime }: FeeDecay): Fee {
  if (startFee === endFee) return { first: startFee, last: endFee, seconds: 0 }
  const from = startingTime > 0 ? { from: startingTime } : {}
  return { first: startFee, last: endFee, seconds: duration, ...from }
}

function shareOf({ beneficiary, shares }: Beneficiary): Share {
  return { to: beneficiary, share: shares }
}

/** Whether everything for sale must be sold before the pool can graduate. */
function sellsOut(pool: Decoded['pool']): boolean {
  if (pool?.form !== 'curves') return false
  const end = Math.max(...pool.curves.map(({ tickUpper }) => tickUpper))
  return !pool.hook || pool.hook.farTick >= end
}

/** Derives the graduation; empty if the migrator never migrates, or was not read. */
function graduationOf(
  { pool, migrator, migratorHook, modules }: Decoded,
  timelock: AccountOrRole | undefined,
): Pick<Effects, 'graduation' | 'unusedGraduation'> {
  const isLocked = pool !== undefined && pool.form !== 'auction' && pool.beneficiaries.length > 0
  if (!migrator || migrator.form === 'none' || timelock === undefined) return {}
  const { form, split, pool: next, hook } = migrator
  const used =
    hook && modules.find(({ kind, address }) => kind === 'hook' && address === hook.address)
  const seconds = next?.lockDuration ?? 0
  const parts = {
    v2: [95n, 5n],
    v4: timelock === 'nobody' ? [0n, 100n] : [90n, 10n],
    hook: [0n, 100n],
  }
  const [unlockedPart = 0n, lockedPart = 0n] = parts[form]
  const graduation: Graduation = {
    to: form === 'v2' ? 'v2' : 'v4',
    ...(form === 'v2' && sellsOut(pool) && { fails: true as const }),
    ...(split &&
      split.recipient !== zeroAddress && { split: { to: split.recipient, share: split.share } }),
    liquidity: [
      ...(unlockedPart > 0n ? [{ to: timelock, share: (unlockedPart * wad) / 100n }] : []),
      {
        to: 'locked' as const,
        share: (lockedPart * wad) / 100n,
        ...(form !== 'v2' && { seconds }),
      },
    ],
    ...(next && {
      fee: { millionths: next.fee, dynamic: next.dynamicFee },
      tickSpacing: next.tickSpacing,
      shares: next.beneficiaries.map(shareOf),
    }),
    ...(migratorHook &&
      used && { hook: { hook: used, fee: feeOf(migratorHook.fee), data: migratorHook } }),
  }
  return isLocked ? { unusedGraduation: graduation } : { graduation }
}
