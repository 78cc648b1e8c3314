import type { ResponseParameters } from 'grammy/types'

/** A file that came in a multipart request. */
export interface Upload {
  name: string
  type: string
  bytes: Buffer
}

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The parameters of one call, however they were sent: a form carries text only, so numbers, flags and
 * objects are read from text too, as the Bot API does.
 */
export class Params {
  readonly #values: Fields
  readonly #files: ReadonlyMap<string, Upload>

  constructor(values: Fields, files: ReadonlyMap<string, Upload> = new Map()) {
    this.#values = values
    this.#files = files
  }

  /** Everything that was sent, for the log of calls. */
  get payload(): Fields {
    return this.#values
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined
  }

  /** The text of a parameter, '' where it is absent. */
  text(name: string): string {
    return asText(this.#value(name))
  }

  integer(name: string): number | undefined {
    return asInteger(this.#value(name))
  }

  flag(name: string): boolean {
    return asFlag(this.#value(name))
  }

  /** An object or array, parsed where it came as text; undefined where absent or empty; throws a 400. */
  object(name: string): unknown {
    const value = this.#value(name)
    if (typeof value !== 'string') return value
    if (value === '') return undefined
    try {
      return JSON.parse(value)
    } catch {
      throw badRequest(`can't parse ${name.replaceAll('_', ' ')} JSON object`)
    }
  }

  /** The upload behind a parameter, sent in place or by `attach://name`, which `value` is in place of the parameter. */
  file(name: string, value = this.text(name)): Upload | undefined {
    const attached = /^attach:\/\/(.+)$/u.exec(value)?.[1]
    return this.#files.get(attached ?? name)
  }

  #value(name: string): unknown {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    return value === null ? undefined : value
  }
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export function asInteger(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  if (typeof value !== 'string' || !/^\s*-?\d{1,16}\s*$/u.test(value)) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : undefined
}

export const asFlag = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^(?:true|yes|1)$/iu.test(value))

/** A call that the Bot API answers with `ok: false`; `message` is the answer's description. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number
  readonly parameters: ResponseParameters | undefined

  constructor(code: number, description: string, parameters?: ResponseParameters) {
    super(description)
    this.code = code
    this.parameters = parameters
  }
}

/** The 400 of the Bot API, with its prefix. */
export const badRequest = (why: string): Refusal => new Refusal(400, `Bad Request: ${why}`)

/** The 403 of the Bot API, with its prefix. */
export const forbidden = (why: string): Refusal => new Refusal(403, `Forbidden: ${why}`)
