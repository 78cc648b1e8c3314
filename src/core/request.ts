import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { readUpTo } from './body.ts'

interface RequestLimits {
  /** Milliseconds for the answer as a whole, whether it is silent or trickles; without it the dispatcher's own timeouts count. */
  ms?: number
  /** Max bytes of the answer. */
  maxBytes: number
  /** Of an answer whose status is not 2xx only so many bytes are read, and it may break off; by default it is read as any other. */
  refusalBytes?: number
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
 * Makes a request of undici's and returns the answer's text. `Dispatcher.request` makes a stream of each answer, which takes more
 * of the processor than to read it.
 * @throws Error if no whole answer came
 * @example
 *   const { statusCode, text } = await requestText(pool, { path: '/', method: 'GET' }, { ms: 5_000, maxBytes: 100_000 })
 */
export async function requestText(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { ms, maxBytes, refusalBytes, signal }: RequestLimits,
): Promise<AnsweredText> {
  const { promise, resolve, reject } = Promise.withResolvers<AnsweredText>()
  const chunks: Buffer[] = []
  let bytes = 0
  let statusCode = 0
  let headers: IncomingHttpHeaders = {}
  let enoughBytes = Number.POSITIVE_INFINITY
  let controller: Dispatcher.DispatchController | undefined
  let ended: Error | undefined
  const end = (reason: Error) => {
    ended = reason
    controller?.abort(reason)
    reject(reason)
  }
  const answer = () => resolve({ statusCode, headers, text: Buffer.concat(chunks).toString() })
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
        statusCode = status
        headers = received
        const isRefusal = status < 200 || status >= 300
        if (isRefusal && refusalBytes !== undefined) enoughBytes = refusalBytes
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length
        if (bytes > maxBytes && bytes < enoughBytes) return end(new Error('the answer is too long'))
        chunks.push(chunk)
        if (bytes < enoughBytes) return
        answer()
        controller?.abort(new Error('enough was read'))
      },
      onResponseEnd: answer,
      onResponseError: (_, error) => {
        if (enoughBytes < Number.POSITIVE_INFINITY) answer()
        else reject(error)
      },
    })
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
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
