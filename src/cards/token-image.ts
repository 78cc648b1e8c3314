import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Agent, type Dispatcher } from 'undici'
import { Slots, TooManyWaitError } from '../core/slots.ts'
import type { Logger } from '../log.ts'
import { userAgent } from '../version.ts'

const maxCacheBytes = 16 * 2 ** 20
const tenMinutes = 600_000
const hour = 3_600_000
const day = 86_400_000
/** Concurrent downloads, and how many may wait: in total, and per host. */
const totalLimits = [4, 200] as const
const hostLimits = [2, 100] as const
/** Refusals in a row after which a host is taken to refuse this server whatever it is asked for. */
const maxRefusals = 3
const maxHosts = 1_000

export interface DownloadParts {
  /** Resolves all addresses of a host. */
  resolve: (host: string) => Promise<string[]>
  /** Which addresses may be connected to. */
  allowed: (address: string) => boolean
  /** The only port that may be connected to. */
  port: number
  /** A CA beside the default ones. */
  ca?: string
  /** Timeout for one picture in total. */
  milliseconds: number
  /** The User-Agent; the bot's name and version by default. */
  userAgent: string
}

interface TokenPicturesParts extends Partial<DownloadParts> {
  log: Logger
  /** Turns a picture by strangers into a small square JPEG. */
  thumbnail: (bytes: Uint8Array) => Promise<Uint8Array>
  /** Reads the bot's own copy of a picture; undefined if it has none. */
  stored?: ((url: string) => Promise<Uint8Array | undefined>) | undefined
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/**
 * The host does not give the picture to this server, though people's browsers may get it: it answers with a refusal or a page, as
 * `storage.long.xyz` does behind Cloudflare, or not at all.
 */
class HostRefusal extends Error {
  override readonly name = 'HostRefusal'
}

/** What is known of a host that refuses; all of it is forgotten after an hour, and when it gives a picture. */
interface RefusingHost {
  refusals: number
}

/** Fetches the pictures that tokens name, from untrusted URLs. Caches results and failures. */
export class TokenPictures {
  readonly #log: Logger
  readonly #thumbnail: (bytes: Uint8Array) => Promise<Uint8Array>
  readonly #stored: TokenPicturesParts['stored']
  readonly #downloads: Downloads
  readonly #cache: LRUCache<string, { picture: string | undefined }>
  readonly #inProgress = new Map<string, Promise<string | undefined>>()
  readonly #all = new Slots(...totalLimits)
  readonly #hosts = new Map<string, Slots>()
  readonly #refusing: LRUCache<string, RefusingHost>
  /** Hosts of which the log told within the last hour. */
  readonly #logged: LRUCache<string, true>

