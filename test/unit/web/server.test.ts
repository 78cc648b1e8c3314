import { request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ready, WebServer, webApp } from '../../../src/web/server.ts'
import { webParts } from './parts.ts'

let server: WebServer
let port: number
let telegram: string

beforeEach(async () => {
  telegram = 'starting'
  const health = () => ({ interface: { state: 'ok' }, telegram })
  const ready = async (): Promise<Ready> => ({
    status: telegram === 'connected' ? 'ready' : 'not ready',
    parts: { telegram },
  })
  const metrics = async () => ({ type: 'text/plain; version=0.0.4', text: 'otters 2\n' })
  server = new WebServer(webApp(webParts({ health, ready, metrics })))
  port = await server.start(0)
})
afterEach(() => server.stop())

const at = (path: string) => `http://127.0.0.1:${port}${path}`

describe('GET /healthz', () => {
  test('gives the state of each part as it is now', async () => {
    for (const state of ['starting', 'connected', 'reconnecting']) {
      telegram = state
      const answer = await fetch(at('/healthz'))
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({
        parts: { interface: { state: 'ok' }, telegram: state },
      })
    }
  })

  test('is JSON that nobody keeps or takes for something else', async () => {
    const { headers } = await fetch(at('/healthz'))
    expect(headers.get('content-type')).toContain('application/json')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('GET /readyz', () => {
  test('is 200 or 503, with the state of each part', async () => {
    const answers = [
      ['starting', 503, 'not ready'],
      ['connected', 200, 'ready'],
      ['reconnecting', 503, 'not ready'],
    ] as const
    for (const [state, code, status] of answers) {
      telegram = state
      const answer = await fetch(at('/readyz'))
      expect(answer.status).toBe(code)
      expect(await answer.json()).toEqual({ status, parts: { telegram: state } })
      expect(answer.headers.get('cache-control')).toBe('no-store')
    }
  })
})

test('GET /metrics gives the figures with the type that they have, for nobody to keep', async () => {
  const answer = await fetch(at('/metrics'))
  const { headers } = answer
  expect([answer.status, await answer.text()]).toEqual([200, 'otters 2\n'])
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4')
  expect(headers.get('cache-control')).toBe('no-store')
})

describe('anything else', () => {
  test.each([
    '/',
    '/healthz/',
    '/readyz/',
    '/metrics/',
    '/metrics/otters',
    '/../etc/passwd',
    '/%00',
    '/healthz%2f',
  ])('such as %s is 404 in JSON', async (path) => {
    const answer = await fetch(at(path))
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ error: 'not found' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test.each(['/healthz', '/readyz', '/metrics'])('also %s by another method', async (path) => {
    expect((await fetch(at(path), { method: 'POST', body: '{}' })).status).toBe(404)
  })
})

test('a port in use is an error that says what to set', async () => {
  const second = new WebServer(webApp(webParts()))
  await expect(second.start(port)).rejects.toMatchObject({
    name: 'PortError',
    message: `PORT ${port} can't be had. Set another one.`,
    cause: { code: 'EADDRINUSE' },
  })
})

test('so is an address that this machine does not have', async () => {
  const second = new WebServer(webApp(webParts()))
  await expect(second.start(0, '192.0.2.1')).rejects.toMatchObject({
    name: 'PortError',
    message: "PORT 0 of HOST 192.0.2.1 can't be had. Set another one.",
    cause: { code: 'EADDRNOTAVAIL' },
  })
})

/** A connection that has sent the beginning of a request and no more. */
function beginRequest() {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // What the server says before it ends the connection has to be taken, or the end is never seen.
  socket.resume()
  socket.write('GET /healthz HTTP/1.1\r\nhost: gavel')
  return { closed }
}

test('who begins a request and never ends it is sent away', async () => {
  await beginRequest().closed
  expect((await fetch(at('/healthz'))).status).toBe(200)
})

test('stopping does not wait for ever for a request that never ends', async () => {
  const { closed } = beginRequest()
  await fetch(at('/healthz'))
  await server.stop()
  await closed
  server = new WebServer(webApp(webParts()))
  port = await server.start(0)
})

test('stopping ends idle connections, and nobody is answered afterwards', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write('GET /healthz HTTP/1.1\r\nhost: gavel.example\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  await server.stop()
  await closed
  await expect(
    new Promise((_, reject) => request(at('/healthz')).once('error', reject).end()),
  ).rejects.toThrow('ECONNREFUSED')
  server = new WebServer(webApp(webParts()))
  port = await server.start(0)
})
