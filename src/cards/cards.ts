import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type BulkheadPolicy, BulkheadRejectedError, bulkhead } from 'cockatiel'
import { LRUCache } from 'lru-cache'
import sharp from 'sharp'
import type { Picture } from '../core/view.ts'
import type { Logger } from '../log.ts'
import type { CardFacts, Cards } from './card.ts'
import { DrawingProcess } from './drawing-process.ts'
import { drawable } from './layout.ts'
import { TokenPictures } from './token-image.ts'

/** Increase it whenever the same facts are drawn differently, so that earlier uploads are not reused. */
const version = 2
const maxBytes = 16 * 2 ** 20
const maxConcurrent = 2
const maxWaiting = 200
/** Milliseconds; mostly for a busy machine that has to start the process first. */
const drawTimeoutMs = 15_000
/** Milliseconds for a token's own picture; a later one is left to the next drawing. */
const fetchTimeoutMs = 6000
const tenMinutes = 600_000
const minute = 60_000

// Disable libvips's cache: no image is read twice.
sharp.cache(false)
sharp.concurrency(1)

export interface CardMakerParts {
  log: Logger
  /** Fetches tokens' own pictures. */
  pictures?: TokenPictures
  /** Maximum cards that wait while others are drawn. */
  waiting?: number
  /** Timeout for drawing one card. */
  milliseconds?: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Draws cards in a child process, each once. */
export class CardMaker implements Cards {
  readonly #log: Logger
  readonly #pictures: TokenPictures
  readonly #process: DrawingProcess
  readonly #queue: BulkheadPolicy
  readonly #cache: LRUCache<string, Picture>
  /** Keys of cards that could not be drawn, which are not tried again for a minute. */
  readonly #failed: LRUCache<string, true>
  readonly #inProgress = new Map<string, Promise<Picture | undefined>>()
  #closed = false

  constructor(parts: CardMakerParts) {
    const { log, waiting = maxWaiting, milliseconds = drawTimeoutMs } = parts
    const clock = { ttlResolution: 0, perf: { now: parts.now ?? (() => performance.now()) } }
    this.#log = log
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes.length + 500,
      ...clock,
    })
    this.#failed = new LRUCache({ max: 1000, ttl: minute, ...clock })
    this.#pictures = parts.pictures ?? new TokenPictures({ log })
    this.#process = new DrawingProcess(milliseconds)
    this.#queue = bulkhead(maxConcurrent, waiting)
  }

  of(facts: CardFacts): Promise<Picture | undefined> {
    const key = digest([version, ...ordered(facts)])
    const cached = this.#cache.get(key)
    if (cached) return Promise.resolve(cached)
    if (this.#closed || this.#failed.has(key)) return Promise.resolve(undefined)
    const inProgress = this.#inProgress.get(key)
    if (inProgress) return inProgress
    const making = this.#make(key, facts).finally(() => this.#inProgress.delete(key))
    this.#inProgress.set(key, making)
    return making
  }

  async soon(facts: CardFacts, ms: number): Promise<Picture | undefined> {
    const abort = new AbortController()
    const { signal } = abort
    const timeout = wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
    try {
      return await Promise.race([this.of(this.#withoutMissingImage(facts)), timeout])
    } finally {
      abort.abort()
    }
  }

  /** The facts without a picture that is not cached; starts its download. */
  #withoutMissingImage(facts: CardFacts): CardFacts {
    const { image, ...others } = facts
    if (image === undefined || this.#closed || this.#pictures.has(image)) return facts
    void this.#pictures.of(image)
    return others
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pictures.close()
    await this.#process.close()
    await Promise.allSettled(this.#inProgress.values())
  }

  async #make(key: string, facts: CardFacts): Promise<Picture | undefined> {
    try {
      const image = await this.#image(facts.image)
      const picture = await this.#queue.execute(() => this.#draw(key, facts, image))
      const lacksImage = facts.image !== undefined && image === undefined
      this.#cache.set(key, picture, lacksImage ? { ttl: tenMinutes } : {})
      return picture
    } catch (error) {
      if (this.#closed) return undefined
      const full = error instanceof BulkheadRejectedError
      if (!full) this.#failed.set(key, true)
      const { asset } = facts
      this.#log.warn(
        { err: error, asset },
        full ? 'too many cards wait to be drawn' : 'a card could not be drawn',
      )
      return undefined
    }
  }

  async #draw(key: string, facts: CardFacts, image: string | undefined): Promise<Picture> {
    const bytes = await this.#process.draw(drawable(facts), image)
    // A drawing that lacks the token's picture must have another key.
    return { key: image ? digest([key, image]) : key, name: 'card.jpg', type: 'image/jpeg', bytes }
  }

  async #image(url: string | undefined): Promise<string | undefined> {
    if (url === undefined) return undefined
    const abort = new AbortController()
    const { signal } = abort
    const timeout = wait(fetchTimeoutMs, undefined, { signal, ref: false }).catch(() => undefined)
    const image = await Promise.race([this.#pictures.of(url), timeout])
    abort.abort()
    return image
  }
}

/** The facts as a list in a fixed order, for hashing. */
function ordered(facts: CardFacts): unknown[] {
  const { asset, name, symbol, chain, status, tone, price, change, marketCap } = facts
  const { progress, outcome, line, span, image } = facts
  const { ratio, label } = progress ?? {}
  const texts = [
    asset,
    name,
    symbol,
    chain,
    status,
    tone,
    price,
    change,
    marketCap,
    outcome,
    span,
    image,
  ]
  return [...texts.map((text) => text ?? null), ratio ?? null, label ?? null, line]
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
