import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import * as dagPb from '@ipld/dag-pb'
import {
  ExponentialBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import { UnixFS } from 'ipfs-unixfs'
import { equals } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256, sha512 } from 'multiformats/hashes/sha2'
import { Agent, FormData, Pool } from 'undici'
import { z } from 'zod'
import { ConnectionFault } from '../api/http.ts'
import { parseCid } from './cid.ts'
import type { Picture } from './image.ts'

/** Reads small files from IPFS, and verifies that they match the CID. */
export interface IpfsReader {
  /** For messages to people. */
  readonly name: 'Kubo node' | 'gateway'
  /**
   * Reads a whole file. Retries until the deadline, since a file just added takes a while to be found.
   * @param link in the form that `parseCid` returns
   * @throws IpfsReadError
   */
  read(link: string, limits: ReadLimits): Promise<Uint8Array>
  /** Aborts reads under way. */
  close(): Promise<void>
}

export interface ReadLimits {
  maxBytes: number
  /** Milliseconds for all attempts together. */
  deadlineMs: number
}

interface Question {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  maxBytes: number
  signal: AbortSignal
}

interface Answer {
  status: number
  location: string | undefined
  /** Undefined if there are more bytes than allowed. */
  bytes: Uint8Array | undefined
  /** The answer began but failed midway; Kubo reports that in a trailer. */
  broke: boolean
}

type Ask = (question: Question) => Promise<Answer>
type ReadOnce = (
  ask: Ask,
  link: string,
  limits: ReadLimits,
  signal: AbortSignal,
) => Promise<Uint8Array>

const maxReadRetries = 5

/**
 * Reads through the RPC of the operator's own Kubo node, which is trusted: it verifies blocks from its peers.
 * @param options.url http or https, with or without `/api/v0`; user and password in it are sent as Basic authentication
 * @example
 * kuboReader({ url: 'http://127.0.0.1:5001' }).read('bafkrei…', { maxBytes: 65_536, deadlineMs: 20_000 })
 */
export function kuboReader({ url }: { url: string }): IpfsReader {
  return reader('Kubo node', async (ask, link, { maxBytes, deadlineMs }, signal) => {
    const options = {
      arg: `/ipfs/${decodeURIComponent(link)}`,
      // One byte more than allowed shows that the file is too long.
      length: String(maxBytes + 1),
      // Without it the node searches until the caller disconnects.
      timeout: `${deadlineMs}ms`,
    }
    const target = kuboCommand(url, 'cat', options)
    const answer = await ask({ ...target, method: 'POST', maxBytes, signal })
    if (answer.broke) throw new IpfsReadError('unavailable', 'Kubo: failed while it answered')
    const bytes = bytesOf('Kubo', answer, kuboKind(answer))
    const cid = CID.parse(link.split('/', 1).join())
    if (cid.code === raw.code && (await isBlockOf(cid, bytes)) === false) throw otherBytes('Kubo')
    return bytes
  })
}

/**
 * Reads through an HTTP gateway, which is not trusted: requests the raw block and compares its hash with the CID.
 * @param options.url may have a path; without a slash at the end
 */
export function gatewayReader({ url }: { url: string }): IpfsReader {
  const headers = { accept: 'application/vnd.ipld.raw' }
  return reader('gateway', async (ask, link, { maxBytes }, signal) => {
    // Each folder in the path would be a block of its own to verify.
    if (link.includes('/')) throw new IpfsReadError('refused', 'gateway: a file in a folder')
    const cid = CID.parse(link)
    const path = new URL(`${url}/ipfs/${cid}?format=raw`)
    const question = { method: 'GET', headers, maxBytes: maxBytes + maxWrapping, signal } as const
    const first = await ask({ ...question, url: path })
    const host = gatewaySubdomain(first, path, cid)
    const answer = host ? await ask({ ...question, url: host }) : first
    const block = bytesOf('gateway', answer, gatewayKind(answer.status))
    const isRight = await isBlockOf(cid, block)
    if (isRight === undefined) throw new IpfsReadError('refused', 'gateway: a hash unknown here')
    if (!isRight) throw otherBytes('gateway')
    const file = fileInBlock(cid, block)
    if (file.length > maxBytes)
      throw new IpfsReadError('too large', 'gateway: the file is too large')
    return file
  })
}

function otherBytes(who: string): IpfsReadError {
  return new IpfsReadError('other bytes', `${who}: the bytes do not hash to the CID`)
}

/** Returns a gateway's subdomain for a CID if the gateway redirects to exactly that. */
function gatewaySubdomain({ status, location }: Answer, requested: URL, cid: CID): URL | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined
  // An IP address has no subdomains.
  const subdomain = URL.parse(`${requested.protocol}//${cid}.ipfs.${requested.host}/?format=raw`)
  return subdomain && URL.parse(location, requested.href)?.origin === subdomain.origin
    ? subdomain
    : undefined
}

