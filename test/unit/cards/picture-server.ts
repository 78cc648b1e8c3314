import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A real https server on this machine, under any of its certificate's names. */
export class PictureServer {
  readonly asked: string[] = []
  /** Who asked, by the header. */
  readonly agents: (string | undefined)[] = []
  readonly answers = new Map<string, Answer>()
  /** How many requests are under way, and were at most. */
  open = 0
  maxOpen = 0
  readonly #server = createServer({ key, cert: certificate }, (request, response) => {
    this.asked.push(request.url ?? '')
    this.agents.push(request.headers['user-agent'])
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

/** Downloads from that server as if it were on the public net, which every other address of this machine is not. */
export function downloadFrom(server: PictureServer) {
  return {
    resolve: async () => ['127.0.0.1'],
    allowed: (address: string) => address === '127.0.0.1',
    port: server.port,
    ca: certificate,
    milliseconds: 20_000,
  }
}

/** Of the servers in these tests, trusted by nobody else; good for a hundred years. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQghO6vlyWHf4DESySX
l+S+MgbvLkxmW+n6LiQoEe4kKQqhRANCAAQi5ExGJH90IW3wL7a3Dd5/R7DqMiBf
a9VjM4yweISv6pRZzw92RSx8ZGhdm0+nhqm10bfM+a4gI04BjykRqBsH
-----END PRIVATE KEY-----
`

const certificate = `-----BEGIN CERTIFICATE-----
MIIB0zCCAXigAwIBAgIUVcEhas6O1zEE3CsLnmelPgrJv4QwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcGljdHVyZXMudGVzdDAgFw0yNjExMjEyMzQ0MjNaGA8yMTI2
MTAyODIzNDQyM1owGDEWMBQGA1UEAwwNcGljdHVyZXMudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABCLkTEYkf3QhbfAvtrcN3n9HsOoyIF9r1WMzjLB4hK/q
lFnPD3ZFLHxkaF2bT6eGqbXRt8z5riAjTgGPKRGoGwejgZ0wgZowHQYDVR0OBBYE
FHIB2L0WxKQLcCCjFFszCkM3BWIsMB8GA1UdIwQYMBaAFHIB2L0WxKQLcCCjFFsz
CkM3BWIsMA8GA1UdEwEB/wQFMAMBAf8wRwYDVR0RBEAwPoINcGljdHVyZXMudGVz
dIIKb3RoZXIudGVzdIIJc2xvdy50ZXN0hwR/AAABhxAAAAAAAAAAAAAAAAAAAAAB
MAoGCCqGSM49BAMCA0kAMEYCIQD5MbHkuwhU+2Wza+bpQUnWVVMg+a6cpkZU+JiF
SFZBmQIhAJMWf1EZIR9MtMu7Na0n9KQqYml78GbHed4Tm00PqhOE
-----END CERTIFICATE-----
`
