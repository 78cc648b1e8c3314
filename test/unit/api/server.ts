import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { pino } from 'pino'
import { defaultQueryNames, defaultStatusWords } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { ApiError } from '../../../src/errors.ts'

export const silent = pino({ level: 'silent' })

/** The settings of an API that is as documented. */
export const defaultTables = {
  queryNames: defaultQueryNames,
  units: defaultUnits,
  statusWords: defaultStatusWords,
}

/** A logger whose lines can be read back. */
export function listeningLog() {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  return { log, lines }
}

export interface TestServer extends AsyncDisposable {
  url: string
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[]
}

/** An HTTP server on a free port that keeps what it was asked. */
export async function httpServer(answer: RequestListener, port = 0): Promise<TestServer> {
  const requests: TestServer['requests'] = []
  const server = createServer(async (request, response) => {
    const entry = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: '',
    }
    requests.push(entry)
    request.setEncoding('utf8')
    try {
      for await (const chunk of request) entry.body += chunk
    } catch {
      return
    }
    answer(request, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A server that writes bytes of its own choosing once a request has come. */
export async function byteServer(answer: (socket: Socket) => void): Promise<TestServer> {
  const sockets = new Set<Socket>()
  const requests: TestServer['requests'] = []
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (data) => {
      requests.push({ method: '', url: '', headers: {}, body: data.toString('latin1') })
      answer(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A base URL on which nothing listens. */
export async function nowhere(): Promise<string> {
  const server = await byteServer(() => undefined)
  await server[Symbol.asyncDispose]()
  return server.url
}

function portOf(address: string | { port: number } | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** The ApiError that a call must end in. */
export async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`an ApiError was expected, but there was ${inspect(error)}`)
}
