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
import { type Message, t } from '../../core/view.ts'
import type { Log } from '../rpc.ts'
import { priceAt } from './curve.ts'
import { collectCall } from './fees.ts'
import { explainRevert } from './refusals.ts'
import {
  holdingCall,
  launchBlock,
  type RehearsedLaunch,
  type RehearsedPool,
  type Subject,
  traderAbi,
  traderAddress,
} from './rehearsed-launch.ts'
import {
  type BlockResult,
  type CallResult,
  movementsOf,
  netOf,
  readable,
  type SimulatedBlock,
  type SimulatedCall,
  topicsOf,
} from './simulation.ts'

/** A successful trade, in base units: paid and received. */
interface Trade {
  paid: bigint
  got: bigint
  /** Amounts that the pool itself took and gave; a hook takes the differences to `paid` and `got`. */
  took: bigint
  gave: bigint
  /** The pool's fee in this trade, in millionths. */
  fee: number
}

/** Why something was refused, for people. */
interface RefusedTrade {
  refused: Message
}

/** Why something was not tried, which says nothing about the launch. */
interface UntriedTrade {
  untried: string
}

/** Fees of both trades that an account received, in base units. */
interface CollectedFees {
  to: Address
  quote: bigint
  tokens: bigint
}

/** Results of trading after the launch. */
export interface RehearsedTrades {
  /** Whether buying succeeded in the launch block, although trading starts later. */
  early?: 'refused' | 'possible'
  /** A small purchase after the launch, or at the start. */
  buy: Trade | RefusedTrade | UntriedTrade
  /** A sale that returns 1/200 of the payment, which is possible even with a fee of 90%. */
  sell?: Trade | RefusedTrade
  /** Fees by recipient, if the pool has beneficiaries; rounding leaves a rest in the initializer. */
  collected?: readonly CollectedFees[] | RefusedTrade
}

export interface Traders {
  /** Beneficiaries of a locked pool's fees. */
  beneficiaries: readonly Address[]
  /** Start of trading in unix seconds; at once by default. */
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
const quoteAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

// Price limits for a trade at any price: one step inside Uniswap's range.
const minPriceLimit = 4_295_128_740n
const maxPriceLimit = 1461446703485210103287273052203988822378723970341n
/** Max payment for the trial purchase, in base units; more can't be funded. */
const maxPaid = 10n ** 27n

/** Source of the quote tokens for the purchase: wrapped coins, or the pool manager's balance from other pools. */
type QuoteSource = 'coins' | 'pool manager'

/**
 * Plans the blocks that trade in a launch pool, and reads their results.
 * @example
 * const plan = new TradePlan(subject, launch, pool, { beneficiaries, time, quoteSource: 'coins' })
 * const trades = plan.read(await simulate(rpc, plan.blocks))
 */
export class TradePlan {
  readonly blocks: readonly SimulatedBlock[]
  readonly #subject: Subject
  readonly #launch: RehearsedLaunch
  readonly #pool: RehearsedPool
  readonly #beneficiaries: readonly Address[]
  readonly #paid: bigint
  readonly #startsLater: boolean

