import type { ApiErrorKind } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Call } from './client.ts'

/** An obstacle that the API's answers reveal: a wrong setting, or a firewall in front of the API. */
export type Obstacle = 'API_KEY' | 'API_BASE_URL' | 'firewall'

/** The text about a firewall for operators, in the log, the doctor, /readyz and /healthz. */
export const firewallText =
  'the API’s firewall refuses this server’s address: ask the API’s operator to allow it'

interface AccessCheckParts {
  /** Asks for the list that the bot can't do without. Resolves to how that failed; undefined if it did not. Never rejects. */
  ask: () => Promise<ApiErrorKind | undefined>
  log: Logger
  /** Milliseconds between two questions while a setting is wrong. */
  everyMs?: number
  /** Milliseconds between two questions at least. While a firewall refuses us they grow from this to ten times `everyMs`. */
  spacingMs?: number
}

/** The log's texts when an obstacle appears, and when it is gone. */
const messages: Readonly<Record<Obstacle, { begins: string; ends: string }>> = {
  API_KEY: {
    begins:
      'the API refuses API_KEY: the bot shows nothing new and finds no alerts until you correct it (npm run doctor)',
    ends: 'the API accepts API_KEY again',
  },
  API_BASE_URL: {
    begins:
      'no v1 API answers at API_BASE_URL: the bot shows nothing new and finds no alerts until you correct it (npm run doctor)',
    ends: 'the v1 API answers at API_BASE_URL again',
  },
  firewall: {
    begins: `${firewallText}. The bot shows nothing new and finds no alerts; it keeps trying`,
    ends: 'the API’s firewall lets this server through again',
  },
}

/** The setting that is wrong, by how the question for the list failed. */
export const wrongSettings = {
  unauthorised: 'API_KEY',
  forbidden: 'API_KEY',
  'not-found': 'API_BASE_URL',
  malformed: 'API_BASE_URL',
} as const satisfies Partial<Record<ApiErrorKind, Obstacle>>
/** Other failures pass by themselves. */
const verdicts: Partial<Record<ApiErrorKind, Obstacle>> = { ...wrongSettings, blocked: 'firewall' }

/** How many times `everyMs` a firewall is left alone at most. */
const longest = 10

/**
 * Checks whether the API's key and address are right, and whether it lets this server through. Asks at the start, and again
 * whenever another call's answer raises doubt: a single refusal may only be about that call, as a firewall may dislike a
 * search term. Logs the beginning and the end of each obstacle once.
 * @example
 *   const access = new AccessCheck({ ask: () => api.probe(), log })
 *   access.start()
 *   access.note(call) // for each call of the API
 *   access.obstacle()
 */
export class AccessCheck {
  readonly #parts: Required<AccessCheckParts>
  #obstacle: Obstacle | undefined
  /** Milliseconds until a firewall is tried again. */
  #firewallMs = 0
  #isAsking = false
  #isStopped = false
  #askedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(parts: AccessCheckParts) {
    this.#parts = { everyMs: 30_000, spacingMs: 5_000, ...parts }
  }

  /** Asks at once, without waiting for the answer. */
  start(): void {
    void this.#ask()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  obstacle(): Obstacle | undefined {
    return this.#obstacle
  }

  /** The obstacle in the words of /readyz and /healthz. */
  obstacleText(): string | undefined {
    if (this.#obstacle === 'firewall') return firewallText
    return this.#obstacle && `wrong ${this.#obstacle}`
  }

  /** Notes the result of a call, and asks soon if it does not fit what is known. */
  note({ endpoint, result }: Pick<Call, 'endpoint' | 'result'>): void {
    if (this.#isAsking || result === 'unknown') return
    const isList = endpoint === 'assets' || endpoint === 'search'
    const isDoubtful =
      result === 'ok' ? isList : result in verdicts && (isList || result !== 'not-found')
    const fits = (result === 'ok') === (this.#obstacle === undefined)
    if (isDoubtful && !fits) this.#askAfter(this.#parts.spacingMs)
  }

  /** Asks so many milliseconds after the last question. */
  #askAfter(ms: number): void {
    if (this.#isStopped) return
    clearTimeout(this.#timer)
    const wait = Math.max(0, this.#askedAt + ms - performance.now())
    this.#timer = setTimeout(() => void this.#ask(), wait)
  }

  async #ask(): Promise<void> {
    const { ask, everyMs, spacingMs } = this.#parts
    if (this.#isAsking || this.#isStopped) return
    this.#isAsking = true
    const failure = await ask()
    this.#isAsking = false
    this.#askedAt = performance.now()
    const verdict = failure && verdicts[failure]
    // An API that is down says nothing of the settings.
    if (failure === undefined || verdict !== undefined) this.#set(verdict, failure)
    if (this.#obstacle === undefined) return
    // The refusal may end in a moment, and frequent requests may look like an attack.
    const isFirewall = this.#obstacle === 'firewall'
    this.#firewallMs = isFirewall
      ? Math.min(Math.max(spacingMs, 2 * this.#firewallMs), longest * everyMs)
      : 0
    this.#askAfter(isFirewall ? this.#firewallMs : everyMs)
  }

  #set(obstacle: Obstacle | undefined, failure: ApiErrorKind | undefined): void {
    const { log } = this.#parts
    const before = this.#obstacle
    if (before === obstacle) return
    this.#obstacle = obstacle
    this.#firewallMs = 0
    if (obstacle === undefined) {
      if (before !== undefined) log.info(messages[before].ends)
    } else {
      // The bot goes on with what it remembers, and takes the right setting at its next start.
      log.fatal({ failure }, messages[obstacle].begins)
    }
  }
}
