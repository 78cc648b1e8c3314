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
import { isNestedTooDeeply, readUpTo } from '../core/body.ts'
import { type ProxySettings, proxiedConnections } from '../core/proxy.ts'
import { requestText } from '../core/request.ts'
import { addressSchema, bytesSchema, hashSchema } from './address.ts'
import { plain } from './airlock/calldata.ts'

/** The kinds of a failed request to a node. */
export type NodeErrorKind =
  | 'unavailable' // no answer, an error from the node, or a timeout
  | 'wrong-chain' // the node serves another chain
  | 'malformed' // not a JSON-RPC result of the expected shape

/** A failed request to a node. Neither message nor cause contains the node's URL, which may hold a secret. */
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
  /** Timeout of a request with all its retries, in milliseconds; 15,000 by default. */
  timeoutMs?: number | undefined
  /** Milliseconds before the first retry, doubled each time; 150 by default. */
  retryPauseMs?: number
  /** The operator's proxies; none by default. */
  proxy?: ProxySettings | undefined
}

/** A JSON-RPC error that the node returned. */
export class RpcRefusal extends NodeError {
  override readonly name = 'RpcRefusal'
  readonly code: number
  /** The beginning of the node's error text, untrusted and without the URL's secrets. */
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

/** Whether the node limits the request rate, as opposed to the size of a request. */
export function isRateLimited({ code, details }: RpcRefusal): boolean {
  return code === 429 || /\brate\b|per second|too many requests/iu.test(details)
}

/** Whether the node refuses the method itself, whatever its parameters. */
export function lacksMethod({ code, details }: RpcRefusal): boolean {
  const pattern =
    /method\b.*(?:not (?:found|supported|available|allowed)|unsupported|does not exist)|unsupported method/iu
  return code === -32_601 || code === -32_004 || pattern.test(details)
}

const maxAttempts = 3
const maxBytes = 10_000_000
/** Max characters that are kept of a node's error text. */
const maxDetails = 2_000

/**
 * Client of one node (JSON-RPC over HTTP) with a timeout and a maximum response size. All failures are `NodeError`;
 * viem's own errors are never the cause, because they contain the URL.
 * @example
 * const rpc = new Rpc({ rpcUrl: 'https://mainnet.base.org', chainId: 8453 })
 * const head = await rpc.request('eth_blockNumber', [], quantity)
 */
export class Rpc {
  readonly #chainId: number
  readonly #timeoutMs: number
  readonly #secrets: readonly string[]
  readonly #client

  constructor({ rpcUrl, chainId, timeoutMs = 15_000, retryPauseMs = 150, proxy }: RpcOptions) {
    this.#chainId = chainId
    this.#timeoutMs = timeoutMs
    this.#secrets = secretsIn(rpcUrl)
    const timeout = Math.ceil(timeoutMs / 2)
    this.#client = createClient({
      transport: http(rpcUrl, {
        timeout,
        retryCount: maxAttempts - 1,
        retryDelay: retryPauseMs,
        fetchFn: proxy ? proxiedFetch(proxy) : boundedFetch,
      }),
    })
  }

  /**
   * Calls a method and parses its result with the schema.
   * @throws RpcRefusal if the node answers with an error, NodeError otherwise
   */
  async request<Result>(
    method: string,
    params: readonly unknown[],
    schema: z.core.$ZodType<Result>,
  ): Promise<Result> {
    const result = z.core.safeParse(schema, await this.#request(method, params))
    if (!result.success) throw this.#error('malformed', `did not answer ${method} as a node should`)
    return result.data
  }

  async #request(method: string, params: readonly unknown[]): Promise<unknown> {
    const signal = AbortSignal.timeout(this.#timeoutMs)
    try {
      return await this.#client.request<{ Parameters: unknown; ReturnType: unknown }>(
        { method, params },
        // The node's Retry-After may exceed our timeout.
        { signal },
      )
    } catch (error) {
      throw this.#toNodeError(method, error, signal.aborted)
    }
  }

  #toNodeError(method: string, error: unknown, timedOut: boolean): NodeError {
    const refusal = find(error, (each) => each instanceof RpcRequestError)
    // An error that is no object has none.
    if (typeof refusal?.details === 'string') {
      const details = this.#redacted(refusal.details).slice(0, maxDetails)
      const message = `refused ${method} (${refusal.code}: ${plain(details)})`
      const { code, data } = refusal
      return new RpcRefusal(this.#message(message), { code, data, details })
    }
    if (timedOut) return this.#error('unavailable', `did not answer ${method} in time`)
    // viem reports a body that is not JSON as a failed HTTP request, too.
    const failed = find(error, (each) => each instanceof HttpRequestError)
    const failure = failed ?? find(error, (each) => each instanceof TimeoutError)
    if (!failure || find(error, (each) => each instanceof SyntaxError)) {
      return this.#error('malformed', `did not answer ${method} as a node should`)
    }
    const status = failed?.status === undefined ? '' : ` (HTTP ${failed.status})`
    return this.#error('unavailable', `did not answer ${method}${status}`)
  }

  #error(kind: 'unavailable' | 'malformed', what: string): NodeError {
    return new NodeError(kind, this.#message(what))
  }

  #message(what: string): string {
    return `The node of chain ${this.#chainId} ${what}.`
  }

  #redacted(text: string): string {
    return this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text)
  }
}

