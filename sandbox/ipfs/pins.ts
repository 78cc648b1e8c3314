import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import busboy from 'busboy'

/** A file that a service took. */
export interface Pin {
  cid: string
  name: string
  type: string
  bytes: Buffer
  /** Where the service tells: whether all the world can have it. */
  network?: 'public' | 'private'
}

/** What a service took, oldest first; the oldest go once there are many. */
export class Pins {
  readonly #pins: Pin[] = []
  readonly #most = 500

  get all(): readonly Pin[] {
    return this.#pins
  }

  add(pin: Pin): void {
    this.#pins.push(pin)
    if (this.#pins.length > this.#most) this.#pins.shift()
  }

  find(cid: string): Pin | undefined {
    return this.#pins.find((pin) => pin.cid === cid)
  }
}

interface UploadedFile {
  field: string
  name: string
  type: string
  bytes: Buffer
}

interface Upload {
  fields: Readonly<Record<string, string>>
  files: readonly UploadedFile[]
}

/** The parts of a multipart request; undefined where it is not one, or is cut off. */
export async function readUpload(request: Request): Promise<Upload | undefined> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^multipart\/form-data\s*;/iu.test(type) || !request.body) return undefined
  const fields: Record<string, string> = {}
  const files: UploadedFile[] = []
  try {
    const parser = busboy({ headers: { 'content-type': type } })
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.on('file', (field, content, { filename, mimeType }) => {
      const chunks: Buffer[] = []
      content.on('data', (chunk: Buffer) => chunks.push(chunk))
      content.on('error', () => undefined)
      content.on('end', () =>
        files.push({ field, name: filename ?? '', type: mimeType, bytes: Buffer.concat(chunks) }),
      )
    })
    await pipeline(Readable.from(request.body), parser)
  } catch {
    return undefined
  }
  return { fields, files }
}

/** Ways in which a pinning service goes wrong. */
export type PinFault =
  /** The connection breaks. */
  | { kind: 'down' }
  /** The right answer comes later; 3000 ms without `delayMs`. */
  | { kind: 'slow'; delayMs?: number }
  /** No answer comes at all. */
  | { kind: 'hang' }
  /** It takes the file and names another CID. */
  | { kind: 'lying'; cid: string }
  /** A status, with the service's own kind of body unless `body` says what to send; '' is none. */
  | { kind: 'refusing'; status: number; body?: string }
  /** 200 with something else than was promised. */
  | { kind: 'malformed'; body?: string }

/**
 * Goes wrong as the fault says; undefined where the right answer is due. `describe` makes the service's own body of
 * a refusal; `stopped` ends the waiting.
 */
export async function pinFault(
  fault: PinFault | undefined,
  { outgoing }: HttpBindings,
  describe: (status: number) => string,
  stopped: AbortSignal,
): Promise<Response | undefined> {
  switch (fault?.kind) {
    case 'down':
      outgoing.socket?.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
    case 'slow':
      await delay(fault.delayMs ?? 3000, undefined, { signal: stopped }).catch(() => undefined)
      return undefined
    case 'hang':
      await once(outgoing, 'close')
      return RESPONSE_ALREADY_SENT
    case 'refusing':
      return refusal(fault.status, fault.body ?? describe(fault.status))
    case 'malformed':
      return new Response(fault.body ?? '<html>ok</html>', { status: 200 })
    default:
      return undefined
  }
}

function refusal(status: number, body: string): Response {
  if (body === '') return new Response(null, { status })
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}
