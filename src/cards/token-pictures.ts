import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import type { Logger } from '../log.ts'
import { type Download, Downloads } from './downloads.ts'
import { lookUp } from './look-up.ts'
import { isPublicAddress } from './public-address.ts'
import { thumbnail } from './thumbnail.ts'

const mostBytes = 16 * 2 ** 20
const tenMinutes = 600_000
const day = 86_400_000
/** At once, and how many wait: in all, and of one host. */
const inAll = [4, 200] as const
const ofOneHost = [2, 100] as const

export interface TokenPicturesParts {
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
      maxSize: mostBytes,
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
