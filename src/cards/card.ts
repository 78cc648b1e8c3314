import type { Picture } from '../core/view.ts'

/** Everything that a card shows. Texts come from third parties and may be anything; absent fields are left out. */
export interface CardFacts {
  /** The asset's address, from which the avatar is derived if there is no picture. */
  asset: string
  name: string
  symbol: string
  chain: string
  /** Such as "Live", "Graduated", "Ended". */
  status: string
  tone: 'neutral' | 'good' | 'warn' | 'bad'
  /** Formatted texts, such as "$0.0₆1234", "▲ 12.3 %". */
  price?: string
  change?: string
  marketCap?: string
  /** 0 to 1, and its text. */
  progress?: { ratio: number; label: string }
  /** The start, end or result, such as "Ends 22 Nov, 14:30 UTC" or "Graduated". */
  outcome?: string
  /** Prices, oldest first; as numbers, since they are only drawn. */
  line: readonly number[]
  /** The time that the line covers, such as "over 3 h". */
  span?: string
  /** The URL of the token's own picture. */
  image?: string
}

/** Makes the pictures of cards. */
export interface Cards {
  /**
   * The picture of these facts, from the cache or drawn now. Undefined if it can't be drawn, which is logged: the card
   * is then sent without one.
   */
  of(facts: CardFacts): Promise<Picture | undefined>
  /**
   * The picture if it is ready within `ms`, else undefined while drawing continues for the next call. Does not wait for
   * a token's own picture that has to be downloaded; later drawings contain it.
   */
  soon(facts: CardFacts, ms: number): Promise<Picture | undefined>
  close(): Promise<void>
}

/** Loads the drawing code when the first picture is needed, as it takes memory and time. */
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
