import { generateKeyPairSync, sign } from 'node:crypto'
import { Agent } from 'undici'
import { z } from 'zod'
import { invalidForm, Refusal } from './refusals.ts'

/** What a call is signed with, as its headers. */
interface Signed {
  'x-signature-ed25519': string
  'x-signature-timestamp': string
}

/** How the bot's server answered a call. */
interface CallAnswer {
  status: number
  body: string
  /** Why Discord did not accept the response in it. */
  refusal?: string
}

const patience = 3_000
const application = z.looseObject({ interactions_endpoint_url: z.unknown().optional() })
const pong = z.object({ type: z.literal(1) })

/** Where the application has Discord send interactions instead of to the gateway, and the key that signs them. */
export class Endpoint {
  /** Hexadecimal digits of the 32 bytes of the public key, as Discord shows it. */
  readonly verifyKey: string
  readonly #privateKey
  readonly #now: () => number
  readonly #agent = new Agent({ headersTimeout: patience, bodyTimeout: patience })
  /** The answers to interactions that were delivered, oldest first. */
  readonly answers: CallAnswer[] = []
  url: string | null = null

  constructor(now: () => number) {
    this.#now = now
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    this.#privateKey = privateKey
    // The last 32 bytes of its DER are the key itself.
    this.verifyKey = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
  }

  /** Signs a body as Discord does; `at` in unix seconds. */
  signed(body: string, at: number = Math.floor(this.#now() / 1_000)): Signed {
    const signature = sign(null, Buffer.from(`${at}${body}`), this.#privateKey)
    return {
      'x-signature-ed25519': signature.toString('hex'),
      'x-signature-timestamp': String(at),
    }
  }

  /** Takes the address of a PATCH, if the bot proves there that it checks signatures. Throws Refusal. */
  async change(body: unknown, ping: object): Promise<void> {
    const { interactions_endpoint_url: url } = application.parse(body)
    if (url === undefined) return
    if (url === null) {
      this.url = null
      return
    }
    if (typeof url !== 'string' || !isAddress(url)) {
      throw refused('URL_TYPE_INVALID_URL', 'Not a well formed URL.')
    }
    if (!(await this.#isVerified(url, JSON.stringify({ ...ping, type: 1 })))) {
      const code = 'APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID'
      throw refused(code, 'The specified interactions endpoint url could not be verified.')
    }
    this.url = url
  }

  /**
   * Sends an interaction. What the bot answers with 200 is its response, of which `respond` throws a Refusal as for a
   * callback; with 202 it responds over the REST interface.
   */
  deliver(json: string, respond: (body: unknown) => void): void {
    const { url } = this
    if (url === null) return
    this.#call(url, json, this.signed(json))
      .then((answer) => {
        this.answers.push(answer)
        if (answer.status !== 200) return
        try {
          respond(parsed(answer.body))
        } catch (error) {
          answer.refusal = error instanceof Refusal ? JSON.stringify(error.body()) : String(error)
        }
      })
      // Nobody is there: the person reads after 3 s that the application did not respond.
      .catch(() => this.answers.push({ status: 0, body: '' }))
  }

  async stop(): Promise<void> {
    await this.#agent.destroy()
  }

  async #isVerified(url: string, ping: string): Promise<boolean> {
    const right = this.signed(ping)
    const wrong = {
      ...right,
      'x-signature-ed25519': this.signed(`${ping} `)['x-signature-ed25519'],
    }
    try {
      const [taken, refusal] = await Promise.all([
        this.#call(url, ping, right),
        this.#call(url, ping, wrong),
      ])
      return (
        taken.status === 200 && pong.safeParse(parsed(taken.body)).success && refusal.status === 401
      )
    } catch {
      return false
    }
  }

  async #call(url: string, body: string, headers: Signed): Promise<CallAnswer> {
    const { origin, pathname, search } = new URL(url)
    const answer = await this.#agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    const type = String(answer.headers['content-type'] ?? '')
    const text = await answer.body.text()
    // Discord reads nothing in what is not called JSON.
    return { status: answer.statusCode, body: type.includes('json') ? text : '' }
  }
}

/** Discord takes https alone; on this machine there is nothing to hide from. */
function isAddress(url: string): boolean {
  return /^(?:https:\/\/|http:\/\/127\.0\.0\.1[:/])/u.test(url) && URL.canParse(url)
}

function refused(code: string, message: string) {
  return invalidForm([{ path: 'interactions_endpoint_url', code, message }])
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