/** Fetches an answer whole. @throws SyntaxError, as for what is no JSON, if it is too long or nested too deeply to be parsed */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init)
  const body = (await readUpTo(maxBytes, response.body ?? []))?.toString()
  if (body === undefined || isNestedTooDeeply(body)) throw new SyntaxError('too long or too deep')
  return new Response(body === '' ? null : body, response)
}

/** Makes a function that posts as `boundedFetch` does, through the proxies. */
function proxiedFetch(proxy: ProxySettings): typeof boundedFetch {
  const connections = proxiedConnections({ maxResponseSize: maxBytes }, proxy)
  return async (input, { headers: given, body: sent, signal } = {}) => {
    const { origin, pathname, search } = new URL(String(input))
    const { statusCode, headers, text } = await requestText(
      connections,
      {
        origin,
        path: pathname + search,
        method: 'POST',
        headers: Object.fromEntries(new Headers(given)),
        body: String(sent),
      },
      { maxBytes, ...(signal && { signal }) },
    )
    if (isNestedTooDeeply(text)) throw new SyntaxError('too deep')
    const type = String(headers['content-type'] ?? '')
    return new Response(text === '' ? null : text, {
      status: statusCode,
      headers: { 'content-type': type, 'retry-after': String(headers['retry-after'] ?? '') },
    })
  }
}

/**
 * Lists the strings to redact: the URL, its host and credentials, and parts of the path and query that are long enough
 * to be keys.
 */
function secretsIn(rpcUrl: string): string[] {
  const url = new URL(rpcUrl)
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()]
  const longParts = parts.filter((part) => part.length >= 8)
  const credentials = [url.username, url.password].filter((part) => part !== '')
  return [rpcUrl, url.href, url.host, ...longParts, ...credentials]
}

function find<Kind extends Error>(
  error: unknown,
  isKind: (each: unknown) => each is Kind,
): Kind | undefined {
  const found = error instanceof BaseError ? error.walk(isKind) : error
  return isKind(found) ? found : undefined
}

/** Parses a hex quantity of at most 32 bytes to a bigint. */
export const quantity = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/u)
  .transform(BigInt)

const log = z.object({
  address: addressSchema,
  topics: z.array(hashSchema),
  data: bytesSchema,
  transactionHash: z.nullish(hashSchema),
  blockNumber: quantity.nullish(),
  /** True if a reorganization removed the log's block. */
  removed: z.boolean().default(false),
})
export const logs = z.array(log)
export type Log = z.output<typeof log>

/** Transaction receipt; null if the transaction is not in a block. */
export const receipt = z
  .object({ status: quantity, blockNumber: quantity.nullish(), logs })
  .nullable()
/** Transaction; null if the node does not know it. */
export const transaction = z.object({ hash: hashSchema, input: z.nullish(bytesSchema) }).nullable()

/** A read-only call of a contract (`eth_call`). */
export interface ContractCall {
  to: Address
  data: Hex
}

/** Runs read-only calls; a result is undefined if the contract lacks the function or reverts. */
export interface ContractReader {
  callAll(questions: readonly ContractCall[]): Promise<(Hex | undefined)[]>
}

/** The 32-byte words that a view returned; undefined if it returned nothing, or no whole words. */
export type ReturnedWords = readonly bigint[] | undefined

/**
 * Encodes a read-only call by its signature, which takes no argument or one of fixed size.
 * @example contractCall(token, 'balanceOf(address)', holder)
 */
export function contractCall(to: Address, signature: string, argument?: Hex): ContractCall {
  const selector = toFunctionSelector(signature)
  return { to, data: argument ? concat([selector, pad(argument, { size: 32 })]) : selector }
}

/** Runs the calls and returns their results as words, in the same order. */
export async function readWords(
  reader: ContractReader,
  calls: readonly ContractCall[],
): Promise<ReturnedWords[]> {
  const answers = await reader.callAll(calls)
  return answers.map((data) => {
    if (!data || (data.length - 2) % 64 !== 0) return undefined
    return (data.slice(2).match(/.{64}/gu) ?? []).map((word) => BigInt(`0x${word}`))
  })
}

/** Encodes a number as a 32-byte word. */
function toWord(value: bigint): Hex {
  return numberToHex(value, { size: 32 })
}

/** Reads the address in the low 20 bytes of a word. */
export function wordToAddress(word: bigint): Address {
  return getAddress(slice(toWord(word), 12))
}
