import type { Dispatcher } from 'undici'

interface RequestLimits {
  /** Milliseconds for the answer as a whole, whether it is silent or trickles; without it the dispatcher's own timeouts count. */
  ms?: number
  /** Max bytes of the answer. */
  maxBytes: number
  /** Ends the call. Also grammY's, which is of a polyfill for old Nodes. */
  signal?: Pick<AbortSignal, 'aborted'> & {
    addEventListener(event: 'abort', listener: () => void): void
    removeEventListener(event: 'abort', listener: () => void): void
  }
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
  { ms, maxBytes, signal }: RequestLimits,
): Promise<{ statusCode: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ statusCode: number; text: string }>()
  const chunks: Buffer[] = []
  let bytes = 0
  let statusCode = 0
  let controller: Dispatcher.DispatchController | undefined
  let ended: Error | undefined
  const end = (reason: Error) => {
    ended = reason
    controller?.abort(reason)
    reject(reason)
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
      onResponseStart: (_, status) => {
        statusCode = status
      },
      onResponseData: (_, chunk) => {
        bytes += chunk.length
        if (bytes > maxBytes) end(new Error('the answer is too long'))
        else chunks.push(chunk)
      },
      onResponseEnd: () => resolve({ statusCode, text: Buffer.concat(chunks).toString() }),
      onResponseError: (_, error) => reject(error),
    })
    return await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}
