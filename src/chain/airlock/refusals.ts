import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { RpcRefusal } from '../rpc.ts'
import { plain } from './calldata.ts'
import { decimal, wad } from './curve.ts'

/**
 * The part that has to change so that the contracts accept a launch: an answer of the person's, or `template`: the operator's
 * template; `time`: build the payload again; `launched`: the token may already exist.
 */
export type Blame = 'vesting' | 'beneficiaries' | 'template' | 'time' | 'launched' | 'other'

/** The reason of a revert. */
export interface RevertReason {
  /** Name of the contract's error; absent if it has none or it is unknown. */
  name?: string
  /** Text for people: a sentence without its full stop, of bounded length. */
  words: string
  blame: Blame
}

/** Context of the launch that reverted. */
interface RefusedLaunch {
  /** Supply in base units; if given, amounts are shown as percent of it. */
  supply?: bigint | undefined
}

type Describe = (values: readonly unknown[], launch: RefusedLaunch) => string
/** A contract error: its signature, what it blames, and its text for people. */
type ContractError = readonly [signature: string, blame: Blame, words: string | Describe]

// Signatures: the protocol's contracts at b4308a08 and eb35a0d3, Uniswap's v4-core, OpenZeppelin and solady.
export const refusals: readonly ContractError[] = [
  [
    'WrongModuleState(address module, uint8 expected, uint8 actual)',
    'template',
    ([module]) => `Its module ${plain(String(module))} is not whitelisted, or not any more`,
  ],
  [
    'MaxPreMintPerAddressExceeded(uint256 amount, uint256 limit)',
    'vesting',
    (values, { supply }) => {
      const [amount, limit] = amountAndLimit(values, supply)
      return `Vesting of ${amount} to one person is more than the ${limit} that the contract allows`
    },
  ],
  [
    'MaxTotalPreMintExceeded(uint256 amount, uint256 limit)',
    'vesting',
    (values, { supply }) => {
      const [amount, limit] = amountAndLimit(values, supply)
      return `Vesting of ${amount} in all is more than the ${limit} that the contract allows`
    },
  ],
  [
    'MaxTotalVestedExceeded(uint256 amount, uint256 limit)',
    'vesting',
    ([amount], { supply }) =>
      `Vesting of ${formatAmount(toBigInt(amount), supply, 9)}${supply ? '' : ' tokens'} in all leaves nothing of the supply to sell`,
  ],
  ['TransferFromFailed()', 'vesting', 'Vesting and sale together are more than the supply'],
  [
    'UnknownScheduleId(uint256 scheduleId)',
    'template',
    'Vesting follows a schedule that the payload lacks',
  ],
  [
    'InvalidSchedule(uint256 scheduleId)',
    'vesting',
    'Vesting has to last a day at least, and as long as its cliff',
  ],
  [
    'InvalidAllocation(uint256 index)',
    'vesting',
    'Vesting of nothing, or to nobody, is not possible',
  ],
  [
    'MaxYearlyMintRateExceeded(uint256 amount, uint256 limit)',
    'template',
    (values) => {
      const [amount, limit] = distinct(values, (value, digits) => percent(value, wad, digits))
      return `Minting of ${amount} a year is more than the ${limit} that the contract allows`
    },
  ],
  [
    'InvalidProtocolOwnerBeneficiary()',
    'beneficiaries',
    'The protocol’s own share of the fees is missing',
  ],
  [
    'InvalidProtocolOwnerShares(uint96 required, uint96 provided)',
    'beneficiaries',
    ([required, provided]) => {
      const [minimum, given] = distinct([required, provided], (value, digits) =>
        percent(value, wad, digits),
      )
      return `The protocol’s share of the fees, ${given}, is less than the ${minimum} that the contract asks for`
    },
  ],
  [
    'InvalidProtocolOwnerShares()',
    'beneficiaries',
    'The protocol’s share of the fees is less than the contract asks for',
  ],
  [
    'InvalidTotalShares()',
    'beneficiaries',
    'The shares of the fees, or those of its curves, do not sum to 100%',
  ],
  [
    'UnorderedBeneficiaries()',
    'beneficiaries',
    'Somebody gets a share of the fees twice, or the shares are not in the order of their addresses',
  ],
  ['InvalidShares()', 'beneficiaries', 'Somebody’s share of the fees is none at all'],
  ['FeeBeneficiariesNotConfigured()', 'template', 'Its hook pays beneficiaries, but it names none'],
  [
    'FeeBeneficiariesNotSupportedInDirectBuyback()',
    'template',
    'Its hook buys back directly and so can’t have beneficiaries',
  ],
  [
    'FeeDistributionMustAddUpToWAD()',
    'template',
    'The parts into which its hook divides fees do not sum to 100%',
  ],
  [
    'InvalidDN404InitialSupply()',
    'template',
    'The supply is no multiple of what one collectible takes',
  ],
  ['InvalidDN404Unit()', 'template', 'A collectible has to take some of the token'],
  [
    'InvalidBalanceLimit(uint256 limit)',
    'template',
    'The limit on balances is none, or more than the supply',
  ],
  [
    'InvalidBalanceLimitTimestamp(uint256 specified, uint256 current)',
    'time',
    'The limit on balances ends before it begins',
  ],
  [
    'BalanceLimitExceeded(uint256 balance, uint256 limit)',
    'template',
    (values, { supply }) => {
      const [balance, limit] = amountAndLimit(values, supply)
      return `Somebody would hold ${balance}, more than the ${limit} that the token allows`
    },
  ],
  [
    'TickNotAligned(int24 tick)',
    'template',
    ([tick]) =>
      `Its curve has the tick ${Number(tick)}, which does not fit the spacing of its pool`,
  ],
  [
    'TickRangeMisordered(int24 tickLower, int24 tickUpper)',
    'template',
    'Its curve ends before it begins',
  ],
  [
    'InvalidTickRangeMisordered(int24 tickLower, int24 tickUpper)',
    'template',
    'Its curve ends before it begins',
  ],
  [
    'InvalidTickRange(int24 tick, int24 tickSpacing)',
    'template',
    ([tick]) =>
      `Its curve has the tick ${Number(tick)}, which does not fit the spacing of its pool`,
  ],
  ['InvalidTickRange()', 'template', 'The prices of its auction do not fit its pool'],
  ['InvalidTickSpacing()', 'template', 'The spacing of its pool does not fit the auction'],
  ['UnreachableFarTick()', 'template', 'It would graduate at a price that its curve never reaches'],
  ['ZeroPosition()', 'template', 'One of its curves has no positions'],
  ['ZeroShare()', 'template', 'One of its curves gets nothing of the sale'],
  [
    'MaxShareToBeSoldExceeded(uint256 value, uint256 limit)',
    'template',
    'The part of the sale that its curve gets is over 100%',
  ],
  ['CannotMintZeroLiquidity()', 'template', 'One of its positions would be empty'],
  ['LPFeeTooLarge(uint24 fee)', 'template', tooLarge],
  ['FeeTooHigh(uint24 fee)', 'template', tooLarge],
  ['LPFeeTooHigh(uint24 maxFee, uint256 fee)', 'template', ([, fee]) => tooLarge([fee])],
  [
    'InvalidFee(uint24 fee)',
    'template',
    ([fee]) => `Its trading fee of ${percent(fee, 1_000_000n, 9)} is none that Uniswap V3 has`,
  ],
  [
    'InvalidFeeRange(uint24 startFee, uint24 endFee)',
    'template',
    'Its fee would rise; it can only fall',
  ],
  ['InvalidDurationSeconds(uint32 durationSeconds)', 'template', 'Its fee would fall in no time'],
  ['DopplerHookNotEnabled()', 'template', 'Its hook is not one that the contract allows'],
  ['HookRequiresDynamicLPFee()', 'template', 'Its hook needs a pool whose fee can change'],
  [
    'SplitShareTooHigh(uint256 actual, uint256 maximum)',
    'template',
    (values) => {
      const [actual, maximum] = distinct(values, (value, digits) => percent(value, wad, digits))
      return `It gives ${actual} of the money raised away, more than the ${maximum} that the contract allows`
    },
  ],
  ['InvalidSplitRecipient()', 'template', 'It gives a part of the money raised to nobody'],
  ['InvalidStartTime()', 'time', 'The start of its sale has passed'],
  ['InvalidTimeRange()', 'time', 'Its sale ends before it begins'],
  ['InvalidGamma()', 'template', 'The steps of its auction (gamma) do not fit'],
  ['InvalidEpochLength()', 'template', 'The steps of its auction do not fit its length'],
  [
    'InvalidProceedLimits()',
    'template',
    'The least that its auction has to raise is over the most',
  ],
  ['InvalidNumPDSlugs()', 'template', 'Its auction has too few or too many price discovery slugs'],
  ['InvalidTokenOrder()', 'template', 'Its auction has the token on the wrong side of the pool'],
  [
    'HookAddressNotValid(address hooks)',
    'template',
    'Its salt was not mined for these data: the address of its hook does not fit',
  ],
  ['TickSpacingTooLarge(int24 tickSpacing)', 'template', 'The spacing of its pool is too large'],
  ['TickSpacingTooSmall(int24 tickSpacing)', 'template', 'The spacing of its pool is too small'],
  ['PoolAlreadyInitialized()', 'launched', 'Its pool is there already: it may be launched'],
  ['FailedDeployment()', 'launched', undeployable()],
  ['DeploymentFailed()', 'launched', undeployable()],
  ['CannotSwapBeforeStartingTime()', 'time', 'Nobody can trade before the sale starts'],
  ['CannotSwapBeforeStartTime()', 'time', 'Nobody can trade before the sale starts'],
]