  /** @param time when the launch was rehearsed, in unix seconds */
  constructor(
    subject: Subject,
    launch: RehearsedLaunch,
    pool: RehearsedPool,
    {
      beneficiaries,
      starts = 0,
      time,
      quoteSource,
    }: Traders & { time: bigint; quoteSource: QuoteSource },
  ) {
    this.#subject = subject
    this.#launch = launch
    this.#pool = pool
    this.#beneficiaries = beneficiaries
    this.#startsLater = BigInt(starts) > time
    const { numerator, denominator } = priceAt(pool.sqrtPrice, this.#isToken0())
    // Pay the price of 1/10,000 of the supply: large against rounding, too small to move the price much.
    const share = (launch.supply * numerator) / (denominator * 10_000n || 1n)
    this.#paid = share > 10_000n ? share : 10_000n
    const buy = this.#trade(!this.#isToken0(), this.#paid, 'in')
    const sell = this.#trade(this.#isToken0(), this.#paid / 200n, 'out')
    const coins = this.#coinBalances()
    // The node's clock advances between two simulations, and block times have to rise.
    const earliest = time + 60n
    this.blocks = [
      launchBlock(subject, [
        this.#fundCall(quoteSource),
        this.#holding(subject.quote, this.#trader),
        ...(this.#startsLater ? [buy] : []),
      ]),
      {
        ...(this.#startsLater && { time: BigInt(starts) > earliest ? BigInt(starts) : earliest }),
        calls: [buy, sell, ...coins, ...this.#collectCalls(), ...coins],
      },
    ]
  }

  /** Why a trial is impossible; undefined if it is possible. */
  get impossibleBecause(): string | undefined {
    return this.#paid > maxPaid ? 'its price is too high to try it' : undefined
  }

  read([first, second]: readonly BlockResult[]): RehearsedTrades {
    const [launch, , funds, early] = first?.calls ?? []
    const [buy, sell, ...rest] = second?.calls ?? []
    const funded = funds?.ok ? (readable(() => BigInt(funds.data)) ?? 0n) : 0n
    if (!launch?.ok || !buy || !sell || funded < this.#paid) return { buy: { untried: noQuote } }
    const bought = this.#readTrade(buy)
    return {
      ...(this.#startsLater && early && { early: early.ok ? 'possible' : 'refused' }),
      buy: bought,
      ...('paid' in bought && { sell: this.#readTrade(sell) }),
      ...('paid' in bought &&
        this.#beneficiaries.length > 0 && { collected: this.#readCollected(rest) }),
    }
  }

  get #trader(): Address {
    return traderAddress(this.#subject)
  }

  #isToken0(): boolean {
    return isAddressEqual(this.#pool.currency0, this.#launch.asset)
  }

  #fundCall(quoteSource: QuoteSource): SimulatedCall {
    const { quote } = this.#subject
    const amount = this.#paid * 2n
    if (isAddressEqual(quote, zeroAddress)) return this.#holding(quote, this.#trader)
    if (quoteSource === 'coins') {
      const wrapCall = { abi: traderAbi, functionName: 'wrap', args: [quote, amount] } as const
      return { to: this.#trader, data: encodeFunctionData(wrapCall) }
    }
    const transfer = {
      abi: quoteAbi,
      functionName: 'transfer',
      args: [this.#trader, amount],
    } as const
    return { from: this.#pool.address, to: quote, data: encodeFunctionData(transfer) }
  }

  #holding(currency: Address, account: Address): SimulatedCall {
    return holdingCall(this.#trader, currency, account)
  }

  /** Encodes a trade of exactly this amount, paid or received. */
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
    const limit = zeroForOne ? minPriceLimit : maxPriceLimit
    const pool = this.#pool
    if (pool.version === 4) {
      // An exact input is negative on V4 and positive on V3.
      const specified = exact === 'in' ? -amount : amount
      const params = { zeroForOne, amountSpecified: specified, sqrtPriceLimitX96: limit }
      const args = [pool, params, '0x'] as const
      return encodeFunctionData({ abi: managerAbi, functionName: 'swap', args })
    }
    const specified = exact === 'in' ? amount : -amount
    const args = [this.#trader, zeroForOne, specified, limit, '0x'] as const
    return encodeFunctionData({ abi: poolAbi, functionName: 'swap', args })
  }

  /** Encodes the calls that collect fees: on V4 one per beneficiary; on V3 one pays all. */
  #collectCalls(): SimulatedCall[] {
    const pool = this.#pool
    const payer = {
      contract: this.#launch.assetData.poolInitializer,
      argument: pool.version === 4 ? pool.id : pool.address,
    }
    const callers = pool.version === 4 ? this.#beneficiaries : this.#beneficiaries.slice(0, 1)
    return callers.map((from) => collectCall(payer, from))
  }

  /**
   * Encodes reads of the beneficiaries' native coins, whose transfers emit no events; empty if the quote token is
   * another.
   */
  #coinBalances(): SimulatedCall[] {
    const isCoin = isAddressEqual(this.#subject.quote, zeroAddress)
    return isCoin ? this.#beneficiaries.map((each) => this.#holding(zeroAddress, each)) : []
  }

  #readTrade(result: CallResult): Trade | RefusedTrade {
    const amounts = readable(() =>
      decodeFunctionResult({ abi: traderAbi, functionName: 'trade', data: result.data }),
    )
    if (!result.ok || !amounts) return { refused: this.#explain(result.data) }
    const [paid, got] = amounts
    return {
      paid,
      got,
      ...this.#poolAmounts(result.logs, { took: paid, gave: got, fee: this.#pool.fee }),
    }
  }

  #poolAmounts(logs: readonly Log[], fallback: Pick<Trade, 'took' | 'gave' | 'fee'>) {
    const pool = this.#pool
    if (pool.version === 3) return fallback
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
    return fallback
  }

  #readCollected(results: readonly CallResult[]): readonly CollectedFees[] | RefusedTrade {
    const coins = this.#coinBalances().length
    const calls = results.slice(coins, results.length - coins)
    const failed = calls.find(({ ok }) => !ok)
    if (failed) return { refused: this.#explain(failed.data) }
    const logs = calls.flatMap((call) => call.logs)
    const tokens = netOf(movementsOf(logs, this.#launch.asset))
    const quote =
      coins > 0
        ? this.#coinGains(results.slice(0, coins), results.slice(-coins))
        : netOf(movementsOf(logs, this.#subject.quote))
    return [...new Set([...quote.keys(), ...tokens.keys()])]
      .map((to) => ({ to, quote: quote.get(to) ?? 0n, tokens: tokens.get(to) ?? 0n }))
      .filter(({ quote, tokens }) => quote > 0n || tokens > 0n)
  }

  #coinGains(before: readonly CallResult[], after: readonly CallResult[]): Map<Address, bigint> {
    const amount = (result: CallResult | undefined) =>
      readable(() => BigInt(result?.data ?? '')) ?? 0n
    return new Map(
      this.#beneficiaries.map((each, place) => [
        getAddress(each),
        amount(after[place]) - amount(before[place]),
      ]),
    )
  }

  #explain(data: Hex): Message {
    const { supply } = this.#launch
    return data === '0x' ? t('refused-unexplained') : explainRevert(data, { supply }).words
  }
}

/** Why a purchase was left out. */
export const noQuote = 'the quote token can’t be had in a rehearsal'
