import {
  type Address,
  BaseError,
  concat,
  createClient,
  getAddress,
  type Hex,
  HttpRequestError,
  http,
  numberToHex,
  pad,
  RpcRequestError,
  slice,
  TimeoutError,
  toFunctionSelector,
} from 'viem'
import { z } from 'zod'
import { plain } from './airlock/calldata.ts'

/** Why a node could not say what it was asked. */
export type NodeErrorKind =
  | 'unavailable' // no answer, a refusal, a deadline
  | 'wrong-chain' // it answers for another chain
  | 'malformed' // an answer that is none

/** A question to a node that came to nothing. Neither its message nor its cause holds the node's URL: that may be a secret. */
export class NodeError extends Error {
  override readonly name: string = 'NodeError'
  readonly kind: NodeErrorKind

  constructor(kind: NodeErrorKind, message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export interface RpcOptions {
  rpcUrl: string
  chainId: number
  /** Milliseconds for a question with all its tries. */
  timeoutMs?: number | undefined
}

/** The node answered with an error of its own. */
export class RpcRefusal extends NodeError {
  override readonly name = 'RpcRefusal'
  readonly code: number
  /** What the node wrote; by strangers. */
  readonly details: string
  readonly data: unknown

  constructor(
    message: string,
    { code, details, data }: Pick<RpcRefusal, 'code' | 'details' | 'data'>,
  ) {
    super('unavailable', message)
    this.code = code
    this.details = details
    this.data = data
  }
}

/** Whether the node was asked too often, which is not the same as for too much. */
export function isHurried({ code, details }: RpcRefusal): boolean {
  return code === 429 || /\brate\b|per second|too many requests/iu.test(details)
}

/** Whether the node refuses the method itself, whatever is asked of it. */
export function lacksMethod({ code, details }: RpcRefusal): boolean {
  const words =
    /method\b.*(?:not (?:found|supported|available|allowed)|unsupported|does not exist)|unsupported method/iu
  return code === -32_601 || code === -32_004 || words.test(details)
}

const tries = 3
const maxBytes = 10_000_000

/**
 * Asks one node by JSON-RPC over HTTP, bounded in time and size. Every failure is a NodeError; none has the library's
 * error as its cause, because that names the URL.
 */
export class Rpc {
  readonly #chainId: number
  readonly #timeoutMs: number
  readonly #secrets: readonly string[]
  readonly #client

  constructor({ rpcUrl, chainId, timeoutMs = 15_000 }: RpcOptions) {
    this.#chainId = chainId
    this.#timeoutMs = timeoutMs
    this.#secrets = secretsIn(rpcUrl)
    const timeout = Math.ceil(timeoutMs / 2)
    this.#client = createClient({
      transport: http(rpcUrl, { timeout, retryCount: tries - 1, maxResponseBodySize: maxBytes }),
    })
  }

  /**
   * The result of a method, read by the schema.
   * @throws RpcRefusal where the node answers with an error, NodeError otherwise.
   */
  async ask<Result>(
    method: string,
    params: readonly unknown[],
    schema: z.ZodType<Result>,
  ): Promise<Result> {
    const read = schema.safeParse(await this.#request(method, params))
    if (!read.success) throw this.#error('malformed', `did not answer ${method} as a node does`)
    return read.data
  }

  async #request(method: string, params: readonly unknown[]): Promise<unknown> {
    const signal = AbortSignal.timeout(this.#timeoutMs)
    try {
      return await this.#client.request<{ Parameters: unknown; ReturnType: unknown }>(
        { method, params },
        // A node may ask to be left alone for longer than anybody waits.
        { signal },
      )
    } catch (error) {
      throw this.#explained(method, error, signal.aborted)
    }
  }

  #explained(method: string, error: unknown, late: boolean): NodeError {
    const refusal = find(error, (each) => each instanceof RpcRequestError)
    if (refusal) {
      const details = this.#scrubbed(refusal.details)
      const message = `refused ${method} (${refusal.code}: ${plain(details)})`
      const { code, data } = refusal
      return new RpcRefusal(this.#words(message), { code, data, details })
    }
    if (late) return this.#error('unavailable', `did not answer ${method} in time`)
    // What the library can't read it calls a failed request, too.
    const failed = find(error, (each) => each instanceof HttpRequestError)
    const lost = failed ?? find(error, (each) => each instanceof TimeoutError)
    if (!lost || find(error, (each) => each instanceof SyntaxError)) {
      return this.#error('malformed', `did not answer ${method} as a node does`)
    }
    const status = failed?.status === undefined ? '' : ` (HTTP ${failed.status})`
    return this.#error('unavailable', `did not answer ${method}${status}`)
  }

  #error(kind: 'unavailable' | 'malformed', what: string): NodeError {
    return new NodeError(kind, this.#words(what))
  }

  #words(what: string): string {
    return `The node of chain ${this.#chainId} ${what}.`
  }

  #scrubbed(text: string): string {
    return this.#secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text)
  }
}

/** The URL and those of its parts that are long enough to be a secret. */
function secretsIn(rpcUrl: string): string[] {
  const url = new URL(rpcUrl)
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()]
  const long = parts.filter((part) => part.length >= 8)
  const named = [url.username, url.password].filter((part) => part !== '')
  return [rpcUrl, url.href, url.host, ...long, ...named]
}

function find<Wanted extends Error>(
  error: unknown,
  isWanted: (each: unknown) => each is Wanted,
): Wanted | undefined {
  const wanted = error instanceof BaseError ? error.walk(isWanted) : error
  return isWanted(wanted) ? wanted : undefined
}

/** A number as a node writes it. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/u)
  .transform(BigInt)
export const bytes = z.templateLiteral(['0x', z.string().regex(/^(?:[0-9a-fA-F]{2})*$/u)])
const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/u)])
const address = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{40}$/u)])

const log = z.object({
  address,
  topics: z.array(hash),
  data: bytes,
  transactionHash: hash.nullish(),
  blockNumber: quantity.nullish(),
  /** The block was replaced by another. */
  removed: z.boolean().default(false),
})
export const logs = z.array(log)
export type Log = z.output<typeof log>

/** Null where the transaction is not in a block. */
export const receipt = z
  .object({ status: quantity, blockNumber: quantity.nullish(), logs })
  .nullable()
/** Null where the node does not know it. */
export const transaction = z.object({ hash, input: bytes.nullish() }).nullable()

/** A question to a contract that changes nothing. */
export interface View {
  to: Address
  data: Hex
}

/** Who puts such questions; an answer is undefined where the contract has none. */
export interface Viewer {
  views(questions: readonly View[]): Promise<(Hex | undefined)[]>
}

/** The 32-byte words that a view returned; undefined if it returned nothing, or no whole words. */
export type Words = readonly bigint[] | undefined

/** Asks a view by its signature, which takes one argument of fixed size or none. */
export function view(to: Address, signature: string, argument?: Hex): View {
  const selector = toFunctionSelector(signature)
  return { to, data: argument ? concat([selector, pad(argument, { size: 32 })]) : selector }
}

/** The answers in the order of the questions. */
export async function ask(viewer: Viewer, views: readonly View[]): Promise<Words[]> {
  const answers = await viewer.views(views)
  return answers.map((data) => {
    if (!data || (data.length - 2) % 64 !== 0) return undefined
    return (data.slice(2).match(/.{64}/gu) ?? []).map((word) => BigInt(`0x${word}`))
  })
}

/** A number as a word. */
export function wordOf(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
}

/** The address in a word. */
export function addressIn(word: bigint): Address {
  return getAddress(slice(wordOf(word), 12))
}
