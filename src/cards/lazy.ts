import type { Picture } from '../chat/view.ts'
import type { CardFacts, Cards } from './card.ts'

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
