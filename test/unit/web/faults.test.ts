import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { answerEndpoint } from '../../../src/discord/endpoint.ts'
import { createLogger } from '../../../src/log.ts'
import { type WebParts, WebServer, webApp } from '../../../src/web/server.ts'
import { LogBook } from '../core/log-book.ts'
import { webParts } from './parts.ts'
import { startSite } from './signing/site.ts'

async function serve(parts: Partial<WebParts>) {
  const book = new LogBook()
  const log = createLogger('trace', ['a-key'], book)
  const server = new WebServer(webApp(webParts({ ...parts, log })))
  const port = await server.start(0)
  onTestFinished(() => server.stop())
  return { book, url: `http://127.0.0.1:${port}` }
}

/** Sends the beginning of a body, and ends the connection once the server has answered or closes it. */
function breakOff(url: string, headers: readonly string[], begun: string): Promise<void> {
  const { host, hostname, port, pathname } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => undefined)
    socket.once('close', () => resolve())
    socket.resume()
    const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, ...headers, '', begun]
    socket.end(head.join('\r\n'))
  })
}

test('what no route catches is logged, and nothing of it is told', async () => {
  const ready = () => Promise.reject(new Error('/srv/gavel.db is gone, and a-key too'))
  const { book, url } = await serve({ ready })
  const answer = await fetch(`${url}/readyz`)
  expect(answer.status).toBe(500)
  expect(await answer.json()).toEqual({ error: 'something went wrong' })
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(book.lines).toMatchObject([
    {
      level: 'error',
      msg: 'a request could not be answered',
      err: { message: '/srv/gavel.db is gone, and [redacted] too' },
    },
  ])
})

test.each([
  ['of a length that never comes', 'content-length: 50', '{'],
  ['in chunks of which the last is missing', 'transfer-encoding: chunked', '1\r\n{\r\n'],
  ['that is malformed', 'transfer-encoding: chunked', '1\r\n{\r\notters'],
])('a call with a body %s leaves no more than a line for debugging', async (_, length, begun) => {
  const { publicKey: key } = generateKeyPairSync('ed25519')
  const now = () => 1_700_000_000
  const called = (request: Request) =>
    answerEndpoint({ key, now, onInteraction: () => undefined }, request)
  const { book, url } = await serve({ platforms: [{ name: 'discord', webhook: called }] })
  const signature = [`x-signature-timestamp: ${now()}`, `x-signature-ed25519: ${'a'.repeat(128)}`]
  await breakOff(`${url}/discord`, [length, ...signature], begun)
  await expect.poll(() => book.lines).toMatchObject([{ level: 'debug' }])
})

test('nor does one for the signing page', async () => {
  const book = new LogBook()
  const site = await startSite({ log: createLogger('trace', [], book) })
  onTestFinished(() => site.stop())
  const headers = [
    `origin: ${site.url}`,
    'content-type: application/json',
    'transfer-encoding: chunked',
  ]
  await breakOff(`${site.url}/s/${site.add()}/claim`, headers, '1\r\n{\r\n')
  await expect.poll(() => book.lines).toMatchObject([{ level: 'debug' }])
})

test('an error that comes after who asked has gone is a fault all the same', async () => {
  const called = async (request: Request) => {
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    throw new Error('no otters')
  }
  const { book, url } = await serve({ platforms: [{ name: 'discord', webhook: called }] })
  await breakOff(`${url}/discord`, ['content-length: 50'], '{')
  await expect
    .poll(() => book.lines)
    .toMatchObject([{ level: 'error', err: { message: 'no otters' } }])
})
