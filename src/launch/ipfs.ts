import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import * as dagPb from '@ipld/dag-pb'
import { UnixFS } from 'ipfs-unixfs'
import { equals } from 'multiformats/bytes'
import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256, sha512 } from 'multiformats/hashes/sha2'
import { Agent, type Dispatcher } from 'undici'
import { z } from 'zod'
import type { Api } from '../api/client.ts'
import { ConnectionFault } from '../api/http.ts'
import { type ProxySettings, proxiedConnections } from '../core/proxy.ts'
import { backoff, retry } from '../core/task.ts'
import { t } from '../core/view.ts'
import { ApiError, UserError } from '../errors.ts'
import { type Picture, type PictureFormat, parseCid, readPicture, spelledCid } from './image.ts'

/**
 * `unavailable`: a retry may work. `refused`: it can't be done this way. `too large`: longer than allowed, or several
 * blocks. `other bytes`: the service returned or published something other than the CID names. `no file`: the CID names
 * something else.
 */
type IpfsErrorKind = 'unavailable' | 'refused' | 'too large' | 'other bytes' | 'no file'

/** Thrown if IPFS could not be read or written. The message is for the log, and holds neither address nor key. */
export class IpfsError extends Error {
  override readonly name = 'IpfsError'
  readonly kind: IpfsErrorKind

