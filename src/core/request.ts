import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { type Dispatcher, errors } from 'undici'
import { readUpTo } from './body.ts'

interface RequestLimits {
  /** Milliseconds for the answer as a whole, whether it is silent or trickles; without it the dispatcher's own timeouts count. */
  ms?: number
  /** Max bytes of the answer, as it came and unpacked. */
  maxBytes: number
  /**
   * Max bytes read of an answer whose status is not 2xx; if it breaks off earlier, what was read counts as the answer. Without it
   * such an answer is read like the others.
   */
  maxRefusalBytes?: number
  /** Ends the call. grammY's signals fit, too, which are those of a polyfill for old versions of Node.js. */
  signal?: Pick<AbortSignal, 'aborted'> & {
    addEventListener(event: 'abort', listener: () => void): void
    removeEventListener(event: 'abort', listener: () => void): void
  }
}

interface AnsweredText {
  statusCode: number
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Makes a request of undici's and returns the answer's text, unpacked if it came packed. `Dispatcher.request` makes a stream of each
 * answer, which takes more of the processor than to read it.
 * @throws Error if no whole answer came; ResponseExceededMaxSizeError if it is longer than `maxBytes`; PackingError if it can't be
 *   unpacked
 * @example
 *   const { statusCode, text } = await requestText(pool, { path: '/', method: 'GET' }, { ms: 5_000, maxBytes: 100_000 })
 */
export async function requestText(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { ms, maxBytes, maxRefusalBytes, signal }: RequestLimits,
): Promise<AnsweredText> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const chunks: Buffer[] = []
  let bytes = 0
  let statusCode = 0
  let headers: IncomingHttpHeaders = {}
  /** Whether an answer that breaks off counts as whole. */
  let mayBreakOff = false
  let controller: Dispatcher.DispatchController | undefined
  let ended: Error | undefined
  const fail = (error: Error) => {
    if (mayBreakOff) resolve()
    else reject(error)
  }
  const end = (reason: Error) => {
    ended = reason
    fail(reason)
    controller?.abort(reason)
  }
  const onAbort = () => end(new Error('the call was aborted'))
  const timer =
    ms === undefined ? undefined : setTimeout(() => end(new Error('the answer took too long')), ms)
  signal?.addEventListener('abort', onAbort)
  try {
    if (signal?.aborted) throw new Error('the call was aborted')
    dispatcher.dispatch(request, {
      onRequestStart: (started) => {
        controller = started
        if (ended) started.abort(ended)
      },
      onResponseStart: (_, status, received) => {
        // "103 Early Hints" and the like come before the answer.
        if (status < 200) return
        statusCode = status
        headers = received
        mayBreakOff = maxRefusalBytes !== undefined && status >= 300
      },
      onResponseData: (_, chunk) => {
        chunks.push(chunk)
        bytes += chunk.length
        const max = (mayBreakOff ? maxRefusalBytes : undefined) ?? maxBytes
        if (bytes > max) end(new errors.ResponseExceededMaxSizeError('the answer is too long'))
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => fail(error),
    })
    await promise
    const body = Buffer.concat(chunks)
    const encoding = headers['content-encoding']
    if (encoding === undefined) return { statusCode, headers, text: body.toString() }
    const maxUnpacked = (mayBreakOff ? maxRefusalBytes : undefined) ?? maxBytes
    const unpacking = unpacked(body, String(encoding), maxUnpacked)
    // A refusal that broke off or is too long can't be unpacked; its status says enough.
    const whole = await (mayBreakOff ? unpacking.catch(() => Buffer.alloc(0)) : unpacking)
    return { statusCode, headers, text: whole.toString() }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** A compressed answer that can't be decompressed. Its message quotes nothing but the name of an encoding. */
export class PackingError extends Error {
  override readonly name = 'PackingError'
}

type Unpack = (packed: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>

const [inflate, inflateRaw] = [promisify(zlib.inflate), promisify(zlib.inflateRaw)]

/** "deflate" is meant to be zlib's format, and some servers send it without zlib's header (RFC 9110, section 8.4.1.2). */
const inflated: Unpack = async (packed, options) => {
  try {
    return await inflate(packed, options)
  } catch (error) {
    // Too long is too long without a header, too.
    if (error instanceof RangeError) throw error
    return inflateRaw(packed, options)
  }
}

/** By the names of HTTP: https://www.iana.org/assignments/http-parameters (content coding). */
const unpackers = new Map<string, Unpack>([
  ['gzip', promisify(zlib.gunzip)],
  ['x-gzip', promisify(zlib.gunzip)],
  ['deflate', inflated],
  ['br', promisify(zlib.brotliDecompress)],
  ['zstd', promisify(zlib.zstdDecompress)],
])

/** More than one compression makes no sense. */
const maxEncodings = 2

/**
 * Decompresses a body that came compressed although nobody asked for it. Ends as soon as more than `maxBytes` come out.
 * @param encoding the header `content-encoding`; the last named was applied last
 * @throws ResponseExceededMaxSizeError, PackingError
 */
async function unpacked(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const names = encoding.toLowerCase().split(',', maxEncodings + 1)
  const packings = names.map((name) => name.trim()).filter((name) => name && name !== 'identity')
  if (packings.length > maxEncodings) throw new PackingError('compressed too many times')
  let body = packed
  for (const name of packings.reverse()) {
    const unpack = unpackers.get(name)
    if (!unpack)
      throw new PackingError(
        `compressed as ${JSON.stringify(name.slice(0, 20))}, which nobody asked for`,
      )
    // An empty body, as of status 204, is not compressed.
    if (body.length === 0) return body
    try {
      body = await unpack(body, { maxOutputLength: maxBytes })
    } catch (error) {
      const isTooLong = error instanceof RangeError
      if (isTooLong)
        throw new errors.ResponseExceededMaxSizeError('the decompressed answer is too long')
      throw new PackingError(`not compressed as ${name}, although it says so`)
    }
  }
  return body
}

/**
 * Downloads a file, without following redirects; undefined, without reading on, if it has more than `maxBytes`.
 * @throws Error if it can't be downloaded, which does not name the path: that may be secret
 */
export async function download(
  dispatcher: Dispatcher,
  file: Pick<Dispatcher.RequestOptions, 'origin' | 'path' | 'signal'>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const { statusCode, headers, body } = await dispatcher.request({ ...file, method: 'GET' })
  // An error event without a listener would end the process.
  body.on('error', () => undefined)
  if (statusCode === 200 && Number(headers['content-length'] ?? 0) <= maxBytes) {
    return readUpTo(maxBytes, body)
  }
  body.destroy()
  if (statusCode === 200) return undefined
  throw new Error(`a download was answered with status ${statusCode}`)
}
