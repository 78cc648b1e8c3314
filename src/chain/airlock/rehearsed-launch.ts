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
  zeroAddress,
} from 'viem'
import { type Log, NodeError } from '../rpc.ts'
import { decodeCreate, launchAbi } from './calldata.ts'
import {
  type CallResult,
  coinTransfers,
  type Movement,
  movementsOf,
  netOf,
  readable,
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
  gas: bigint
  /** Holders of the token after the launch, largest first; the amounts sum to the supply. */
  holders: readonly { address: Address; amount: bigint }[]
  supply: bigint
  /** The opened pool; undefined if it is of an unknown kind, or there are several. */
  pool: RehearsedPool | undefined
  assetData: AssetData
  /** The owner of the launch contract. */
  protocol: Address
  /** Transfers of native coins (wei), and of the quote token if it is another. */
  coins: readonly Movement[]
  moved: readonly Movement[]
}

/** The launch pool. */
export interface RehearsedPool {
  /** On Uniswap V4. */
  id?: Hex
  /** In millionths; undefined if a hook sets it. */
  fee: number | undefined
  /** The opening price in pool order (Q64.96). */
  sqrtPrice: bigint
  /** Accounts that hold the pool's tokens. */
  holders: readonly Address[]
}

/** Behaviour that only faulty or malicious contracts show. Nobody should sign. */
export class MalformedLaunch extends Error {}

/** The transaction to simulate. It sends no coins. */
export interface Subject {
  to: Address
  airlock: Address
  calldata: Hex
  from: Address
  quote: Address
}

/** The facts of a launch that are known before it is simulated. */
export interface ForeseenLaunch {
  asset: Address
  /** The pool as the launch contract names it: its contract on Uniswap V3; undefined if it didn't say. */
  pool?: Address | undefined
  /** Accounts that may get tokens, also without an event. */
  accounts: readonly Address[]
}

const tokenAbi = parseAbi([
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
const assetData = parseAbiParameters([
  'AssetData data',
  'struct AssetData { address numeraire; address timelock; address governance; address liquidityMigrator; address poolInitializer; address pool; address migrationPool; uint256 numTokensToSell; uint256 totalSupply; address integrator; }',
])
const managerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const poolAbi = parseAbi([
  'function fee() view returns (uint24)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16, uint16, uint16, uint8, bool)',
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
])
/** Max accounts that get tokens in a launch; real launches have far fewer. */
const maxHolders = 200

/** Makes the calls of a simulation: the launch, and reads of all that it changed. */
export function launchCalls(
  { from, to, calldata, airlock }: Subject,
  { asset, pool, accounts }: ForeseenLaunch,
): SimulatedCall[] {
  return [
    { from, to, data: calldata },
    { to: asset, data: encodeFunctionData({ abi: tokenAbi, functionName: 'totalSupply' }) },
    {
      to: airlock,
      data: encodeFunctionData({ abi: launchAbi, functionName: 'getAssetData', args: [asset] }),
    },
    { to: airlock, data: encodeFunctionData({ abi: launchAbi, functionName: 'owner' }) },
    ...(['slot0', 'fee'] as const).map((functionName) => ({
      to: pool ?? asset,
      data: encodeFunctionData({ abi: poolAbi, functionName }),
    })),
    ...accounts.map((account) => ({
      to: asset,
      data: encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [account] }),
    })),
  ]
}

/**
 * Reads the results of `launchCalls`, of which the launch itself succeeded.
 * @throws MalformedLaunch if the token's state contradicts its events, NodeError if the node contradicts itself
 */
export function readLaunch(
  [launch, total, stored, owner, slot0, fee, ...balances]: readonly CallResult[],
  { airlock, quote }: Subject,
  { asset, accounts }: ForeseenLaunch,
): RehearsedLaunch {
  if (!launch || !total || !stored || !owner || !slot0 || !fee) throw contradictingNode()
  const { logs, gasUsed: gas } = launch
  const { asset: created, poolOrHook } = createEventOf(logs, airlock)
  if (!isAddressEqual(created, asset)) throw contradictingNode()
  const movements = movementsOf(logs, asset)
  const receivers = new Set(movements.map(({ to }) => to)).size
  if (receivers > maxHolders) throw new MalformedLaunch(`it gives tokens to ${receivers} accounts`)
  const storedData = readable(() => decodeAbiParameters(assetData, stored.data)[0])
  const protocol = readable(() =>
    decodeFunctionResult({ abi: launchAbi, functionName: 'owner', data: owner.data }),
  )
  if (!stored.ok || !owner.ok || !storedData || !protocol) {
    throw new MalformedLaunch('the launch contract does not answer as it should')
  }
  const reported = new Map(
    accounts.map((each, place) => [each, amountOf(balances[place])] as const),
  )
  const supply = amountOf(total)
  return {
    gas,
    holders: holdersOf(movements, reported, supply),
    supply,
    pool: poolOf(logs, { asset, quote, poolOrHook }, { slot0, fee }),
    assetData: storedData,
    protocol,
    coins: movementsOf(logs, coinTransfers),
    moved: isAddressEqual(quote, zeroAddress) ? [] : movementsOf(logs, quote),
  }
}

