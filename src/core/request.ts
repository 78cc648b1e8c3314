import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { readUpTo } from './body.ts'

interface RequestLimits {
  /** Milliseconds for the answer as a whole, whether it is silent or trickles; without it the dispatcher's own timeouts count. */
  ms?: number
  /** Max bytes of the answer; without it the dispatcher's own limit counts. */
  maxBytes?: number
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
 * Makes a request of undici's and returns the answer's text. `Dispatcher.request` makes a stream of each answer, which takes more
 * of the processor than to read it.
 * @throws Error if no whole answer came
 * @example
 *   const { statusCode, text } = await requestText(pool, { path: '/', method: 'GET' }, { ms: 5_000, maxBytes: 100_000 })
 */
export async function requestText(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { ms, maxBytes = Number.POSITIVE_INFINITY, maxRefusalBytes, signal }: RequestLimits,
): Promise<AnsweredText> {
  const { promise, resolve, reject } = Promise.withResolvers<AnsweredText>()
  const chunks: Buffer[] = []
  let bytes = 0
  let statusCode = 0
  let headers: IncomingHttpHeaders = {}
  /** Whether an answer that breaks off counts as whole. */
  let mayBreakOff = false
  let controller: Dispatcher.DispatchController | undefined
  let ended: Error | undefined
  const answer = () => resolve({ statusCode, headers, text: Buffer.concat(chunks).toString() })
  const fail = (error: Error) => {
    if (mayBreakOff) answer()
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
        const max = mayBreakOff ? maxRefusalBytes : maxBytes
        if (max !== undefined && bytes > max) end(new Error('the answer is too long'))
      },
      onResponseEnd: answer,
      onResponseError: (_, error) => fail(error),
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
