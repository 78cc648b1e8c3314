import { type Abi, decodeErrorResult, type Hex, isHex, parseAbi } from 'viem'
import { type Figure, type Message, t } from '../../core/view.ts'
import { RpcRefusal } from '../rpc.ts'
import { plain } from './calldata.ts'
import { decimal, wad } from './curve.ts'

/**
 * The part that has to change so that the contracts accept a launch: an answer of the person's, or `template`: the operator's
 * template; `time`: build the payload again; `launched`: the token may already exist.
 */
export type Blame =
  | 'symbol'
  | 'vesting'
  | 'beneficiaries'
  | 'template'
  | 'time'
  | 'launched'
  | 'other'

/** The reason of a revert. */
export interface RevertReason {
  /** Name of the contract's error; absent if it has none or it is unknown. */
  name?: string
  /** For people: what follows a colon, without a full stop, of bounded length. */
  words: Message
  blame: Blame
}

/** Context of the launch that reverted. */
interface RefusedLaunch {
  /** Supply in base units; if given, amounts are shown as percent of it. */
  supply?: bigint | undefined
}

type Describe<Words> = (values: readonly unknown[], launch: RefusedLaunch) => Words
/**
 * A contract error: its signature, what it blames, and its text for people. Only its author can fix a template's faults, so
 * these texts are plain English.
 */
type ContractError = readonly [
  signature: string,
  blame: Blame,
  words: Message | string | Describe<Message> | Describe<string>,
]

