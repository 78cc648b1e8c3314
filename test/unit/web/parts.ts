import { createLogger } from '../../../src/log.ts'
import type { WebParts } from '../../../src/web/server.ts'

/** A server's parts of which a test needs some alone. */
export function webParts(parts: Partial<WebParts> = {}): WebParts {
  return {
    health: () => ({}),
    ready: async () => ({ status: 'ready', parts: {} }),
    metrics: async () => ({ type: 'text/plain', text: '' }),
    identity: (nonce) => nonce,
    log: createLogger('silent', []),
    ...parts,
  }
}
