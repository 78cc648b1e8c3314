import type { Picture } from '../core/view.ts'

/** All that is drawn on a card. Texts are strangers' and may be anything; what is absent is left out. */
export interface CardFacts {
  /** Makes the avatar where there is no picture. */
  asset: string
  name: string
  symbol: string
  chain: string
  /** As in "Live", "Graduated", "Ended". */
  status: string
  tone: 'neutral' | 'good' | 'warn' | 'bad'
  /** As texts for people: "$0.0₆1234", "+12.3 %". */
  price?: string
  change?: string
  marketCap?: string
  /** 0 to 1, and how it is written. */
  progress?: { ratio: number; label: string }
  /** How it stands or ended, as in "Ends 22 Nov, 14:30 UTC" or "Graduated". */
  outcome?: string
  /** Prices, oldest first; numbers for drawing alone. */
  line: readonly number[]
  /** The time that the line covers, as in "over 3 h". */
  span?: string
  /** The token's own picture. */
  image?: string
}

/** Makes the pictures of cards. */
export interface Cards {
  /**
   * The picture of these facts: made once for as long as it is remembered. Undefined where it can't be made, which is
   * logged: a card goes out without one.
   */
  of(facts: CardFacts): Promise<Picture | undefined>
  /**
   * The picture where it is there already or can be had within `ms`; it is made in any case. A token's own picture that
   * has to be fetched first is not waited for: the next drawing has it.
   */
  soon(facts: CardFacts, ms: number): Promise<Picture | undefined>
  close(): Promise<void>
}

/** What makes pictures takes memory and time to load: it is loaded when the first is wanted. */
export class LazyCards implements Cards {
  readonly #load: () => Promise<Cards>
  #cards: Promise<Cards> | undefined

  constructor(load: () => Promise<Cards>) {
    this.#load = load
  }

  async of(facts: CardFacts): Promise<Picture | undefined> {
    return (await this.#loaded()).of(facts)
  }

  async soon(facts: CardFacts, ms: number): Promise<Picture | undefined> {
    return (await this.#loaded()).soon(facts, ms)
  }

  async close(): Promise<void> {
    await (await this.#cards)?.close()
  }

  #loaded(): Promise<Cards> {
    this.#cards ??= this.#load()
    return this.#cards
  }
}
