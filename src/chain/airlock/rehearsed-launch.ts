import {
  type Address,
  decodeAbiParameters,
  decodeEventLog,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseAbiParameters,
  slice,
  zeroAddress,
} from 'viem'
import { type Log, NodeError } from '../rpc.ts'
import { decodeCreate, launchAbi } from './calldata.ts'
import {
  type CallResult,
  type Movement,
  movementsOf,
  netOf,
  readable,
  type SimulatedBlock,
  type SimulatedCall,
  topicsOf,
} from './simulation.ts'

/** The launch contract's `AssetData` of a token. */
interface AssetData {
  numeraire: Address
  timelock: Address
  governance: Address
  liquidityMigrator: Address
  poolInitializer: Address
  pool: Address
  migrationPool: Address
  numTokensToSell: bigint
  totalSupply: bigint
  integrator: Address
}

/** Effects of a simulated launch; amounts in base units. */
export interface RehearsedLaunch {
  asset: Address
  gas: bigint
  /** Holders of the token after the launch, largest first; the amounts sum to the supply. */
  holders: readonly { address: Address; amount: bigint }[]
  supply: bigint
  /** The opened pool; undefined if it is of an unknown kind, or there are several. */
  pool: RehearsedPool | undefined
  assetData: AssetData
  /** The owner of the launch contract. */
  protocol: Address
  /** Native coins (wei) that left the sender's account. */
  spent: bigint
  /** Transfers of the quote token; empty if it is the native coin. */
  moved: readonly Movement[]
}

/** Behaviour that only faulty or malicious contracts show. Nobody should sign. */
export class MalformedLaunch extends Error {}

/** The transaction to simulate. */
export interface Subject {
  to: Address
  airlock: Address
  calldata: Hex
  from: Address
  quote: Address
}

const tokenAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
export const traderAbi = parseAbi([
  'function holding(address currency, address account) view returns (uint256)',
  'function wrap(address token, uint256 amount)',
  'function trade(address venue, bool locks, address from, address to, bytes swap) returns (uint256 paid, uint256 got)',
])
const assetData = parseAbiParameters([
  'AssetData data',
  'struct AssetData { address numeraire; address timelock; address governance; address liquidityMigrator; address poolInitializer; address pool; address migrationPool; uint256 numTokensToSell; uint256 totalSupply; address integrator; }',
])

/** Address of the trader contract in a simulation: derived from the payload and the sender, so nothing can be there. */
export function traderAddress({ calldata, from }: Pick<Subject, 'calldata' | 'from'>): Address {
  return getAddress(slice(keccak256(`${keccak256(calldata)}${from.slice(2)}`), 12))
}

/** Encodes a read of an account's balance by the trader; the zero address is the native coin. */
export function holdingCall(trader: Address, currency: Address, account: Address): SimulatedCall {
  const call = { abi: traderAbi, functionName: 'holding', args: [currency, account] } as const
  return { to: trader, data: encodeFunctionData(call) }
}

/** Builds a block whose first call is the launch, with a funded sender and the trader's code in place. */
export function launchBlock(
  subject: Subject,
  after: readonly SimulatedCall[] = [],
): SimulatedBlock {
  const { to, calldata, from } = subject
  return {
    overrides: [
      { address: from, balance: funds },
      { address: traderAddress(subject), balance: funds, code: traderCode },
    ],
    calls: [{ from, to, data: calldata }, ...after],
  }
}

/** Wei for each funded account; more than anything in a simulation costs. */
const funds = 10n ** 30n
/** Max accounts that get tokens in a launch; real launches have far fewer. */
const maxHolders = 200

/**
 * Reads the single `Create` event of a launch and the accounts in the token's transfers.
 * @throws MalformedLaunch if there is not exactly one `Create`, or too many accounts
 */
