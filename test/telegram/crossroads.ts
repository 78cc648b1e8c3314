import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { arrayBuffer } from 'node:stream/consumers'

/** One address before several replicas: each call goes to any of them. */
export class Crossroads {
  /** The addresses of those that are there. */
  replicas: string[] = []
  /** Answers that get lost on their way back. */
  losses = 0
  /** How many calls each replica got. */
  readonly passed = new Map<string, number>()
  readonly #server: Server
  #address = ''

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#pass(request, response).catch(() => response.writeHead(502).end())
    })
  }

  static async open(): Promise<Crossroads> {
    const crossroads = new Crossroads()
    crossroads.#server.listen(0, '127.0.0.1')
    await once(crossroads.#server, 'listening')
    const address = crossroads.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    crossroads.#address = `http://127.0.0.1:${address.port}`
    return crossroads
  }

  get address(): string {
    return this.#address
  }

  async close(): Promise<void> {
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const replica = this.replicas[Math.floor(Math.random() * this.replicas.length)] ?? ''
    this.passed.set(replica, (this.passed.get(replica) ?? 0) + 1)
    const secret = request.headers['x-telegram-bot-api-secret-token']
    const answer = await fetch(replica + request.url, {
      method: 'POST',
      headers: { 'x-telegram-bot-api-secret-token': String(secret) },
      body: await arrayBuffer(request),
    })
    const text = await answer.text()
    if (this.losses > 0) {
      this.losses -= 1
      response.destroy()
    } else {
      response.writeHead(answer.status).end(text)
    }
  }
}
