import type { ApiErrorKind } from '../errors.ts'

/** How the interface has been answering, for /healthz. */
export interface Health {
  /**
   * `unknown`: it was not asked yet. `degraded`: the last call failed. `down`: the circuit is open, or the interface
   * refuses us.
   */
  state: 'unknown' | 'ok' | 'degraded' | 'down'
  /** When the interface last gave an answer; absent before the first. */
  lastAnswer?: Date
  /** Why the last call failed, where it did. */
  failure?: ApiErrorKind
}

/** Keeps what the last calls came to, of all clients that share it. */
export class HealthRecord {
  #lastAnswer: Date | undefined
  #failure: ApiErrorKind | undefined

  answered(): void {
    this.#lastAnswer = new Date()
    this.#failure = undefined
  }

  failed(kind: ApiErrorKind): void {
    // These two say something about the request, not about the interface.
    if (kind === 'not-found' || kind === 'invalid') {
      this.answered()
    } else {
      this.#failure = kind
    }
  }

  read(circuitOpen: boolean): Health {
    return {
      state: this.#state(circuitOpen),
      ...(this.#lastAnswer && { lastAnswer: this.#lastAnswer }),
      ...(this.#failure && { failure: this.#failure }),
    }
  }

  #state(circuitOpen: boolean): Health['state'] {
    const refused = this.#failure === 'unauthorised' || this.#failure === 'forbidden'
    if (refused) return 'down'
    // Another client may have had an answer since the circuit of this one opened.
    if (this.#failure !== undefined) return circuitOpen ? 'down' : 'degraded'
    return this.#lastAnswer === undefined ? 'unknown' : 'ok'
  }
}