/**
 * Returns the bytes of an answer.
 * @throws IpfsReadError for any status but 200, and for too many bytes
 */
function bytesOf(who: string, { status, bytes }: Answer, kind: IpfsReadError['kind']): Uint8Array {
  if (status !== 200) throw new IpfsReadError(kind, `${who}: answered ${status}`)
  if (!bytes) throw new IpfsReadError('too large', `${who}: the answer is too large`)
  return bytes
}

const kuboRefusal = z.object({ Message: z.string() })

/** Kubo answers 500 to every failure. */
function kuboKind({ status, bytes }: Answer): IpfsReadError['kind'] {
  const message = kuboRefusal.safeParse(parseBytes(bytes)).data?.Message ?? ''
  if (/is a directory/u.test(message)) return 'no file'
  return status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'refused'
}

/** A 404 may become a 200 in a moment. */
function gatewayKind(status: number): IpfsReadError['kind'] {
  return status >= 500 || [404, 408, 425, 429].includes(status) ? 'unavailable' : 'refused'
}

function reader(name: IpfsReader['name'], once: ReadOnce): IpfsReader {
  const agent = new Agent({ connections: 4, connect: { timeout: 5000, lookup: lookUp } })
  const ask: Ask = (question) => askOnce(agent, question)
  const mayPass = (error: unknown) =>
    error instanceof IpfsReadError && error.kind === 'unavailable' && !agent.destroyed
  return {
    name,
    read: (link, limits) =>
      persistently((signal) => once(ask, link, limits, signal), {
        deadlineMs: limits.deadlineMs,
        maxRetries: maxReadRetries,
        mayPass,
        late: () => new IpfsReadError('unavailable', `${name}: no answer before the deadline`),
      }),
    close: () => agent.destroy(),
  }
}

/**
 * Sends one request; redirects are not followed.
 * @throws IpfsReadError if no answer came
 */
async function askOnce(
  agent: Agent,
  { method, url, headers, maxBytes, signal }: Question,
): Promise<Answer> {
  try {
    const path = `${url.pathname}${url.search}`
    const answer = await agent.request({ origin: url.origin, path, method, headers, signal })
    const { location } = answer.headers
    const bytes = await readAtMost(maxBytes, answer.body)
    return {
      status: answer.statusCode,
      location: typeof location === 'string' ? location : undefined,
      bytes,
      broke: answer.trailers['x-stream-error'] !== undefined,
    }
  } catch (error) {
    const cause = new ConnectionFault(error)
    throw new IpfsReadError('unavailable', `no answer (${cause.code})`, { cause })
  }
}

