import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

interface Silence {
  isMute: boolean
  /** What PostgreSQL answers is lost; what it is asked arrives. */
  isUnanswered: boolean
  /** Nothing passes any more once this was asked. */
  muteAt: string | undefined
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
    const silence: Silence = {
      isMute: false,
      isUnanswered: false,
      muteAt: undefined,
      forgotten: 0,
    }
    const server = createServer({ allowHalfOpen: true }, (near) => {
      const far = connect(Number(database.port), database.hostname)
      const made = sockets.push(near, far) / 2
      const isSilent = () => silence.isMute || made <= silence.forgotten
      near.on('data', (bytes) => {
        if (silence.muteAt !== undefined && bytes.includes(silence.muteAt)) silence.isMute = true
        if (!isSilent()) far.write(bytes)
      })
      far.on('data', (bytes) => isSilent() || silence.isUnanswered || near.write(bytes))
      near.on('end', () => isSilent() || far.end())
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

  /** Questions pass, answers don't, as of a database that is too slow. */
  swallowAnswers(): void {
    this.#silence.isUnanswered = true
  }

  /** Nothing passes any more once these bytes were asked. */
  muteAt(question: string): void {
    this.#silence.muteAt = question
  }

  /** Everything passes again. */
  unmute(): void {
    Object.assign(this.#silence, { isMute: false, isUnanswered: false, muteAt: undefined })
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
