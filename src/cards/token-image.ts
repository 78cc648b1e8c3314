import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from 'cockatiel'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import { Agent, type Dispatcher, request } from 'undici'
import { jpegScans, pictureKind } from '../launch/image.ts'
import type { Logger } from '../log.ts'

const maxCacheBytes = 16 * 2 ** 20
const tenMinutes = 600_000
const day = 86_400_000
/** At once, and how many wait: in all, and of one host. */
const inAll = [4, 200] as const
const ofOneHost = [2, 100] as const

interface TokenPicturesParts {
  log: Logger
  /** Every address of a host. */
  resolve?: (host: string) => Promise<string[]>
  /** Which addresses may be talked to, on which port, with which certificates beside the usual ones. */
  allowed?: (address: string) => boolean
  port?: number
  ca?: string
  /** For one picture, in all. */
  milliseconds?: number
  /** Milliseconds on a clock that never jumps. */
  now?: () => number
}

/** The pictures that tokens name, fetched from wherever strangers put them; what was had or not is remembered. */
export class TokenPictures {
  readonly #log: Logger
  readonly #download: Download
  readonly #close: () => Promise<void>
  readonly #known: LRUCache<string, { picture: string | undefined }>
  readonly #underWay = new Map<string, Promise<string | undefined>>()
  readonly #all = bulkhead(...inAll)
  readonly #hosts = new Map<string, BulkheadPolicy>()

  constructor(parts: TokenPicturesParts) {
    const {
      log,
      resolve = (host: string) => lookUp(host),
      allowed = isPublicAddress,
      port = 443,
      ca,
      milliseconds = 5000,
      now = () => performance.now(),
    } = parts
    const downloads = new Downloads({ resolve, allowed, port, ca, milliseconds })
    this.#log = log
    this.#known = new LRUCache({
      maxSize: maxCacheBytes,
      sizeCalculation: ({ picture = '' }, url) => picture.length + url.length + 100,
      ttl: day,
      ttlResolution: 0,
      perf: { now },
    })
    this.#download = (url) => downloads.get(url)
    this.#close = () => downloads.close()
  }

  /** The picture as a data URL of a small square; undefined where it can't be had, which is remembered for ten minutes. */
  of(url: string): Promise<string | undefined> {
    const known = this.#known.get(url)
    if (known) return Promise.resolve(known.picture)
    const underWay = this.#underWay.get(url)
    if (underWay) return underWay
    const fetched = this.#fetch(url).finally(() => this.#underWay.delete(url))
    this.#underWay.set(url, fetched)
    return fetched
  }

  /** Whether `of` answers without fetching. */
  has(url: string): boolean {
    return this.#known.has(url)
  }

  async close(): Promise<void> {
    await this.#close()
  }

  async #fetch(url: string): Promise<string | undefined> {
    try {
      const picture = await this.#inTurn(URL.parse(url)?.host ?? '', async () =>
        thumbnail(await this.#download(url)),
      )
      this.#known.set(url, { picture })
      return picture
    } catch (error) {
      this.#log.debug({ err: error, url: url.slice(0, 200) }, 'no picture of a token')
      // That there was no room says nothing of the picture.
      if (!(error instanceof BulkheadRejectedError)) {
        this.#known.set(url, { picture: undefined }, { ttl: tenMinutes })
      }
      return undefined
    }
  }

  /** A slow host keeps no more than its own places. */
  async #inTurn<T>(host: string, run: () => Promise<T>): Promise<T> {
    const own = this.#hosts.get(host) ?? bulkhead(...ofOneHost)
    this.#hosts.set(host, own)
    try {
      return await own.execute(() => this.#all.execute(run))
    } finally {
      const idle = own.executionSlots === ofOneHost[0] && own.queueSlots === ofOneHost[1]
      if (idle) this.#hosts.delete(host)
    }
  }
}

const maxDownloadBytes = 4 * 2 ** 20
const maxRedirects = 3
const maxUrl = 2048

/** The bytes behind a URL. */
type Download = (url: string) => Promise<Uint8Array>

interface DownloadParts {
  resolve: (host: string) => Promise<string[]>
  allowed: (address: string) => boolean
  /** The one port that is talked to. */
  port: number
  ca: string | undefined
  milliseconds: number
}

/**
 * Fetches from addresses that strangers wrote: over https from public machines alone. A host's name is looked up once for
 * a connection and the connection goes to just the addresses that were checked, so that a name which means another
 * machine a moment later leads nowhere else.
 */
class Downloads {
  readonly #parts: DownloadParts
  readonly #agent: Agent

