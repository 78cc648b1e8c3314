import type { WalletOptions } from '../server.ts'

interface Remembered {
  /** The account that the page may see. */
  account: string | undefined
  chain: number
  known: number[]
}

/** What the wallet remembers of a site while its tab is open, as wallets do over a reload. */
export class Memory {
  readonly #key: string
  #now: Remembered

  constructor(rdns: string, { chain, on = chain, knows = true }: WalletOptions) {
    this.#key = `wallet ${rdns}`
    const kept = sessionStorage.getItem(this.#key)
    this.#now = kept
      ? JSON.parse(kept)
      : { account: undefined, chain: on, known: knows ? [on, chain] : [on] }
  }

  get account(): string | undefined {
    return this.#now.account
  }

  set account(account: string | undefined) {
    this.#keep({ ...this.#now, account })
  }

  get chain(): number {
    return this.#now.chain
  }

  set chain(chain: number) {
    this.#keep({ ...this.#now, chain })
  }

  knows(chain: number): boolean {
    return this.#now.known.includes(chain)
  }

  learn(chain: number): void {
    this.#keep({ ...this.#now, known: [...this.#now.known, chain] })
  }

  #keep(now: Remembered): void {
    this.#now = now
    sessionStorage.setItem(this.#key, JSON.stringify(now))
  }
}