export function launchSummary({ logs }: CallResult, { airlock, quote }: Subject) {
  const createEvents = logs.flatMap((log) => {
    if (!isAddressEqual(log.address, airlock)) return []
    return decodeCreate(log) ?? []
  })
  const [createEvent] = createEvents
  if (!createEvent || createEvents.length > 1) {
    throw new MalformedLaunch(
      createEvent ? `it launches ${createEvents.length} tokens at once` : 'no launch comes of it',
    )
  }
  const { asset, poolOrHook } = createEvent
  const accounts = new Set(movementsOf(logs, asset).flatMap(({ from, to }) => [from, to]))
  accounts.delete(zeroAddress)
  if (accounts.size > maxHolders) {
    throw new MalformedLaunch(`it gives tokens to ${accounts.size} accounts`)
  }
  return { asset, quote, poolOrHook, accounts: [...accounts] }
}

type LaunchSummary = ReturnType<typeof launchSummary>

/** Builds the block that reads all effects of a launch whose outline is known. */
export function effectsBlock(subject: Subject, outline: LaunchSummary): SimulatedBlock {
  const { asset, accounts } = outline
  const { from, airlock } = subject
  const balanceCall = holdingCall(traderAddress(subject), zeroAddress, from)
  const view = (to: Address, data: Hex): SimulatedCall => ({ to, data })
  const launch = launchBlock(subject, [
    balanceCall,
    view(asset, encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' })),
    view(
      airlock,
      encodeFunctionData({ abi: launchAbi, functionName: 'getAssetData', args: [asset] }),
    ),
    view(airlock, encodeFunctionData({ abi: launchAbi, functionName: 'owner' })),
    ...accounts.map((account) =>
      view(
        asset,
        encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [account] }),
      ),
    ),
    ...poolCalls(outline),
  ])
  return { ...launch, calls: [balanceCall, ...launch.calls] }
}

/**
 * Reads the results of `effectsBlock`.
 * @throws MalformedLaunch if the token's state contradicts its events, NodeError if the node contradicts itself
 */
export function readEffects(
  calls: readonly CallResult[],
  subject: Subject,
  outline: LaunchSummary,
): RehearsedLaunch {
  const [before, launch, after, total, stored, owner, ...rest] = calls
  if (!before || !launch?.ok || !after || !total || !stored || !owner) throw contradictingNode()
  const { asset, poolOrHook, accounts } = launchSummary(launch, subject)
  const isSame =
    isAddressEqual(asset, outline.asset) &&
    isAddressEqual(poolOrHook, outline.poolOrHook) &&
    accounts.every((account) => outline.accounts.includes(account))
  if (!isSame) throw contradictingNode()
  const storedData = readable(() => decodeAbiParameters(assetData, stored.data)[0])
  const protocol = readable(() =>
    decodeFunctionResult({ abi: launchAbi, functionName: 'owner', data: owner.data }),
  )
  if (!stored.ok || !owner.ok || !storedData || !protocol) {
    throw new MalformedLaunch('the launch contract does not answer as one does')
  }
  const balances = new Map(
    outline.accounts.map((account, pair) => [account, amountOf(rest[pair])] as const),
  )
  const supply = amountOf(total)
  const { logs } = launch
  const spent = amountOf(before) - amountOf(after)
  return {
    asset,
    gas: launch.gasUsed,
    holders: holdersOf(movementsOf(logs, asset), balances, supply),
    supply,
    pool: poolOf(logs, rest.slice(outline.accounts.length), outline),
    assetData: storedData,
    protocol,
    spent: spent > 0n ? spent : 0n,
    moved: isAddressEqual(subject.quote, zeroAddress) ? [] : movementsOf(logs, subject.quote),
  }
}

function contradictingNode(): NodeError {
  return new NodeError('malformed', 'The node tells the same launch in two ways.')
}

/** Decodes the number that a call returned. */
function amountOf(result: CallResult | undefined): bigint {
  const amount =
    result?.ok && readable(() => decodeAbiParameters([{ type: 'uint256' }], result.data)[0])
  if (typeof amount !== 'bigint') throw new MalformedLaunch('its token does not answer as one does')
  return amount
}

