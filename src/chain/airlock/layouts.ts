import type { AbiParameter, Address, DecodeAbiParametersReturnType, Hex } from 'viem'
import { decodeExactly } from './calldata.ts'

// Layouts of the modules' data. Source: the protocol's contracts at b4308a08 and, for modules that were removed since,
// eb35a0d3. To add a module, add an entry to `layouts` here, and its effects and texts.

export type ModuleKind =
  | 'token factory'
  | 'governance factory'
  | 'pool initializer'
  | 'liquidity migrator'
  | 'hook'

/** A vesting: `amount` in base units, `cliff` and `duration` in seconds from the launch. */
interface Vesting {
  recipient: Address
  amount: bigint
  cliff: bigint
  duration: bigint
}

export interface TokenData {
  name: string
  symbol: string
  /** Metadata URI; for DN404 the base URI of the collectibles. */
  uri: string
  vesting: readonly Vesting[]
  /** Duration in seconds of a vesting without recipients, which has no effect; absent if there is none. */
  idleVesting?: bigint
  /** Max yearly minting by the owner after migration: an 18-decimal fraction of the supply. */
  yearlyMintRate?: bigint
  /** Absent if no limit is set. `maxBalance` in base units, `until` in unix seconds; the controller may lift it early. */
  balanceLimit?: {
    maxBalance: bigint
    until: number
    controller: Address
    excluded: readonly Address[]
  }
  /** Base units for one collectible (DN404). */
  unit?: bigint
}

/** `ignored`: a flag that live launches carry and the contract does not read. */
export type GovernanceData =
  | { form: 'dao'; name: string; votingDelay: number; votingPeriod: number; threshold: bigint }
  | { form: 'multisig'; account: Address }
  | { form: 'none'; ignored?: boolean }

/** Ticks are written as if the token were token0; `shares` are 18-decimal fractions of what is for sale. */
interface Curve {
  tickLower: number
  tickUpper: number
  numPositions: number
  shares: bigint
}

/** An account with a share of the fees: an 18-decimal fraction. */
export interface Beneficiary {
  beneficiary: Address
  shares: bigint
}

/** A fee in millionths that falls linearly; `startingTime` 0 or in the past means from the launch on. */
export interface FeeDecay {
  startFee: number
  endFee: number
  duration: number
  startingTime: number
}

/** Curves on Uniswap V4. Fees in millionths; a pool with beneficiaries is locked for ever. */
export interface CurvesData {
  form: 'curves'
  fee: number
  tickSpacing: number
  curves: readonly Curve[]
  beneficiaries: readonly Beneficiary[]
  /** Unix seconds before which swaps are refused. */
  startingTime?: number
  decay?: FeeDecay
  /** Hook initializer only: the tick from which it can graduate, and the hook (zero address: none) with its data. */
  hook?: { farTick: number; address: Address; data: Hex; graduationData: Hex }
}

/** A curve on Uniswap V3. Ticks are in pool order. */
export interface V3Data {
  form: 'v3'
  fee: number
  tickLower: number
  tickUpper: number
  numPositions: number
  maxShareToBeSold: bigint
  beneficiaries: readonly Beneficiary[]
}

/** A Dutch auction on Uniswap V4. Ticks are in pool order, times in unix seconds, proceeds in base units of the quote token. */
export interface AuctionData {
  form: 'auction'
  minProceeds: bigint
  maxProceeds: bigint
  startingTime: bigint
  endingTime: bigint
  startingTick: number
  endingTick: number
  epochLength: bigint
  gamma: number
  isToken0: boolean
  numPDSlugs: bigint
  fee: number
  tickSpacing: number
}

export type PoolData = CurvesData | V3Data | AuctionData

export interface MigratorData {
  form: 'none' | 'v2' | 'v4' | 'hook'
  /** `share` is an 18-decimal fraction of the proceeds. Absent if nobody is named. */
  split?: { recipient: Address; share: bigint }
  /** The new pool on Uniswap V4: fee in millionths, lock in seconds. */
  pool?: {
    fee: number
    dynamicFee: boolean
    tickSpacing: number
    lockDuration: number
    beneficiaries: readonly Beneficiary[]
  }
  hook?: { address: Address; data: Hex }
}

