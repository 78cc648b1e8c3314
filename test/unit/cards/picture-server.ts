import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { TokenPictures } from '../../../src/cards/token-image.ts'
import { createLogger, type Logger } from '../../../src/log.ts'
import { certificate, key } from './certificate.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A real https server on this machine, under any of its certificate's names. */
export class PictureServer {
  readonly asked: string[] = []
  readonly answers = new Map<string, Answer>()
  /** How many requests are under way, and were at most. */
  open = 0
  maxOpen = 0
  readonly #server = createServer({ key, cert: certificate }, (request, response) => {
    this.asked.push(request.url ?? '')
    this.open += 1
    this.maxOpen = Math.max(this.maxOpen, this.open)
    response.on('close', () => {
      this.open -= 1
    })
    const answer = this.answers.get(request.url ?? '')
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })

  static async start(): Promise<PictureServer> {
    const server = new PictureServer()
    await new Promise<void>((done) => server.#server.listen(0, '127.0.0.1', done))
    return server
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  url(path: string, host = 'pictures.test'): string {
    return `https://${host}:${this.port}${path}`
  }

  /** Gives these bytes under a path. */
  serve(path: string, bytes: Uint8Array, headers: Record<string, string> = {}): void {
    this.answers.set(path, (_, response) => response.writeHead(200, headers).end(bytes))
  }

  redirect(path: string, location: string, status = 302): void {
    this.answers.set(path, (_, response) => response.writeHead(status, { location }).end())
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }
}

/** Fetches from that server as if it were on the public net, which every other address of this machine is not. */
export function fetching(
  server: PictureServer,
  options: {
    resolve?: (host: string) => Promise<string[]>
    milliseconds?: number
    log?: Logger
    now?: () => number
  } = {},
): TokenPictures {
  return new TokenPictures({
    log: createLogger('silent', []),
    resolve: async () => ['127.0.0.1'],
    allowed: (address) => address === '127.0.0.1',
    port: server.port,
    ca: certificate,
    ...options,
  })
}

/** A picture of one colour. */
export async function plain(colour: string, kind: 'png' | 'jpeg' | 'webp' | 'gif' = 'png') {
  const create = { width: 300, height: 200, channels: 3, background: colour } as const
  return await sharp({ create }).toFormat(kind).toBuffer()
}
