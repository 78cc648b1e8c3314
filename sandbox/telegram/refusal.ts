import type { ResponseParameters } from 'grammy/types'

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
