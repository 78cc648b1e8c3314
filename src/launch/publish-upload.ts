import { FormData, Pool } from 'undici'
import { ConnectionFault } from '../api/failure.ts'
import type { Picture } from './picture.ts'

export interface UploadTarget {
  url: URL
  headers: Record<string, string>
  /** Fields beside the file. */
  fields: Record<string, string>
  /** Milliseconds after which a silent connection is given up. */
  patienceMs: number
}

export interface UploadAnswer {
  status: number
  text: string
  /** The service began to answer, and then said that it failed. */
  broke: boolean
}

const mostAnswerBytes = 64 * 1024

/** Sends pictures as multipart forms to one address. Redirects are not followed: they would carry the key elsewhere. */
export class Uploader {
  readonly #target: UploadTarget
  readonly #pool: Pool

  constructor(target: UploadTarget) {
    this.#target = target
    this.#pool = new Pool(target.url.origin, {
      connections: 4,
      connect: { timeout: 5000 },
      headersTimeout: target.patienceMs,
      bodyTimeout: target.patienceMs,
      maxResponseSize: mostAnswerBytes,
    })
  }

  get closed(): boolean {
    return this.#pool.closed
  }

  /** @throws ConnectionFault where no answer came, or one that is far too long */
  async send(picture: Picture, signal: AbortSignal): Promise<UploadAnswer> {
    const { url, headers, fields } = this.#target
    try {
      const { statusCode, body, trailers } = await this.#pool.request({
        method: 'POST',
        path: `${url.pathname}${url.search}`,
        headers,
        body: form(picture, fields),
        signal,
      })
      const text = await body.text()
      // Kubo's way to say it; the trailers are there once the body is read.
      return { status: statusCode, text, broke: trailers['x-stream-error'] !== undefined }
    } catch (error) {
      throw new ConnectionFault(error)
    }
  }

  /** Waits for uploads under way and closes the connections. */
  async close(): Promise<void> {
    if (!this.#pool.closed) await this.#pool.close()
  }
}

function form({ cid, type, bytes }: Picture, fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', new Blob([new Uint8Array(bytes)], { type }), `${cid}.webp`)
  return data
}