  constructor(kind: IpfsErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Reads small files from IPFS, and verifies that they match the CID. */
export interface IpfsReader {
  /**
   * Reads a whole file. Retries until the deadline, since a file just added takes a while to be found.
   * @param link in the form that `parseCid` returns
   * @param maxBytes 64 KiB by default, 256 KiB at most
   * @throws IpfsError
   */
  read(link: string, deadlineMs: number, maxBytes?: number): Promise<Uint8Array>
  /** Aborts reads under way. */
  close(): Promise<void>
}

/** The operator's settings of IPFS. */
interface IpfsSettings {
  /** Where pictures are published. */
  ipfs: { kind: 'kubo'; url: string } | { kind: 'pinata'; jwt: string; apiRoot: string } | undefined
  /** Gateway for reading, without a trailing slash. */
  ipfsGateway: string | undefined
  proxy?: ProxySettings | undefined
}

/** Makes the publisher that is set up; undefined if none is: then the API publishes. */
export function publisherOf({ ipfs, proxy }: IpfsSettings): Publisher | undefined {
  if (!ipfs) return undefined
  const options = { ...ipfs, proxy }
  return options.kind === 'kubo' ? kuboPublisher(options) : pinataPublisher(options)
}

/** Makes the configured reader: the operator's gateway rather than their node, as it may be nearer to whoever uploads metadata. */
export function readerOf({ ipfs, ipfsGateway, proxy }: IpfsSettings): IpfsReader | undefined {
  if (ipfsGateway !== undefined) return gatewayReader({ url: ipfsGateway, proxy })
  return ipfs?.kind === 'kubo' ? kuboReader({ ...ipfs, proxy }) : undefined
}

/** Where a service is, and the proxies that lead there. */
interface Place {
  url: string
  proxy?: ProxySettings | undefined
}

/** Max bytes of a file that is read; metadata are far smaller. */
export const maxFileBytes = 64 * 1024
/** Max bytes of a picture that is read back: those that are published have no more. */
const maxPictureBytes = 256 * 1024
const maxReadRetries = 5

/**
 * Reads through the RPC of the operator's own Kubo node, which is trusted: it verifies blocks from its peers.
 * @param options.url http or https, with or without `/api/v0`; user and password in it are sent as Basic authentication
 * @example
 * kuboReader({ url: 'http://127.0.0.1:5001' }).read('bafkrei…', 20_000)
 */
export function kuboReader({ url, proxy }: Place): IpfsReader {
  return reader('Kubo node', proxy, async (ask, link, { deadlineMs, maxBytes }) => {
    const target = kuboCommand(url, 'cat', {
      arg: `/ipfs/${decodeURIComponent(link)}`,
      // One byte more than allowed shows that the file is too long.
      length: String(maxBytes + 1),
      // Without it the node searches until the caller disconnects.
      timeout: `${deadlineMs}ms`,
    })
    const answer = await ask({ ...target, method: 'POST' })
    const bytes = bytesOf(answer, 'Kubo', kuboKind(answer))
    const cid = CID.parse(link.split('/', 1).join())
    if (bytes.length <= maxBytes && cid.code === raw.code) await verifyBlock(cid, bytes, 'Kubo')
    return bytes
  })
}

/**
 * Reads through an HTTP gateway, which is not trusted: requests the raw block and compares its hash with the CID.
 * @param options.url may have a path; without a slash at the end
 */
export function gatewayReader({ url, proxy }: Place): IpfsReader {
  const headers = { accept: 'application/vnd.ipld.raw' }
  return reader('gateway', proxy, async (ask, link) => {
    // Each folder in the path would be a block of its own to verify.
    if (link.includes('/')) throw new IpfsError('refused', 'gateway: a file in a folder')
    const cid = CID.parse(link)
    const path = new URL(`${url}/ipfs/${cid}?format=raw`)
    const first = await ask({ method: 'GET', headers, url: path })
    const host = gatewaySubdomain(first, path, cid)
    const answer = host ? await ask({ method: 'GET', headers, url: host }) : first
    const block = bytesOf(answer, 'gateway', gatewayKind(answer.status))
    if ((await verifyBlock(cid, block, 'gateway')) === 'unknown hash') {
      throw new IpfsError('refused', 'gateway: a hash unknown here')
    }
    return fileInBlock(cid, block)
  })
}

function reader(
  name: 'Kubo node' | 'gateway',
  proxy: ProxySettings | undefined,
  once: (
    ask: Ask,
    link: string,
    limits: { deadlineMs: number; maxBytes: number },
  ) => Promise<Uint8Array>,
): IpfsReader {
  const service = new Service(name, proxy)
  return {
    read: (link, deadlineMs, maxBytes = maxFileBytes) =>
      service.persist({ deadlineMs, maxRetries: maxReadRetries }, async (ask) => {
        const file = await once(ask, link, { deadlineMs, maxBytes })
        if (file.length > maxBytes) throw new IpfsError('too large', `${name}: a large file`)
        return file
      }),
    close: () => service.abort(),
  }
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
 * @throws IpfsError for any status but 200, and for an answer that failed midway
 */
function bytesOf({ status, bytes, broke }: Answer, who: string, kind: IpfsErrorKind): Uint8Array {
  if (broke) throw new IpfsError('unavailable', `${who}: failed while it answered`)
  if (status !== 200) throw new IpfsError(kind, `${who}: answered ${status}`)
  return bytes
}

const kuboRefusal = z.object({ Message: z.string() })

/** Kubo answers 500 to every failure. */
function kuboKind({ status, bytes }: Answer): IpfsErrorKind {
  const message = kuboRefusal.safeParse(parseJson(bytes)).data?.Message ?? ''
  if (/is a directory/u.test(message)) return 'no file'
  return mayPass(status) ? 'unavailable' : 'refused'
}

/** A 404 may become a 200 in a moment. */
function gatewayKind(status: number): IpfsErrorKind {
  return mayPass(status) || status === 404 || status === 425 ? 'unavailable' : 'refused'
}

function mayPass(status: number): boolean {
  return status >= 500 || status === 408 || status === 429
}

/** Max bytes of a block besides those of its file. */
const maxWrapping = 1024

/**
 * Checks that a block hashes to the CID.
 * @returns `unknown hash` if the hash function is not supported here
 * @throws IpfsError `other bytes`
 */
async function verifyBlock(
  cid: CID,
  block: Uint8Array,
  who: string,
): Promise<'verified' | 'unknown hash'> {
  const { code, digest } = cid.multihash
  const hasher = [sha256, sha512].find((each) => each.code === code)
  const computed = (await hasher?.digest(block))?.digest
  if (computed?.length !== digest.length) return 'unknown hash'
  if (equals(computed, digest)) return 'verified'
  throw new IpfsError('other bytes', `${who}: the bytes do not hash to the CID`)
}

/**
 * Extracts the file from a block that holds all of it.
 * @throws IpfsError `too large` if the file continues in other blocks, `no file` if there is none
 */
function fileInBlock(cid: CID, block: Uint8Array): Uint8Array {
  if (cid.code === raw.code) return block
  const { node, file } = decode(block)
  if (file.type !== 'file' && file.type !== 'raw') {
    throw new IpfsError('no file', `the CID names a ${file.type}`)
  }
  if (node.Links.length > 0 || file.blockSizes.length > 0) {
    throw new IpfsError('too large', 'the file is in several blocks')
  }
  return file.data ?? new Uint8Array()
}

function decode(block: Uint8Array): { node: dagPb.PBNode; file: UnixFS } {
  try {
    const node = dagPb.decode(block)
    if (!node.Data) throw new TypeError('a node without data')
    return { node, file: UnixFS.unmarshal(node.Data) }
  } catch (cause) {
    throw new IpfsError('no file', 'the block is no part of a file', { cause })
  }
}

/** The CID under which a picture was published, and whether it is known to name that picture. */
export interface Published {
  cid: string
  isChecked: boolean
}

/** A service that publishes pictures on IPFS. */
export interface Publisher {
  readonly format: PictureFormat
  /** False for a while after the service said that it takes no pictures. */
  readonly isAvailable: boolean
  /**
   * Publishes a picture; idempotent.
   * @throws IpfsError, or UserError and ApiError if the API publishes
   */
  publish(picture: Picture): Promise<Published>
  /** Waits for requests under way. */
  close(): Promise<void>
}

/** Milliseconds to read a picture back: a gateway may not find soon what was published a moment ago. */
const readBackMs = 10_000
/** Milliseconds until an API that took no pictures is asked again: its operator may have changed that. */
const askAgainMs = 600_000

/**
 * Publishes through the API, which names the CID: that differs from the computed one if the API cuts files into other blocks.
 * @param reader reads a picture back whose CID says nothing here; undefined: it stays unchecked
 * @param now monotonic clock in milliseconds
 */
export function apiPublisher(
  api: Pick<Api, 'uploadImage'>,
  reader: IpfsReader | undefined,
  now = () => performance.now(),
): Publisher {
  let refusedAt: number | undefined
  return {
    format: 'png or jpeg',
    get isAvailable() {
      return refusedAt === undefined || now() - refusedAt >= askAgainMs
    },
    async publish(picture) {
      // Stored for another service.
      const isOther = picture.type === 'image/webp'
      const sent = isOther ? await readPicture(picture.bytes, 'png or jpeg') : picture
      const given = await api.uploadImage(sent).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
        refusedAt = now()
        throw new UserError(t('launch-logo-no-files'), { cause: error })
      })
      refusedAt = undefined
      const [cid, spelled] = [parseCid(given), spelledCid(given)]
      if (cid === undefined || spelled === undefined) {
        throw new ApiError('malformed', 'the upload gave no CID')
      }
      return { cid: spelled, isChecked: await names(cid, sent, reader) }
    },
    close: async () => undefined,
  }
}

/**
 * Whether a CID names a picture; false if that can't be told.
 * @throws IpfsError `other bytes` if it names another file
 */
async function names(
  link: string,
  { cid, bytes }: Picture,
  reader: IpfsReader | undefined,
): Promise<boolean> {
  const named = link.includes('/') ? link : CID.parse(link).toV1().toString()
  if (named === cid || named === (await wrappedCid(bytes))) return true
  const file = await reader
    ?.read(link, readBackMs, maxPictureBytes)
    .catch((error: unknown) => undefinedIfUnread(error))
  if (!file) return false
  if (equals(file, bytes)) return true
  throw new IpfsError('other bytes', 'the API published another picture')
}

/** A picture that can't be read back is no worse than one without a gateway. */
function undefinedIfUnread(error: unknown): undefined {
  if (!(error instanceof IpfsError)) throw error
}

/** Computes the CID of a file whose one block is wrapped as UnixFS, as CIDs of version 0 are: version 1, dag-pb, sha2-256, base32. */
async function wrappedCid(bytes: Uint8Array): Promise<string> {
  const Data = new UnixFS({ type: 'file', data: bytes }).marshal()
  const block = dagPb.encode({ Data, Links: [] })
  return CID.createV1(dagPb.code, await sha256.digest(block)).toString()
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
export function kuboPublisher(options: Place & { deadlineMs?: number }): Publisher {
  const target = { ...kuboCommand(options.url, 'add', addOptions), fields: {} }
  return publisher('kubo', target, lastLineCid, options)
}

/**
 * Publishes through Pinata's v3 files API; the key needs the scope `org:files:write`.
 * @param options.apiRoot base URL for uploads, without `/v3`
 */
export function pinataPublisher(options: {
  jwt: string
  apiRoot: string
  proxy?: ProxySettings | undefined
  deadlineMs?: number
}): Publisher {
  const root = options.apiRoot.replace(/\/+$/u, '')
  const target = {
    url: new URL(`${root}/v3/files`),
    headers: { authorization: `Bearer ${options.jwt}` },
    // Pinata's default is private.
    fields: { network: 'public' },
  }
  return publisher('pinata', target, dataCid, options)
}

interface UploadTarget {
  url: URL
  headers: Record<string, string>
  /** Form fields besides the file. */
  fields: Record<string, string>
}

function publisher(
  name: string,
  { url, headers, fields }: UploadTarget,
  readCid: (answer: Uint8Array) => string | undefined,
  {
    deadlineMs = defaultDeadlineMs,
    proxy,
  }: { deadlineMs?: number; proxy?: ProxySettings | undefined },
): Publisher {
  const service = new Service(name, proxy)
  return {
    format: 'webp',
    isAvailable: true,
    async publish(picture) {
      // Uploading again changes nothing.
      const bytes = await service.persist(
        { deadlineMs, maxRetries: maxUploadRetries },
        async (ask) => {
          const answer = await ask({ method: 'POST', url, headers, form: formOf(picture, fields) })
          return bytesOf(answer, name, mayPass(answer.status) ? 'unavailable' : 'refused')
        },
      )
      const given = readCid(bytes)
      if (given === undefined) {
        throw new IpfsError('unavailable', `${name}: the answer names no CID`)
      }
      const published = parseCid(given)
      if (published !== picture.cid) {
        const other = published ?? 'something that is no CID'
        throw new IpfsError('other bytes', `${name}: published ${picture.cid} as ${other}`)
      }
      return { cid: picture.cid, isChecked: true }
    },
    close: () => service.close(),
  }
}

function formOf({ cid, type, bytes }: Picture, fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([new Uint8Array(bytes)], { type }), `${cid}.webp`)
  return data
}

const kuboLine = z.object({ Hash: z.string() })

/** Reads the CID from Kubo's answer: one line of JSON per added entry, the outermost last. */
function lastLineCid(answer: Uint8Array): string | undefined {
  const lines = Buffer.from(answer).toString().trim().split('\n')
  return kuboLine.safeParse(parseJson(Buffer.from(lines.at(-1) ?? ''))).data?.Hash
}

const pinataAnswer = z.object({ data: z.object({ cid: z.string() }) })

function dataCid(answer: Uint8Array): string | undefined {
  return pinataAnswer.safeParse(parseJson(answer)).data?.data.cid
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

/**
 * Returns the URL and headers of a Kubo RPC command.
 * @param node http or https, with or without `/api/v0`; user and password in it are sent as Basic authentication
 */
function kuboCommand(
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

// The requests

interface Question {
  method: 'GET' | 'POST'
  url: URL
  headers: Record<string, string>
  form?: FormData
}

interface Answer {
  status: number
  location: string | undefined
  bytes: Uint8Array
  /** The answer began but failed midway; Kubo reports that in a trailer. */
  broke: boolean
}

type Ask = (question: Question) => Promise<Answer>

/** Max bytes of an answer: a whole file and what its block has besides. */
const maxAnswerBytes = maxPictureBytes + maxWrapping

// A local gateway uses subdomains of localhost, which few resolvers know.
const lookUp: LookupFunction = (host, options, done) =>
  lookup(host.endsWith('.localhost') ? 'localhost' : host, options, done)

/** The connections to one service. */
class Service {
  readonly #name: string
  readonly #agent: Dispatcher
  #isClosed = false

  constructor(name: string, proxy: ProxySettings | undefined) {
    this.#name = name
    const options = {
      connections: 4,
      connect: { timeout: 5000, lookup: lookUp },
      maxResponseSize: maxAnswerBytes,
    }
    this.#agent = proxy ? proxiedConnections(options, proxy) : new Agent(options)
  }

  /** Waits for requests under way. */
  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    this.#isClosed = true
    return this.#agent.close()
  }

  /** Aborts requests under way. */
  abort(): Promise<void> {
    this.#isClosed = true
    return this.#agent.destroy()
  }

  /**
   * Repeats an idempotent exchange while it is `unavailable`, until the deadline aborts its requests.
   * @throws IpfsError
   */
  persist<Result>(
    { deadlineMs, maxRetries }: { deadlineMs: number; maxRetries: number },
    exchange: (ask: Ask) => Promise<Result>,
  ): Promise<Result> {
    const signal = AbortSignal.timeout(deadlineMs)
    return retry(() => exchange((question) => this.#ask(question, signal)), {
      canRetry: (error) =>
        error instanceof IpfsError && error.kind === 'unavailable' && !this.#isClosed,
      maxTries: maxRetries + 1,
      pause: (failures) => backoff(failures, 200, 3_000),
      signal,
    })
  }

  /** Sends one request. Doesn't follow redirects: they would send the key elsewhere. */
  async #ask({ url, method, headers, form }: Question, signal: AbortSignal): Promise<Answer> {
    try {
      const encoded = form && new Response(form)
      const answer = await this.#agent.request({
        method,
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        headers: { ...headers, ...Object.fromEntries(encoded?.headers ?? []) },
        body: encoded ? await encoded.bytes() : null,
        signal,
      })
      const { location } = answer.headers
      const bytes = await answer.body.bytes()
      return {
        status: answer.statusCode,
        location: typeof location === 'string' ? location : undefined,
        bytes,
        // The trailers are there once the body was read.
        broke: answer.trailers['x-stream-error'] !== undefined,
      }
    } catch (error) {
      if (signal.aborted) {
        throw new IpfsError('unavailable', `${this.#name}: no answer before the deadline`)
      }
      const cause = new ConnectionFault(error)
      const isTooLarge = cause.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE'
      const message = `${this.#name}: no answer (${cause.code})`
      throw new IpfsError(isTooLarge ? 'too large' : 'unavailable', message, { cause })
    }
  }
}
