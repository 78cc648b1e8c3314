import type { RestAnswer } from './rest/router.ts'

/**
 * A way in which Discord goes wrong: `status` answers with one (500 unless said otherwise) and does nothing, `limited`
 * with 429, `silent` neither does nor answers anything, `mute` does it and never answers, `reset` does it and breaks
 * the connection.
 */
export interface Fault {
  kind: 'status' | 'limited' | 'silent' | 'mute' | 'reset'
  /** Only this route, as in `POST /channels/:id/messages`; else all. */
  route?: string
  /** How many calls go wrong; without it, all until `clear`. */
  times?: number
  status?: number
  /** Discord's own code in the body, with `status`. */
  code?: number
  /** Seconds, with `limited`. */
  retryAfter?: number
  /** Whether `limited` is the limit on all calls. */
  global?: boolean
}

/** What to answer in place of the right answer. */
export interface FaultAnswer extends RestAnswer {
  headers: Record<string, string>
}

/** The faults in force: the one of the call's own route comes before that of all. */
export class Faults {
  readonly #byRoute = new Map<string, { fault: Fault; left: number }>()

  /** Puts a fault in force, in place of the one of the same route. */
  set(fault: Fault): void {
    this.#byRoute.set(fault.route ?? '', { fault, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#byRoute.clear()
  }

  /** The fault that befalls a call, counted as used. */
  take(route: string): Fault | undefined {
    const key = this.#byRoute.has(route) ? route : ''
    const entry = this.#byRoute.get(key)
    if (entry === undefined) return undefined
    entry.left -= 1
    if (entry.left <= 0) this.#byRoute.delete(key)
    return entry.fault
  }
}

/** The answer of a fault that gives one instead of doing what was asked. */
export function faultAnswer(fault: Fault): FaultAnswer | undefined {
  if (fault.kind === 'status') {
    const { status = 500, code = 0 } = fault
    return { status, headers: {}, body: { message: `${status}: Something went wrong`, code } }
  }
  if (fault.kind !== 'limited') return undefined
  const { retryAfter = 1, global = false } = fault
  const headers = {
    'Retry-After': String(Math.ceil(retryAfter)),
    'X-RateLimit-Scope': global ? 'global' : 'shared',
    ...(global ? { 'X-RateLimit-Global': 'true' } : {}),
  }
  const body = { message: 'You are being rate limited.', retry_after: retryAfter, global }
  return { status: 429, headers, body }
}
