import { type ChildProcess, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import { Slots, TooManyWaitError } from '../core/slots.ts'
import { withTimeout } from '../core/task.ts'
import type { Picture } from '../core/view.ts'
import type { Logger } from '../log.ts'
import { type CardFacts, drawable } from './layout.ts'
import { type DownloadParts, TokenPictures } from './token-image.ts'

/** Increase it whenever the same facts are drawn differently, so that earlier uploads are not reused. */
const version = 3
const maxBytes = 16 * 2 ** 20
const maxWaiting = 200
/** Milliseconds; mostly for a busy machine that has to start the process first. */
const drawTimeoutMs = 15_000
/** Milliseconds for a token's own picture; a later one is left to the next drawing. */
const fetchTimeoutMs = 6000
const tenMinutes = 600_000
const minute = 60_000

/** Makes the pictures of cards. */
export interface CardPictures {
  /**
   * The picture of these facts, from the cache or drawn now. Undefined if it can't be drawn, which is logged: the card
   * is then sent without one.
   */
  of(facts: CardFacts): Promise<Picture | undefined>
  /**
   * The picture if it is ready within `ms`, else undefined while drawing continues for the next call. Does not wait for
   * a token's own picture that has to be downloaded; later drawings contain it.
   */
  soon(facts: CardFacts, ms: number): Promise<Picture | undefined>
  close(): Promise<void>
}

interface CardDrawerParts {
  log: Logger
  /** Options of the download of tokens' own pictures. */
  download?: Partial<DownloadParts>
  /** Reads the bot's own copy of a token's picture, which needs no download; undefined if it has none. */
  stored?: ((url: string) => Promise<Uint8Array | undefined>) | undefined
  /** Maximum cards that wait while others are drawn. */
  waiting?: number
  /** Timeout for drawing one card. */
  milliseconds?: number
  /** Milliseconds of a monotonic clock. */
  now?: () => number
}

/** Draws cards, each once. */
export class CardDrawer implements CardPictures {
  readonly #log: Logger
  readonly #pictures: TokenPictures
  readonly #worker: PictureWorker
  readonly #cache: LRUCache<string, Picture>
  /** Keys of cards that could not be drawn, which are not tried again for a minute. */
  readonly #failed: LRUCache<string, true>
  readonly #inProgress = new Map<string, Promise<Picture | undefined>>()
  #closed = false

  constructor({
    log,
    download,
    stored,
    now = () => performance.now(),
    ...limits
  }: CardDrawerParts) {
    const clock = { ttlResolution: 0, perf: { now } }
    this.#log = log
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => bytes.length + 500,
      ...clock,
    })
    this.#failed = new LRUCache({ max: 1000, ttl: minute, ...clock })
    this.#worker = new PictureWorker(limits)
    this.#pictures = new TokenPictures({
      log,
      now,
      thumbnail: (bytes) => this.#worker.ask({ do: 'thumbnail', bytes }),
      stored,
      ...download,
    })
  }

  of(facts: CardFacts): Promise<Picture | undefined> {
    const key = keyOf([version, ...ordered(facts)])
    const cached = this.#cache.get(key)
    if (cached) return Promise.resolve(cached)
    if (this.#closed || this.#failed.has(key)) return Promise.resolve(undefined)
    const inProgress = this.#inProgress.get(key)
    if (inProgress) return inProgress
    const making = this.#make(key, facts).finally(() => this.#inProgress.delete(key))
    this.#inProgress.set(key, making)
    return making
  }

  soon(facts: CardFacts, ms: number): Promise<Picture | undefined> {
    return withTimeout(this.of(this.#withoutMissingImage(facts)), ms)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pictures.close()
    await this.#worker.close()
    await Promise.allSettled(this.#inProgress.values())
  }

  /** The facts without a picture that is not cached; starts its download. */
  #withoutMissingImage(facts: CardFacts): CardFacts {
    const { image, ...others } = facts
    if (image === undefined || this.#closed || this.#pictures.has(image)) return facts
    void this.#pictures.of(image)
    return others
  }

  async #make(key: string, facts: CardFacts): Promise<Picture | undefined> {
    const { asset, image: url } = facts
    try {
      const image = url && (await withTimeout(this.#pictures.of(url), fetchTimeoutMs))
      const bytes = await this.#worker.ask({ do: 'draw', facts: drawable(facts), image })
      const picture: Picture = {
        // A drawing that lacks the token's picture must have another key.
        key: image ? keyOf([key, image]) : key,
        name: 'card.jpg',
        type: 'image/jpeg',
        bytes,
      }
      this.#cache.set(key, picture, url && !image ? { ttl: tenMinutes } : {})
      return picture
    } catch (error) {
      if (this.#closed) return undefined
      const full = error instanceof TooManyWaitError
      if (!full) this.#failed.set(key, true)
      this.#log.warn(
        { err: error, asset },
        full ? 'too many cards wait to be drawn' : 'a card could not be drawn',
      )
      return undefined
    }
  }
}

/** The facts as a list in a fixed order, for hashing: in another language their texts, and so the picture, are others. */
function ordered(facts: CardFacts): unknown[] {
  const { asset, name, symbol, chain, status, tone, price, change, marketCap } = facts
  const { progress, outcome, line, span, image, words } = facts
  const texts = [asset, name, symbol, chain, status, tone, price, change, marketCap, outcome, span]
  return [...texts, image, progress?.ratio, progress?.label, line, words.marketCap, words.change]
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}

/** A request to the process; `image` is a data URL. */
export type Work =
  | { do: 'draw'; facts: CardFacts; image: string | undefined }
  | { do: 'thumbnail'; bytes: Uint8Array }

export type Answer = { bytes: Uint8Array } | { error: string }

/** A card needs some tens of megabytes. */
const limits = ['--max-old-space-size=192', '--max-semi-space-size=2']
/** An environment without the bot's secrets. More arenas and threads would only use more memory. */
const environment = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' }

const program = fileURLToPath(new URL('./worker.ts', import.meta.url))

interface WorkerLimits {
  milliseconds?: number
  waiting?: number
  idleMs?: number
}

/**
 * Decodes and draws pictures in a child process, one after the other. Tokens' pictures and names come from strangers,
 * and the libraries that read them are native code: if they crash, hang or take too much memory, only that process ends,
 * which has none of the bot's settings. It is started when needed, killed if an answer takes too long, and ended when
 * idle for ten minutes: only exiting returns the memory that drawing took.
 */
export class PictureWorker {
  readonly #milliseconds: number
  readonly #idleMs: number
  readonly #queue: Slots
  #child: ChildProcess | undefined
  #closed = false
  #idle: NodeJS.Timeout | undefined

  constructor(options: WorkerLimits = {}) {
    const { milliseconds = drawTimeoutMs, waiting = maxWaiting, idleMs = tenMinutes } = options
    this.#milliseconds = milliseconds
    this.#idleMs = idleMs
    this.#queue = new Slots(1, waiting)
  }

  /** The process's id; undefined if it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** @throws Error if the work can't be done, or not in time; TooManyWaitError */
  ask(work: Work): Promise<Uint8Array> {
    return this.#queue.run(async () => {
      const answer = await this.#answer(work)
      if ('error' in answer) throw new Error(`a picture could not be made: ${answer.error}`)
      return answer.bytes
    })
  }

  /** Kills the process; what is in progress or waits fails. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idle)
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.ref()
    // A process that failed to start emits no exit.
    if (child.kill('SIGKILL')) await exited
  }

  async #answer(work: Work): Promise<Answer> {
    if (this.#closed) throw new Error('no pictures are made any more')
    clearTimeout(this.#idle)
    const child = this.#child ?? this.#start()
    const over = new AbortController()
    const { signal } = over
    const exited = once(child, 'exit', { signal }).then((how) => {
      throw new Error(`it ended with ${how}`)
    })
    try {
      const answered = once(child, 'message', { signal })
      child.send(work)
      const [answer] =
        (await withTimeout(Promise.race([answered, exited]), this.#milliseconds)) ?? []
      if (answer === undefined) throw new Error(`it took over ${this.#milliseconds} ms`)
      this.#idle = setTimeout(() => void this.#end(), this.#idleMs).unref()
      return answer
    } catch (error) {
      await this.#end()
      throw new Error('the process that draws ended', { cause: error })
    } finally {
      over.abort()
    }
  }

  #start(): ChildProcess {
    const child = fork(program, [], {
      execArgv: limits,
      env: environment,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // The process must not keep the bot alive.
    child.unref()
    child.channel?.unref()
    // A failure to start or to send ends the answer that waits for it.
    child.on('error', () => {})
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    this.#child = child
    return child
  }
}
