import { isIP, type LookupFunction } from 'node:net'
import { Agent, type Dispatcher, request } from 'undici'

const mostBytes = 4 * 2 ** 20
const mostRedirects = 3
const longestUrl = 2048

/** The bytes behind a URL. */
export type Download = (url: string) => Promise<Uint8Array>

export interface DownloadParts {
  resolve: (host: string) => Promise<string[]>
  allowed: (address: string) => boolean
  /** The one port that is talked to. */
  port: number
  ca: string | undefined
  milliseconds: number
}

/**
 * Fetches from addresses that strangers wrote: over https from public machines alone. A host's name is looked up once for
 * a connection and the connection goes to just the addresses that were checked, so that a name which means another
 * machine a moment later leads nowhere else.
 */
export class Downloads {
  readonly #parts: DownloadParts
  readonly #agent: Agent

  constructor(parts: DownloadParts) {
    this.#parts = parts
    this.#agent = new Agent({
      connect: {
        lookup: checkedLookup(parts),
        timeout: parts.milliseconds,
        // Session tickets and the like have no use here, and one connection a host is plenty to keep.
        maxCachedSessions: 0,
        ...(parts.ca !== undefined && { ca: parts.ca }),
      },
      connections: 2,
      pipelining: 1,
      keepAliveTimeout: 1000,
      maxResponseSize: mostBytes,
      maxHeaderSize: 16_384,
      headersTimeout: parts.milliseconds,
      bodyTimeout: parts.milliseconds,
    })
  }

  /** @throws where it leads anywhere else, fails, is over 4 MiB, or takes too long in all */
  async get(url: string): Promise<Uint8Array> {
    const signal = AbortSignal.timeout(this.#parts.milliseconds)
    let at = this.#checked(url)
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const answer = await request(at, {
        dispatcher: this.#agent,
        signal,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Gavel' },
      })
      const next = redirection(answer)
      if (next === undefined) return await bytesOf(answer)
      drop(answer)
      at = this.#checked(next, at)
    }
    throw new Error('redirected too often')
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  #checked(text: string, base?: URL): URL {
    const { port, allowed } = this.#parts
    const url = text.length <= longestUrl ? URL.parse(text, base?.href) : null
    if (url?.protocol !== 'https:') throw new Error('no https address')
    if (url.username !== '' || url.password !== '')
      throw new Error('an address with a name or password')
    if (Number(url.port || 443) !== port) throw new Error('an unusual port')
    // Whatever way an address was spelt, it is in plain numbers here; a name is checked when it has been looked up.
    const host = url.hostname.replace(/^\[|\]$/gu, '')
    if (isIP(host) !== 0 && !allowed(host)) throw new Error(`${host} is no public address`)
    return url
  }
}

function checkedLookup({ resolve, allowed }: DownloadParts): LookupFunction {
  return (host, { all }, done) => {
    const found = resolve(host).then((addresses) => {
      const wrong = addresses.find((address) => !allowed(address))
      if (wrong !== undefined)
        throw new Error(`${host} leads to ${wrong}, which is no public address`)
      const [first] = addresses
      if (first === undefined) throw new Error(`${host} leads nowhere`)
      return { first, addresses }
    })
    found.then(
      ({ first, addresses }) => {
        if (all)
          done(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          )
        else done(null, first, isIP(first))
      },
      (error: Error) => done(error, '', 0),
    )
  }
}

function redirection({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined
  if (typeof headers.location !== 'string') throw new Error('redirected to nowhere')
  return headers.location
}

/** Packed bodies were not asked for and are not unpacked, as little can become much. */
async function bytesOf(answer: Dispatcher.ResponseData): Promise<Uint8Array> {
  const { statusCode, headers, body } = answer
  const packed = ![undefined, 'identity'].includes(
    String(headers['content-encoding'] ?? 'identity'),
  )
  if (statusCode !== 200 || packed) {
    drop(answer)
    throw new Error(packed ? 'a packed answer' : `status ${statusCode}`)
  }
  return await body.bytes()
}

function drop({ body }: Dispatcher.ResponseData): void {
  body.on('error', () => {})
  body.destroy()
}
