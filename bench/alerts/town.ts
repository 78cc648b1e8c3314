import { fileURLToPath } from 'node:url'
import { Remote } from '../remote.ts'
import {
  type Delivered,
  delivered,
  type Idled,
  idled,
  type Opened,
  opened,
  type Request,
} from './protocol.ts'

const program = fileURLToPath(new URL('town-main.ts', import.meta.url))

/** The interface and both platforms with their users, in a separate process. */
export class Town {
  readonly #remote = new Remote(program)

  async open(chats: number): Promise<Opened> {
    return opened.parse(await this.#ask({ do: 'open', chats }))
  }

  async idle(seconds: number, everyMs: number): Promise<Idled> {
    return idled.parse(await this.#ask({ do: 'idle', seconds, everyMs }))
  }

  async news(everyMs: number, patienceSeconds: number): Promise<Delivered> {
    return delivered.parse(await this.#ask({ do: 'news', everyMs, patienceSeconds }))
  }

  async stop(): Promise<void> {
    await this.#remote.stop()
  }

  #ask(request: Request): Promise<unknown> {
    return this.#remote.ask(request)
  }
}
