import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CardFacts } from './card.ts'

/** A request to the process. */
export interface Drawing {
  id: number
  facts: CardFacts
  /** A data URL. */
  image: string | undefined
}

export type Drawn = { id: number; bytes: Uint8Array } | { id: number; error: string }

interface Waiting {
  resolve: (bytes: Uint8Array) => void
  reject: (error: Error) => void
  timer: NodeJS.Timeout
}

/** A card needs some tens of megabytes; one that takes more crashes this process and not the bot. */
const limits = ['--max-old-space-size=192', '--max-semi-space-size=2']
/** An environment without the bot's secrets. More arenas and threads would only use more memory. */
const environment = { MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '1' }

const code = fileURLToPath(new URL('./drawing-child.ts', import.meta.url))

/**
 * Draws cards in a child process. It is started when needed, and killed if a card takes too long or if it was idle for
 * ten minutes: only exiting returns the memory that drawing took.
 */
export class DrawingProcess {
  readonly #milliseconds: number
  readonly #idleMilliseconds: number
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(milliseconds: number, idleMilliseconds = 600_000) {
    this.#milliseconds = milliseconds
    this.#idleMilliseconds = idleMilliseconds
  }

  /** The process's id; undefined if it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** The card as JPEG. @throws Error if it can't be drawn, or not in time */
  draw(facts: CardFacts, image: string | undefined): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    clearTimeout(this.#idle)
    this.#lastId += 1
    const id = this.#lastId
    const timer = setTimeout(() => {
      void this.#end(new Error(`a card took over ${this.#milliseconds} ms to draw`))
    }, this.#milliseconds)
    this.#waiting.set(id, { resolve, reject, timer })
    this.#child ??= this.#start()
    const child = this.#child
    child.send({ id, facts, image } satisfies Drawing, (error) => {
      if (error) void this.#end(error, child)
    })
    return promise
  }

  /** Kills the process; drawings in progress fail. */
  async close(): Promise<void> {
    await this.#end(new Error('cards are not drawn any more'))
  }

  #start(): ChildProcess {
    const child = fork(code, [], {
      execArgv: limits,
      env: environment,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // The process must not keep the bot alive.
    child.unref()
    child.channel?.unref()
    child.on('message', (drawn: Drawn) => this.#answer(drawn))
    child.on('error', (error) => void this.#end(error, child))
    child.on('exit', (...how) => void this.#end(new Error(`it ended with ${how}`), child))
    return child
  }

  #answer(drawn: Drawn): void {
    const waiting = this.#waiting.get(drawn.id)
    this.#waiting.delete(drawn.id)
    clearTimeout(waiting?.timer)
    if ('bytes' in drawn) waiting?.resolve(drawn.bytes)
    else waiting?.reject(new Error(`a card could not be drawn: ${drawn.error}`))
    if (this.#waiting.size > 0) return
    this.#idle = setTimeout(() => void this.close(), this.#idleMilliseconds).unref()
  }

  async #end(reason: unknown, child = this.#child): Promise<void> {
    if (child !== this.#child) return
    clearTimeout(this.#idle)
    this.#child = undefined
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject, timer } of waiting) {
      clearTimeout(timer)
      reject(new Error('the drawing process ended', { cause: reason }))
    }
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    child.ref()
    child.once('exit', () => resolve())
    // A process that failed to start emits no exit.
    if (child.kill('SIGKILL')) await promise
  }
}
