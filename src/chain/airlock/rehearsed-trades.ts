import {
  type Address,
  decodeEventLog,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  isAddressEqual,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { Log } from '../rpc.ts'
import { priceAt } from './curve.ts'
import { movementsOf, netOf, readable, topicsOf } from './movements.ts'
import { explainRevert } from './refusals.ts'
import {
  launchBlock,
  type RehearsedLaunch,
  type RehearsedPool,
  type Subject,
  traderAbi,
  traderAddress,
} from './rehearsed.ts'
import type { BlockResult, CallResult, SimulatedBlock, SimulatedCall } from './simulation.ts'

/** A trade that went well, in base units of what was paid and of what came for it. */
export interface Trade {
  paid: bigint
  got: bigint
  /** What the pool itself took and gave; what is paid besides, or does not come, a hook takes. */
  took: bigint
  gave: bigint
  /** The pool's fee in this trade, in millionths. */
  fee: number
}

/** Why something could not be tried or was refused, in words. */
export interface Refused {
  refused: string
  /** It was not even tried: that says nothing of the launch. */
  untried?: true
}

/** What somebody got of the fees of both trades, in base units. */
export interface Collected {
  to: Address
  quote: bigint
  tokens: bigint
}

/** What went on after the launch. */
export interface RehearsedTrades {
  /** Whether somebody could buy in the block of the launch, though trading starts later. */
  early?: 'refused' | 'possible'
  /** A small purchase after the launch, or at the start. */
  buy: Trade | Refused
  /** The sale of so much of it as gives a little of the money back, which even a fee of 90% leaves. */
  sell?: Trade | Refused
  /** Who got how much of the fees, if the pool has beneficiaries; what rounding leaves stays with the initializer. */
  collected?: readonly Collected[] | Refused
}

export interface Traders {
  /** Who has a share of the fees of a locked pool. */
  beneficiaries: readonly Address[]
  /** Unix seconds; absent: at once. */
  starts?: number | undefined
}

const managerAbi = parseAbi([
  'struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'struct SwapParams { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }',
  'function swap(PoolKey key, SwapParams params, bytes hookData) returns (int256)',
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
])
const poolAbi = parseAbi([
  'function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes data) returns (int256, int256)',
])
const initializerAbi = parseAbi(['function collectFees(bytes32 poolId) returns (uint128, uint128)'])
const lockedAbi = parseAbi(['function collectFees(address pool) returns (uint256, uint256)'])
const quoteAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

// A trade at any price: one step inside of the prices that Uniswap has.
const lowest = 4_295_128_740n
const highest = 1461446703485210103287273052203988822378723970341n
/** Above this a price is none that can be tried with the coins of a rehearsal. */
const maxPaid = 10n ** 27n

/** Where the quote token for a purchase is from: wrapped coins, or what the pool manager has of other pools. */
export type Purse = 'coins' | 'pool manager'

/** A launch in a pool, and what goes on there. */
export class TradePlan {
  readonly blocks: readonly SimulatedBlock[]
  readonly #subject: Subject
  readonly #launch: RehearsedLaunch
  readonly #pool: RehearsedPool
  readonly #beneficiaries: readonly Address[]
  readonly #paid: bigint
  readonly #isLater: boolean

  /** @param time when the launch was rehearsed, in unix seconds */
  constructor(
    subject: Subject,
    launch: RehearsedLaunch,
    pool: RehearsedPool,
    { beneficiaries, starts = 0, time, purse }: Traders & { time: bigint; purse: Purse },
  ) {
    this.#subject = subject
    this.#launch = launch
    this.#pool = pool
    this.#beneficiaries = beneficiaries
    this.#isLater = BigInt(starts) > time
    const { numerator, denominator } = priceAt(pool.sqrtPrice, this.#isToken0())
    // What a ten-thousandth of the supply costs: more than rounding hides, less than moves the price.
    const share = (launch.supply * numerator) / (denominator * 10_000n || 1n)
    this.#paid = share > 10_000n ? share : 10_000n
    const buy = this.#trade(!this.#isToken0(), this.#paid, 'in')
    const sell = this.#trade(this.#isToken0(), this.#paid / 200n, 'out')
    const coins = this.#coins()
    // The node's clock goes on between two simulations, and the time of its blocks has to rise.
    const soon = time + 60n
    this.blocks = [
      launchBlock(subject, [
        this.#fund(purse),
        this.#holding(subject.quote, this.#trader),
        ...(this.#isLater ? [buy] : []),
      ]),
      {
        ...(this.#isLater && { time: BigInt(starts) > soon ? BigInt(starts) : soon }),
        calls: [buy, sell, ...coins, ...this.#collects(), ...coins],
      },
    ]
  }

  /** Why it is not worth trying, in words. */
  get hopeless(): string | undefined {
    return this.#paid > maxPaid ? 'its price is too high to try it' : undefined
  }

  read([first, second]: readonly BlockResult[]): RehearsedTrades {
    const [launch, , funds, early] = first?.calls ?? []
    const [buy, sell, ...rest] = second?.calls ?? []
    const has = funds?.ok ? (readable(() => BigInt(funds.data)) ?? 0n) : 0n
    if (!launch?.ok || !buy || !sell || has < this.#paid)
      return { buy: { refused: noQuote, untried: true } }
    const bought = this.#tradeOf(buy)
    return {
      ...(this.#isLater && early && { early: early.ok ? 'possible' : 'refused' }),
      buy: bought,
      ...('paid' in bought && { sell: this.#tradeOf(sell) }),
      ...('paid' in bought &&
        this.#beneficiaries.length > 0 && { collected: this.#collectedOf(rest) }),
    }
  }

  get #trader(): Address {
    return traderAddress(this.#subject)
  }

  #isToken0(): boolean {
    return isAddressEqual(this.#pool.currency0, this.#launch.asset)
  }

  #fund(purse: Purse): SimulatedCall {
    const { quote } = this.#subject
    const amount = this.#paid * 2n
    if (isAddressEqual(quote, zeroAddress)) return this.#holding(quote, this.#trader)
    if (purse === 'coins') {
      const wrap = { abi: traderAbi, functionName: 'wrap', args: [quote, amount] } as const
      return { to: this.#trader, data: encodeFunctionData(wrap) }
    }
    const transfer = {
      abi: quoteAbi,
      functionName: 'transfer',
      args: [this.#trader, amount],
    } as const
    return { from: this.#pool.address, to: quote, data: encodeFunctionData(transfer) }
  }

  #holding(currency: Address, account: Address): SimulatedCall {
    const args = [currency, account] as const
    return {
      to: this.#trader,
      data: encodeFunctionData({ abi: traderAbi, functionName: 'holding', args }),
    }
  }

  /** A trade of exactly this amount, paid or to come. */
  #trade(zeroForOne: boolean, amount: bigint, exact: 'in' | 'out'): SimulatedCall {
    const { currency0, currency1, address, version } = this.#pool
    const [from, to] = zeroForOne ? [currency0, currency1] : [currency1, currency0]
    const swap = this.#swap(zeroForOne, amount, exact)
    const args = [address, version === 4, from, to, swap] as const
    return {
      to: this.#trader,
      data: encodeFunctionData({ abi: traderAbi, functionName: 'trade', args }),
    }
  }

  #swap(zeroForOne: boolean, amount: bigint, exact: 'in' | 'out'): Hex {
    const limit = zeroForOne ? lowest : highest
    const pool = this.#pool
    if (pool.version === 4) {
      // What is paid exactly is negative here, and positive on V3.
      const specified = exact === 'in' ? -amount : amount
      const params = { zeroForOne, amountSpecified: specified, sqrtPriceLimitX96: limit }
      const args = [pool, params, '0x'] as const
      return encodeFunctionData({ abi: managerAbi, functionName: 'swap', args })
    }
    const specified = exact === 'in' ? amount : -amount
    const args = [this.#trader, zeroForOne, specified, limit, '0x'] as const
    return encodeFunctionData({ abi: poolAbi, functionName: 'swap', args })
  }

  /** On V4 everybody collects; on V3 one call pays all. */
  #collects(): SimulatedCall[] {
    const to = this.#launch.assetData.poolInitializer
    const pool = this.#pool
    if (pool.version === 4) {
      const args = [pool.id] as const
      const data = encodeFunctionData({ abi: initializerAbi, functionName: 'collectFees', args })
      return this.#beneficiaries.map((from) => ({ from, to, data }))
    }
    const args = [pool.address] as const
    const data = encodeFunctionData({ abi: lockedAbi, functionName: 'collectFees', args })
    return this.#beneficiaries.slice(0, 1).map((from) => ({ from, to, data }))
  }

  /** What the beneficiaries have of the chain's coin, which no log tells; nothing if another is the quote token. */
  #coins(): SimulatedCall[] {
    const isCoin = isAddressEqual(this.#subject.quote, zeroAddress)
    return isCoin ? this.#beneficiaries.map((each) => this.#holding(zeroAddress, each)) : []
  }

  #tradeOf(result: CallResult): Trade | Refused {
    const amounts = readable(() =>
      decodeFunctionResult({ abi: traderAbi, functionName: 'trade', data: result.data }),
    )
    if (!result.ok || !amounts) return { refused: this.#words(result.data) }
    const [paid, got] = amounts
    return {
      paid,
      got,
      ...this.#swapped(result.logs, { took: paid, gave: got, fee: this.#pool.fee }),
    }
  }

  #swapped(logs: readonly Log[], otherwise: Pick<Trade, 'took' | 'gave' | 'fee'>) {
    const pool = this.#pool
    if (pool.version === 3) return otherwise
    for (const log of logs) {
      const event = readable(() =>
        decodeEventLog({ abi: managerAbi, topics: topicsOf(log), data: log.data }),
      )
      if (!event || !isAddressEqual(log.address, pool.address)) continue
      const { id, sender, amount0, amount1, fee } = event.args
      if (id !== pool.id || !isAddressEqual(sender, this.#trader)) continue
      const [least, most] = amount0 < amount1 ? [amount0, amount1] : [amount1, amount0]
      return { took: -least, gave: most, fee }
    }
    return otherwise
  }

  #collectedOf(results: readonly CallResult[]): readonly Collected[] | Refused {
    const coins = this.#coins().length
    const calls = results.slice(coins, results.length - coins)
    const failed = calls.find(({ ok }) => !ok)
    if (failed) return { refused: this.#words(failed.data) }
    const logs = calls.flatMap((call) => call.logs)
    const tokens = netOf(movementsOf(logs, this.#launch.asset))
    const quote =
      coins > 0
        ? this.#earned(results.slice(0, coins), results.slice(-coins))
        : netOf(movementsOf(logs, this.#subject.quote))
    return [...new Set([...quote.keys(), ...tokens.keys()])]
      .map((to) => ({ to, quote: quote.get(to) ?? 0n, tokens: tokens.get(to) ?? 0n }))
      .filter(({ quote, tokens }) => quote > 0n || tokens > 0n)
  }

  #earned(before: readonly CallResult[], after: readonly CallResult[]): Map<Address, bigint> {
    const amount = (result: CallResult | undefined) =>
      readable(() => BigInt(result?.data ?? '')) ?? 0n
    return new Map(
      this.#beneficiaries.map((each, place) => [
        getAddress(each),
        amount(after[place]) - amount(before[place]),
      ]),
    )
  }

  #words(data: Hex): string {
    const { supply } = this.#launch
    return data === '0x' ? 'It is refused without a reason' : explainRevert(data, { supply }).words
  }
}

/** Why a purchase was left out. */
export const noQuote = 'the quote token can’t be had in a rehearsal'
