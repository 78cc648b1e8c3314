import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** Ways in which a pinning service goes wrong. */
export type PinFault =
  /** The connection breaks. */
  | { kind: 'down' }
  /** The right answer comes later; 3000 ms without `delayMs`. */
  | { kind: 'slow'; delayMs?: number }
  /** No answer comes at all. */
  | { kind: 'hang' }
  /** It takes the file and names another CID. */
  | { kind: 'lying'; cid: string }
  /** A status, with the service's own kind of body unless `body` says what to send; '' is none. */
  | { kind: 'refusing'; status: number; body?: string }
  /** 200 with something else than was promised. */
  | { kind: 'malformed'; body?: string }

/**
 * Goes wrong as the fault says; undefined where the right answer is due. `describe` makes the service's own body of
 * a refusal; `stopped` ends the waiting.
 */
export async function pinFault(
  fault: PinFault | undefined,
  { outgoing }: HttpBindings,
  describe: (status: number) => string,
  stopped: AbortSignal,
): Promise<Response | undefined> {
  switch (fault?.kind) {
    case 'down':
      outgoing.socket?.resetAndDestroy()
      return RESPONSE_ALREADY_SENT
    case 'slow':
      await delay(fault.delayMs ?? 3000, undefined, { signal: stopped }).catch(() => undefined)
      return undefined
    case 'hang':
      await once(outgoing, 'close')
      return RESPONSE_ALREADY_SENT
    case 'refusing':
      return refusal(fault.status, fault.body ?? describe(fault.status))
    case 'malformed':
      return new Response(fault.body ?? '<html>ok</html>', { status: 200 })
    default:
      return undefined
  }
}

function refusal(status: number, body: string): Response {
  if (body === '') return new Response(null, { status })
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}
