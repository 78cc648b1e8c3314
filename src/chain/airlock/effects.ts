import { type Address, isAddressEqual, zeroAddress } from 'viem'
import type { Binding, LaunchCall } from './calldata.ts'
import {
  bought,
  costOfAll,
  curvePositions,
  decimal,
  type Position,
  priceAt,
  type Ratio,
  sqrtPriceAt,
  tokensTaken,
  v3Positions,
} from './curve.ts'
import type { Decoded, UsedModule } from './decode.ts'
import type {
  AuctionData,
  Beneficiary,
  CurvesData,
  FeeDecay,
  HookData,
  TokenData,
  V3Data,
} from './layouts.ts'
import { type FirstPurchase, launchPool, readPurchase } from './purchase.ts'

/** What is known of the world in which a payload launches. */
export interface Facts {
  /** Where the token will stand. Without it the order of the pool is unknown, and with that the price of some pools. */
  token?: Address | undefined
  /** Of the quote token; undefined if nobody could say. */
  quoteDecimals?: number | undefined
}

/**
 * Who holds, gets or decides something. `dao`: the timelock of the token's own DAO, whose address the launch gives.
 * `contract`: the launch contract.
 */
export type Who = Address | 'nobody' | 'dao' | 'contract'

/** A fee in millionths that falls from `first` to `last`; `from` in unix seconds, absent: from the launch on. */
export interface Fee {
  first: number
  last: number
  seconds: number
  from?: number
}

export interface Share {
  to: Who
  /** An 18-decimal fraction. */
  share: bigint
}

export interface Holding {
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

/** What happens to liquidity and proceeds when a pool graduates. */
export interface Graduation {
  to: 'v2' | 'v4'
  split?: { to: Address; share: bigint }
  /** Who owns the liquidity that is not locked, and its 18-decimal part. */
  liquidity: readonly { to: Who | 'locked'; share: bigint; seconds?: number }[]
  /** A V2 pool wants both tokens, and a curve that has to sell out first leaves none: `migrate` reverts. */
  fails?: true
  fee?: { millionths: number; dynamic: boolean }
  /** Of the new pool on Uniswap V4. */
  tickSpacing?: number
  shares?: readonly Share[]
  hook?: HookUse
}

/** What a payload does, as far as it was read; amounts in base units. A part that was not read is absent. */
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
  vesting?: readonly Holding[]
  /** What the pool takes; the rest of the supply goes to `restTo`. The sum with the vesting is the supply. */
  pool?: bigint
  rest?: bigint
  restTo?: Who
  /** 18-decimal fraction a year, by the owner, from the graduation on. */
  minting?: bigint
  limit?: { most: bigint; until: number; controller: Address; excluded: readonly Address[] }
  opening?: Ratio
  end?: Ratio
  /** Base units of the quote token for the whole curve, fee included. */
  cost?: bigint
  /** Base units of the token for one whole quote token at the opening, fee included. */
  buys?: bigint
  /** The shape of the curve, to the last parameter. */
  shape?: string
  raise?: { min: bigint; max: bigint }
  /** Unix seconds; absent: at once, and without an end. */
  starts?: number
  ends?: number
  fee?: Fee
  hook?: HookUse
  /** Of the pool's trading fees until graduation; empty: the integrator and the protocol get them at graduation. */
  shares?: readonly Share[]
  /** Whether the pool keeps its liquidity for ever. */
  locked?: boolean
  /** What stands in the data and does nothing, in words. */
  idle?: readonly string[]
  /** Absent if it never graduates, or the migrator was not read. */
  graduation?: Graduation
  /** What its migrator is told although the pool is locked, and so never graduates. */
  unusedGraduation?: Graduation
  /** When it may graduate. */
  graduatesAt?: Ratio
  governance?: Decoded['governance']
  binding?: Binding
  purchase?: FirstPurchase
  /** Wei that go with the transaction. */
  value: bigint
  /** What can't be told though all was read, in words. */
  problems: readonly string[]
}