/** Returns the holders by the transfer events, after checking them against the token's own balances and supply. */
function holdersOf(
  movements: readonly Movement[],
  reported: ReadonlyMap<Address, bigint>,
  supply: bigint,
): RehearsedLaunch['holders'] {
  const balances = netOf(movements)
  balances.delete(zeroAddress)
  for (const [account, balance] of reported) {
    if (balance !== (balances.get(account) ?? 0n)) {
      throw new MalformedLaunch(`its token does not tell all that ${account} gets`)
    }
  }
  const holders = [...balances]
    .filter(([, amount]) => amount !== 0n)
    .map(([address, amount]) => ({ address, amount }))
    .sort((one, other) => (one.amount > other.amount ? -1 : 1))
  const sum = holders.reduce((all, { amount }) => all + amount, 0n)
  if (sum !== supply) throw new MalformedLaunch('what its token gives out is not its supply')
  return holders
}

/** The launch pool, in pool order. `sqrtPrice` is its opening price (Q64.96); the fee is in millionths. */
interface Pool {
  /** The pool's contract (V3), or the PoolManager (V4). */
  address: Address
  currency0: Address
  currency1: Address
  fee: number
  tickSpacing: number
  sqrtPrice: bigint
  /** Accounts that hold the pool's tokens. */
  holders: readonly Address[]
}

interface PoolV3 extends Pool {
  version: 3
}

/** A `fee` of 0x800000 means that `hooks` sets it. */
interface PoolV4 extends Pool {
  version: 4
  id: Hex
  hooks: Address
}

export type RehearsedPool = PoolV3 | PoolV4

const managerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const poolAbi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
])
/** The fields of a pool's key on Uniswap V4; its id is their hash. */
const poolKey = [
  { name: 'currency0', type: 'address' },
  { name: 'currency1', type: 'address' },
  { name: 'fee', type: 'uint24' },
  { name: 'tickSpacing', type: 'int24' },
  { name: 'hooks', type: 'address' },
] as const

/** Fee in a pool's key on Uniswap V4 that means: the hook sets it. */
export const dynamicFee = 0x800000

/** Computes the id of a pool on Uniswap V4. */
export function poolId(key: Pick<PoolV4, (typeof poolKey)[number]['name']>): Hex {
  const { currency0, currency1, fee, tickSpacing, hooks } = key
  return keccak256(encodeAbiParameters(poolKey, [currency0, currency1, fee, tickSpacing, hooks]))
}

/** A pair, and the `poolOrHook` of its `Create` event. */
interface LaunchedPair {
  asset: Address
  quote: Address
  poolOrHook: Address
}

/** Calls that read a Uniswap V3 pool after the launch. */
function poolCalls({ poolOrHook }: LaunchedPair): SimulatedCall[] {
  const views = ['token0', 'token1', 'fee', 'tickSpacing', 'slot0'] as const
  return views.map((functionName) => ({
    to: poolOrHook,
    data: encodeFunctionData({ abi: poolAbi, functionName }),
  }))
}

/** Finds the pool that the launch opened for the pair; undefined if it is of an unknown kind, or there are several. */
function poolOf(
  logs: readonly Log[],
  answers: readonly CallResult[],
  pair: LaunchedPair,
): RehearsedPool | undefined {
  const v4Pools = logs.flatMap((log) => v4Pool(log, pair) ?? [])
  if (v4Pools.length > 1) return undefined
  return v4Pools[0] ?? v3Pool(logs, answers, pair)
}

