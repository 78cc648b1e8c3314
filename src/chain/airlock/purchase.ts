import { type Address, zeroAddress } from 'viem'
import type { Bundle } from './calldata.ts'
import type { PoolData } from './layouts.ts'
import {
  emptyRange,
  exactly,
  larger,
  lowerCase,
  negative,
  positive,
  type Range,
  readSteps,
  type Step,
  type SwapPool,
  smaller,
  type TokenHolder,
  unlimited,
  wrappedCoins,
} from './router.ts'

/** A purchase in the launch transaction. Amounts in base units. */
export interface FirstPurchase {
  /** Max payment in the quote token; the native coin is sent with the transaction. */
  paid: bigint
  /** Min tokens received; with less the transaction reverts. */
  least: bigint
  /** Max tokens received; absent if only the payment limits it. */
  most?: bigint
  to: Address | 'sender'
}

/** The purchase, the wei to send with the transaction, and problems in words for people. */
interface Reading {
  purchase: FirstPurchase
  value: bigint
  problems: readonly string[]
}

/** Fee in a Uniswap V4 pool key that means the hook sets the fee. */
export const dynamicFee = 0x800000

/** Returns the pool that a launch opens; undefined if its address can't be derived from the payload. */
export function launchPool(pool: PoolData | undefined, initializer: Address): SwapPool | undefined {
  if (pool?.form === 'v3') return { fee: pool.fee }
  // Only the hook initializer is itself the pool's hook; the hooks of other initializers are separate contracts.
  if (pool?.form !== 'curves' || !pool.hook) return undefined
  const fee = BigInt(pool.hook.address) === 0n ? pool.fee : dynamicFee
  return { fee, tickSpacing: pool.tickSpacing, hooks: initializer.toLowerCase() }
}

/**
 * Reads the commands of a first purchase, as the Universal Router 2.0 of the bundler runs them. Anything but a plain
 * purchase of the token from `pool` is reported as a problem; payment, amount and recipient are then only the most
 * likely reading.
 */
export function readPurchase(
  bundle: Bundle,
  quote: Address,
  token: Address | undefined,
  pool: SwapPool | undefined,
): Reading {
  const { steps, problems } = readSteps(bundle.commands, bundle.inputs)
  const [swap, ...more] = steps.filter((step) => step.do === 'swap')
  if (!swap) {
    return {
      purchase: { paid: 0n, least: 0n, to: 'sender' },
      value: 0n,
      problems: [...problems, 'its first purchase buys nothing'],
    }
  }
  if (more.length > 0) problems.push('its first purchase is more than one trade')
  if (token === undefined) {
    problems.push(
      'where the token will stand is not known, and with that what its first purchase buys',
    )
  }
  const asset = token ?? swap.buys
  if (!isSame(swap.pays, quote) || !isSame(swap.buys, asset)) {
    problems.push(
      `its first purchase pays ${swap.pays} for ${swap.buys}, not the quote token for the new token`,
    )
  }
  if (!pool || !samePool(swap.pool, pool)) {
    problems.push('its first purchase is not known to be from the pool of this launch')
  }
  const value = coinNeeded(steps, swap)
  const flow = new Flow(quote, asset, value)
  for (const step of steps) flow.take(step)
  const { paid, bought, to } = flow.end()
  const purchase = {
    paid,
    least: bought.least,
    ...(bought.most < unlimited && { most: bought.most }),
    to,
  }
  if (paid === 0n) problems.push('its first purchase does not say how much it pays')
  if (value >= 2n ** 112n) problems.push('its first purchase sets no limit on what it pays')
  return { purchase, value, problems: [...problems, ...flow.problems] }
}

/** Wei that the purchase needs: the amounts wrapped or settled explicitly, else the most that the swap takes. */
function coinNeeded(steps: readonly Step[], swap: Step & { do: 'swap' }): bigint {
  const explicit = (kind: 'wrap' | 'settle') =>
    steps.flatMap((step) =>
      step.do === kind && typeof step.amount === 'bigint' ? [step.amount] : [],
    )
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)
  const most = swap.exact === 'out' ? swap.limit : swap.given === 'all' ? 0n : swap.given
  const settleLimits = steps.flatMap((step) => (step.do === 'settle' ? [step.guard] : []))
  const least = settleLimits.reduce(smaller, most)
  return sum(explicit('wrap')) || sum(explicit('settle')) || least
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function samePool(one: SwapPool, other: SwapPool): boolean {
  return one.fee === other.fee && one.tickSpacing === other.tickSpacing && one.hooks === other.hooks
}

