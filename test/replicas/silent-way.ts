import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a database that can go silent without breaking, as when a firewall forgets a connection. */
export class SilentWay {
  readonly url: string
  readonly #server: Server
  readonly #sockets: Socket[]
  readonly #silence: { isMute: boolean }

  private constructor(
    url: string,
    server: Server,
    sockets: Socket[],
    silence: { isMute: boolean },
  ) {
    this.url = url
    this.#server = server
    this.#sockets = sockets
    this.#silence = silence
  }

  static async to(database: URL): Promise<SilentWay> {
    const sockets: Socket[] = []
    const silence = { isMute: false }
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(Number(database.port), database.hostname)
      sockets.push(near, far)
      near.on('data', (bytes) => silence.isMute || far.write(bytes))
      far.on('data', (bytes) => silence.isMute || near.write(bytes))
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
      for (const socket of [near, far]) socket.on('error', () => undefined)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening on a port')
    const url = new URL(database)
    url.port = String(address.port)
    return new SilentWay(url.href, server, sockets, silence)
  }

  /** How many connections were made. */
  get connections(): number {
    return this.#sockets.length / 2
  }

  /** Nothing passes any more. */
  mute(): void {
    this.#silence.isMute = true
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
