import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** Ways in which a service goes wrong. */
export type FaultKind =
  | 'status'
  | 'html'
  | 'broken-json'
  | 'slow'
  | 'hang'
  | 'reset'
  | '429'
  | 'truncated'
  | 'huge'
  | 'wrong-shape'

export interface Fault {
  /** Only requests whose path below the base address begins so; without it, every request. */
  match?: string
  kind: FaultKind
  /** For `status` (500 by default) and `html`, a firewall's page (403 by default). */
  status?: number
  /** For `status`: the body, '' for none; the service's own kind of body without it. */
  body?: string
  /** For `slow`: milliseconds to wait before the right answer; 3000 by default. */
  delayMs?: number
  /** For `429`: seconds in the Retry-After header; without it the header is absent. */
  retryAfter?: number
  /** How many requests go wrong; without it, all until `clear`. */
  times?: number
}

/** The faults in force; one for each path prefix, the longest prefix that fits decides. */
export class Faults<Kind extends Pick<Fault, 'match' | 'times'> = Fault> {
  readonly #byPrefix = new Map<string, { fault: Kind; left: number }>()

  /** Puts a fault in force, in place of the one with the same `match`. */
  set(fault: Kind): void {
    this.#byPrefix.set(fault.match ?? '', { fault, left: fault.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#byPrefix.clear()
  }

  /** The fault that befalls a request to this path, counted as used. */
  take(path: string): Kind | undefined {
    const [prefix] = [...this.#byPrefix.keys()]
      .filter((candidate) => path.startsWith(candidate))
      .sort((left, right) => right.length - left.length)
    const entry = prefix === undefined ? undefined : this.#byPrefix.get(prefix)
    if (prefix === undefined || !entry) return undefined
    entry.left -= 1
    if (entry.left <= 0) this.#byPrefix.delete(prefix)
    return entry.fault
  }
}

const hugeBytes = 64 * 1024 * 1024

/** Waits, or less long where the server stops meanwhile. */
export async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopped }).catch(() => undefined)
}

// Promises more bytes than it sends and then breaks the connection.
async function truncate(outgoing: ServerResponse): Promise<Response> {
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': '4096' })
  outgoing.write('{"result":[{"asset_address":"0x')
  await delay(20)
  outgoing.destroy()
  return RESPONSE_ALREADY_SENT
}

function* endlessList(): Generator<string> {
  const chunk = `${'{"asset_categories":[]},'.repeat(2700)}\n`
  yield '{"result":['
  for (let sent = 0; sent < hugeBytes; sent += chunk.length) yield chunk
  yield '{}]}'
}

async function flood(outgoing: ServerResponse): Promise<Response> {
  outgoing.writeHead(200, { 'content-type': 'application/json' })
  // The reader is expected to hang up before the end.
  await pipeline(Readable.from(endlessList()), outgoing).catch(() => undefined)
  return RESPONSE_ALREADY_SENT
}

/** The page of Cloudflare's firewall, as public clients of the API recorded its title and heading in 2026, with its headers. */
const firewallPage =
  '<!doctype html><html><head><title>Attention Required! | Cloudflare</title></head><body><h1>Sorry, you have been blocked</h1></body></html>'
const firewallHeaders = { server: 'cloudflare', 'cf-ray': '9a3f6c1d2e4b5a60-FRA' }

/**
 * Answers as the fault says, or gives nothing if the right answer is due (after `slow`). `stopped` ends the waiting of
 * `slow`; `bodyOf` gives the service's own body of a refusal.
 */
export async function misbehave(
  fault: Fault,
  outgoing: ServerResponse,
  stopped: AbortSignal,
  bodyOf: (status: number) => string,
): Promise<Response | undefined> {
  const answer = (body: string, status: number, type = 'application/json', more = {}) =>
    new Response(body, { status, headers: { 'content-type': type, ...more } })
  switch (fault.kind) {
    case 'status': {
      const { status = 500, body } = fault
      return body === '' ? new Response(null, { status }) : answer(body ?? bodyOf(status), status)
    }
    case 'html': {
      const { status = 403 } = fault
      return answer(firewallPage, status, 'text/html; charset=utf-8', firewallHeaders)
    }
    case 'broken-json':
      return answer('{"result":[{"asset_address":', 200)
    case 'slow':
      await pause(fault.delayMs ?? 3000, stopped)
      return undefined
    case 'hang':
      await once(outgoing, 'close')
      return RESPONSE_ALREADY_SENT
    case 'reset':
      outgoing.socket?.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
    case '429': {
      const { retryAfter } = fault
      const wait = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
      return answer(bodyOf(429), 429, 'application/json', wait)
    }
    case 'truncated':
      return truncate(outgoing)
    case 'huge':
      return flood(outgoing)
    case 'wrong-shape':
      return answer('{"result":{"items":"none","total":null}}', 200)
  }
}