function tooLarge([fee]: readonly unknown[]): string {
  return `Its fee of ${percent(fee, 1_000_000n, 9)} is more than the contract allows`
}

function undeployable(): string {
  return 'Its token can’t be deployed: it may be launched already'
}

/** Converts a decoded error argument; viem decodes small integers as numbers, not bigints. */
function toBigInt(value: unknown): bigint {
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : 0n
}

function percent(value: unknown, of: bigint, digits: number): string {
  return `${decimal({ numerator: toBigInt(value) * 100n, denominator: of }, digits)}%`
}

function formatAmount(value: bigint, supply: bigint | undefined, digits: number): string {
  if (supply) return percent(value, supply, digits)
  const [whole = '', fraction] = decimal({ numerator: value, denominator: wad }, digits).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/gu, ',')
  return `${grouped}${fraction === undefined ? '' : `.${fraction}`}`
}

/** Formats an amount of the token that exceeds a limit, and the limit. */
function amountAndLimit(
  values: readonly unknown[],
  supply: bigint | undefined,
): readonly [string, string] {
  const [amount, limit] = distinct(values, (value, digits) => formatAmount(value, supply, digits))
  return [supply ? amount : `${amount} tokens`, limit]
}

/** Formats two amounts with enough digits to differ. */
function distinct(
  [one, other]: readonly unknown[],
  show: (value: bigint, digits: number) => string,
): readonly [string, string] {
  const [first, second] = [toBigInt(one), toBigInt(other)]
  for (const digits of [9, 18]) {
    const formatted = [show(first, digits), show(second, digits)] as const
    if (formatted[0] !== formatted[1]) return formatted
  }
  return [show(first, 78), show(second, 78)]
}

