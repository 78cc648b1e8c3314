import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'

/** What befalls a call instead of an answer; undefined lets it through, a function answers as it likes. */
export type Mishap = (
  method: string,
) => 'reset' | { status: number; body: string } | ((response: ServerResponse) => void) | undefined

/** A door before the stand-in for Telegram, at which calls can come to grief and which can be shut. */
export class Front {
  mishap: Mishap = () => undefined
  /** What a call waits for before it goes on. */
  hold: (method: string) => Promise<void> | undefined = () => undefined
  /** The methods that were called, in order. */
  readonly calls: string[] = []
  /** The addresses of the files that were asked for. */
  readonly downloads: string[] = []
  readonly #behind: string
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  /** @param behind the address to which calls go on */
  constructor(behind: string) {
    this.#behind = behind
  }

  get root(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Opens the door, at the address that it had before. */
  async open(): Promise<void> {
    const server = createServer((request, response) => this.#serve(request, response))
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(this.#port, '127.0.0.1', resolve)
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    this.#port = address.port
  }

  /** Cuts every connection; nobody is let in until it is opened again. */
  async shut(): Promise<void> {
    const closed = new Promise((resolve) => this.#server?.close(resolve) ?? resolve(undefined))
    for (const socket of this.#sockets) socket.destroy()
    await closed
    this.#server = undefined
  }

  #serve(incoming: IncomingMessage, response: ServerResponse): void {
    const method = incoming.url?.split('/').at(-1) ?? ''
    this.calls.push(method)
    if (incoming.url?.startsWith('/file/')) this.downloads.push(incoming.url)
    const mishap = this.mishap(method)
    if (mishap === 'reset') {
      incoming.socket.destroy()
    } else if (typeof mishap === 'function') {
      incoming.resume()
      mishap(response)
    } else if (mishap) {
      incoming.resume()
      response.writeHead(mishap.status, { 'content-type': 'application/json' }).end(mishap.body)
    } else {
      const held = this.hold(method)
      if (held) void held.then(() => this.#pass(incoming, response))
      else this.#pass(incoming, response)
    }
  }

  #pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url } = incoming
    const onward = request(this.#behind + url, { ...(method && { method }), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
}
