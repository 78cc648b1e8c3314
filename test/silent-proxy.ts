import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

interface Silence {
  isMute: boolean
  /** So many connections, those made first, carry nothing more. */
  forgotten: number
}

/** A proxy before a database that can stop answering without closing, as when a firewall forgets a connection. */
export class SilentProxy {
  readonly url: string
  readonly #server: Server
  readonly #sockets: Socket[]
  readonly #silence: Silence

  private constructor(url: string, server: Server, sockets: Socket[], silence: Silence) {
    this.url = url
    this.#server = server
    this.#sockets = sockets
    this.#silence = silence
  }

  static async to(database: URL): Promise<SilentProxy> {
    const sockets: Socket[] = []
    const silence = { isMute: false, forgotten: 0 }
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(Number(database.port), database.hostname)
      const made = sockets.push(near, far) / 2
      const isSilent = () => silence.isMute || made <= silence.forgotten
      near.on('data', (bytes) => isSilent() || far.write(bytes))
      far.on('data', (bytes) => isSilent() || near.write(bytes))
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
    return new SilentProxy(url.href, server, sockets, silence)
  }

  /** How many connections were made. */
  get connections(): number {
    return this.#sockets.length / 2
  }

  /** Nothing passes any more. */
  mute(): void {
    this.#silence.isMute = true
  }

  /** Nothing passes any more on what is connected; who connects anew gets through. */
  forget(): void {
    this.#silence.forgotten = this.connections
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