/** The distribution of the fees that a Rehype hook takes. Fees in millionths, parts are 18-decimal fractions. */
export interface HookData {
  numeraire: Address
  buybackTo: Address
  fee: FeeDecay
  /** 0: buybacks go straight to `buybackTo`; 1: into the beneficiaries' account. */
  routing: number
  /**
   * Parts of fees in the token: token buyback, quote token buyback, beneficiaries, liquidity; then the same four of
   * fees in the quote token.
   */
  distribution: readonly bigint[]
  beneficiaries: readonly Beneficiary[]
}

const uint = <const Name extends string>(name: Name) => ({ name, type: 'uint256' }) as const
const name = { name: 'name', type: 'string' } as const
const symbol = { name: 'symbol', type: 'string' } as const
const tokenUri = { name: 'tokenURI', type: 'string' } as const
const recipients = { name: 'recipients', type: 'address[]' } as const
const scheduleIds = { name: 'scheduleIds', type: 'uint256[]' } as const
const amounts = { name: 'amounts', type: 'uint256[]' } as const
const schedules = {
  name: 'schedules',
  type: 'tuple[]',
  components: [
    { name: 'cliff', type: 'uint64' },
    { name: 'duration', type: 'uint64' },
  ],
} as const

const fee = { name: 'fee', type: 'uint24' } as const
const tickSpacing = { name: 'tickSpacing', type: 'int24' } as const
const tickLower = { name: 'tickLower', type: 'int24' } as const
const tickUpper = { name: 'tickUpper', type: 'int24' } as const
const numPositions = { name: 'numPositions', type: 'uint16' } as const
const maxShare = uint('maxShareToBeSold')
const startingTime = { name: 'startingTime', type: 'uint32' } as const
const curves = {
  name: 'curves',
  type: 'tuple[]',
  components: [tickLower, tickUpper, numPositions, uint('shares')],
} as const
const beneficiaries = {
  name: 'beneficiaries',
  type: 'tuple[]',
  components: [
    { name: 'beneficiary', type: 'address' },
    { name: 'shares', type: 'uint96' },
  ],
} as const

/**
 * Wraps the fields in a tuple: the contracts decode a struct, so data with an array in them begin with an offset word.
 */
function struct<const Fields extends readonly AbiParameter[]>(...components: Fields) {
  return [{ type: 'tuple', name: 'data', components }] as const
}

const rehypeFields = [
  { name: 'numeraire', type: 'address' },
  { name: 'buybackDst', type: 'address' },
] as const
const distribution = [
  uint('assetToAsset'),
  uint('assetToNumeraire'),
  uint('assetToBeneficiary'),
  uint('assetToLiquidity'),
  uint('numeraireToAsset'),
  uint('numeraireToNumeraire'),
  uint('numeraireToBeneficiary'),
  uint('numeraireToLiquidity'),
] as const
const routing = { name: 'feeRoutingMode', type: 'uint8' } as const
const decayFields = [
  { name: 'startFee', type: 'uint24' },
  { name: 'endFee', type: 'uint24' },
  { name: 'durationSeconds', type: 'uint32' },
  startingTime,
] as const

interface Shapes {
  'token factory': TokenData
  'governance factory': GovernanceData
  'pool initializer': PoolData
  'liquidity migrator': MigratorData
  hook: HookData
}

interface Layout<Kind extends ModuleKind = ModuleKind> {
  kind: Kind
  /** Name of such modules for people. */
  label: string
  /** Decodes the data; undefined unless they are exactly in this layout. */
  read(data: Hex): Shapes[Kind] | undefined
}

