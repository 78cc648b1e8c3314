import { fileURLToPath } from 'node:url'
import { Remote } from '../remote.ts'
import {
  type AnswerBody,
  answerBody,
  type Opened,
  opened,
  type Request,
  type Served,
  served,
} from './protocol.ts'

const program = fileURLToPath(new URL('main.ts', import.meta.url))

/** The stand-ins, in a separate process. */
export class StandIns {
  readonly #remote = new Remote(program)

  async open(venue: Omit<Extract<Request, { do: 'open' }>, 'do'>): Promise<Opened> {
    return opened.parse(await this.#ask({ do: 'open', ...venue }))
  }

  async commands(commands: Omit<Extract<Request, { do: 'commands' }>, 'do'>): Promise<Served> {
    return served.parse(await this.#ask({ do: 'commands', ...commands }))
  }

  /** Lets Telegram call these servers in turn, after all have set their webhook. */
  async callInTurn(venue: number, targets: readonly string[]): Promise<void> {
    await this.#ask({ do: 'call', venue, targets: [...targets] })
  }

  async lastAnswer(venue: number): Promise<AnswerBody> {
    return answerBody.parse(await this.#ask({ do: 'answer', venue }))
  }

  async close(venue: number): Promise<void> {
    await this.#ask({ do: 'close', venue })
  }

  stop(): Promise<void> {
    return this.#remote.stop()
  }

  #ask(request: Request): Promise<unknown> {
    return this.#remote.ask(request)
  }
}