// Signatures: the protocol's contracts at b4308a08 and eb35a0d3, Uniswap's v4-core, OpenZeppelin and solady.
export const refusals: readonly ContractError[] = [
  [
    'WrongModuleState(address module, uint8 expected, uint8 actual)',
    'template',
    ([module]) => `its module ${plain(String(module))} is not whitelisted, or no longer`,
  ],
  [
    'MaxPreMintPerAddressExceeded(uint256 amount, uint256 limit)',
    'vesting',
    (values, { supply }) => t('refused-vesting-one', { ...amountAndLimit(values, supply) }),
  ],
  [
    'MaxTotalPreMintExceeded(uint256 amount, uint256 limit)',
    'vesting',
    (values, { supply }) => t('refused-vesting-all', { ...amountAndLimit(values, supply) }),
  ],
  [
    'MaxTotalVestedExceeded(uint256 amount, uint256 limit)',
    'vesting',
    ([amount], { supply }) =>
      t('refused-vesting-rest', {
        amount: amountText(amountOf(toBigInt(amount), supply, 9), supply),
      }),
  ],
  ['TransferFromFailed()', 'vesting', t('refused-vesting-sale')],
  [
    'UnknownScheduleId(uint256 scheduleId)',
    'template',
    'vesting follows a schedule that the payload lacks',
  ],
  ['InvalidSchedule(uint256 scheduleId)', 'vesting', t('refused-vesting-length')],
  ['InvalidAllocation(uint256 index)', 'vesting', t('refused-vesting-none')],
  [
    'MaxYearlyMintRateExceeded(uint256 amount, uint256 limit)',
    'template',
    (values) => {
      const [amount, limit] = distinct(values, (value, digits) => percent(value, wad, digits))
      return `minting of ${amount} a year is more than the ${limit} that the contract allows`
    },
  ],
  ['InvalidProtocolOwnerBeneficiary()', 'beneficiaries', t('refused-fees-no-protocol')],
  [
    'InvalidProtocolOwnerShares(uint96 required, uint96 provided)',
    'beneficiaries',
    ([required, provided]) => {
      const [minimum, given] = distinct([required, provided], (value, digits) =>
        percentNumber(value, wad, digits),
      )
      return t('refused-fees-protocol', {
        given: percentText(given),
        minimum: percentText(minimum),
      })
    },
  ],
  ['InvalidProtocolOwnerShares()', 'beneficiaries', t('refused-fees-protocol-low')],
  ['InvalidTotalShares()', 'beneficiaries', t('refused-fees-sum')],
  ['UnorderedBeneficiaries()', 'beneficiaries', t('refused-fees-order')],
  ['InvalidShares()', 'beneficiaries', t('refused-fees-none')],
  ['FeeBeneficiariesNotConfigured()', 'template', 'its hook pays beneficiaries, but it names none'],
  [
    'FeeBeneficiariesNotSupportedInDirectBuyback()',
    'template',
    'its hook buys back directly and so can’t have beneficiaries',
  ],
  [
    'FeeDistributionMustAddUpToWAD()',
    'template',
    'the parts into which its hook divides fees do not sum to 100%',
  ],
  [
    'InvalidDN404InitialSupply()',
    'template',
    'the supply is not a multiple of what one collectible takes',
  ],
  ['InvalidDN404Unit()', 'template', 'a collectible has to take some of the token'],
  [
    'InvalidBalanceLimit(uint256 limit)',
    'template',
    'the limit on balances is zero, or more than the supply',
  ],
  [
    'InvalidBalanceLimitTimestamp(uint256 specified, uint256 current)',
    'time',
    t('refused-limit-ends'),
  ],
  [
    'BalanceLimitExceeded(uint256 balance, uint256 limit)',
    'template',
    (values, { supply }) => {
      const [balance, limit] = distinct(values, (value, digits) =>
        supply ? percent(value, supply, digits) : `${amountOf(value, supply, digits)} tokens`,
      )
      return `somebody would hold ${balance}, more than the ${limit} that the token allows`
    },
  ],
  [
    'TickNotAligned(int24 tick)',
    'template',
    ([tick]) =>
      `its curve has the tick ${Number(tick)}, which does not fit the spacing of its pool`,
  ],
  [
    'TickRangeMisordered(int24 tickLower, int24 tickUpper)',
    'template',
    'its curve ends before it begins',
  ],
  [
    'InvalidTickRangeMisordered(int24 tickLower, int24 tickUpper)',
    'template',
    'its curve ends before it begins',
  ],
  [
    'InvalidTickRange(int24 tick, int24 tickSpacing)',
    'template',
    ([tick]) =>
      `its curve has the tick ${Number(tick)}, which does not fit the spacing of its pool`,
  ],
  ['InvalidTickRange()', 'template', 'the prices of its auction do not fit its pool'],
  ['InvalidTickSpacing()', 'template', 'the spacing of its pool does not fit the auction'],
  ['UnreachableFarTick()', 'template', 'it would graduate at a price that its curve never reaches'],
  ['ZeroPosition()', 'template', 'one of its curves has no positions'],
  ['ZeroShare()', 'template', 'one of its curves gets nothing of the sale'],
  [
    'MaxShareToBeSoldExceeded(uint256 value, uint256 limit)',
    'template',
    'the part of the sale that its curve gets is over 100%',
  ],
  ['CannotMintZeroLiquidity()', 'template', 'one of its positions would be empty'],
  ['LPFeeTooLarge(uint24 fee)', 'template', tooLarge],
  ['FeeTooHigh(uint24 fee)', 'template', tooLarge],
  ['LPFeeTooHigh(uint24 maxFee, uint256 fee)', 'template', ([, fee]) => tooLarge([fee])],
  [
    'InvalidFee(uint24 fee)',
    'template',
    ([fee]) => `its trading fee of ${percent(fee, 1_000_000n, 9)} is not one that Uniswap V3 has`,
  ],
  [
    'InvalidFeeRange(uint24 startFee, uint24 endFee)',
    'template',
    'its fee would rise; it can only fall',
  ],
  ['InvalidDurationSeconds(uint32 durationSeconds)', 'template', 'its fee would fall in no time'],
  ['DopplerHookNotEnabled()', 'template', 'its hook is not one that the contract allows'],
  ['HookRequiresDynamicLPFee()', 'template', 'its hook needs a pool whose fee can change'],
  [
    'SplitShareTooHigh(uint256 actual, uint256 maximum)',
    'template',
    (values) => {
      const [actual, maximum] = distinct(values, (value, digits) => percent(value, wad, digits))
      return `it gives away ${actual} of the money raised, more than the ${maximum} that the contract allows`
    },
  ],
  ['InvalidSplitRecipient()', 'template', 'it gives a part of the money raised to nobody'],
  ['InvalidStartTime()', 'time', t('refused-start-passed')],
  ['InvalidTimeRange()', 'time', t('refused-sale-ends')],
  ['InvalidGamma()', 'template', 'the steps of its auction (gamma) do not fit'],
  ['InvalidEpochLength()', 'template', 'the steps of its auction do not fit its length'],
  [
    'InvalidProceedLimits()',
    'template',
    'the least that its auction has to raise is over the most',
  ],
  ['InvalidNumPDSlugs()', 'template', 'its auction has too few or too many price discovery slugs'],
  ['InvalidTokenOrder()', 'template', 'its auction has the token on the wrong side of the pool'],
  [
    'HookAddressNotValid(address hooks)',
    'template',
    'its salt was not mined for these data: the address of its hook does not fit',
  ],
  ['TickSpacingTooLarge(int24 tickSpacing)', 'template', 'the spacing of its pool is too large'],
  ['TickSpacingTooSmall(int24 tickSpacing)', 'template', 'the spacing of its pool is too small'],
  // The launcher of Robinhood Chain, from its verified source.
  [
    'TickerReserved(bytes32 tickerKey, address token, uint48 reservedUntil)',
    'symbol',
    t('refused-ticker-reserved'),
  ],
  [
    'InvalidTickerCharacter(uint256 index, bytes1 character)',
    'symbol',
    t('refused-ticker-letters'),
  ],
  ['InvalidTickerLength(uint256 length)', 'symbol', t('refused-ticker-length')],
  [
    'UnsupportedTokenFactory(address supplied, address expected)',
    'template',
    ([supplied]) =>
      `the launch contract does not take its token factory ${plain(String(supplied))}`,
  ],
  ['MalformedTokenData()', 'template', 'the launch contract can’t read the data of its token'],
  [
    'DeployedSymbolMismatch(bytes32 submittedKey, bytes32 deployedKey)',
    'template',
    'its token would have a symbol other than the one in its data',
  ],
  ['EnforcedPause()', 'other', t('refused-paused')],
  ['PoolAlreadyInitialized()', 'launched', t('refused-pool-exists')],
  ['FailedDeployment()', 'launched', t('refused-deployed')],
  ['DeploymentFailed()', 'launched', t('refused-deployed')],
  ['CannotSwapBeforeStartingTime()', 'time', t('refused-not-started')],
  ['CannotSwapBeforeStartTime()', 'time', t('refused-not-started')],
]

