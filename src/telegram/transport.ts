import { Readable } from 'node:stream'
import type { ApiClientOptions } from 'grammy'
import { Pool } from 'undici'

export interface Transport {
  fetch: NonNullable<ApiClientOptions['fetch']>
  /**
   * The file at a path behind the root; undefined where it has more than `maxBytes`, of which no more is read then.
   * Follows no redirects. Its errors never hold the path, which holds the token.
   */
  download(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** Enough that answers of 40 ms still allow some thousands of calls a second; the bound keeps a burst off the sockets. */
const maxConnections = 256
/** Long polls stay open for 30 s; everything else answers far sooner. */
const answerTimeout = 60_000

/** What grammY hands to a transport: calls as JSON, or as a multipart stream where they carry a file. */
interface Call {
  body?: unknown
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

/**
 * What grammY sends its calls through: an undici pool, measured at more than twice the rate of grammY's own
 * transport (docs/performance.md). `onLimited` hears of each answer with status 429.
 */
export function poolTransport(apiRoot: string, onLimited?: () => void): Transport {
  const { origin, pathname } = new URL(apiRoot)
  const prefix = pathname.replace(/\/$/u, '')
  const pool = new Pool(origin, {
    connections: maxConnections,
    connect: { timeout: 10_000 },
    headersTimeout: answerTimeout,
    bodyTimeout: answerTimeout,
  })
  return {
    // grammY's types for this function are those of node-fetch, which ships none.
    fetch: async (input: string | URL, { body: sent, headers, signal }: Call = {}) => {
      if (typeof sent !== 'string' && !(sent instanceof Readable)) {
        throw new TypeError('a call is text or a stream')
      }
      const { statusCode, body } = await pool.request({
        // grammY puts the method's address behind the root as it was given.
        path: prefix + String(input).slice(apiRoot.length),
        method: 'POST',
        headers: { 'content-type': headers?.['content-type'] ?? 'application/json' },
        body: sent,
        signal: signal ?? null,
      })
      if (statusCode === 429) onLimited?.()
      // All that grammY asks of an answer; a whole Response takes a twentieth of a command’s time.
      return { json: () => body.json() }
    },
    download: async (path, maxBytes, signal) => {
      const { statusCode, headers, body } = await pool.request({
        path: prefix + path,
        method: 'GET',
        signal,
      })
      // An error event without a listener would end the process.
      body.on('error', () => undefined)
      if (statusCode !== 200) {
        body.destroy()
        throw new Error(`a download was answered with status ${statusCode}`)
      }
      if (Number(headers['content-length'] ?? 0) > maxBytes) {
        body.destroy()
        return undefined
      }
      return upTo(maxBytes, body)
    },
    close: () => pool.destroy(),
  }
}

async function upTo(maxBytes: number, body: Readable): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) throw new TypeError('a download gave no bytes')
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
