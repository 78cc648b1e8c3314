import {
  type Address,
  decodeAbiParameters,
  decodeEventLog,
  decodeFunctionResult,
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
import { NodeError } from '../node-error.ts'
import { launchAbi } from './abi.ts'
import { type Movement, movementsOf, netOf, readable, topicsOf } from './movements.ts'
import { traderCode } from './rehearsal-code.ts'
import { poolOf, poolQuestions, type RehearsedPool } from './rehearsed-pool.ts'
import type { CallResult, SimulatedBlock, SimulatedCall } from './simulation.ts'

/** What the launch contract stores of a token. */
export interface AssetData {
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

/** What a launch did when it was rehearsed; amounts in base units. */
export interface RehearsedLaunch {
  asset: Address
  gas: bigint
  /** Every account that holds the token after the launch, most first; sums to the supply. */
  holders: readonly { address: Address; amount: bigint }[]
  supply: bigint
  /** Undefined if it opened no pool of a kind that is known, or more than one. */
  pool: RehearsedPool | undefined
  assetData: AssetData
  /** The owner of the launch contract. */
  protocol: Address
  /** Coins of the chain that left the launcher's account. */
  spent: bigint
  /** How the quote token moved; empty if that is the coin of the chain. */
  moved: readonly Movement[]
}

/** Something that only contracts which don't do what they should show, in words: nobody should sign. */
export class StrangeLaunch extends Error {}

/** What is asked before the launch and after it. */
export interface Subject {
  to: Address
  airlock: Address
  calldata: Hex
  from: Address
  value: bigint
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

/** Where the code of rehearsals stands for a payload: another address for each, at which nobody can be. */
export function traderAddress({ calldata, from }: Subject): Address {
  return getAddress(slice(keccak256(`${keccak256(calldata)}${from.slice(2)}`), 12))
}

/** The launch as the first call of a block, with an account that can pay for it and the code of rehearsals. */
export function launchBlock(
  subject: Subject,
  after: readonly SimulatedCall[] = [],
): SimulatedBlock {
  const { to, calldata, from, value } = subject
  return {
    overrides: [
      { address: from, balance: wealth + value },
      { address: traderAddress(subject), balance: wealth, code: traderCode },
    ],
    calls: [{ from, to, data: calldata, value }, ...after],
  }
}

/** More coins of the chain than anything in a rehearsal costs. */
const wealth = 10n ** 30n
/** Far more than any launch gives tokens to in its own transaction. */
const mostHolders = 200

/** What the launch contract says of a launch in its one `Create`, and who got some of the token on the way. */
export function outlineOf({ logs }: CallResult, { airlock, quote }: Subject) {
  const created = logs.flatMap((log) => {
    if (!isAddressEqual(log.address, airlock)) return []
    const event = readable(() =>
      decodeEventLog({ abi: launchAbi, topics: topicsOf(log), data: log.data }),
    )
    return event ? [event.args] : []
  })
  const [only] = created
  if (!only || created.length > 1) {
    throw new StrangeLaunch(
      only ? `it launches ${created.length} tokens at once` : 'no launch comes of it',
    )
  }
  const { asset, poolOrHook } = only
  const accounts = new Set(movementsOf(logs, asset).flatMap(({ from, to }) => [from, to]))
  accounts.delete(zeroAddress)
  if (accounts.size > mostHolders) {
    throw new StrangeLaunch(`it gives tokens to ${accounts.size} accounts`)
  }
  return { asset, quote, poolOrHook, accounts: [...accounts] }
}

export type Outline = ReturnType<typeof outlineOf>

/** The block that shows all effects of a launch of which the outline is known. */
export function evidenceBlock(subject: Subject, outline: Outline): SimulatedBlock {
  const { asset, accounts } = outline
  const { from, airlock } = subject
  const [abi, trader] = [traderAbi, traderAddress(subject)]
  const coins = encodeFunctionData({ abi, functionName: 'holding', args: [zeroAddress, from] })
  const purse: SimulatedCall = { to: trader, data: coins }
  const view = (to: Address, data: Hex): SimulatedCall => ({ to, data })
  const launch = launchBlock(subject, [
    purse,
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
    ...poolQuestions(outline),
  ])
  return { ...launch, calls: [purse, ...launch.calls] }
}

/**
 * Reads what the calls of `evidenceBlock` came to.
 * @throws StrangeLaunch if the token does not do as tokens do, NodeError if the node contradicts itself.
 */
export function readEvidence(
  calls: readonly CallResult[],
  subject: Subject,
  outline: Outline,
): RehearsedLaunch {
  const [before, launch, after, total, stored, owner, ...rest] = calls
  if (!before || !launch?.ok || !after || !total || !stored || !owner) throw contradiction()
  const { asset, poolOrHook, accounts } = outlineOf(launch, subject)
  const isSame =
    isAddressEqual(asset, outline.asset) &&
    isAddressEqual(poolOrHook, outline.poolOrHook) &&
    accounts.every((account) => outline.accounts.includes(account))
  if (!isSame) throw contradiction()
  const said = readable(() => decodeAbiParameters(assetData, stored.data)[0])
  const protocol = readable(() =>
    decodeFunctionResult({ abi: launchAbi, functionName: 'owner', data: owner.data }),
  )
  if (!stored.ok || !owner.ok || !said || !protocol) {
    throw new StrangeLaunch('the launch contract does not answer as one does')
  }
  const balances = new Map(
    outline.accounts.map((account, place) => [account, amountOf(rest[place])] as const),
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
    assetData: said,
    protocol,
    spent: spent > 0n ? spent : 0n,
    moved: isAddressEqual(subject.quote, zeroAddress) ? [] : movementsOf(logs, subject.quote),
  }
}

function contradiction(): NodeError {
  return new NodeError('malformed', 'The node tells the same launch in two ways.')
}

/** The number that a view returned. */
function amountOf(result: CallResult | undefined): bigint {
  const amount =
    result?.ok && readable(() => decodeAbiParameters([{ type: 'uint256' }], result.data)[0])
  if (typeof amount !== 'bigint') throw new StrangeLaunch('its token does not answer as one does')
  return amount
}

/** The balances by the log; what the token itself says of them and of its supply has to be the same. */
function holdersOf(
  movements: readonly Movement[],
  told: ReadonlyMap<Address, bigint>,
  supply: bigint,
): RehearsedLaunch['holders'] {
  const balances = netOf(movements)
  balances.delete(zeroAddress)
  for (const [account, balance] of told) {
    if (balance !== (balances.get(account) ?? 0n)) {
      throw new StrangeLaunch(`its token does not tell all that ${account} gets`)
    }
  }
  const holders = [...balances]
    .filter(([, amount]) => amount !== 0n)
    .map(([address, amount]) => ({ address, amount }))
    .sort((one, other) => (one.amount > other.amount ? -1 : 1))
  const sum = holders.reduce((all, { amount }) => all + amount, 0n)
  if (sum !== supply) throw new StrangeLaunch('what its token gives out is not its supply')
  return holders
}
