import type { ApiClientOptions } from 'grammy'
import { type Dispatcher, request } from 'undici'
import { connectionsTo, type ProxySettings } from '../core/proxy.ts'
import { download } from '../core/request.ts'

export interface Transport {
  /** For grammY's `Bot` or `Api`. */
  client: ApiClientOptions
  /**
   * Downloads the file at a path below the root, without following redirects; undefined, without reading on, if it has
   * more than `maxBytes`. Its errors never contain the path, which contains the token.
   */
  download(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>
  close(): Promise<void>
}

/** Bounded so that a burst of answers does not open as many sockets. */
const maxConnections = 256
/**
 * Max bytes of an answer: a hundred updates, each as long as the webhook takes one (webhook.ts). Updates that are refused here
 * would be asked for again, and none after them would ever come.
 */
const maxAnswer = 100 * 512 * 1024
/** Milliseconds without a byte of the answer; a long poll is silent for 30 s. */
const maxSilence = { poll: 60_000, other: 30_000 }
/** Seconds for a call as a whole, also if its answer trickles: long enough to upload a picture over a slow line. */
const callSeconds = 120

/** A call as grammY makes it: JSON, or a multipart stream. */
interface Call {
  body?: Dispatcher.DispatchOptions['body']
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * Has grammY make its calls through undici, whose errors say by their codes whether a call was sent: through the operator's
 * proxy if there is one, and with bounds for size and time.
 * @example
 *   const { client, close } = transportTo({ apiRoot: 'https://api.telegram.org' })
 *   const bot = new Bot(token, { client })
 */
export function transportTo({
  apiRoot,
  proxy,
  timeoutSeconds = callSeconds,
}: {
  apiRoot: string
  /** The operator's proxies; none by default. */
  proxy?: ProxySettings | undefined
  /** Seconds for a call as a whole. */
  timeoutSeconds?: number
}): Transport {
  const { origin, pathname } = new URL(apiRoot)
  const dispatcher = connectionsTo(
    origin,
    {
      connections: maxConnections,
      connect: { timeout: 10_000 },
      maxResponseSize: maxAnswer,
    },
    proxy,
  )
  // grammY's types for this function are those of node-fetch, which ships none.
  const fetch = async (url: string | URL, { body, headers, signal }: Call = {}) => {
    const silence = String(url).endsWith('/getUpdates') ? maxSilence.poll : maxSilence.other
    const answer = await request(url, {
      dispatcher,
      method: 'POST',
      body: body ?? null,
      headers: headers ?? null,
      signal: signal ?? null,
      headersTimeout: silence,
      bodyTimeout: silence,
    })
    return { json: () => answer.body.json() }
  }
  return {
    client: { apiRoot, fetch, timeoutSeconds },
    download: (path, maxBytes, signal) =>
      download(dispatcher, { origin, path: pathname.replace(/\/$/u, '') + path, signal }, maxBytes),
    close: () => dispatcher.destroy(),
  }
}