function tooLarge([fee]: readonly unknown[]): string {
  return `its fee of ${percent(fee, 1_000_000n, 9)} is more than the contract allows`
}

/** Converts a decoded error argument; viem decodes small integers as numbers, not bigints. */
function toBigInt(value: unknown): bigint {
  return typeof value === 'bigint' || typeof value === 'number' ? BigInt(value) : 0n
}

function percentNumber(value: unknown, of: bigint, digits: number): string {
  return decimal({ numerator: toBigInt(value) * 100n, denominator: of }, digits)
}

function percent(value: unknown, of: bigint, digits: number): string {
  return `${percentNumber(value, of, digits)}%`
}

function exactly(number: string): Figure {
  return { number, as: 'exact' }
}

function percentText(number: string): Message {
  return t('terms-percent', { number: exactly(number) })
}

/** An amount of the token: in percent of the supply if that is given, else in tokens. */
function amountOf(value: bigint, supply: bigint | undefined, digits: number): string {
  return supply
    ? percentNumber(value, supply, digits)
    : decimal({ numerator: value, denominator: wad }, digits)
}

function amountText(number: string, supply: bigint | undefined): Message {
  if (supply) return percentText(number)
  return t('terms-tokens', { count: Number(number), amount: exactly(number) })
}

/** Words an amount of the token that exceeds a limit, and the limit. */
function amountAndLimit(values: readonly unknown[], supply: bigint | undefined) {
  const [amount, limit] = distinct(values, (value, digits) => amountOf(value, supply, digits))
  return { amount: amountText(amount, supply), limit: amountText(limit, supply) }
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

function templateFault(detail: string): Message {
  return t('refused-template', { detail })
}

/** Explanations of known `Error(string)` texts. */
const knownTexts: Readonly<Record<string, Omit<RevertReason, 'name'>>> = {
  TRANSFER_FAILED: {
    words: templateFault(
      'the token refuses to hand out the rest of its supply: over its own limit on balances, or too many collectibles at once',
    ),
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
      words: t('refused-silent'),
      blame: 'template',
    }
  }
  const match = decodeError(knownAbi, data)
  const contractError = match && refusals[knownAbi.indexOf(match.item)]
  if (match && contractError) {
    const [, blame, words] = contractError
    const { name, args } = match
    const said = typeof words === 'function' ? words(args, launch) : words
    return { name, words: typeof said === 'string' ? templateFault(said) : said, blame }
  }
  const wrapped = decodeError(wrappers, data)
  if (!wrapped) {
    const error = { code: plain(data.slice(0, 10)) }
    return { words: t('refused-unknown', { error }), blame: 'other' }
  }
  const { name, args } = wrapped
  if (name === 'Error') return explainText(String(args[0]))
  if (name === 'Panic') {
    const error = { code: `Panic(${String(args[0])})` }
    return { name, words: t('refused-fault', { error }), blame: 'other' }
  }
  const reason = name === 'WrappedError' ? args[2] : args[1]
  return isHex(reason) && reason !== '0x' && depth > 0
    ? explain(reason, launch, depth - 1)
    : { name, words: t('refused-by-hook'), blame: 'other' }
}

function explainText(text: string): RevertReason {
  const words = t('refused-saying', { text: plain(text) })
  return { name: 'Error', ...(knownTexts[text] ?? { words, blame: 'other' }) }
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
