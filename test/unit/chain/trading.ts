import {
  type Address,
  encodeFunctionData,
  getAddress,
  type Hex,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import type { LocalChain } from '../../../sandbox/chain/chain.ts'
import { type Rehearsal, rehearse } from '../../../src/chain/airlock/rehearse.ts'
import { Rpc } from '../../../src/chain/rpc.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { compileFile } from './airlock/solidity.ts'
import type { walletOn } from './on-chain.ts'

/** A launch that was sent. */
interface Launched {
  asset: Address
  /** The pool's id on Uniswap V4, its address on V3. */
  pool: Hex
  /** Buys in the pool, and sells a part again. */
  trade(): Promise<void>
}

const traderAbi = parseAbi([
  'function wrap(address token, uint256 amount)',
  'function trade(address venue, bool locks, address from, address to, bytes swap)',
])
const v4Abi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'function swap(PoolKey key, SwapParams params, bytes hookData) returns (int256)',
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
])
const v3Abi = parseAbi([
  'function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256, int256)',
])
const trader: Address = '0x00000000000000000000000000000000007ade12'
// One step inside Uniswap's range: at any price.
const [minPrice, maxPrice] = [
  4_295_128_740n,
  1461446703485210103287273052203988822378723970341n,
] as const
const paid = 10n ** 15n

/** Sends a launch. */
export async function launchOn(
  { rpcUrl, chainId }: LocalChain,
  chain: ReturnType<typeof walletOn>,
  subject: Rehearsal,
): Promise<Launched> {
  const result = await rehearse(new Rpc({ rpcUrl, chainId }), subject)
  if (result.kind === 'refused') throw new Error(plainText(result.reason))
  const { asset, rehearsed } = result
  const { quote } = subject
  const { logs } = await chain.send(subject.to, subject.calldata)
  const [opened] = parseEventLogs({ abi: v4Abi, logs })
  const v3 = rehearsed?.pool?.holders[0]
  if (!opened && !v3) throw new Error('no pool')

  function swapOf(zeroForOne: boolean, amountSpecified: bigint): Hex {
    const sqrtPriceLimitX96 = zeroForOne ? minPrice : maxPrice
    if (opened) {
      const params = { zeroForOne, amountSpecified: -amountSpecified, sqrtPriceLimitX96 }
      const args = [opened.args, params, '0x'] as const
      return encodeFunctionData({ abi: v4Abi, functionName: 'swap', args })
    }
    const args = [trader, zeroForOne, amountSpecified, sqrtPriceLimitX96, '0x'] as const
    return encodeFunctionData({ abi: v3Abi, functionName: 'swap', args })
  }

  /** Trades exactly what is paid, or what is received if the amount is negative. */
  function tradeOf(from: Address, to: Address, amount: bigint): Hex {
    const venue = getAddress(opened?.address ?? v3 ?? zeroAddress)
    const swap = swapOf(BigInt(from) < BigInt(to), amount)
    const args = [venue, opened !== undefined, from, to, swap] as const
    return encodeFunctionData({ abi: traderAbi, functionName: 'trade', args })
  }

  async function trade(): Promise<void> {
    const { code } = await compileFile(new URL('airlock/trader.sol', import.meta.url))
    await chain.client.setCode({ address: trader, bytecode: code.Trader ?? '0x' })
    await chain.client.setBalance({ address: trader, value: 10n ** 24n })
    const wrap = { abi: traderAbi, functionName: 'wrap', args: [quote, paid * 2n] } as const
    const calls = [
      ...(quote === zeroAddress ? [] : [encodeFunctionData(wrap)]),
      tradeOf(quote, asset, paid),
      tradeOf(asset, quote, -paid / 200n),
    ]
    for (const data of calls) {
      const { status } = await chain.send(trader, data)
      if (status !== 'success') throw new Error('the trade failed')
    }
  }
  return { asset, pool: opened?.args.id ?? getAddress(v3 ?? zeroAddress), trade }
}
