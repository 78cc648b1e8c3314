import { type Address, zeroAddress } from 'viem'
import type { Bundle } from './calldata.ts'
import type { PoolData } from './layouts.ts'
import {
  endless,
  exactly,
  larger,
  negative,
  nothing,
  type Place,
  positive,
  type Range,
  readSteps,
  type Step,
  type SwapPool,
  smaller,
  wrappedCoins,
} from './router.ts'

/** A purchase in the transaction of the launch. Amounts in base units. */
export interface FirstPurchase {
  /** The most that is paid, in the quote token; its coin goes with the transaction. */
  paid: bigint
  /** The least that has to come for it. */
  least: bigint
  /** The most that comes; absent if the payment alone limits it. */
  most?: bigint
  to: Address | 'sender'
}

/** What a person is told of the purchase, and the wei that have to go with the transaction. */
interface Reading {
  purchase: FirstPurchase
  value: bigint
  problems: readonly string[]
}

/** The fee in the key of a pool whose fee its hook sets. */
const dynamicFee = 0x800000

/** The pool that a launch opens; undefined where its address can't be told from the payload. */
export function launchPool(pool: PoolData | undefined, initializer: Address): SwapPool | undefined {
  if (pool?.form === 'v3') return { fee: pool.fee }
  // Only the hook initializer is its own hook; those of the others stand somewhere else.
  if (pool?.form !== 'curves' || !pool.hook) return undefined
  const fee = BigInt(pool.hook.address) === 0n ? pool.fee : dynamicFee
  return { fee, tickSpacing: pool.tickSpacing, hooks: initializer.toLowerCase() }
}

