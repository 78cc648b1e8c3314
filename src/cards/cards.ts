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

/** To be raised whenever the same facts come to look different, so that no old upload stands for them. */
const version = 2
const maxBytes = 16 * 2 ** 20
const maxAtOnce = 2
const maxWaiting = 200
/** Most of it is for a machine that is busy and has yet to start the process. */
const millisecondsToDraw = 15_000
/** A token's own picture that comes later than this is in the next drawing. */
const millisecondsToFetch = 6000
const tenMinutes = 600_000
const minute = 60_000

// libvips keeps what it has read for when it is read again, which is never.
sharp.cache(false)
sharp.concurrency(1)

export interface CardMakerParts {
  log: Logger
  /** Where tokens' own pictures come from. */
  pictures?: TokenPictures
  /** How many cards wait at most while others are drawn. */
  waiting?: number
  /** For the drawing of one. */
  milliseconds?: number
  /** Milliseconds on a clock that never jumps. */
  now?: () => number
}

/** Draws cards outside of the process that answers commands, each once. */
export class CardMaker implements Cards {
  readonly #log: Logger
  readonly #pictures: TokenPictures
  readonly #process: DrawingProcess
  readonly #queue: BulkheadPolicy
  readonly #known: LRUCache<string, Picture>
  /** What could not be drawn is not tried again at once. */
  readonly #failed: LRUCache<string, true>
  readonly #underWay = new Map<string, Promise<Picture | undefined>>()
  #closed = false

  constructor(parts: CardMakerParts) {
    const { log, waiting = maxWaiting, milliseconds = millisecondsToDraw } = parts
    const clock = { ttlResolution: 0, perf: { now: parts.now ?? (() => performance.now()) } }
    this.#log = log
    this.#known = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes.length + 500,
      ...clock,
    })
    this.#failed = new LRUCache({ max: 1000, ttl: minute, ...clock })
    this.#pictures = parts.pictures ?? new TokenPictures({ log })
    this.#process = new DrawingProcess(milliseconds)
    this.#queue = bulkhead(maxAtOnce, waiting)
  }

  of(facts: CardFacts): Promise<Picture | undefined> {
    const key = digest([version, ...written(facts)])
    const known = this.#known.get(key)
    if (known) return Promise.resolve(known)
    if (this.#closed || this.#failed.has(key)) return Promise.resolve(undefined)
    const underWay = this.#underWay.get(key)
    if (underWay) return underWay
    const making = this.#make(key, facts).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, making)
    return making
  }

  async soon(facts: CardFacts, ms: number): Promise<Picture | undefined> {
    const ended = new AbortController()
    const { signal } = ended
    const late = wait(ms, undefined, { signal, ref: false }).catch(() => undefined)
    try {
      return await Promise.race([this.of(this.#atHand(facts)), late])
    } finally {
      ended.abort()
    }
  }

  /** The facts without a picture that is still to be fetched, which begins. */
  #atHand(facts: CardFacts): CardFacts {
    const { image, ...others } = facts
    if (image === undefined || this.#closed || this.#pictures.has(image)) return facts
    void this.#pictures.of(image)
    return others
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pictures.close()
    await this.#process.close()
    await Promise.allSettled(this.#underWay.values())
  }

  async #make(key: string, facts: CardFacts): Promise<Picture | undefined> {
    try {
      const image = await this.#image(facts.image)
      const picture = await this.#queue.execute(() => this.#draw(key, facts, image))
      const lacksImage = facts.image !== undefined && image === undefined
      this.#known.set(key, picture, lacksImage ? { ttl: tenMinutes } : {})
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
    // A drawing without the token's picture must not stand for one that has it.
    return { key: image ? digest([key, image]) : key, name: 'card.jpg', type: 'image/jpeg', bytes }
  }

  async #image(url: string | undefined): Promise<string | undefined> {
    if (url === undefined) return undefined
    const ended = new AbortController()
    const { signal } = ended
    const late = wait(millisecondsToFetch, undefined, { signal, ref: false }).catch(() => undefined)
    const image = await Promise.race([this.#pictures.of(url), late])
    ended.abort()
    return image
  }
}

/** Facts in one order, whatever order they were put together in. */
function written(facts: CardFacts): unknown[] {
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
