import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ConnectionState, Webhook } from '../../../src/core/adapter.ts'
import { bodyOf } from '../../../src/core/body.ts'
import { createLogger } from '../../../src/log.ts'
import { Readiness, type ReadinessParts, type Ready } from '../../../src/web/readiness.ts'
import { type WebParts, WebServer } from '../../../src/web/server.ts'
import { LogBook } from '../core/log-book.ts'
import { webParts } from './parts.ts'
import { startSite } from './signing/site.ts'

async function serve(
  parts: Partial<WebParts> = {},
  limits?: ConstructorParameters<typeof WebServer>[1],
) {
  const book = new LogBook()
  const log = createLogger('trace', ['a-key'], book)
  const server = new WebServer(webParts({ ...parts, log }), limits)
  const port = await server.start(0)
  onTestFinished(() => server.stop())
  return { book, server, port, url: `http://127.0.0.1:${port}` }
}

/** Sends these lines over a connection of its own; `closed` resolves once the server has ended it. */
function send(port: number, lines: readonly string[], localAddress = '127.0.0.1') {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.on('error', () => undefined)
  const answered = new Promise((resolve) => socket.once('data', resolve))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  // What the server says before it ends the connection has to be taken, or the end is never seen.
  socket.resume()
  socket.write(lines.join('\r\n'))
  return { socket, answered, closed }
}

