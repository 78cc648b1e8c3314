import * as z from 'zod/mini'
import { hashSchema, reportSchema } from '../../../launch/signing-wire.ts'

const sessionSchema = z.object({
  /** The connected wallet's id. */
  wallet: z.optional(z.string()),
  sent: z.optional(z.object({ ...reportSchema.shape, reported: z.boolean() })),
  /** Transactions that the person gave up. */
  dismissed: z._default(z.array(hashSchema), []),
})

/**
 * Stores what this tab has to know of a link, in session storage, so that it survives a reload. Without storage it lasts as long
 * as the page.
 */
export class Session {
  readonly #key: string
  #state: z.infer<typeof sessionSchema> = { dismissed: [] }

  constructor(key: string) {
    this.#key = key
    try {
      this.#state = sessionSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
    } catch {
      // Storage is disabled, or holds something else.
    }
  }

  get state(): z.infer<typeof sessionSchema> {
    return this.#state
  }

  update(change: Partial<z.infer<typeof sessionSchema>>): void {
    this.#state = { ...this.#state, ...change }
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.#state))
    } catch {
      // Storage is disabled or full: the state lasts as long as the page.
    }
  }
}

/** Lifetime of a stored lock in milliseconds: hidden tabs may run timers only once a minute. */
const lockLifetime = 90_000
const renewEvery = 20_000
/** Milliseconds after which concurrent writes of two tabs are visible to both. */
const settleTime = 100

/**
 * Runs `act` unless another tab of this browser holds the same lock. The lock ends with the action or the tab.
 * @returns whether it ran
 */
export async function withTabLock(name: string, act: () => Promise<void>): Promise<boolean> {
  // Not available over plain http and in old browsers.
  const { locks }: { locks?: LockManager } = navigator
  if (!locks) return withStorageLock(name, act)
  return locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock) await act()
    return lock !== null
  })
}

async function withStorageLock(name: string, act: () => Promise<void>): Promise<boolean> {
  const id = String(Math.random())
  const hold = () => localStorage.setItem(name, `${id} ${Date.now() + lockLifetime}`)
  const release = () => {
    if (holderOf(name) === id) localStorage.removeItem(name)
  }
  try {
    if (holderOf(name) !== undefined) return false
    hold()
    await new Promise((resolve) => setTimeout(resolve, settleTime))
    // Two tabs may have seen it free: the one that wrote last holds it.
    if (holderOf(name) !== id) return false
  } catch {
    // Storage is disabled or full, so other tabs can't be detected.
    await act()
    return true
  }
  const timer = setInterval(hold, renewEvery)
  window.addEventListener('pagehide', release)
  try {
    await act()
    return true
  } finally {
    clearInterval(timer)
    window.removeEventListener('pagehide', release)
    release()
  }
}

function holderOf(name: string): string | undefined {
  const [id, until] = (localStorage.getItem(name) ?? '').split(' ')
  return Number(until) > Date.now() ? id : undefined
}