  constructor({
    log,
    thumbnail,
    stored,
    now = () => performance.now(),
    ...parts
  }: TokenPicturesParts) {
    this.#log = log
    this.#thumbnail = thumbnail
    this.#stored = stored
    this.#downloads = new Downloads({
      resolve: (host) => lookUp(host),
      allowed: isPublicAddress,
      port: 443,
      milliseconds: 5000,
      userAgent: userAgent(),
      ...parts,
    })
    this.#cache = new LRUCache({
      maxSize: maxCacheBytes,
      sizeCalculation: ({ picture = '' }, url) => picture.length + url.length + 100,
      ttl: day,
      ttlResolution: 0,
      perf: { now },
    })
    const hourly = { max: maxHosts, ttl: hour, ttlResolution: 0, perf: { now } }
    this.#refusing = new LRUCache(hourly)
    this.#logged = new LRUCache(hourly)
  }

  /**
   * The picture as a data URL of a small square; undefined if it can't be fetched. That is cached for ten minutes, and for an hour if
   * the host refuses it. A host that refused three in a row is not asked at all within that hour.
   */
  of(url: string): Promise<string | undefined> {
    const cached = this.#cache.get(url)
    if (cached) return Promise.resolve(cached.picture)
    if (this.#isRefused(url)) return Promise.resolve(undefined)
    const inProgress = this.#inProgress.get(url)
    if (inProgress) return inProgress
    const fetched = this.#fetch(url).finally(() => this.#inProgress.delete(url))
    this.#inProgress.set(url, fetched)
    return fetched
  }

  /** Whether `of` answers at once. */
  has(url: string): boolean {
    return this.#cache.has(url) || this.#isRefused(url)
  }

  #isRefused(url: string): boolean {
    return (this.#refusing.get(hostOf(url))?.refusals ?? 0) >= maxRefusals
  }

  async close(): Promise<void> {
    await this.#downloads.close()
  }

  async #fetch(url: string): Promise<string | undefined> {
    const host = hostOf(url)
    try {
      const bytes = await this.#queued(host, async () =>
        this.#thumbnail((await this.#stored?.(url)) ?? (await this.#downloads.get(url))),
      )
      this.#refusing.delete(host)
      const picture = `data:image/jpeg;base64,${Buffer.from(bytes).toString('base64')}`
      this.#cache.set(url, { picture })
      return picture
    } catch (error) {
      // Each card of the host would say the same.
      if (!this.#logged.has(host)) {
        this.#logged.set(host, true)
        this.#log.debug({ err: error, url: url.slice(0, 200) }, 'no picture of a token')
      }
      // A full queue says nothing about the picture, so don't cache it.
      if (!(error instanceof TooManyWaitError)) {
        const isRefusal = error instanceof HostRefusal
        if (isRefusal) this.#noteRefusal(host)
        this.#cache.set(url, { picture: undefined }, { ttl: isRefusal ? hour : tenMinutes })
      }
      return undefined
    }
  }

  /** A gateway of IPFS may lack a few pictures, so that one refusal says little of the others. */
  #noteRefusal(host: string): void {
    const known = this.#refusing.get(host)
    if (known) known.refusals += 1
    else this.#refusing.set(host, { refusals: 1 })
  }

  /** Limits each host, so that a slow one can't take all slots. */
  async #queued<T>(host: string, run: () => Promise<T>): Promise<T> {
    const slots = this.#hosts.get(host) ?? new Slots(...hostLimits)
    this.#hosts.set(host, slots)
    try {
      return await slots.run(() => this.#all.run(run))
    } finally {
      if (slots.isIdle) this.#hosts.delete(host)
    }
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

const maxDownloadBytes = 4 * 2 ** 20
const maxRedirects = 3
const maxUrl = 2048

/**
 * Downloads from untrusted URLs: https only, public addresses only. A host is resolved once per connection, which goes
 * to the addresses that were checked: a name that later resolves to another machine (DNS rebinding) leads nowhere else.
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
        // TLS session tickets have no use here.
        maxCachedSessions: 0,
        ...(parts.ca && { ca: parts.ca }),
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

  /**
   * Downloads a URL, following up to three redirects.
   * @throws Error if it leads to a forbidden address, fails, or exceeds 4 MiB; HostRefusal if it is refused, or takes too long in total
   */
  async get(url: string): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(this.#parts.milliseconds)
    try {
      return await this.#follow(url, signal)
    } catch (error) {
      throw signal.aborted ? new HostRefusal('no answer in time') : error
    }
  }

  async #follow(url: string, signal: AbortSignal): Promise<Uint8Array> {
    let at = this.#checked(url)
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const answer = await this.#agent.request({
        origin: at.origin,
        path: at.pathname + at.search,
        method: 'GET',
        signal,
        headers: {
          accept: 'image/*',
          'accept-encoding': 'identity',
          'user-agent': this.#parts.userAgent,
        },
      })
      const next = redirection(answer)
      if (next === undefined) return await bytesOf(answer)
      discard(answer)
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
    // URL has normalised any spelling of an IP address; host names are checked after they are resolved.
    const host = url.hostname.replace(/^\[|\]$/gu, '')
    if (isIP(host) !== 0 && !allowed(host)) throw new Error(`${host} is no public address`)
    return url
  }
}

function checkedLookup({ resolve, allowed }: DownloadParts): LookupFunction {
  return (host, { all }, done) => {
    const found = resolve(host).then((addresses) => {
      const forbidden = addresses.find((address) => !allowed(address))
      if (forbidden !== undefined)
        throw new Error(`${host} leads to ${forbidden}, which is no public address`)
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

/** Statuses of a host that knows the picture, and does not give it to whoever asks. */
const refusals = [401, 403, 429, 451]

/** Compressed bodies were not requested, and are refused: a small one can expand to a huge one. */
async function bytesOf(answer: Dispatcher.ResponseData): Promise<Uint8Array> {
  const { statusCode, headers, body } = answer
  const isPage = /^text\/html\b/iu.test(String(headers['content-type'] ?? ''))
  if (refusals.includes(statusCode) || (statusCode === 200 && isPage)) {
    discard(answer)
    throw new HostRefusal(isPage ? `a page, with status ${statusCode}` : `status ${statusCode}`)
  }
  const isCompressed = ![undefined, 'identity'].includes(
    String(headers['content-encoding'] ?? 'identity'),
  )
  if (statusCode !== 200 || isCompressed) {
    discard(answer)
    throw new Error(isCompressed ? 'a packed answer' : `status ${statusCode}`)
  }
  return await body.bytes()
}

function discard({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {})
  body.destroy()
}

/** Special-use domains, which public name servers don't have (RFC 6761 and others). */
const reserved = /(?:^|\.)(?:example|invalid|test|localhost|local|internal|onion|alt)\.?$/u

/**
 * Resolves all IPv4 and IPv6 addresses of a host. Asks name servers directly (this machine's by default) and never the
 * hosts file, so that local names don't resolve.
 */
export async function lookUp(host: string, servers?: readonly string[]): Promise<string[]> {
  if (reserved.test(host)) return []
  const resolver = new Resolver({ timeout: 1500, tries: 2 })
  if (servers) resolver.setServers(servers)
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
}

/** The IPv6 range of public unicast addresses. */
const publicIpv6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address is on the public internet. Everything else is refused: private, loopback, link-local, shared,
 * multicast, reserved, and IPv6 addresses that embed an IPv4 address, whichever that is.
 */
export function isPublicAddress(address: string): boolean {
  // Only canonical spellings: of others, such as octets with a leading zero, parsers disagree.
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(publicIpv6)
}