describe('the routes', () => {
  const health = { interface: { state: 'ok' }, telegram: 'starting' }
  const states: Record<'ready' | 'not ready', number> = { ready: 200, 'not ready': 503 }

  test('give health, readiness and metrics, with headers against caching and sniffing', async () => {
    let status: keyof typeof states = 'ready'
    const ready = async (): Promise<Ready> => ({ status, parts: { telegram: 'connected' } })
    const metrics = async () => ({ type: 'text/plain; version=0.0.4', text: 'otters 2\n' })
    const { url } = await serve({ health: () => health, ready, metrics })
    const get = async (path: string) => {
      const answer = await fetch(url + path)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      return { answer, type: answer.headers.get('content-type'), text: await answer.text() }
    }
    const { answer, text } = await get('/healthz')
    expect([answer.status, JSON.parse(text)]).toEqual([200, { status: 'ok', parts: health }])
    for (status of ['ready', 'not ready'] as const) {
      const told = await get('/readyz')
      expect(told.answer.status).toBe(states[status])
      expect(JSON.parse(told.text)).toEqual({ status, parts: { telegram: 'connected' } })
    }
    const figures = await get('/metrics')
    expect([figures.type, figures.text]).toEqual(['text/plain; version=0.0.4', 'otters 2\n'])
  })

  test('are no others: 404 in JSON', async () => {
    const { url } = await serve()
    const paths = ['/', '/healthz/', '/metrics/otters', '/../etc/passwd', '/%00', '/healthz%2f']
    const answers = await Promise.all([
      ...paths.map((path) => fetch(url + path)),
      ...['/healthz', '/readyz', '/metrics'].map((path) =>
        fetch(url + path, { method: 'POST', body: '{}' }),
      ),
    ])
    for (const answer of answers) {
      expect([answer.status, await answer.json()]).toEqual([404, { error: 'not found' }])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

test('a port in use, or an address that this machine does not have, is an error that says what to set', async () => {
  const { port } = await serve()
  const second = new WebServer(webParts())
  await expect(second.start(port)).rejects.toMatchObject({
    name: 'PortError',
    message: `PORT ${port} is not available. Set another one.`,
    cause: { code: 'EADDRINUSE' },
  })
  await expect(second.start(0, '192.0.2.1')).rejects.toMatchObject({
    message: 'PORT 0 of HOST 192.0.2.1 is not available. Set another one.',
    cause: { code: 'EADDRNOTAVAIL' },
  })
})

describe('connections', () => {
  const begun = ['GET /healthz HTTP/1.1', 'host: gavel']
  const patient = {
    connectionsCheckingInterval: 60_000,
    requestTimeout: 0,
    headersTimeout: 0,
    answerTimeout: 60_000,
  }
  /** More than the systems at both ends take from a server whose client does not read. */
  const long = 'x'.repeat(20 * 2 ** 20)
  const longMetrics = async () => ({ type: 'text/plain', text: long })

  /** Asks for the metrics and takes nothing; `rest` takes what comes, and resolves to its length at the end. */
  function askAndIgnore(port: number) {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => undefined)
    socket.write(['GET /metrics HTTP/1.1', 'host: gavel', '', ''].join('\r\n'))
    onTestFinished(() => void socket.destroy())
    const rest = () =>
      new Promise<number>((resolve) => {
        socket.once('close', () => resolve(socket.bytesRead))
        socket.resume()
      })
    return { rest }
  }

  test('with an unfinished request are closed', async () => {
    const timeouts = { connectionsCheckingInterval: 20, requestTimeout: 200, headersTimeout: 100 }
    const limits = { ...timeouts, answerTimeout: 60_000, maxConnections: 10 }
    const { port, url } = await serve({}, limits)
    await send(port, begun).closed
    await send(port, ['POST /healthz HTTP/1.1', 'host: gavel', 'content-length: 9', '', '']).closed
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
  })

  test('that wait for their client make room for new ones, those of one address before all others', async () => {
    const work = Promise.withResolvers<Ready>()
    const ready = () => work.promise
    const { port, url } = await serve({ ready }, { ...patient, maxConnections: 10 })
    const proxy = '127.0.0.2'
    const inWork = send(port, ['GET /readyz HTTP/1.1', 'host: gavel', '', ''], proxy)
    const kept = send(port, [...begun, '', ''], proxy)
    await kept.answered
    const ended: unknown[] = []
    const bodyBegun = ['POST /healthz HTTP/1.1', 'host: gavel', 'content-length: 9', '', '{']
    const crowd = [[], begun, bodyBegun].flatMap((lines) =>
      Array.from({ length: 40 }, () => send(port, lines)),
    )
    for (const each of crowd) each.closed.then(() => ended.push(each))
    await expect.poll(() => ended.length).toBe(112)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    await expect.poll(() => ended.length).toBe(113)
    work.resolve({ status: 'ready', parts: {} })
    await inWork.answered
    const again = new Promise((resolve) => kept.socket.once('data', resolve))
    kept.socket.write([...begun, '', ''].join('\r\n'))
    await again
    expect(ended).toHaveLength(113)
    for (const { socket } of [inWork, kept, ...crowd]) socket.destroy()
  })

  test('whose clients take no answers make room, too', async () => {
    const metrics = vi.fn(longMetrics)
    const { port, url } = await serve({ metrics }, { ...patient, maxConnections: 10 })
    const ignoring = Array.from({ length: 10 }, () => askAndIgnore(port))
    await expect.poll(() => metrics.mock.calls.length).toBe(10)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect(await ignoring[0]?.rest()).toBeLessThan(long.length)
  })

  test('are closed if their client takes nothing for long, but not while a request is in work', async () => {
    const work = Promise.withResolvers<Ready>()
    const ready = vi.fn(() => work.promise)
    const parts = { metrics: longMetrics, ready }
    const { port } = await serve(parts, { ...patient, answerTimeout: 100, maxConnections: 10 })
    const inWork = send(port, ['GET /readyz HTTP/1.1', 'host: gavel', '', ''])
    await expect.poll(() => ready.mock.calls.length).toBe(1)
    const silent = send(port, [])
    const ignoring = askAndIgnore(port)
    await silent.closed
    await setTimeout(400)
    expect(await ignoring.rest()).toBeLessThan(long.length)
    work.resolve({ status: 'ready', parts: {} })
    await inWork.answered
  })

  test('with more than four unanswered requests are closed, and no more is done for them', async () => {
    const metrics = vi.fn(longMetrics)
    const { port } = await serve({ metrics })
    const request = ['GET /metrics HTTP/1.1', 'host: gavel', '', ''].join('\r\n')
    await send(port, [request.repeat(600)]).closed
    expect(metrics).toHaveBeenCalledTimes(4)
    const four = send(port, [[...begun, '', ''].join('\r\n').repeat(4)])
    let answers = ''
    four.socket.on('data', (chunk) => (answers += chunk))
    await expect.poll(() => answers.match(/200 OK/gu)?.length).toBe(4)
  })

  test('are closed by a stop, idle or not, and no request is answered afterwards', async () => {
    const { server, port, url } = await serve()
    const idle = send(port, [...begun, '', ''])
    const unfinished = send(port, begun)
    await idle.answered
    await fetch(`${url}/healthz`)
    await server.stop()
    await Promise.all([idle.closed, unfinished.closed])
    await expect(fetch(`${url}/healthz`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
  })
})

describe('faults', () => {
  test('that no route catches are logged, and not in the answer', async () => {
    const ready = () => Promise.reject(new Error('/srv/gavel.db is gone, and a-key too'))
    const { book, url } = await serve({ ready })
    const answer = await fetch(`${url}/readyz`)
    expect([answer.status, await answer.json()]).toEqual([500, { error: 'something went wrong' }])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(book.lines).toMatchObject([
      {
        level: 'error',
        msg: 'a request could not be answered',
        err: { message: '/srv/gavel.db is gone, and [redacted] too' },
      },
    ])
  })

  /** Sends the beginning of a body, and ends the connection once the server has answered or closes it. */
  function breakOff(url: string, headers: readonly string[], body: string): Promise<unknown> {
    const { host, port, pathname } = new URL(url)
    const head = [`POST ${pathname} HTTP/1.1`, `host: ${host}`, ...headers, '', body]
    const { socket, closed } = send(Number(port), head)
    socket.end()
    return closed
  }

  test.each([
    ['of a length that never comes', 'content-length: 50', '{'],
    ['in chunks of which the last is missing', 'transfer-encoding: chunked', '1\r\n{\r\n'],
    ['that is malformed', 'transfer-encoding: chunked', '1\r\n{\r\notters'],
  ])('by a body %s are no more than a line for debugging', async (_, length, body) => {
    const webhook: Webhook = async (request) => {
      await bodyOf(request, 100)
      return { status: 200 }
    }
    const { book, url } = await serve({ platforms: [{ name: 'telegram', webhook }] })
    await breakOff(`${url}/telegram`, [length], body)
    await expect.poll(() => book.lines).toMatchObject([{ level: 'debug' }])
  })

  test('nor are those by a broken body for the signing page', async () => {
    const book = new LogBook()
    const site = await startSite({ log: createLogger('trace', [], book) })
    onTestFinished(() => site.stop())
    const own = [`origin: ${site.url}`, 'content-type: application/json']
    const chunked = [...own, 'transfer-encoding: chunked']
    await breakOff(`${site.url}/s/${site.add()}/claim`, chunked, '1\r\n{\r\n')
    await expect.poll(() => book.lines).toMatchObject([{ level: 'debug' }])
  })

  test('after the client has gone are logged all the same', async () => {
    const webhook = async (request: IncomingMessage) => {
      await new Promise((resolve) => request.once('close', resolve))
      throw new Error('no otters')
    }
    const { book, url } = await serve({ platforms: [{ name: 'discord', webhook }] })
    await breakOff(`${url}/discord`, ['content-length: 50'], '{')
    await expect
      .poll(() => book.lines)
      .toMatchObject([{ level: 'error', err: { message: 'no otters' } }])
  })
})

describe('readiness', () => {
  const platform = (name: 'telegram' | 'discord', state: ConnectionState) => ({
    name,
    state: () => state,
  })
  const askDatabase = async () => undefined

  function started(parts: Partial<ReadinessParts>): Readiness {
    const readiness = new Readiness({ platforms: [], askDatabase, ...parts })
    readiness.start()
    return readiness
  }

  test.each<[ConnectionState, ConnectionState, Ready['status']]>([
    ['connected', 'connected', 'ready'],
    ['standby', 'connected', 'ready'],
    ['standby', 'standby', 'ready'],
    ['starting', 'connected', 'not ready'],
    ['connected', 'reconnecting', 'not ready'],
    ['connected', 'stopped', 'not ready'],
    ['refusing', 'connected', 'not ready'],
  ])('with Telegram %s and Discord %s is %s', async (telegram, discord, status) => {
    const platforms = [platform('telegram', telegram), platform('discord', discord)]
    const parts = { database: 'ok', telegram, discord }
    expect(await started({ platforms }).read()).toEqual({ status, parts })
  })

  test.each<[ConnectionState, Ready['status']]>([
    ['connected', 'degraded'],
    ['reconnecting', 'not ready'],
  ])('with a wrong setting of the API, and Telegram %s, is %s', async (telegram, status) => {
    const platforms = [platform('telegram', telegram)]
    const parts = { database: 'ok', telegram, interface: 'wrong API_KEY' }
    const readiness = started({ platforms, obstacle: () => 'wrong API_KEY' })
    expect(await readiness.read()).toEqual({ status, parts })
  })

  test('needs the database, whose error is not in the answer', async () => {
    let isDown = true
    const readiness = started({
      askDatabase: async () => {
        if (isDown) throw new Error('password authentication failed for user "gavel"')
      },
    })
    const parts = { database: 'no answer' }
    expect(await readiness.read()).toEqual({ status: 'not ready', parts })
    isDown = false
    expect((await readiness.read()).status).toBe('ready')
  })

  test('waits for the database up to a limit, and asks it once for concurrent requests', async () => {
    let asked = 0
    const answer = Promise.withResolvers<void>()
    const hangs = () => {
      asked += 1
      return answer.promise
    }
    const readiness = started({ askDatabase: hangs, patience: 20 })
    const reads = await Promise.all([readiness.read(), readiness.read(), readiness.read()])
    expect(reads.map(({ status }) => status)).toEqual(Array(3).fill('not ready'))
    expect((await readiness.read()).status).toBe('not ready')
    expect(asked).toBe(1)
    answer.resolve()
    await expect.poll(async () => (await readiness.read()).status).toBe('ready')
  })

  test('begins with the start and ends with the stop, whatever state the parts are in', async () => {
    const readiness = new Readiness({ platforms: [], askDatabase })
    const status = async () => (await readiness.read()).status
    expect(await status()).toBe('starting')
    readiness.start()
    expect(await status()).toBe('ready')
    readiness.stop()
    expect(await status()).toBe('stopping')
    // A start that the stop overtook.
    readiness.start()
    expect(await status()).toBe('stopping')
  })
})