function v4Pool(log: Log, pair: LaunchedPair): PoolV4 | undefined {
  const event = readable(() =>
    decodeEventLog({ abi: managerAbi, topics: topicsOf(log), data: log.data }),
  )
  if (!event) return undefined
  const { id, currency0, currency1, fee, tickSpacing, hooks, sqrtPriceX96 } = event.args
  if (!isPair([currency0, currency1], pair) || poolId(event.args) !== id) return undefined
  const address = getAddress(log.address)
  // An auction's hook holds the tokens that are not in the pool yet.
  const holders = isAddressEqual(hooks, pair.poolOrHook) ? [address, hooks] : [address]
  const pool = { address, id, currency0, currency1, fee, tickSpacing, hooks, holders }
  return { version: 4, ...pool, sqrtPrice: sqrtPriceX96 }
}

function v3Pool(
  logs: readonly Log[],
  answers: readonly CallResult[],
  pair: LaunchedPair,
): PoolV3 | undefined {
  const read = readable(() => {
    const [zero = '0x', one = '0x', fees = '0x', spacing = '0x', slot = '0x'] = answers.map(
      ({ data }) => data,
    )
    const [abi, address] = [poolAbi, getAddress(pair.poolOrHook)]
    const [price] = decodeFunctionResult({ abi, functionName: 'slot0', data: slot })
    return {
      version: 3 as const,
      address,
      currency0: decodeFunctionResult({ abi, functionName: 'token0', data: zero }),
      currency1: decodeFunctionResult({ abi, functionName: 'token1', data: one }),
      fee: decodeFunctionResult({ abi, functionName: 'fee', data: fees }),
      tickSpacing: decodeFunctionResult({ abi, functionName: 'tickSpacing', data: spacing }),
      // If somebody else opened the pool earlier, there is no event: use its current price.
      sqrtPrice: initialPrice(logs, address) ?? price,
      holders: [address],
    }
  })
  const answered = answers.every(({ ok }) => ok) && read
  return answered && isPair([read.currency0, read.currency1], pair) ? read : undefined
}

function initialPrice(logs: readonly Log[], address: Address): bigint | undefined {
  const [first] = logs.flatMap((log) => {
    if (!isAddressEqual(log.address, address)) return []
    const event = readable(() =>
      decodeEventLog({ abi: poolAbi, topics: topicsOf(log), data: log.data }),
    )
    return event ? [event.args.sqrtPriceX96] : []
  })
  return first
}

function isPair(currencies: readonly Address[], { asset, quote }: LaunchedPair): boolean {
  return [asset, quote].every((token) => currencies.some((each) => isAddressEqual(each, token)))
}

