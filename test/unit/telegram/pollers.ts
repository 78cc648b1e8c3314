import { Bot } from 'grammy'
import type { UserFromGetMe } from 'grammy/types'
import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import type { PlatformError } from '../../../src/core/adapter.ts'
import { createLogger } from '../../../src/log.ts'
import { Intake } from '../../../src/telegram/intake.ts'
import { Polling } from '../../../src/telegram/polling.ts'
import { LogBook } from '../core/log-book.ts'
import { token } from './telegram-chat.ts'

type Times = Partial<
  Pick<
    ConstructorParameters<typeof Polling>[0],
    'newcomerMs' | 'conflictPauseMs' | 'confirmAfterMs'
  >
>

export const botInfo = { id: 4242, is_bot: true, username: 'gavel_bot' } as UserFromGetMe

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
    const bot = new Bot(token, { client: { apiRoot: this.#root }, botInfo })
    bot.use(new Intake().middleware, async ({ message }) => {
      await this.hold(message?.text ?? '')
      this.heard.push(message?.text ?? '')
    })
    return new Polling({
      bot,
      log,
      onFatal: (error) => this.fatal.push(error),
      ...this.#times,
    })
  }
}

export function startServer(): Promise<TelegramServer> {
  return TelegramServer.start({ token, floodLimits: false })
}
