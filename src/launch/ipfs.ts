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

/** Reads small files from IPFS, and gives only what the CID names. */
export interface IpfsReader {
  /** In a person's words. */
  readonly name: 'Kubo node' | 'gateway'
  /**
   * The whole file. What was just put on IPFS takes a while to be found: it is tried again until the deadline.
   * @param link as `parseCid` gives it
   * @throws IpfsReadError
   */
  read(link: string, limits: ReadLimits): Promise<Uint8Array>
  /** Ends what is under way. */
  close(): Promise<void>
}

export interface ReadLimits {
  maxBytes: number
  /** Milliseconds, with all tries. */
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
  /** Undefined where there are more than were allowed. */
  bytes: Uint8Array | undefined
  /** It began to answer, and then said that it failed: Kubo's way, in a trailer. */
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
 * Reads through the RPC of one's own Kubo node, whose word counts: it verifies what it gets from others.
 * @param options.url http or https, with or without `/api/v0`; a name and password in it go as Basic authentication
 */
export function kuboReader({ url }: { url: string }): IpfsReader {
  return reader('Kubo node', async (ask, link, { maxBytes, deadlineMs }, signal) => {
    const options = {
      arg: `/ipfs/${decodeURIComponent(link)}`,
      // One more shows that there is more.
      length: String(maxBytes + 1),
      // Without it the node looks for what nobody has until the caller goes.
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
 * Reads through an HTTP gateway, whose word does not count: it is asked for the block, which must hash to the CID.
 * @param options.url with a path where it has one, without a slash at the end
 */
export function gatewayReader({ url }: { url: string }): IpfsReader {
  const headers = { accept: 'application/vnd.ipld.raw' }
  return reader('gateway', async (ask, link, { maxBytes }, signal) => {
    // Each folder on the way to a file would be a block of its own.
    if (link.includes('/')) throw new IpfsReadError('refused', 'gateway: a file in a folder')
    const cid = CID.parse(link)
    const path = new URL(`${url}/ipfs/${cid}?format=raw`)
    const question = { method: 'GET', headers, maxBytes: maxBytes + maxWrapping, signal } as const
    const first = await ask({ ...question, url: path })
    const host = ownHost(first, path, cid)
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

/** The host of its own that gateways have for a CID, where they redirect to just that. */
function ownHost({ status, location }: Answer, asked: URL, cid: CID): URL | undefined {
  if (status < 300 || status >= 400 || location === undefined) return undefined
  // There is none below the number of a host.
  const own = URL.parse(`${asked.protocol}//${cid}.ipfs.${asked.host}/?format=raw`)
  return own && URL.parse(location, asked.href)?.origin === own.origin ? own : undefined
}

/** @throws IpfsReadError for any status but 200, and for too many bytes */
function bytesOf(who: string, { status, bytes }: Answer, kind: IpfsReadError['kind']): Uint8Array {
  if (status !== 200) throw new IpfsReadError(kind, `${who}: answered ${status}`)
  if (!bytes) throw new IpfsReadError('too large', `${who}: the answer is too large`)
  return bytes
}

const kuboRefusal = z.object({ Message: z.string() })

/** Kubo answers 500 to whatever it can't do. */
function kuboKind({ status, bytes }: Answer): IpfsReadError['kind'] {
  const told = kuboRefusal.safeParse(parseBytes(bytes)).data?.Message ?? ''
  if (/is a directory/u.test(told)) return 'no file'
  return status >= 500 || status === 408 || status === 429 ? 'unavailable' : 'refused'
}

/** What is not found may be found in a moment. */
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

/** Follows no redirect. @throws IpfsReadError where no answer came */
async function askOnce(
  agent: Agent,
  { method, url, headers, maxBytes, signal }: Question,
): Promise<Answer> {
  try {
    const path = `${url.pathname}${url.search}`
    const answer = await agent.request({ origin: url.origin, path, method, headers, signal })
    const { location } = answer.headers
    const bytes = await upTo(maxBytes, answer.body)
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

/** All bytes; undefined, and no more is read, where there are too many. */
async function upTo(
  most: number,
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let count = 0
  for await (const part of body) {
    count += part.length
    if (count > most) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

// A gateway on this machine has hosts below localhost, which few resolvers know.
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
 * `unavailable`: nobody has it, or not in time; it may work later. `too large`: longer than was allowed, or in several
 * blocks. `refused`: it can't be had this way. `other bytes`: what came does not hash to the CID. `no file`: the CID
 * names something else than a file.
 */
export type IpfsReadErrorKind = 'unavailable' | 'too large' | 'refused' | 'other bytes' | 'no file'

/** Why something was not read from IPFS. Its message is for the log, and holds neither address nor key. */
export class IpfsReadError extends Error {
  override readonly name = 'IpfsReadError'
  readonly kind: IpfsReadErrorKind

  constructor(kind: IpfsReadErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** How many bytes a block may have beside those of the file in it. */
export const maxWrapping = 1024

/** Whether a block hashes to the CID; undefined for a hash that can't be computed here. */
export async function isBlockOf(cid: CID, block: Uint8Array): Promise<boolean | undefined> {
  const { code, digest } = cid.multihash
  const hasher = [sha256, sha512].find((each) => each.code === code)
  const computed = (await hasher?.digest(block))?.digest
  return computed?.length === digest.length ? equals(computed, digest) : undefined
}

/**
 * The file that a block holds as a whole.
 * @throws IpfsReadError `too large` where the file goes on in other blocks, `no file` where there is none
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

/** A service that makes pictures public on IPFS, under the CID that they have already. */
export interface Publisher {
  readonly name: 'kubo' | 'pinata'
  /**
   * May be repeated: the same picture is published once.
   * @throws PublishError
   */
  publish(picture: Picture): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/**
 * `unavailable`: it may work later. `refused`: the operator has to put something right. `mismatch`: the service says
 * that it published something else.
 */
export type PublishErrorKind = 'unavailable' | 'refused' | 'mismatch'

/** Why a picture was not published. Its message is for the log, and holds neither address nor key. */
export class PublishError extends Error {
  override readonly name = 'PublishError'
  readonly kind: PublishErrorKind

  constructor(kind: PublishErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Milliseconds for a picture, with all tries. */
const defaultDeadlineMs = 20_000
const maxUploadRetries = 3

const addOptions = {
  'cid-version': '1',
  'raw-leaves': 'true',
  hash: 'sha2-256',
  // Named because a node may be set to cut files smaller than a picture, and that changes the CID.
  chunker: 'size-262144',
  pin: 'true',
}

/**
 * Publishes through the RPC of a Kubo node.
 * @param options.url http or https, with or without `/api/v0`; a name and password in it go as Basic authentication
 */
export function kuboPublisher(options: { url: string; deadlineMs?: number }): Publisher {
  const target = { ...kuboCommand(options.url, 'add', addOptions), fields: {} }
  return publisher('kubo', target, lastLineCid, options.deadlineMs)
}

/**
 * Publishes through Pinata's v3 files API; the key needs the right `org:files:write`.
 * @param options.apiRoot where uploads go, without `/v3`
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
    // Pinata keeps a file to its owner where nothing is said.
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
      // A second upload changes nothing.
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

/** Kubo answers with a line of JSON for each thing added, the outermost last. */
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
  /** Fields beside the file. */
  fields: Record<string, string>
  /** Milliseconds after which a silent connection is given up. */
  patienceMs: number
}

export interface UploadAnswer {
  status: number
  text: string
  /** The service began to answer, and then said that it failed. */
  broke: boolean
}

const maxAnswerBytes = 64 * 1024

/** Sends pictures as multipart forms to one address. Redirects are not followed: they would carry the key elsewhere. */
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

  /** @throws ConnectionFault where no answer came, or one that is far too long */
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
      // Kubo's way to say it; the trailers are there once the body is read.
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
 * Where a command of a Kubo node's RPC is called, and with which headers.
 * @param node http or https, with or without `/api/v0`; a name and password in it go as Basic authentication
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
  /** Milliseconds for all tries together. */
  deadlineMs: number
  /** Tries after the first one. */
  maxRetries: number
  /** Whether another try may go better. */
  mayPass: (error: unknown) => boolean
  /** The error where time ran out before any try failed. */
  late: () => Error
}

/** Runs what may be repeated until it works, fails for good, or time runs out: the signal then aborts. */
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
    // At the deadline the failure of an earlier try says more than that time ran out.
    throw last ?? late()
  }
}
