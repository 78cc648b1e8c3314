import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener, type HttpBindings } from '@hono/node-server'

export interface Listening {
  port: number
  /** Closes the server and every connection, also those that wait for an answer. */
  stop(): Promise<void>
}

/** Serves a Hono app's `fetch` on 127.0.0.1; rejects with EADDRINUSE where the port is taken. */
export async function listen(
  fetch: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
  port = 0,
): Promise<Listening> {
  const server = createServer(
    getRequestListener((request, bindings) => fetch(request, bindings as HttpBindings), {
      overrideGlobalObjects: false,
    }),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return {
    port: address.port,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
