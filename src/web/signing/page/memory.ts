import * as z from 'zod/mini'
import { addressSchema, hashSchema } from './wire.ts'

const stateSchema = z.object({
  /** The connected wallet's id. */
  wallet: z.optional(z.string()),
  sent: z.optional(z.object({ hash: hashSchema, account: addressSchema, reported: z.boolean() })),
  /** Transactions that the person gave up. */
  dismissed: z._default(z.array(hashSchema), []),
})

export type TabState = z.infer<typeof stateSchema>

/**
 * This tab's state for a link, in session storage, so that it survives a reload. Without storage it lasts as long as
 * the page.
 */
export class SessionStore {
  readonly #key: string
  #state: TabState

  constructor(key: string) {
    this.#key = key
    this.#state = this.#read()
  }

  get state(): TabState {
    return this.#state
  }

  update(change: Partial<TabState>): void {
    this.#state = { ...this.#state, ...change }
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#state))
    } catch {
      // Storage is disabled or full: the state lasts as long as the page.
    }
  }

  #read(): TabState {
    try {
      return stateSchema.parse(JSON.parse(sessionStorage.getItem(this.#key) ?? '{}'))
    } catch {
      return { dismissed: [] }
    }
  }
}
