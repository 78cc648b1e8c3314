import * as z from 'zod/mini'
import { addressSchema, hashSchema } from './wire.ts'

const keptSchema = z.object({
  /** The connected wallet's id. */
  wallet: z.optional(z.string()),
  sent: z.optional(z.object({ hash: hashSchema, account: addressSchema, reported: z.boolean() })),
  /** Transactions that the person gave up. */
  dismissed: z._default(z.array(hashSchema), []),
})

export type Kept = z.infer<typeof keptSchema>

/**
 * This tab's state for a link, in session storage, so that it survives a reload. Without storage it lasts as long as
 * the page.
 */
export class Memory {
  readonly #key: string
  #kept: Kept

  constructor(key: string) {
    this.#key = key
    this.#kept = this.#read()
  }

  get kept(): Kept {
    return this.#kept
  }

  keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change }
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#kept))
    } catch {
      // Storage is disabled or full: the state lasts as long as the page.
    }
  }

  #read(): Kept {
    try {
      return keptSchema.parse(JSON.parse(sessionStorage.getItem(this.#key) ?? '{}'))
    } catch {
      return { dismissed: [] }
    }
  }
}