const paidByBundler = 'is paid by the bundler, which has nothing'
const excessProblem = 'asks for more than there is, so that it would fail'

/** Tracks coin, quote token and token through the steps, as ranges of possible amounts. */
class Flow {
  readonly problems: string[] = []
  readonly #quote: string
  readonly #token: string
  /** Balances of the router, and of its open V4 deltas (negative: it owes the pool), by currency. */
  readonly #balances = new Map<string, Range>()
  readonly #credit = new Map<string, Range>()
  readonly #outgoing: { currency: string; to: Address | 'sender'; amount: Range }[] = []
  #paid = 0n

  constructor(quote: string, token: string, value: bigint) {
    this.#quote = lowerCase(quote)
    this.#token = lowerCase(token)
    this.#balances.set(zeroAddress, { least: value, most: value })
  }

  take(step: Step): void {
    if ('currency' in step && ![zeroAddress, this.#quote, this.#token].includes(step.currency)) {
      this.#report(`moves another token, ${step.currency}`)
    }
    switch (step.do) {
      case 'wrap':
        this.#send(this.#wrapped(), this.#pay(zeroAddress, step.amount), step.to)
        break
      case 'unwrap':
        this.#send(zeroAddress, this.#all(this.#wrapped(), step.least), step.to)
        break
      case 'sweep':
        this.#send(step.currency, this.#all(step.currency, step.least), step.to)
        break
      case 'swap':
        if (step.hops === 'router') this.#swapHeld(step)
        else this.#swapOwed(step)
        break
      case 'settle':
        this.#settle(step)
        break
      case 'take':
        this.#collect(step)
    }
  }

  /** Returns max payment, tokens bought and recipient, after all steps. */
  end(): { paid: bigint; bought: Range; to: Address | 'sender' } {
    // Taking more than the pool's credit reverts, so taken amounts are certain.
    const { least, most } = rangeOf(this.#credit, this.#quote)
    if (least !== 0n || most !== 0n || rangeOf(this.#credit, this.#token).most !== 0n) {
      this.#report('does not settle with the pool, so that it may fail')
    }
    if ([...this.#balances.values()].some(({ most }) => most > 0n)) {
      this.#report('leaves something in the router, where anybody can take it')
    }
    const gone = this.#outgoing.filter(({ amount }) => amount.most > 0n)
    const [bought, ...others] = gone.filter(({ currency }) => currency === this.#token)
    if (!bought) this.#report('hands no tokens out')
    if (others.length > 0) this.#report('hands tokens out more than once')
    const to = bought?.to ?? 'sender'
    if (to !== 'sender' && BigInt(to) === 0n) this.#report('gives the tokens to nobody')
    for (const change of gone.filter(({ currency }) => currency !== this.#token)) {
      this.#change(change, to)
    }
    return { paid: this.#paid, bought: bought?.amount ?? emptyRange, to }
  }

  /**
   * Checks where the rest of the payment goes. The bundler forwards tokens to the sender but can't receive the native
   * coin.
   */
  #change({ currency, to }: { currency: string; to: Address | 'sender' }, buyer: string): void {
    if (to === 'sender' && currency === zeroAddress) {
      this.#report('gives what is left of the coin to the bundler, which can’t take it')
    }
    if (to !== 'sender' && to !== buyer) this.#report(`gives a part of the payment to ${to}`)
  }

  #swapHeld({ exact, given, limit, to, bySender }: Step & { do: 'swap' }): void {
    if (bySender) this.#report(paidByBundler)
    if (exact === 'in') {
      this.#paid = this.#pay(this.#quote, given).most
      this.#send(this.#token, { least: limit, most: unlimited }, to)
    } else {
      const { least, most } = rangeOf(this.#balances, this.#quote)
      this.#paid = smaller(limit, most)
      this.#balances.set(this.#quote, { least: larger(least - this.#paid, 0n), most })
      this.#send(this.#token, given === 'all' ? emptyRange : exactly(given), to)
    }
  }

  #swapOwed({ exact, given, limit }: Step & { do: 'swap' }): void {
    const funds = rangeOf(this.#credit, this.#quote)
    if (exact === 'in') {
      const paid = given === 'all' ? positive(funds) : exactly(given)
      this.#paid = paid.most
      this.#add(this.#credit, this.#quote, negative(paid))
      this.#add(this.#credit, this.#token, { least: limit, most: unlimited })
    } else if (given === 'all') {
      this.#report('does not say how much it buys')
    } else {
      this.#paid = smaller(limit, funds.most + rangeOf(this.#balances, this.#quote).most)
      this.#add(this.#credit, this.#quote, { least: -this.#paid, most: 0n })
      // A V4 pool with less liquidity pays out less, and this router does not check it.
      this.#add(this.#credit, this.#token, { least: 0n, most: given })
    }
  }

  #settle({ currency, amount, guard, bySender }: Step & { do: 'settle' }): void {
    if (bySender && currency !== zeroAddress) this.#report(paidByBundler)
    if (amount !== 'debt') {
      this.#add(this.#credit, currency, this.#pay(currency, amount))
      return
    }
    const debt = positive(negative(rangeOf(this.#credit, currency)))
    if (debt.least > guard) this.#report(excessProblem)
    const most = smaller(debt.most, guard)
    this.#pay(currency, { least: debt.least, most })
    if (currency === this.#quote) this.#paid = smaller(this.#paid, most)
    this.#credit.set(currency, emptyRange)
  }

  #collect({ currency, amount, guard, to }: Step & { do: 'take' }): void {
    if (amount === 'all') {
      const credit = positive(rangeOf(this.#credit, currency))
      this.#credit.set(currency, emptyRange)
      this.#send(currency, this.#guarded(currency, credit, guard), to)
    } else {
      this.#add(this.#credit, currency, negative(exactly(amount)))
      this.#send(currency, exactly(amount), to)
    }
  }

  #send(currency: string, amount: Range, to: TokenHolder): void {
    if (to === 'router') this.#add(this.#balances, currency, amount)
    else this.#outgoing.push({ currency, to, amount })
  }

  /** Takes an amount from the router's balance; reports a problem if it may not be enough. */
  #pay(currency: string, amount: bigint | 'all' | Range): Range {
    const funds = rangeOf(this.#balances, currency)
    const asked = typeof amount === 'bigint' ? exactly(amount) : amount
    const paid = asked === 'all' ? funds : asked
    if (paid.most > funds.least) this.#report(excessProblem)
    this.#balances.set(currency, {
      least: larger(funds.least - paid.most, 0n),
      most: larger(funds.most - paid.least, 0n),
    })
    return paid
  }

  #all(currency: string, least: bigint): Range {
    const funds = rangeOf(this.#balances, currency)
    this.#balances.set(currency, emptyRange)
    return this.#guarded(currency, funds, least)
  }

  #guarded(currency: string, { least, most }: Range, guard: bigint): Range {
    if (guard > 0n && currency !== this.#token) {
      this.#report('asks for a minimum of what is left')
    }
    if (guard > most) this.#report(excessProblem)
    return { least: larger(least, guard), most: larger(most, guard) }
  }

  /**
   * Returns the quote token as the wrapped coin. The router wraps into a fixed token, so any other quote token is a
   * problem.
   */
  #wrapped(): string {
    if (!wrappedCoins.has(this.#quote))
      this.#report('wraps coin that does not become the quote token')
    return this.#quote
  }

  #add(place: Map<string, Range>, currency: string, { least, most }: Range): void {
    const there = rangeOf(place, currency)
    const sum = there.most + most
    place.set(currency, { least: there.least + least, most: smaller(sum, unlimited) })
  }

  #report(words: string): void {
    const problem = `its first purchase ${words}`
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

function rangeOf(place: ReadonlyMap<string, Range>, currency: string): Range {
  return place.get(currency) ?? emptyRange
}