/** Reads all bytes; returns undefined and stops reading if there are too many. */
async function readAtMost(
  maxBytes: number,
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let count = 0
  for await (const part of body) {
    count += part.length
    if (count > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

// A local gateway uses subdomains of localhost, which few resolvers know.
const lookUp: LookupFunction = (host, options, done) =>
  lookup(host.endsWith('.localhost') ? 'localhost' : host, options, done)

function parseBytes(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(bytes ?? []).toString())
  } catch {
    return undefined
  }
}

/**
 * `unavailable`: nobody has it, or not in time; a retry may work. `too large`: longer than allowed, or several blocks.
 * `refused`: it can't be read this way. `other bytes`: the hash doesn't match the CID. `no file`: the CID names
 * something else.
 */
export type IpfsReadErrorKind = 'unavailable' | 'too large' | 'refused' | 'other bytes' | 'no file'

/** Thrown if IPFS could not be read. The message is for the log, and holds neither address nor key. */
export class IpfsReadError extends Error {
  override readonly name = 'IpfsReadError'
  readonly kind: IpfsReadErrorKind

  constructor(kind: IpfsReadErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Max bytes of a block besides those of its file. */
export const maxWrapping = 1024

/** Checks whether a block hashes to the CID; undefined if the hash function is not supported here. */
export async function isBlockOf(cid: CID, block: Uint8Array): Promise<boolean | undefined> {
  const { code, digest } = cid.multihash
  const hasher = [sha256, sha512].find((each) => each.code === code)
  const computed = (await hasher?.digest(block))?.digest
  return computed?.length === digest.length ? equals(computed, digest) : undefined
}

/**
 * Extracts the file from a block that holds all of it.
 * @throws IpfsReadError `too large` if the file continues in other blocks, `no file` if there is none
 */
export function fileInBlock(cid: CID, block: Uint8Array): Uint8Array {
  if (cid.code === raw.code) return block
  const { node, file } = decode(block)
  if (file.type !== 'file' && file.type !== 'raw') {
    throw new IpfsReadError('no file', `the CID names a ${file.type}`)
  }
  if (node.Links.length > 0 || file.blockSizes.length > 0) {
    throw new IpfsReadError('too large', 'the file is in several blocks')
  }
  return file.data ?? new Uint8Array()
}

function decode(block: Uint8Array): { node: dagPb.PBNode; file: UnixFS } {
  try {
    const node = dagPb.decode(block)
    if (!node.Data) throw new TypeError('a node without data')
    return { node, file: UnixFS.unmarshal(node.Data) }
  } catch (cause) {
    throw new IpfsReadError('no file', 'the block is no part of a file', { cause })
  }
}

/** A service that publishes pictures on IPFS under their own CID. */
export interface Publisher {
  readonly name: 'kubo' | 'pinata'
  /**
   * Publishes a picture; idempotent.
   * @throws PublishError
   */
  publish(picture: Picture): Promise<void>
  /** Waits for requests under way. */
  close(): Promise<void>
}

/**
 * `unavailable`: a retry may work. `refused`: the operator must fix something. `mismatch`: the service reported another
 * CID.
 */
export type PublishErrorKind = 'unavailable' | 'refused' | 'mismatch'

/** Thrown if a picture was not published. The message is for the log, and holds neither address nor key. */
export class PublishError extends Error {
  override readonly name = 'PublishError'
  readonly kind: PublishErrorKind

  constructor(kind: PublishErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Milliseconds for one picture, with all attempts. */
const defaultDeadlineMs = 20_000
const maxUploadRetries = 3

const addOptions = {
  'cid-version': '1',
  'raw-leaves': 'true',
  hash: 'sha2-256',
  // Set explicitly: nodes may be configured to smaller chunks, which would change the CID.
  chunker: 'size-262144',
  pin: 'true',
}

/**
 * Publishes through the RPC of a Kubo node.
 * @param options.url http or https, with or without `/api/v0`; user and password in it are sent as Basic authentication
 */
export function kuboPublisher(options: { url: string; deadlineMs?: number }): Publisher {
  const target = { ...kuboCommand(options.url, 'add', addOptions), fields: {} }
  return publisher('kubo', target, lastLineCid, options.deadlineMs)
}

/**
 * Publishes through Pinata's v3 files API; the key needs the scope `org:files:write`.
 * @param options.apiRoot base URL for uploads, without `/v3`
 */
export function pinataPublisher(options: {
  jwt: string
  apiRoot?: string
  deadlineMs?: number
}): Publisher {
  const root = (options.apiRoot ?? 'https://uploads.pinata.cloud').replace(/\/+$/u, '')
  const target = {
    url: new URL(`${root}/v3/files`),
    headers: { authorization: `Bearer ${options.jwt}` },
    // Pinata's default is private.
    fields: { network: 'public' },
  }
  return publisher('pinata', target, dataCid, options.deadlineMs)
}

function publisher(
  name: Publisher['name'],
  target: Omit<UploadTarget, 'patienceMs'>,
  readCid: (answer: string) => string | undefined,
  deadlineMs = defaultDeadlineMs,
): Publisher {
  const uploader = new Uploader({ ...target, patienceMs: deadlineMs })
  return {
    name,
    async publish(picture) {
      // Uploading again changes nothing.
      const answer = await persistently((signal) => once(name, uploader, picture, signal), {
        deadlineMs,
        maxRetries: maxUploadRetries,
        mayPass: (error) =>
          error instanceof PublishError && error.kind === 'unavailable' && !uploader.closed,
        late: () => new PublishError('unavailable', `${name}: no answer before the deadline`),
      })
      const given = readCid(answer)
      if (given === undefined) {
        throw new PublishError('unavailable', `${name}: the answer names no CID`)
      }
      const published = parseCid(given)
      if (published !== picture.cid) {
        const other = published ?? 'something that is no CID'
        throw new PublishError('mismatch', `${name}: published ${picture.cid} as ${other}`)
      }
    },
    close: () => uploader.close(),
  }
}

async function once(
  name: string,
  uploader: Uploader,
  picture: Picture,
  signal: AbortSignal,
): Promise<string> {
  try {
    return acceptedText(name, await uploader.send(picture, signal))
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error
    throw new PublishError('unavailable', `${name}: no answer (${error.code})`, { cause: error })
  }
}

function acceptedText(name: string, { status, text, broke }: UploadAnswer): string {
  if (broke) throw new PublishError('unavailable', `${name}: failed while it answered`)
  if (status >= 200 && status < 300) return text
  const mayPass = status >= 500 || status === 429 || status === 408
  throw new PublishError(mayPass ? 'unavailable' : 'refused', `${name}: answered ${status}`)
}

const kuboLine = z.object({ Hash: z.string() })

/** Reads the CID from Kubo's answer: one line of JSON per added entry, the outermost last. */
function lastLineCid(answer: string): string | undefined {
  return kuboLine.safeParse(parseJson(answer.trim().split('\n').at(-1) ?? '')).data?.Hash
}

const pinataAnswer = z.object({ data: z.object({ cid: z.string() }) })

function dataCid(answer: string): string | undefined {
  return pinataAnswer.safeParse(parseJson(answer)).data?.data.cid
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface UploadTarget {
  url: URL
  headers: Record<string, string>
  /** Form fields besides the file. */
  fields: Record<string, string>
  /** Milliseconds of silence after which the connection is closed. */
  patienceMs: number
}

export interface UploadAnswer {
  status: number
  text: string
  /** The answer began but failed midway. */
  broke: boolean
}

const maxAnswerBytes = 64 * 1024

/** Sends pictures as multipart forms to one URL. Doesn't follow redirects: they would send the key elsewhere. */
export class Uploader {
  readonly #target: UploadTarget
  readonly #pool: Pool

  constructor(target: UploadTarget) {
    this.#target = target
    this.#pool = new Pool(target.url.origin, {
      connections: 4,
      connect: { timeout: 5000 },
      headersTimeout: target.patienceMs,
      bodyTimeout: target.patienceMs,
      maxResponseSize: maxAnswerBytes,
    })
  }

  get closed(): boolean {
    return this.#pool.closed
  }

  /**
   * Uploads one picture.
   * @throws ConnectionFault if no answer came, or one that is far too long
   */
  async send(picture: Picture, signal: AbortSignal): Promise<UploadAnswer> {
    const { url, headers, fields } = this.#target
    try {
      const { statusCode, body, trailers } = await this.#pool.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers,
        body: form(picture, fields),
        signal,
      })
      const text = await body.text()
      // Kubo reports failures in this trailer, which is there once the body was read.
      return { status: statusCode, text, broke: trailers['x-stream-error'] !== undefined }
    } catch (error) {
      throw new ConnectionFault(error)
    }
  }

  /** Waits for uploads under way and closes the connections. */
  async close(): Promise<void> {
    if (!this.#pool.closed) await this.#pool.close()
  }
}

function form({ cid, type, bytes }: Picture, fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([new Uint8Array(bytes)], { type }), `${cid}.webp`)
  return data
}

/**
 * Returns the URL and headers of a Kubo RPC command.
 * @param node http or https, with or without `/api/v0`; user and password in it are sent as Basic authentication
 */
export function kuboCommand(
  node: string,
  command: string,
  options: Readonly<Record<string, string>>,
): { url: URL; headers: Record<string, string> } {
  const given = new URL(node)
  const prefix = given.pathname.replace(/\/+$/u, '').replace(/\/api\/v0$/u, '')
  return {
    url: new URL(`${prefix}/api/v0/${command}?${new URLSearchParams(options)}`, given.origin),
    headers: basicAuthorisation(given),
  }
}

function basicAuthorisation({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

export interface Tries {
  /** Milliseconds for all attempts together. */
  deadlineMs: number
  /** Attempts after the first one. */
  maxRetries: number
  /** Whether a retry may succeed. */
  mayPass: (error: unknown) => boolean
  /** Makes the error for a timeout before any attempt failed. */
  late: () => Error
}

/**
 * Retries an idempotent action until it succeeds, fails for good, or the deadline aborts its signal.
 * @example
 * await persistently((signal) => upload(signal), { deadlineMs, maxRetries: 3, mayPass, late })
 */
export async function persistently<Result>(
  attempt: (signal: AbortSignal) => Promise<Result>,
  { deadlineMs, maxRetries, mayPass, late }: Tries,
): Promise<Result> {
  let last: unknown
  const passes = (error: unknown) => {
    if (!mayPass(error)) return false
    last = error
    return true
  }
  const backoff = new ExponentialBackoff({ initialDelay: 200, maxDelay: 3000 })
  const policy = wrap(
    timeout(deadlineMs, TimeoutStrategy.Aggressive),
    retry(handleWhen(passes), { maxAttempts: maxRetries, backoff }),
  )
  try {
    return await policy.execute(async ({ signal }) => {
      try {
        return await attempt(signal)
      } catch (error) {
        throw signal.aborted ? new TaskCancelledError() : error
      }
    })
  } catch (error) {
    if (!(error instanceof TaskCancelledError)) throw error
    // An earlier attempt's failure says more than the timeout.
    throw last ?? late()
  }
}