function contradictingNode(): NodeError {
  return new NodeError('malformed', 'The node gives two accounts of the same launch.')
}

/** Reads the single `Create` event of a launch. */
function createEventOf(logs: readonly Log[], airlock: Address) {
  const [event, ...others] = logs.flatMap((log) =>
    isAddressEqual(log.address, airlock) ? (decodeCreate(log) ?? []) : [],
  )
  if (!event) throw new MalformedLaunch('it does not result in a launch')
  if (others.length > 0)
    throw new MalformedLaunch(`it launches ${others.length + 1} tokens at once`)
  return event
}

/** Decodes the number that a call returned. */
function amountOf(result: CallResult | undefined): bigint {
  const amount =
    result?.ok && readable(() => decodeAbiParameters([{ type: 'uint256' }], result.data)[0])
  if (typeof amount !== 'bigint')
    throw new MalformedLaunch('its token does not answer as a token should')
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
      throw new MalformedLaunch(`its token does not report everything that ${account} gets`)
    }
  }
  const holders = [...balances]
    .filter(([, amount]) => amount !== 0n)
    .map(([address, amount]) => ({ address, amount }))
    .sort((one, other) => (one.amount > other.amount ? -1 : 1))
  const sum = holders.reduce((all, { amount }) => all + amount, 0n)
  if (sum !== supply)
    throw new MalformedLaunch('the tokens that it gives out do not sum to the supply')
  return holders
}

/** Fee in a pool's key on Uniswap V4 that means: the hook sets it. */
export const dynamicFee = 0x800000

/** The fields of a pool's key on Uniswap V4; its id is their hash. */
const poolKey = [
  { name: 'currency0', type: 'address' },
  { name: 'currency1', type: 'address' },
  { name: 'fee', type: 'uint24' },
  { name: 'tickSpacing', type: 'int24' },
  { name: 'hooks', type: 'address' },
] as const

/** Computes the id of a pool on Uniswap V4. */
export function poolId(key: {
  currency0: Address
  currency1: Address
  fee: number
  tickSpacing: number
  hooks: Address
}): Hex {
  const { currency0, currency1, fee, tickSpacing, hooks } = key
  return keccak256(encodeAbiParameters(poolKey, [currency0, currency1, fee, tickSpacing, hooks]))
}

/** A pair, and the `poolOrHook` of its `Create` event. */
interface LaunchedPair {
  asset: Address
  quote: Address
  poolOrHook: Address
}

/** Finds the pool that the launch opened for the pair; undefined if it is of an unknown kind, or there are several. */
function poolOf(
  logs: readonly Log[],
  pair: LaunchedPair,
  views: { slot0: CallResult; fee: CallResult },
): RehearsedPool | undefined {
  const [pool, ...others] = logs.flatMap((log) => v4Pool(log, pair) ?? [])
  if (others.length > 0) return undefined
  return pool ?? v3Pool(logs, pair, views)
}

function v4Pool(log: Log, { asset, quote, poolOrHook }: LaunchedPair): RehearsedPool | undefined {
  const event = readable(() =>
    decodeEventLog({ abi: managerAbi, topics: topicsOf(log), data: log.data }),
  )
  if (!event || poolId(event.args) !== event.args.id) return undefined
  const { id, currency0, currency1, fee, hooks, sqrtPriceX96: sqrtPrice } = event.args
  const isPair = [asset, quote].every((token) =>
    [currency0, currency1].some((each) => isAddressEqual(each, token)),
  )
  if (!isPair) return undefined
  const manager = getAddress(log.address)
  // An auction's hook holds the tokens that are not in the pool yet.
  const holders = isAddressEqual(hooks, poolOrHook) ? [manager, hooks] : [manager]
  return { id, fee: fee === dynamicFee ? undefined : fee, sqrtPrice, holders }
}

function v3Pool(
  logs: readonly Log[],
  { poolOrHook }: LaunchedPair,
  { slot0, fee }: { slot0: CallResult; fee: CallResult },
): RehearsedPool | undefined {
  // A pool that somebody else opened earlier has no event, but a price.
  const sqrtPrice = initialPrice(logs, poolOrHook) ?? priceIn(slot0)
  if (sqrtPrice === undefined) return undefined
  const millionths = readable(() =>
    decodeFunctionResult({ abi: poolAbi, functionName: 'fee', data: fee.data }),
  )
  return { fee: millionths, sqrtPrice, holders: [getAddress(poolOrHook)] }
}

function priceIn({ ok, data }: CallResult): bigint | undefined {
  return ok
    ? readable(() => decodeFunctionResult({ abi: poolAbi, functionName: 'slot0', data })[0])
    : undefined
}

function initialPrice(logs: readonly Log[], pool: Address): bigint | undefined {
  const [first] = logs.flatMap((log) => {
    if (!isAddressEqual(log.address, pool)) return []
    const event = readable(() =>
      decodeEventLog({ abi: poolAbi, topics: topicsOf(log), data: log.data }),
    )
    return event ? [event.args.sqrtPriceX96] : []
  })
  return first
}
