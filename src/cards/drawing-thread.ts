import { Worker } from 'node:worker_threads'
import type { CardFacts } from './card.ts'

/** What the thread is asked. */
export interface Drawing {
  id: number
  facts: CardFacts
  /** A data URL. */
  image: string | undefined
}

export type Drawn = { id: number; svg: string } | { id: number; error: string }

interface Waiting {
  resolve: (svg: string) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** A card needs some tens of megabytes; one that wants more ends the thread and not the bot. */
const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 }

const code = new URL('./drawing-worker.ts', import.meta.url)

/** Lays cards out in a thread, which is started when it is needed and ended when it takes too long over something. */
export class DrawingThread {
  readonly #milliseconds: number
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #last = 0

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  /** The card as SVG in which every letter is a path. @throws where it can't be drawn, or not in time */
  svg(facts: CardFacts, image: string | undefined): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#last += 1
    const id = this.#last
    const timer = setTimeout(() => {
      void this.#end(new Error(`a card took over ${this.#milliseconds} ms to lay out`))
    }, this.#milliseconds)
    this.#waiting.set(id, { resolve, reject, timer })
    this.#worker ??= this.#start()
    this.#worker.postMessage({ id, facts, image } satisfies Drawing)
    return promise
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    await this.#end(new Error('cards are not drawn any more'))
  }

  #start(): Worker {
    const worker = new Worker(code, { execArgv: [], resourceLimits: limits })
    // A bot that is done does not stay for the sake of pictures.
    worker.unref()
    worker.on('message', (drawn: Drawn) => this.#answer(drawn))
    worker.on('error', (error) => void this.#end(error, worker))
    return worker
  }

  #answer(drawn: Drawn): void {
    const waiting = this.#waiting.get(drawn.id)
    this.#waiting.delete(drawn.id)
    clearTimeout(waiting?.timer)
    if ('svg' in drawn) waiting?.resolve(drawn.svg)
    else waiting?.reject(new Error(`a card could not be laid out: ${drawn.error}`))
  }

  async #end(reason: unknown, which = this.#worker): Promise<void> {
    if (which !== this.#worker) return
    this.#worker = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject, timer } of waiting) {
      clearTimeout(timer)
      reject(new Error('the drawing thread ended', { cause: reason }))
    }
    await which?.terminate()
  }
}