  constructor(parts: DownloadParts) {
    this.#parts = parts
    this.#agent = new Agent({
      connect: {
        lookup: checkedLookup(parts),
        timeout: parts.milliseconds,
        // Session tickets and the like have no use here, and one connection a host is plenty to keep.
        maxCachedSessions: 0,
        ...(parts.ca !== undefined && { ca: parts.ca }),
      },
      connections: 2,
      pipelining: 1,
      keepAliveTimeout: 1000,
      maxResponseSize: maxDownloadBytes,
      maxHeaderSize: 16_384,
      headersTimeout: parts.milliseconds,
      bodyTimeout: parts.milliseconds,
    })
  }

  /** @throws where it leads anywhere else, fails, is over 4 MiB, or takes too long in all */
  async get(url: string): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(this.#parts.milliseconds)
    let at = this.#checked(url)
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const answer = await request(at, {
        dispatcher: this.#agent,
        signal,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Gavel' },
      })
      const next = redirection(answer)
      if (next === undefined) return await bytesOf(answer)
      drop(answer)
      at = this.#checked(next, at)
    }
    throw new Error('redirected too often')
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  #checked(text: string, base?: URL): URL {
    const { port, allowed } = this.#parts
    const url = text.length <= maxUrl ? URL.parse(text, base?.href) : null
    if (url?.protocol !== 'https:') throw new Error('no https address')
    if (url.username !== '' || url.password !== '')
      throw new Error('an address with a name or password')
    if (Number(url.port || 443) !== port) throw new Error('an unusual port')
    // Whatever way an address was spelt, it is in plain numbers here; a name is checked when it has been looked up.
    const host = url.hostname.replace(/^\[|\]$/gu, '')
    if (isIP(host) !== 0 && !allowed(host)) throw new Error(`${host} is no public address`)
    return url
  }
}

function checkedLookup({ resolve, allowed }: DownloadParts): LookupFunction {
  return (host, { all }, done) => {
    const found = resolve(host).then((addresses) => {
      const wrong = addresses.find((address) => !allowed(address))
      if (wrong !== undefined)
        throw new Error(`${host} leads to ${wrong}, which is no public address`)
      const [first] = addresses
      if (first === undefined) throw new Error(`${host} leads nowhere`)
      return { first, addresses }
    })
    found.then(
      ({ first, addresses }) => {
        if (all)
          done(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        else done(null, first, isIP(first))
      },
      (error: Error) => done(error, '', 0),
    )
  }
}

function redirection({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined
  if (typeof headers.location !== 'string') throw new Error('redirected to nowhere')
  return headers.location
}

/** Packed bodies were not asked for and are not unpacked, as little can become much. */
async function bytesOf(answer: Dispatcher.ResponseData): Promise<Uint8Array> {
  const { statusCode, headers, body } = answer
  const packed = ![undefined, 'identity'].includes(
    String(headers['content-encoding'] ?? 'identity'),
  )
  if (statusCode !== 200 || packed) {
    drop(answer)
    throw new Error(packed ? 'a packed answer' : `status ${statusCode}`)
  }
  return await body.bytes()
}

function drop({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {})
  body.destroy()
}

/** A little more than what is drawn, for rounding. */
const side = 160
const maxPixels = 25_000_000
/** Progressive pictures are built up in ten or so. */
const maxScans = 100
const seconds = 3

/**
 * The middle of a stranger's PNG, JPEG, WebP or GIF (its first frame) as a small square, in a data URL.
 * @throws where it is none of these, too large to unpack, or damaged
 */
async function thumbnail(bytes: Uint8Array): Promise<string> {
  const kind = pictureKind(bytes)
  if (kind === 'jpeg' && jpegScans(bytes) > maxScans)
    throw new Error('a JPEG of far too many steps')
  const options = {
    limitInputPixels: maxPixels,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  } as const
  const square = await sharp(bytes, options)
    .timeout({ seconds })
    .autoOrient()
    .resize(side, side, { fit: 'cover', position: 'centre' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return `data:image/jpeg;base64,${square.toString('base64')}`
}

/** Names that no name server outside knows, by RFC 6761 and its kin. */
const reserved = /(?:^|\.)(?:example|invalid|test|localhost|local|internal|onion|alt)\.?$/u

/**
 * Every address of a host, of either family. It asks the name servers themselves, this machine's unless told others:
 * names of this machine's own are nobody's business here.
 */
export async function lookUp(host: string, servers?: readonly string[]): Promise<string[]> {
  if (reserved.test(host)) return []
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers) resolver.setServers(servers)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

/** All of IPv6 that is given out for the public net. */
const publicIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address belongs to some machine on the public net. Every other kind is refused: private, loopback,
 * link-local, shared, multicast, reserved, and such as carry an IPv4 address inside, whatever that one is.
 */
export function isPublicAddress(address: string): boolean {
  // Only the plain spellings: others read an octet with a leading zero as they like.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(publicIpv6)
}
