import { Bot } from 'grammy'
import { TelegramServer } from '../../sandbox/telegram/server.ts'
import type { PlatformError } from '../../src/chat/platform.ts'
import { createLogger } from '../../src/log.ts'
import { Polling } from '../../src/telegram/polling.ts'
import { LogBook } from '../chat/log-book.ts'
import { token } from './telegram-chat.ts'

type Times = Partial<Pick<ConstructorParameters<typeof Polling>[0], 'newcomer' | 'conflictPause'>>

/** A process that can ask Telegram for updates, and what it heard. */
export class Poller {
  readonly heard: string[] = []
  readonly fatal: PlatformError[] = []
  readonly log = new LogBook()
  readonly #root: string
  readonly #times: Times

  constructor(server: TelegramServer, times: Times = {}) {
    this.#root = server.root
    this.#times = times
  }

  begin(): Polling {
    const grammy = new Bot(token, { client: { apiRoot: this.#root } })
    grammy.on('message:text', (ctx) => void this.heard.push(ctx.message.text))
    // What start() asks of Telegram.
    grammy.botInfo = {
      ...botInfo,
      id: 4242,
    }
    return new Polling({
      grammy,
      log: createLogger('debug', [], this.log),
      onFatal: (error) => this.fatal.push(error),
      ...this.#times,
    })
  }
}

const botInfo = {
  is_bot: true,
  first_name: 'Gavel',
  username: 'gavel_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_inline_queries: true,
  can_connect_to_business: false,
  has_main_web_app: false,
} as const

export function startServer(): Promise<TelegramServer> {
  return TelegramServer.start({ token, floodLimits: false })
}
