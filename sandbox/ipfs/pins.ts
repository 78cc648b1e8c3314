import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { HttpBindings } from '@hono/node-server'
import busboy from 'busboy'
import { type Fault, misbehave } from '../faults.ts'

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
  readonly #max = 500

  get all(): readonly Pin[] {
    return this.#pins
  }

  add(pin: Pin): void {
    this.#pins.push(pin)
    if (this.#pins.length > this.#max) this.#pins.shift()
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

/** A service may also name another CID than the file's, or give what stands under another. */
export type PinFault = Fault | { kind: 'lying'; cid: string }

/** Goes wrong as the fault says; nothing if the right answer, or a lie, is due. */
export async function pinFault(
  fault: PinFault | undefined,
  { outgoing }: HttpBindings,
  bodyOf: (status: number) => string,
  stopped: AbortSignal,
): Promise<Response | undefined> {
  if (fault === undefined || fault.kind === 'lying') return undefined
  return misbehave(fault, outgoing, stopped, bodyOf)
}
