import { type Address, zeroAddress } from 'viem'
import {
  endless,
  exactly,
  larger,
  negative,
  nothing,
  positive,
  type Range,
  smaller,
} from './range.ts'
import type { Place, Step } from './router.ts'
import { wrappedCoins } from './routers.ts'

const paidByBundler = 'is paid by the bundler, which has nothing'
const tooMuch = 'asks for more than there is, so that it would fail'

/** Where coin, quote token and token go, step by step, as ranges of what is possible. */
export class Flow {
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
    if (debt.least > guard) this.#say(tooMuch)
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
    if (paid.most > funds.least) this.#say(tooMuch)
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
    if (guard > most) this.#say(tooMuch)
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