/** Explanations of known `Error(string)` texts. */
const knownTexts: Readonly<Record<string, Omit<RevertReason, 'name'>>> = {
  TRANSFER_FAILED: {
    words:
      'The token refuses to hand out the rest of its supply: over its own limit on balances, or too many collectibles at once',
    blame: 'template',
  },
}

const wrappers = parseAbi([
  'error Error(string message)',
  'error Panic(uint256 code)',
  // How Uniswap V4 wraps a hook's error, now and before 2025.
  'error WrappedError(address target, bytes4 selector, bytes reason, bytes details)',
  'error Wrap__FailedHookCall(address hook, bytes reason)',
])

const signatures: readonly string[] = refusals.map(([signature]) => `error ${signature}`)
const knownAbi: Abi = parseAbi(signatures)

/** Explains a revert from its data. */
export function explainRevert(data: Hex, launch: RefusedLaunch = {}): RevertReason {
  return explain(data, launch, 3)
}

function explain(data: Hex, launch: RefusedLaunch, depth: number): RevertReason {
  if (data === '0x') {
    return {
      words:
        'It does not say why: most likely the pool data can’t be decoded, and the template is broken',
      blame: 'template',
    }
  }
  const match = decodeError(knownAbi, data)
  const contractError = match && refusals[knownAbi.indexOf(match.item)]
  if (match && contractError) {
    const [, blame, words] = contractError
    const { name, args } = match
    return { name, words: typeof words === 'string' ? words : words(args, launch), blame }
  }
  const wrapped = decodeError(wrappers, data)
  if (!wrapped) {
    const selector = plain(data.slice(0, 10))
    return { words: `An error that is not known here, ${selector}`, blame: 'other' }
  }
  const { name, args } = wrapped
  if (name === 'Error') return explainText(String(args[0]))
  if (name === 'Panic') {
    return { name, words: `A fault in the contract, Panic(${String(args[0])})`, blame: 'other' }
  }
  const reason = name === 'WrappedError' ? args[2] : args[1]
  return isHex(reason) && reason !== '0x' && depth > 0
    ? explain(reason, launch, depth - 1)
    : { name, words: 'Its hook refuses without saying why', blame: 'other' }
}

function explainText(text: string): RevertReason {
  return { name: 'Error', ...(knownTexts[text] ?? { words: `“${plain(text)}”`, blame: 'other' }) }
}

function decodeError(abi: Abi, data: Hex) {
  try {
    const { errorName, args, abiItem } = decodeErrorResult({ abi, data })
    return { name: errorName, args: args ?? [], item: abiItem }
  } catch {
    return undefined
  }
}

/** Extracts the revert data from the `data` of a JSON-RPC error; nodes nest them differently. */
export function revertData(data: unknown): Hex {
  if (typeof data === 'object' && data !== null && 'data' in data) return revertData(data.data)
  const bare = typeof data === 'string' ? data.replace(/^Reverted /iu, '') : ''
  return isHex(bare) ? bare : '0x'
}

/** Returns the data of a revert, which may be none; undefined if the node failed, not the call. */
export function revertOf(error: unknown): Hex | undefined {
  if (!(error instanceof RpcRefusal)) return undefined
  const data = revertData(error.data)
  const isRevert =
    error.code === 3 || data !== '0x' || /revert|opcode|out of gas/iu.test(error.details)
  return isRevert ? data : undefined
}
