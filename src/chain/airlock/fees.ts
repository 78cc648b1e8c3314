import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbi,
  zeroAddress,
} from 'viem'
import { isPoolId } from '../address.ts'
import { type ContractReader, contractCall, type Rpc, readWords, wordToAddress } from '../rpc.ts'
import type { Beneficiary } from './layouts.ts'
import type { Decoded } from './modules.ts'
import { dynamicFee, poolId } from './rehearsed-launch.ts'
import {
  cannotSimulate,
  coinTransfers,
  movementsOf,
  netOf,
  type SimulatedCall,
  simulate,
} from './simulation.ts'

const poolIdAbi = parseAbi(['function collectFees(bytes32 poolId) returns (uint128, uint128)'])
const addressAbi = parseAbi(['function collectFees(address) returns (uint256, uint256)'])

/** A contract that pays trading fees to those who have a share of them, when one of them calls its `collectFees`. */
interface FeePayer {
  contract: Address
  /** The argument of `collectFees`: the pool (an id on Uniswap V4, an address on V3), or for a hook the token. */
  argument: Hex
}

/** Amounts that an account would get from a payer now, in base units. */
export interface ClaimableFees extends FeePayer {
  tokens: bigint
  quote: bigint
}

/** An account with a share of the fees of a launched token. */
export interface FeeReceiver {
  account: Address
  token: Address
  /** The quote token; the zero address is the native coin. */
  quote: Address
  payers: readonly FeePayer[]
}

/**
 * Encodes the call by which an account collects its share; the lockable initializer of Uniswap V3 pays all others theirs, too.
 */
export function collectCall({ contract, argument }: FeePayer, from: Address): SimulatedCall {
  const functionName = 'collectFees'
  const args = [argument] as const
  const data = isPoolId(argument)
    ? encodeFunctionData({ abi: poolIdAbi, functionName, args })
    : encodeFunctionData({ abi: addressAbi, functionName, args })
  return { from, to: contract, data }
}

/**
 * Lists the contracts that pay an account fees of its locked launch pool. Empty if it has no share, or if the module that would pay
 * is not in the module book.
 * @param pool the pool's address or id
 */
export function feePayers(
  { call, pool: data, poolHook, modules }: Decoded,
  { account, token, pool }: { account: Address; token: Address; pool: Hex },
): FeePayer[] {
  if (!data || data.form === 'auction' || isPoolId(pool) !== (data.form === 'curves')) return []
  const hook = data.form === 'curves' ? data.hook : undefined
  // A hook without beneficiaries pays the account that it is told for buybacks.
  const isPaidByHook =
    poolHook &&
    (poolHook.beneficiaries.length > 0
      ? hasShare(poolHook.beneficiaries, account)
      : isAddressEqual(poolHook.buybackTo, account))
  return [
    ...(hasShare(data.beneficiaries, account)
      ? [{ contract: call.params.poolInitializer, argument: pool }]
      : []),
    ...(hook && isPaidByHook ? [{ contract: hook.address, argument: token }] : []),
  ].filter(({ contract }) => isKnown(modules, contract))
}

function hasShare(beneficiaries: readonly Beneficiary[], account: Address): boolean {
  return beneficiaries.some(({ beneficiary }) => isAddressEqual(beneficiary, account))
}

function isKnown(modules: Decoded['modules'], contract: Address): boolean {
  return modules.some(({ address, module }) => module && isAddressEqual(address, contract))
}

/**
 * Lists the contracts that pay an account fees of the pool that the hook migrator opens at graduation: the one that locks its
 * liquidity, and the pool's hook. Before graduation they refuse. Empty for other migrators, if the account has no share, if the
 * launch pool is locked for ever, or if the migrator is not in the module book.
 * @throws NodeError if the node does not answer
 */
export async function laterFeePayers(
  node: ContractReader,
  { call, governance, pool, migrator, migratorHook, modules }: Decoded,
  { account, token }: { account: Address; token: Address },
): Promise<FeePayer[]> {
  const { liquidityMigrator: hooks, numeraire } = call.params
  const isLocked = !pool || (pool.form !== 'auction' && pool.beneficiaries.length > 0)
  if (isLocked || migrator?.form !== 'hook' || !migrator.pool || !isKnown(modules, hooks)) return []
  // Once the lock is over, collecting fees also hands this account the liquidity.
  if (governance?.form === 'multisig' && isAddressEqual(governance.account, account)) return []
  const { fee, dynamicFee: isDynamic, tickSpacing, beneficiaries } = migrator.pool
  const isPaidByHook = migratorHook && isAddressEqual(migratorHook.buybackTo, account)
  const ofHook =
    migrator.hook && isPaidByHook ? [{ contract: migrator.hook.address, argument: token }] : []
  if (!hasShare(beneficiaries, account)) return ofHook
  const [locker] = await readWords(node, [contractCall(hooks, 'locker()')])
  if (locker?.[0] === undefined) return []
  const [currency0, currency1] =
    BigInt(token) < BigInt(numeraire) ? [token, numeraire] : [numeraire, token]
  const key = { currency0, currency1, fee: isDynamic ? dynamicFee : fee, tickSpacing, hooks }
  return [{ contract: wordToAddress(locker[0]), argument: poolId(key) }, ...ofHook]
}

/**
 * Simulates that an account collects its fees, and returns what is transferred to it; undefined if the node can't simulate, or if a
 * contract refuses.
 * @throws NodeError if the node does not answer
 */
export async function claimableFees(
  rpc: Rpc,
  { account, token, quote, payers }: FeeReceiver,
): Promise<ClaimableFees[] | undefined> {
  try {
    const results = await simulate(
      rpc,
      payers.map((payer) => collectCall(payer, account)),
    )
    if (results.some(({ ok }) => !ok)) return undefined
    const emitter = isAddressEqual(quote, zeroAddress) ? coinTransfers : quote
    const fees = payers.map((payer, place) => {
      const logs = results[place]?.logs ?? []
      const gain = (of: Address) => netOf(movementsOf(logs, of)).get(getAddress(account)) ?? 0n
      return { ...payer, tokens: gain(token), quote: gain(emitter) }
    })
    return fees.every(({ tokens, quote }) => tokens >= 0n && quote >= 0n) ? fees : undefined
  } catch (error) {
    if (cannotSimulate(error) === undefined) throw error
    return undefined
  }
}