function layout<Kind extends ModuleKind>(
  kind: Kind,
  label: string,
  ...forms: readonly ((data: Hex) => Shapes[Kind] | undefined)[]
): Layout<Kind> {
  return {
    kind,
    label,
    read: (data) => {
      const lowerCase: Hex = `0x${data.slice(2).toLowerCase()}`
      for (const form of forms) {
        const found = form(lowerCase)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

function form<const Params extends readonly AbiParameter[], Shape>(
  params: Params,
  tell: (values: DecodeAbiParametersReturnType<Params>) => Shape | undefined,
) {
  return (data: Hex): Shape | undefined => {
    const values = decodeExactly(params, data)
    return values && tell(values)
  }
}

function nothing<Shape>(shape: Shape) {
  return (data: Hex): Shape | undefined => (data === '0x' ? shape : undefined)
}

/** Known layouts, by the ids in the module book and the setting MODULES. */
export const layouts = {
  derc20: layout(
    'token factory',
    'DERC20 token',
    form(
      [name, symbol, uint('yearlyMintRate'), uint('duration'), recipients, amounts, tokenUri],
      ([name, symbol, yearlyMintRate, duration, to, amounts, uri]) => {
        const vesting = toVestings(to, amounts, undefined, [{ cliff: 0n, duration }])
        const idle = to.length === 0 && duration > 0n ? { idleVesting: duration } : {}
        return vesting && { name, symbol, uri, vesting, ...idle, yearlyMintRate }
      },
    ),
  ),
  'clone-derc20-votes-v2': layout(
    'token factory',
    'DERC20 V2 token',
    form(
      [name, symbol, uint('yearlyMintRate'), schedules, recipients, scheduleIds, amounts, tokenUri],
      ([name, symbol, yearlyMintRate, schedules, to, ids, amounts, uri]) => {
        const vesting = toVestings(to, amounts, ids, schedules)
        return vesting && { name, symbol, uri, vesting, yearlyMintRate }
      },
    ),
  ),
  'doppler-erc20-v1': layout(
    'token factory',
    'Doppler ERC20 token',
    form(
      [
        name,
        symbol,
        schedules,
        recipients,
        scheduleIds,
        amounts,
        tokenUri,
        uint('maxBalanceLimit'),
        { name: 'balanceLimitEnd', type: 'uint48' },
        { name: 'controller', type: 'address' },
        { name: 'excluded', type: 'address[]' },
      ],
      ([
        name,
        symbol,
        schedules,
        to,
        ids,
        amounts,
        uri,
        maxBalance,
        until,
        controller,
        excluded,
      ]) => {
        const vesting = toVestings(to, amounts, ids, schedules)
        const limit = { maxBalance, until, controller, excluded }
        // Without a limit the contract ignores controller and exceptions; they are still shown unless all are empty.
        const isPlain =
          maxBalance === 0n && until === 0 && BigInt(controller) === 0n && !excluded.length
        return vesting && { name, symbol, uri, vesting, ...(!isPlain && { balanceLimit: limit }) }
      },
    ),
  ),
  dn404: layout(
    'token factory',
    'DN404 token with collectibles',
    form([name, symbol, { name: 'baseURI', type: 'string' }, uint('unit')], (values) => {
      const [name, symbol, uri, unit] = values
      return { name, symbol, uri, unit, vesting: [] }
    }),
  ),
  governance: layout(
    'governance factory',
    'DAO governance',
    form(
      [
        name,
        { name: 'votingDelay', type: 'uint48' },
        { name: 'votingPeriod', type: 'uint32' },
        uint('proposalThreshold'),
      ],
      ([name, votingDelay, votingPeriod, threshold]): GovernanceData => ({
        form: 'dao',
        name,
        votingDelay,
        votingPeriod,
        threshold,
      }),
    ),
  ),
  'launchpad-governance': layout(
    'governance factory',
    'Launchpad multisig',
    form(
      [{ name: 'multisig', type: 'address' }],
      ([account]): GovernanceData => ({ form: 'multisig', account }),
    ),
  ),
  'no-op-governance': layout(
    'governance factory',
    'No governance',
    nothing<GovernanceData>({ form: 'none' }),
    form(
      [{ name: 'ignored', type: 'bool' }],
      ([ignored]): GovernanceData => ({ form: 'none', ignored }),
    ),
  ),
  multicurve: layout(
    'pool initializer',
    'Multicurve',
    form(
      struct(fee, tickSpacing, curves, beneficiaries),
      ([data]): PoolData => ({ form: 'curves', ...data }),
    ),
  ),
  'scheduled-multicurve': layout(
    'pool initializer',
    'Scheduled multicurve',
    form(
      struct(fee, tickSpacing, curves, beneficiaries, startingTime),
      ([data]): PoolData => ({ form: 'curves', ...data }),
    ),
  ),
  'decay-multicurve': layout(
    'pool initializer',
    'Multicurve with a falling fee',
    form(
      struct(
        { name: 'startFee', type: 'uint24' },
        fee,
        { name: 'duration', type: 'uint32' },
        tickSpacing,
        curves,
        beneficiaries,
        startingTime,
      ),
      ([{ startFee, fee, duration, startingTime, ...data }]): PoolData => ({
        form: 'curves',
        fee,
        ...data,
        decay: { startFee, endFee: fee, duration, startingTime },
      }),
    ),
  ),
  'doppler-hook': layout(
    'pool initializer',
    'Multicurve with hooks',
    form(
      struct(
        fee,
        tickSpacing,
        { name: 'farTick', type: 'int24' },
        curves,
        beneficiaries,
        { name: 'dopplerHook', type: 'address' },
        { name: 'onInitializationData', type: 'bytes' },
        { name: 'graduationData', type: 'bytes' },
      ),
      ([{ farTick, dopplerHook, onInitializationData, graduationData, ...data }]): PoolData => ({
        form: 'curves',
        ...data,
        hook: { farTick, address: dopplerHook, data: onInitializationData, graduationData },
      }),
    ),
  ),
  'v4-dynamic': layout(
    'pool initializer',
    'Dutch auction',
    form(
      struct(
        uint('minProceeds'),
        uint('maxProceeds'),
        uint('startingTime'),
        uint('endingTime'),
        { name: 'startingTick', type: 'int24' },
        { name: 'endingTick', type: 'int24' },
        uint('epochLength'),
        { name: 'gamma', type: 'int24' },
        { name: 'isToken0', type: 'bool' },
        uint('numPDSlugs'),
        fee,
        tickSpacing,
      ),
      ([data]): PoolData => ({ form: 'auction', ...data }),
    ),
  ),
  v3: layout(
    'pool initializer',
    'Uniswap V3 curve',
    form(
      struct(fee, tickLower, tickUpper, numPositions, maxShare),
      ([data]): PoolData => ({ form: 'v3', ...data, beneficiaries: [] }),
    ),
  ),
  'v3-lockable': layout(
    'pool initializer',
    'Lockable Uniswap V3 curve',
    form(
      struct(fee, tickLower, tickUpper, numPositions, maxShare, beneficiaries),
      ([data]): PoolData => ({ form: 'v3', ...data }),
    ),
  ),
  'no-op-migrator': layout(
    'liquidity migrator',
    'No migration',
    nothing<MigratorData>({ form: 'none' }),
  ),
  v2: layout('liquidity migrator', 'Uniswap V2', nothing<MigratorData>({ form: 'v2' })),
  'v2-split': layout(
    'liquidity migrator',
    'Uniswap V2 with a split',
    form(
      [{ name: 'recipient', type: 'address' }, uint('share')],
      ([recipient, share]): MigratorData => ({ form: 'v2', ...splitOf(recipient, share) }),
    ),
  ),
  v4: layout(
    'liquidity migrator',
    'Uniswap V4',
    nothing<MigratorData>({ form: 'v4' }),
    form(
      [fee, tickSpacing, { name: 'lockDuration', type: 'uint32' }, beneficiaries],
      ([fee, tickSpacing, lockDuration, beneficiaries]): MigratorData => ({
        form: 'v4',
        pool: { fee, dynamicFee: false, tickSpacing, lockDuration, beneficiaries },
      }),
    ),
  ),
  'v4-split': layout(
    'liquidity migrator',
    'Uniswap V4 with a split',
    form(
      [
        fee,
        tickSpacing,
        { name: 'lockDuration', type: 'uint32' },
        beneficiaries,
        { name: 'recipient', type: 'address' },
        uint('share'),
      ],
      ([fee, tickSpacing, lockDuration, beneficiaries, recipient, share]): MigratorData => ({
        form: 'v4',
        pool: { fee, dynamicFee: false, tickSpacing, lockDuration, beneficiaries },
        ...splitOf(recipient, share),
      }),
    ),
  ),
  'doppler-hook-migrator': layout(
    'liquidity migrator',
    'Uniswap V4 with hooks',
    form(
      [
        fee,
        { name: 'dynamicFee', type: 'bool' },
        tickSpacing,
        { name: 'lockDuration', type: 'uint32' },
        beneficiaries,
        { name: 'hook', type: 'address' },
        { name: 'hookData', type: 'bytes' },
        { name: 'recipient', type: 'address' },
        uint('share'),
      ],
      ([fee, dynamicFee, tickSpacing, lockDuration, beneficiaries, hook, data, to, share]) => ({
        form: 'hook' as const,
        pool: { fee, dynamicFee, tickSpacing, lockDuration, beneficiaries },
        hook: { address: hook, data },
        ...splitOf(to, share),
      }),
    ),
  ),
  'rehype-initializer': layout(
    'hook',
    'Rehype hook',
    form(
      struct(
        ...rehypeFields,
        ...decayFields,
        routing,
        { name: 'distribution', type: 'tuple', components: distribution },
        beneficiaries,
      ),
      ([{ numeraire, buybackDst, feeRoutingMode, distribution, beneficiaries, ...decay }]) => ({
        numeraire,
        buybackTo: buybackDst,
        fee: decayOf(decay),
        routing: feeRoutingMode,
        distribution: Object.values(distribution),
        beneficiaries,
      }),
    ),
  ),
  'rehype-initializer-2026-06': layout(
    'hook',
    'Rehype hook (June 2026)',
    form(
      struct(...rehypeFields, ...decayFields, routing, ...distribution),
      ([{ numeraire, buybackDst, feeRoutingMode, ...data }]) => {
        const { startFee, endFee, durationSeconds, startingTime, ...distribution } = data
        return {
          numeraire,
          buybackTo: buybackDst,
          fee: decayOf({ startFee, endFee, durationSeconds, startingTime }),
          routing: feeRoutingMode,
          distribution: Object.values(distribution),
          beneficiaries: [],
        }
      },
    ),
  ),
  'rehype-migrator': layout(
    'hook',
    'Rehype hook of the new pool',
    form(
      struct(...rehypeFields, { name: 'customFee', type: 'uint24' }, routing, ...distribution),
      ([{ numeraire, buybackDst, feeRoutingMode, customFee, ...distribution }]) => ({
        numeraire,
        buybackTo: buybackDst,
        fee: { startFee: customFee, endFee: customFee, duration: 0, startingTime: 0 },
        routing: feeRoutingMode,
        distribution: Object.values(distribution),
        beneficiaries: [],
      }),
    ),
  ),
} as const satisfies Readonly<Record<string, Layout>>

export type LayoutId = keyof typeof layouts

/** Lists the ids of the layouts of one kind of module. */
export function layoutIds(kind: ModuleKind): LayoutId[] {
  return Object.entries(layouts).flatMap(([id, each]) => (each.kind === kind ? [asId(id)] : []))
}

/**
 * Narrows a text to a layout id.
 * @throws TypeError if it is none
 */
export function asId(text: string): LayoutId {
  if (isLayoutId(text)) return text
  throw new TypeError(`not a layout: ${text}`)
}

/** Whether this is the id of a layout. */
export function isLayoutId(text: string): text is LayoutId {
  return Object.hasOwn(layouts, text)
}

/** Decodes data in this layout; undefined unless they are exactly in it, or if the layout is of another kind. */
export function readData<Kind extends ModuleKind>(
  kind: Kind,
  id: LayoutId,
  data: Hex,
): Shapes[Kind] | undefined {
  const layout: Layout = layouts[id]
  return isOfKind(layout, kind) ? layout.read(data) : undefined
}

function isOfKind<Kind extends ModuleKind>(layout: Layout, kind: Kind): layout is Layout<Kind> {
  return layout.kind === kind
}

function splitOf(recipient: Address, share: bigint): Pick<MigratorData, 'split'> {
  return BigInt(recipient) === 0n && share === 0n ? {} : { split: { recipient, share } }
}

function decayOf({
  startFee,
  endFee,
  durationSeconds,
  startingTime,
}: {
  startFee: number
  endFee: number
  durationSeconds: number
  startingTime: number
}): FeeDecay {
  return { startFee, endFee, duration: durationSeconds, startingTime }
}

/** Combines the lists to vestings; undefined if their lengths differ, or a schedule has no recipient. */
function toVestings(
  recipients: readonly Address[],
  amounts: readonly bigint[],
  ids: readonly bigint[] | undefined,
  schedules: readonly { cliff: bigint; duration: bigint }[],
): Vesting[] | undefined {
  if (recipients.length !== amounts.length) return undefined
  if (ids && ids.length !== recipients.length) return undefined
  const vesting: Vesting[] = []
  for (const [index, recipient] of recipients.entries()) {
    const amount = amounts[index]
    const schedule = schedules[Number(ids?.[index] ?? 0n)]
    if (amount === undefined || schedule === undefined) return undefined
    vesting.push({ recipient, amount, ...schedule })
  }
  const used = new Set(ids?.map(Number))
  if (ids && schedules.some((_, id) => !used.has(id))) return undefined
  return vesting
}
