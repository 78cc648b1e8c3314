import { TelegramServer } from '../../../sandbox/telegram/server.ts'
import { createLogger } from '../../../src/log.ts'
import { WebServer } from '../../../src/web/server.ts'
import { TestDatabase } from '../../database.ts'
import { LoadBalancer } from '../../load-balancer.ts'
import { LogBook } from '../core/log-book.ts'
import { webParts } from '../web/parts.ts'
import { type Connection, type ConnectionParts, connection, token } from './telegram-chat.ts'

type TelegramOptions = Omit<Parameters<typeof TelegramServer.start>[0], 'token'>

/** A process that Telegram calls. */
export interface Replica extends Connection {
  address: string
  /** As SIGTERM ends it. */
  stop(): Promise<void>
}

/** Replicas that Telegram calls at one address. */
export class Called {
  readonly server: TelegramServer
  /** What stands before the replicas, and the addresses of those that it calls. */
  readonly balancer: LoadBalancer
  targets: string[] = []
  readonly database: TestDatabase
  readonly book = new LogBook()
  readonly #replicas: Replica[] = []

  private constructor(server: TelegramServer, balancer: LoadBalancer, database: TestDatabase) {
    this.server = server
    this.balancer = balancer
    balancer.targets = () => this.targets
    this.database = database
  }

  /** @param options of the stand-in for Telegram */
  static async open(options: TelegramOptions = {}): Promise<Called> {
    const server = await TelegramServer.start({ token, floodLimits: false, ...options })
    return new Called(server, await LoadBalancer.start(), await TestDatabase.make())
  }

  async replica(more: ConnectionParts = {}): Promise<Replica> {
    const log = createLogger('trace', [], this.book)
    const publicUrl = this.balancer.url
    const parts = connection(this.server.root, token, undefined, {
      publicUrl,
      log,
      ...more,
    })
    const { platform } = parts
    const web = new WebServer(webParts({ platforms: [platform] }))
    const address = `http://127.0.0.1:${await web.start(0)}`
    this.targets.push(address)
    await platform.start()
    const stop = async () => {
      await platform.stop()
      await web.stop()
    }
    const replica = { ...parts, address, stop }
    this.#replicas.push(replica)
    return replica
  }

  /** The texts of the bot's messages in a chat. */
  texts(chat: number): string[] {
    const messages = this.server.people.messages(chat)
    return messages.filter(({ sender }) => sender.isBot).map(({ text }) => text)
  }

  written(): string {
    return this.book.lines.map((line) => JSON.stringify(line)).join('\n')
  }

  async close(): Promise<void> {
    await this.server.api.webhook.stop()
    await Promise.all(this.#replicas.map((replica) => replica.stop()))
    await Promise.all([this.balancer.stop(), this.server.stop()])
    await this.database.remove()
  }
}
