import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'

const envelope = z.object({ id: z.number(), request: z.unknown() })
const reply = z.union([
  z.object({ id: z.number(), fault: z.string() }),
  z.object({ id: z.number(), result: z.unknown().optional() }),
])

interface PendingRequest {
  resolve(result: unknown): void
  reject(fault: Error): void
}

/** A child process that answers requests, so that its work does not take time of the measuring process. */
export class Remote {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, PendingRequest>()
  #lastId = 0

  /** Starts a program that calls `serve`. */
  constructor(program: string) {
    this.#child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.on('message', (message) => this.#settle(message))
    this.#child.on('exit', (code) => {
      const fault = new Error(`${program} ended (exit code ${code})`)
      for (const waiting of this.#waiting.values()) waiting.reject(fault)
      this.#waiting.clear()
    })
  }

  ask(request: unknown): Promise<unknown> {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#child.send({ id, request })
    return promise
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.disconnect()
    await gone
  }

  #settle(message: unknown): void {
    const settled = reply.parse(message)
    const waiting = this.#waiting.get(settled.id)
    this.#waiting.delete(settled.id)
    if ('fault' in settled) waiting?.reject(new Error(settled.fault))
    else waiting?.resolve(settled.result)
  }
}

/** Answers the requests of a `Remote` until that process disconnects. */
export function serve(handle: (request: unknown) => Promise<unknown>): void {
  process.on('message', (message) => {
    const { id, request } = envelope.parse(message)
    handle(request).then(
      (result) => process.send?.({ id, result }),
      (fault: unknown) => process.send?.({ id, fault: String(fault) }),
    )
  })
  // The measuring process is gone, so exit.
  process.on('disconnect', () => process.exit(0))
}