const whole = 10n ** 18n
const million = 1_000_000n
const v3Spacing: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** Works out what a payload does. Never throws: what the contracts could not work out either is a problem in words. */
export function effectsOf(decoded: Decoded & { call: object }, facts: Facts): Effects {
  const { call, token, governance, modules } = decoded
  const { params } = call
  const opened = launchPool(decoded.pool, params.poolInitializer)
  const bundle = call.bundle && readPurchase(call.bundle, params.numeraire, facts.token, opened)
  const problems = [...(bundle?.problems ?? []), ...refused(decoded), ...misbound(call, facts)]
  const base: Effects = {
    supply: params.initialSupply,
    forSale: params.numTokensToSell,
    quote: params.numeraire,
    integrator: params.integrator,
    modules,
    ...(token && tokenEffects(token)),
    ...(governance && { governance, restTo: holderOf(governance) }),
    ...(call.binding && { binding: call.binding }),
    ...(bundle && { purchase: bundle.purchase }),
    value: bundle?.value ?? 0n,
    problems,
  }
  const idle = idleWords(decoded)
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

function misbound({ binding }: LaunchCall, { token }: Facts): string[] {
  return binding && token && !isAddressEqual(binding.expectedAsset, token)
    ? ['it is bound to another token than it launches']
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

/** What the contracts would refuse of fees and their shares, in words. */
function refused({ pool, migrator, poolHook, migratorHook }: Decoded): string[] {
  const lists = [
    ...(pool && pool.form !== 'auction' && pool.beneficiaries.length > 0
      ? [pool.beneficiaries]
      : []),
    ...(migrator?.pool ? [migrator.pool.beneficiaries] : []),
    ...(poolHook && poolHook.beneficiaries.length > 0 ? [poolHook.beneficiaries] : []),
  ]
  const hooks = [poolHook, migratorHook].filter((hook) => hook !== undefined)
  return [
    ...(migrator?.form === 'v4' && !migrator.pool
      ? ['its liquidity migrator is told nothing of the new pool, which it refuses']
      : []),
    ...(lists.every(areWhole)
      ? []
      : ['those who get fees are not in order, or their shares do not sum to 100%']),
    ...(hooks.every(
      ({ distribution }) => isWhole(distribution.slice(0, 4)) && isWhole(distribution.slice(4)),
    )
      ? []
      : ['what a hook does with its fees does not sum to 100%']),
  ]
}

function areWhole(beneficiaries: readonly Beneficiary[]): boolean {
  return (
    isWhole(beneficiaries.map(({ shares }) => shares)) &&
    beneficiaries.every(({ beneficiary, shares }, index) => {
      const before = beneficiaries[index - 1]?.beneficiary ?? zeroAddress
      return shares > 0n && BigInt(beneficiary) > BigInt(before)
    })
  )
}

function isWhole(parts: readonly bigint[]): boolean {
  return parts.reduce((sum, part) => sum + part, 0n) === whole
}

/** Something that the contracts would refuse, in words. */
class SaleError extends Error {}

function holderOf(governance: NonNullable<Decoded['governance']>): Who {
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
  if (!isWhole(curves.map(({ shares }) => shares))) {
    throw new SaleError('the shares of its curves do not sum to 100%')
  }
  // Ticks are written for token0, so only rounding depends on the order.
  const isToken0 = orderOf(facts.token, base.quote) ?? true
  const positions = curvePositions(curves, tickSpacing, base.forSale, isToken0)
  const opening = Math.min(...curves.map(({ tickLower }) => tickLower))
  const end = Math.max(...curves.map(({ tickUpper }) => tickUpper))
  const fee = decay ? feeOf(decay) : { first: pool.fee, last: pool.fee, seconds: 0 }
  const used =
    hook && modules.find(({ kind, address }) => kind === 'hook' && address === hook.address)
  return {
    ...market(positions, isToken0, fee.first, facts),
    pool: tokensTaken(positions, isToken0),
    opening: priceAt(sqrtPriceAt(opening), true),
    end: priceAt(sqrtPriceAt(end), true),
    shape: [
      `spacing ${tickSpacing}`,
      ...curves.map(({ tickLower, tickUpper, numPositions, shares }) => {
        const part =
          shares === whole
            ? ''
            : ` for ${decimal({ numerator: shares, denominator: whole }, 18)} of the sale`
        return `ticks ${tickLower} to ${tickUpper} in ${numPositions} positions${part}`
      }),
      ...(hook ? [`graduates at tick ${hook.farTick}`] : []),
    ].join(', '),
    ...(pool.startingTime !== undefined && !decay && { starts: pool.startingTime }),
    fee,
    ...(hookData && used && { hook: { hook: used, fee: feeOf(hookData.fee), data: hookData } }),
    shares: beneficiaries.map(shareOf),
    locked: beneficiaries.length > 0,
    graduatesAt: priceAt(sqrtPriceAt(hook ? hook.farTick : end), true),
  }
}

function isRange({ tickLower, tickUpper }: Ticks, spacing: number): boolean {
  return tickLower < tickUpper && tickLower % spacing === 0 && tickUpper % spacing === 0
}

interface Ticks {
  tickLower: number
  tickUpper: number
}

/** No block has the gas for more of them, and working out what they do would take minutes. */
const maxPositions = 1000

/** Uniswap V4 refuses more, but for one value that stands for a fee that its hook sets. */
function checkFee(fee: number): void {
  if (fee > Number(million)) throw new SaleError('its trading fee is more than the whole trade')
}

/** As if the token were token0: one template has them the other way round where the token's address is the higher one. */
function ticksWords(from: number, to: number, isToken0: boolean): string {
  const sign = isToken0 ? 1 : -1
  return `ticks ${sign * from} to ${sign * to}`
}

function checkPositions(curves: readonly { numPositions: number }[]): void {
  const count = curves.reduce((sum, { numPositions }) => sum + numPositions, 0)
  if (count > maxPositions) {
    throw new SaleError(`it has ${count} positions, which no block has the gas for`)
  }
}

function v3Sale(pool: V3Data, base: Effects, facts: Facts): Partial<Effects> {
  const { tickLower, tickUpper, numPositions, maxShareToBeSold, fee, beneficiaries } = pool
  const isToken0 = orderOf(facts.token, base.quote)
  const spacing = v3Spacing[fee]
  if (spacing === undefined) throw new SaleError('its trading fee is none that Uniswap V3 has')
  if (isToken0 === undefined) {
    throw new SaleError('where the token will stand is not known, and its price depends on that')
  }
  checkPositions([pool])
  if (numPositions === 0 || maxShareToBeSold > whole || !isRange(pool, spacing)) {
    throw new SaleError('its curve can’t be worked out')
  }
  const { curve, tail } = v3Positions(pool, spacing, base.forSale, isToken0)
  const [near, far] = isToken0 ? [tickLower, tickUpper] : [tickUpper, tickLower]
  return {
    ...market(curve, isToken0, fee, facts),
    pool: tokensTaken([...curve, tail], isToken0),
    opening: priceAt(sqrtPriceAt(near), isToken0),
    end: priceAt(sqrtPriceAt(far), isToken0),
    shape:
      `${ticksWords(near, far, isToken0)} in ${numPositions} positions, ` +
      `${decimal({ numerator: maxShareToBeSold * 100n, denominator: whole }, 18)}% of the sale on the curve`,
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
      `${ticksWords(startingTick, endingTick, isToken0)}, a step every ${pool.epochLength} s, gamma ${pool.gamma}, ` +
      `${pool.numPDSlugs} price discovery slugs, spacing ${pool.tickSpacing}`,
    raise: { min: pool.minProceeds, max: pool.maxProceeds },
    starts: Number(startingTime),
    ends: Number(endingTime),
    fee: { first: fee, last: fee, seconds: 0 },
    shares: [],
    locked: false,
  }
}

function market(
  positions: readonly Position[],
  isToken0: boolean,
  fee: number,
  { quoteDecimals }: Facts,
): Pick<Effects, 'cost' | 'buys'> {
  const left = million - BigInt(fee)
  const cost = left > 0n ? (costOfAll(positions, isToken0) * million) / left : undefined
  if (quoteDecimals === undefined) return { ...(cost !== undefined && { cost }) }
  const paid = (10n ** BigInt(quoteDecimals) * left) / million
  return { ...(cost !== undefined && { cost }), buys: bought(positions, isToken0, paid) }
}

/** Nobody is to wonder about a difference between two payloads that the table doesn't name. */
function idleWords({ token, pool, migrator }: Decoded): string[] {
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
          `a split of ${decimal({ numerator: migrator.split.share * 100n, denominator: whole }, 18)}% of the proceeds, for nobody, which is not made`,
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

/** Whether all that is for sale must be sold before the pool may graduate. */
function sellsOut(pool: Decoded['pool']): boolean {
  if (pool?.form !== 'curves') return false
  const end = Math.max(...pool.curves.map(({ tickUpper }) => tickUpper))
  return !pool.hook || pool.hook.farTick >= end
}

/** Nothing if the migrator never migrates, or was not read. */
function graduationOf(
  { pool, migrator, migratorHook, modules }: Decoded,
  timelock: Who | undefined,
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
  const [free = 0n, lockedPart = 0n] = parts[form]
  const graduation: Graduation = {
    to: form === 'v2' ? 'v2' : 'v4',
    ...(form === 'v2' && sellsOut(pool) && { fails: true as const }),
    ...(split &&
      split.recipient !== zeroAddress && { split: { to: split.recipient, share: split.share } }),
    liquidity: [
      ...(free > 0n ? [{ to: timelock, share: (free * whole) / 100n }] : []),
      {
        to: 'locked' as const,
        share: (lockedPart * whole) / 100n,
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
