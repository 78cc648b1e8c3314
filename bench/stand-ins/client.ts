import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import {
  type AnswerBody,
  answerBody,
  type Opened,
  opened,
  type Request,
  reply,
  type Served,
  served,
} from './protocol.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

interface Waiting {
  resolve(result: unknown): void
  reject(fault: Error): void
}

/** The stand-ins, in a process of their own. */
export class StandIns {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor() {
    this.#child = fork(program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.on('message', (message) => this.#settle(message))
    this.#child.on('exit', (code) => {
      const fault = new Error(`the stand-ins' process ended (exit code ${code})`)
      for (const waiting of this.#waiting.values()) waiting.reject(fault)
      this.#waiting.clear()
    })
  }

  async open(venue: Omit<Extract<Request, { do: 'open' }>, 'do'>): Promise<Opened> {
    return opened.parse(await this.#ask({ do: 'open', ...venue }))
  }

  async commands(commands: Omit<Extract<Request, { do: 'commands' }>, 'do'>): Promise<Served> {
    return served.parse(await this.#ask({ do: 'commands', ...commands }))
  }

  async lastAnswer(venue: number): Promise<AnswerBody> {
    return answerBody.parse(await this.#ask({ do: 'answer', venue }))
  }

  async close(venue: number): Promise<void> {
    await this.#ask({ do: 'close', venue })
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    const gone = once(this.#child, 'exit')
    this.#child.disconnect()
    await gone
  }

  #ask(request: Request): Promise<unknown> {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    this.#child.send({ id, request })
    return promise
  }

  #settle(message: unknown): void {
    const settled = reply.parse(message)
    const waiting = this.#waiting.get(settled.id)
    this.#waiting.delete(settled.id)
    if ('fault' in settled) waiting?.reject(new Error(settled.fault))
    else waiting?.resolve(settled.result)
  }
}