/**
 * Reads the commands of a first purchase, as the Universal Router 2.0 that the bundler is built for runs them on behalf
 * of the bundler. All that is not a plain purchase of the token out of `pool` is a problem in words: what is paid, what
 * comes and to whom is then only what they most likely mean.
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
  if (!same(swap.pays, quote) || !same(swap.buys, asset)) {
    problems.push(
      `its first purchase pays ${swap.pays} for ${swap.buys}, not the quote token for the new token`,
    )
  }
  if (!pool || !samePool(swap.pool, pool)) {
    problems.push('its first purchase is not known to be from the pool of this launch')
  }
  const value = coinFor(steps, swap)
  const flow = new Flow(quote, asset, value)
  for (const step of steps) flow.take(step)
  const { paid, bought, to } = flow.end()
  const purchase = {
    paid,
    least: bought.least,
    ...(bought.most < endless && { most: bought.most }),
    to,
  }
  if (paid === 0n) problems.push('its first purchase does not say how much it pays')
  if (value >= 2n ** 112n) problems.push('its first purchase sets no limit on what it pays')
  return { purchase, value, problems: [...problems, ...flow.problems] }
}

/** What is wrapped or settled in so many words, or else what the trade takes at most. */
function coinFor(steps: readonly Step[], swap: Step & { do: 'swap' }): bigint {
  const named = (kind: 'wrap' | 'settle') =>
    steps.flatMap((step) =>
      step.do === kind && typeof step.amount === 'bigint' ? [step.amount] : [],
    )
  const sum = (amounts: readonly bigint[]) => amounts.reduce((all, amount) => all + amount, 0n)
  const most = swap.exact === 'out' ? swap.limit : swap.given === 'all' ? 0n : swap.given
  const guards = steps.flatMap((step) => (step.do === 'settle' ? [step.guard] : []))
  const least = guards.reduce(smaller, most)
  return sum(named('wrap')) || sum(named('settle')) || least
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function samePool(one: SwapPool, other: SwapPool): boolean {
  return one.fee === other.fee && one.tickSpacing === other.tickSpacing && one.hooks === other.hooks
}

const paidByBundler = 'is paid by the bundler, which has nothing'
const floodView = 'asks for more than there is, so that it would fail'

/** Where coin, quote token and token go, step by step, as ranges of what is possible. */
class Flow {
  readonly problems: string[] = []
  readonly #quote: string
  readonly #token: string
  /** What the router holds, and what it has to get from the pools (negative: to pay to them), by currency. */
  readonly #held = new Map<string, Range>()
  readonly #credit = new Map<string, Range>()
  readonly #gone: { currency: string; to: Address | 'sender'; amount: Range }[] = []
  #paid = 0n

  constructor(quote: string, token: string, value: bigint) {
    this.#quote = lower(quote)
    this.#token = lower(token)
    this.#held.set(zeroAddress, { least: value, most: value })
  }

  take(step: Step): void {
    if ('currency' in step && ![zeroAddress, this.#quote, this.#token].includes(step.currency)) {
      this.#say(`moves another token, ${step.currency}`)
    }
    switch (step.do) {
      case 'wrap':
        this.#give(this.#wrapped(), this.#pay(zeroAddress, step.amount), step.to)
        break
      case 'unwrap':
        this.#give(zeroAddress, this.#all(this.#wrapped(), step.least), step.to)
        break
      case 'sweep':
        this.#give(step.currency, this.#all(step.currency, step.least), step.to)
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

  /** Says what is paid at most, what comes, and to whom, once all steps are taken. */
  end(): { paid: bigint; bought: Range; to: Address | 'sender' } {
    // A pool that pays out less than the most makes the whole fail: what is taken is certain.
    const { least, most } = held(this.#credit, this.#quote)
    if (least !== 0n || most !== 0n || held(this.#credit, this.#token).most !== 0n) {
      this.#say('does not settle with the pool, so that it may fail')
    }
    if ([...this.#held.values()].some(({ most }) => most > 0n)) {
      this.#say('leaves something in the router, where anybody can take it')
    }
    const gone = this.#gone.filter(({ amount }) => amount.most > 0n)
    const [bought, ...others] = gone.filter(({ currency }) => currency === this.#token)
    if (!bought) this.#say('hands no tokens out')
    if (others.length > 0) this.#say('hands tokens out more than once')
    const to = bought?.to ?? 'sender'
    if (to !== 'sender' && BigInt(to) === 0n) this.#say('gives the tokens to nobody')
    for (const change of gone.filter(({ currency }) => currency !== this.#token)) {
      this.#change(change, to)
    }
    return { paid: this.#paid, bought: bought?.amount ?? nothing, to }
  }

  /** What is left of the payment. The bundler hands tokens on to the sender, but has no way to receive the coin. */
  #change({ currency, to }: { currency: string; to: Address | 'sender' }, buyer: string): void {
    if (to === 'sender' && currency === zeroAddress) {
      this.#say('gives what is left of the coin to the bundler, which can’t take it')
    }
    if (to !== 'sender' && to !== buyer) this.#say(`gives a part of the payment to ${to}`)
  }

  #swapHeld({ exact, given, limit, to, bySender }: Step & { do: 'swap' }): void {
    if (bySender) this.#say(paidByBundler)
    if (exact === 'in') {
      this.#paid = this.#pay(this.#quote, given).most
      this.#give(this.#token, { least: limit, most: endless }, to)
    } else {
      const { least, most } = held(this.#held, this.#quote)
      this.#paid = smaller(limit, most)
      this.#held.set(this.#quote, { least: larger(least - this.#paid, 0n), most })
      this.#give(this.#token, given === 'all' ? nothing : exactly(given), to)
    }
  }

  #swapOwed({ exact, given, limit }: Step & { do: 'swap' }): void {
    const funds = held(this.#credit, this.#quote)
    if (exact === 'in') {
      const paid = given === 'all' ? positive(funds) : exactly(given)
      this.#paid = paid.most
      this.#add(this.#credit, this.#quote, negative(paid))
      this.#add(this.#credit, this.#token, { least: limit, most: endless })
    } else if (given === 'all') {
      this.#say('does not say how much it buys')
    } else {
      this.#paid = smaller(limit, funds.most + held(this.#held, this.#quote).most)
      this.#add(this.#credit, this.#quote, { least: -this.#paid, most: 0n })
      // A pool of V4 that has less pays out less, and this router does not object.
      this.#add(this.#credit, this.#token, { least: 0n, most: given })
    }
  }

  #settle({ currency, amount, guard, bySender }: Step & { do: 'settle' }): void {
    if (bySender && currency !== zeroAddress) this.#say(paidByBundler)
    if (amount !== 'debt') {
      this.#add(this.#credit, currency, this.#pay(currency, amount))
      return
    }
    const debt = positive(negative(held(this.#credit, currency)))
    if (debt.least > guard) this.#say(floodView)
    const most = smaller(debt.most, guard)
    this.#pay(currency, { least: debt.least, most })
    if (currency === this.#quote) this.#paid = smaller(this.#paid, most)
    this.#credit.set(currency, nothing)
  }

  #collect({ currency, amount, guard, to }: Step & { do: 'take' }): void {
    if (amount === 'all') {
      const credit = positive(held(this.#credit, currency))
      this.#credit.set(currency, nothing)
      this.#give(currency, this.#guarded(currency, credit, guard), to)
    } else {
      this.#add(this.#credit, currency, negative(exactly(amount)))
      this.#give(currency, exactly(amount), to)
    }
  }

  #give(currency: string, amount: Range, to: Place): void {
    if (to === 'router') this.#add(this.#held, currency, amount)
    else this.#gone.push({ currency, to, amount })
  }

  /** Takes out of the router what it holds; says so if that can't be enough. */
  #pay(currency: string, amount: bigint | 'all' | Range): Range {
    const funds = held(this.#held, currency)
    const asked = typeof amount === 'bigint' ? exactly(amount) : amount
    const paid = asked === 'all' ? funds : asked
    if (paid.most > funds.least) this.#say(floodView)
    this.#held.set(currency, {
      least: larger(funds.least - paid.most, 0n),
      most: larger(funds.most - paid.least, 0n),
    })
    return paid
  }

  #all(currency: string, least: bigint): Range {
    const funds = held(this.#held, currency)
    this.#held.set(currency, nothing)
    return this.#guarded(currency, funds, least)
  }

  #guarded(currency: string, { least, most }: Range, guard: bigint): Range {
    if (guard > 0n && currency !== this.#token) {
      this.#say('asks for a minimum of what is left')
    }
    if (guard > most) this.#say(floodView)
    return { least: larger(least, guard), most: larger(most, guard) }
  }

  /** The router wraps into a token of its own choice, so the quote token has to be known as that one. */
  #wrapped(): string {
    if (!wrappedCoins.has(this.#quote)) this.#say('wraps coin that does not become the quote token')
    return this.#quote
  }

  #add(place: Map<string, Range>, currency: string, { least, most }: Range): void {
    const there = held(place, currency)
    const sum = there.most + most
    place.set(currency, { least: there.least + least, most: smaller(sum, endless) })
  }

  #say(words: string): void {
    const problem = `its first purchase ${words}`
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

function held(place: ReadonlyMap<string, Range>, currency: string): Range {
  return place.get(currency) ?? nothing
}

function lower(address: string): string {
  return address.toLowerCase()
}