const codeLines = [
  '6080604052600436101561001b575b361561001957600080fd5b005b60003560e01c8063062807501461006b5780',
  '63510b536a1461006657806391dd734614610061578063bf376c7a1461005c5763fa461e330361000e576102ff56',
  '5b610293565b6101e6565b610113565b3461009f57604036600319011261009f5760206100976100896100a4565b',
  '6100916100ba565b906103d6565b604051908152f35b600080fd5b600435906001600160a01b038216820361009f',
  '57565b602435906001600160a01b038216820361009f57565b606435906001600160a01b038216820361009f5756',
  '5b9181601f8401121561009f578235916001600160401b03831161009f576020838186019501011161009f57565b',
  '3461009f5760a036600319011261009f5761012c6100a4565b602435801515810361009f57604435916001600160',
  'a01b038316830361009f576101546100d0565b608435936001600160401b03851161009f5761017761017f953690',
  '6004016100e6565b949093610550565b604080519283526020830191909152819081015b0390f35b60005b838110',
  '6101aa5750506000910152565b818101518382015260200161019a565b604091602082526101da81518092816020',
  '86015260208686019101610197565b601f01601f1916010190565b3461009f57602036600319011261009f576004',
  '356001600160401b03811161009f5761022361021c6102299236906004016100e6565b369161046b565b336106ab',
  '565b60208180518101031261009f5760200151600054610272919061025a90608083901d906001600160a01b0316',
  '61070e565b600154600f9190910b906001600160a01b031661070e565b610193604051610283602082610393565b',
  '60008152604051918291826101ba565b3461009f57600060403660031901126102fc576001600160a01b036102b6',
  '6100a4565b1681813b156102fc57604051630d0e30db60e41b81529182906004908290602435905af180156102f7',
  '5782906102e95780f35b6102f291610393565b388180f35b6103ca565b80fd5b3461009f57606036600319011261',
  '009f576024356004356044356001600160401b03811161009f576103359036906004016100e6565b505060008113',
  '610361575b506000811361034b57005b60015461001991906001600160a01b0316610866565b6000546103779190',
  '6001600160a01b0316610866565b38610340565b634e487b7160e01b600052604160045260246000fd5b601f9091',
  '01601f19168101906001600160401b038211908210176103b657604052565b61037d565b9081602091031261009f',
  '575190565b6040513d6000823e3d90fd5b6001600160a01b0316806103e957503190565b6040516370a0823160e0',
  '1b81526001600160a01b039092166004830152602090829060249082905afa9081156102f7576000916104245750',
  '90565b610446915060203d602011610449575b61043e8183610393565b8101906103bb565b90565b503d61043456',
  '5b6001600160401b0381116103b657601f01601f191660200190565b92919261047782610450565b916104856040',
  '519384610393565b82948184528183011161009f578281602093846000960137010152565b60208183031261009f',
  '578051906001600160401b03821161009f570181601f8201121561009f5780516104d481610450565b926104e260',
  '40519485610393565b8184526020828401011161009f576104469160208085019101610197565b90918060409360',
  '208452816020850152848401376000828201840152601f01601f1916010190565b634e487b7160e01b6000526011',
  '60045260246000fd5b9190820391821161054b57565b610528565b92959490926001600160a01b03808816908416',
  '101561067c57600180546001600160a01b0319166001600160a01b0389161790556105ab835b6000805460016001',
  '60a01b0319166001600160a01b0392909216919091179055565b6105b530846103d6565b946105c030896103d656',
  '5b941561065257916000916105eb93836040518096819582946348c8949160e01b845260048401610500565b0392',
  '6001600160a01b03165af19384156102f75761061c61062a93610622936104469761062f575b505b30906103d656',
  '5b9061053e565b9430906103d6565b61053e565b61064b903d806000833e6106438183610393565b8101906104a2',
  '565b5038610613565b61062a93610676610446979361067061061c9461062297369161046b565b906106ab565b50',
  '610615565b600180546001600160a01b0319166001600160a01b0385161790556105ab87610589565b6000910312',
  '61009f57565b600091829182602083519301915af1903d156106f6573d6106cb81610450565b906106d960405192',
  '83610393565b81523d6000602083013e5b80926106f257825160208401fd5b9150565b60606106e4565b600160ff',
  '1b811461054b5760000390565b60008213610806575b600082121561080257333b1561009f576040516329610465',
  '60e21b81526001600160a01b038216600482015260008160248183335af180156102f7576107e7575b5060016001',
  '60a01b0381166107b0575060206107756004926106fd565b604051630476982d60e21b81529283918290335af180',
  '156102f757610798575b50565b6107959060203d6020116104495761043e8183610393565b6107bc6107c2926106',
  'fd565b90610866565b604051630476982d60e21b81526020816004816000335af180156102f7576107985750565b',
  '806107f660006107fc93610393565b806106a0565b38610758565b5050565b333b1561009f57604051630b0d9c09',
  '60e01b81526001600160a01b03821660048201523060248201526044810183905260008160648183335af1801561',
  '02f757610851575b50610717565b806107f6600061086093610393565b3861084b565b90610795916040519163a9',
  '059cbb60e01b6020840152336024840152604483015260448252610896606483610393565b6106ab56',
]

/**
 * Bytecode of the trader in a simulation: `rehearsal.sol` compiled by solc 0.8.37 through its intermediate
 * representation for the EVM "paris", optimized for one run, without metadata. Needs no constructor.
 */
export const traderCode: Hex = `0x${codeLines.join('')}`
