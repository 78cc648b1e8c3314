import { Api } from 'grammy'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import type { PlatformError } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { Polling, UpdateQueue } from '../../../src/telegram/updates.ts'
import { LogBook } from '../core/log-book.ts'
import { token } from './telegram-chat.ts'

type Times = Partial<
  Pick<ConstructorParameters<typeof Polling>[0], 'newcomerMs' | 'conflictPauseMs'>
>

/** A process that can ask Telegram for updates, and what it heard. */
export class Poller {
  readonly heard: string[] = []
  /** What an update waits for before it is handled. */
  hold: (text: string) => Promise<void> | undefined = () => undefined
  readonly fatal: PlatformError[] = []
  readonly log = new LogBook()
  readonly #root: string
  readonly #times: Times

  constructor(server: TelegramServer, times: Times = {}) {
    this.#root = server.root
    this.#times = times
  }

  begin(): Polling {
    const log = createLogger('debug', [], this.log)
    const queue = new UpdateQueue({
      handle: async ({ message }) => {
        await this.hold(message?.text ?? '')
        this.heard.push(message?.text ?? '')
      },
      refuse: async () => undefined,
    })
    return new Polling({
      api: new Api(token, { apiRoot: this.#root }),
      queue,
      log,
      onFatal: (error) => this.fatal.push(error),
      ...this.#times,
    })
  }
}

export function startServer(): Promise<TelegramServer> {
  return TelegramServer.start({ token, floodLimits: false })
}
