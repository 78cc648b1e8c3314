import type { ApiErrorKind } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Call } from './client.ts'

/** A setting that the API's answers show to be wrong. */
export type WrongSetting = 'API_KEY' | 'API_BASE_URL'

interface AccessCheckParts {
  /** Asks for the list that the bot can't do without. Resolves to how that failed; undefined if it did not. Never rejects. */
  ask: () => Promise<ApiErrorKind | undefined>
  log: Logger
  /** Milliseconds between two questions while a setting is wrong. */
  everyMs?: number
  /** Milliseconds between two questions at least. */
  spacingMs?: number
}

/** What an operator reads as a setting begins to be wrong, and as that ends. */
const messages: Readonly<Record<WrongSetting, { begins: string; ends: string }>> = {
  API_KEY: {
    begins:
      'the API refuses API_KEY: nothing new is shown, and no alerts are found, until that is set right (npm run doctor)',
    ends: 'the API takes API_KEY again',
  },
  API_BASE_URL: {
    begins:
      'no v1 API answers at API_BASE_URL: nothing new is shown, and no alerts are found, until that is set right (npm run doctor)',
    ends: 'the v1 API answers at API_BASE_URL again',
  },
}

/** The setting that is wrong, by how the question for the list failed. Other failures say nothing of settings: they pass by themselves. */
export const wrongSettings = {
  unauthorised: 'API_KEY',
  forbidden: 'API_KEY',
  'not-found': 'API_BASE_URL',
  malformed: 'API_BASE_URL',
} as const satisfies Partial<Record<ApiErrorKind, WrongSetting>>
const verdicts: Partial<Record<ApiErrorKind, WrongSetting>> = wrongSettings

/**
 * Finds out whether key and address of the API are right: by a question at the start, and one whenever an answer of another
 * call raises doubt, as a single refusal may be about that call alone. Logs the beginning and the end of what is wrong, once.
 * @example
 *   const access = new AccessCheck({ ask: () => api.probe(), log })
 *   access.start()
 *   access.note(call) // for each call of the API
 *   access.wrongSetting()
 */
export class AccessCheck {
  readonly #parts: Required<AccessCheckParts>
  #wrong: WrongSetting | undefined
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

  wrongSetting(): WrongSetting | undefined {
    return this.#wrong
  }

  /** Notes the result of a call, and asks soon if it does not fit what is known. */
  note({ endpoint, result }: Pick<Call, 'endpoint' | 'result'>): void {
    if (this.#isAsking || result === 'unknown') return
    const isList = endpoint === 'assets' || endpoint === 'search'
    const isDoubtful =
      result === 'ok' ? isList : result in verdicts && (isList || result !== 'not-found')
    const fits = (result === 'ok') === (this.#wrong === undefined)
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
    const { ask, everyMs } = this.#parts
    if (this.#isAsking || this.#isStopped) return
    this.#isAsking = true
    const failure = await ask()
    this.#isAsking = false
    this.#askedAt = performance.now()
    const verdict = failure && verdicts[failure]
    // An API that is down says nothing of the settings.
    if (failure === undefined || verdict !== undefined) this.#set(verdict, failure)
    if (this.#wrong !== undefined) this.#askAfter(everyMs)
  }

  #set(wrong: WrongSetting | undefined, failure: ApiErrorKind | undefined): void {
    const { log } = this.#parts
    const before = this.#wrong
    if (before === wrong) return
    this.#wrong = wrong
    if (before !== undefined) log.info(messages[before].ends)
    // The bot goes on with what it remembers, and takes the right setting at its next start.
    if (wrong !== undefined) log.fatal({ failure }, messages[wrong].begins)
  }
}
