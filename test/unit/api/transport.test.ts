import { describe, expect, test } from 'vitest'
import { Transport } from '../../../src/api/http.ts'
import { byteServer, httpServer, nowhere, silent } from './server.ts'
import { failure, key, open } from './transport.ts'

describe('a call', () => {
  test('carries the key in its header and the parameters in the query, under the path of the base', async () => {
    await using server = await httpServer((_request, response) => response.end('{"result":[]}'))
    const transport = open(`${server.url}/`)
    expect(await transport.get('/assets/', { chainId: 1, term: 'a&b', none: undefined })).toEqual({
      result: [],
    })
    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/v1/assets/?chainId=1&term=a%26b', headers: { 'x-api-key': key } },
    ])
  })

  test('keeps every digit of numbers that a double can’t hold', async () => {
    const body =
      '{"result":[{"sold":123456789012345678901234567,"raised":-9007199254740993,"few":42.5}]}'
    await using server = await httpServer((_request, response) => response.end(body))
    expect(await open(server.url).get('/assets/', {})).toEqual({
      result: [{ sold: '123456789012345678901234567', raised: '-9007199254740993', few: 42.5 }],
    })
  })

  // Each stands alone in its answer: one that is found would have the others read with it.
  test.each([
    ['{"n":-9007199254740993}', { n: '-9007199254740993' }],
    ['{"n" : \t9007199254740993 }', { n: '9007199254740993' }],
    ['{"n":\n  -9007199254740993}', { n: '-9007199254740993' }],
    ['[9007199254740993]', ['9007199254740993']],
    ['[1,9007199254740993]', [1, '9007199254740993']],
    ['{"n":[ 9007199254740993 ]}', { n: ['9007199254740993'] }],
    ['[1e25,9007199254740993]', ['1e25', '9007199254740993']],
  ])('keeps every digit of %s', async (body, read) => {
    await using server = await httpServer((_request, response) => response.end(body))
    expect(await open(server.url).get('/assets/', {})).toEqual(read)
  })

  test('leaves texts that hold long numbers, and numbers that a double can hold, as they are', async () => {
    const body = '{"n":"9007199254740993","of":"[9007199254740993,","most":9007199254740991}'
    await using server = await httpServer((_request, response) => response.end(body))
    expect(await open(server.url).get('/assets/', {})).toEqual({
      n: '9007199254740993',
      of: '[9007199254740993,',
      most: 9_007_199_254_740_991,
    })
  })

  test('sends a body as JSON', async () => {
    await using server = await httpServer((_request, response) => response.end('{}'))
    await open(server.url).post('/ipfs/upload-metadata', {}, { name: 'Otter' })
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Otter"}',
      },
    ])
  })

  test.each([
    [301, 'malformed'],
    [400, 'invalid'],
    [401, 'unauthorised'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [422, 'invalid'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
  ])('that is answered with %i fails as %s', async (status, kind) => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
    })
    const error = await failure(open(server.url).post('/auction-templates', {}, {}))
    expect(error).toMatchObject({ kind, status })
  })

  test('leaves its connection to later ones, also where the answer is a long refusal', async () => {
    const sockets = new Set<unknown>()
    await using server = await httpServer((request, response) => {
      sockets.add(request.socket)
      response.writeHead(404).end('x'.repeat(100_000))
    })
    const transport = open(server.url)
    for (let call = 0; call < 6; call += 1) await failure(transport.get('/assets/', {}))
    expect(server.requests).toHaveLength(6)
    // The pool learns a moment late that a connection is free, so calls in a row take turns between two.
    expect(sockets.size).toBeLessThan(4)
  })

  test('does not follow a redirect, which would hand the key to another host', async () => {
    await using other = await httpServer((_request, response) => response.end('{}'))
    await using server = await httpServer((_request, response) => {
      response.writeHead(307, { location: `${other.url}/assets/` }).end()
    })
    expect(await failure(open(server.url).get('/assets/', {}))).toMatchObject({ kind: 'malformed' })
    expect(other.requests).toEqual([])
  })
})

describe('an answer', () => {
  test.each(['', '{"result":', '<html></html>', 'undefined'])('%j is malformed', async (body) => {
    await using server = await httpServer((_request, response) => response.end(body))
    expect(await failure(open(server.url).get('/assets/', {}))).toMatchObject({ kind: 'malformed' })
    expect(server.requests).toHaveLength(1)
  })

  test.each([true, false])('without end is cut off (announced length: %s)', async (announced) => {
    await using server = await httpServer((_request, response) => {
      if (announced) response.setHeader('content-length', 1_000_000)
      const feed = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) {}
      }
      response.on('drain', feed)
      feed()
    })
    const error = await failure(open(server.url, { maxBytes: 100_000 }).get('/assets/', {}))
    expect(error).toMatchObject({
      kind: 'malformed',
      message: expect.stringContaining('too large'),
    })
    expect(server.requests).toHaveLength(1)
  })

  test('shorter than announced is unavailable', async () => {
    await using server = await byteServer((socket) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"result":[]}')
    })
    const error = await failure(open(server.url, { deadlineMs: 400 }).get('/assets/', {}))
    expect(error.kind).toBe('unavailable')
  })

  test('longer than announced does not spill into the next one', async () => {
    await using server = await byteServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nspilt')
    })
    const transport = open(server.url)
    expect(await transport.get('/assets/', {})).toEqual({})
    expect(await transport.get('/assets/', {})).toEqual({})
  })

  test('that drips ends at the deadline', async () => {
    await using server = await httpServer((_request, response) => {
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    const error = await failure(open(server.url, { deadlineMs: 300 }).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'unavailable' })
  })

  test('that is not HTTP is unavailable', async () => {
    await using server = await byteServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    const error = await failure(open(server.url, { deadlineMs: 400 }).get('/assets/', {}))
    expect(error.kind).toBe('unavailable')
  })
})

describe('a read', () => {
  test('is repeated after resets and server errors until it succeeds', async () => {
    let context = 0
    await using server = await httpServer((request, response) => {
      context += 1
      if (context === 1) request.socket.resetAndDestroy()
      else if (context === 2) response.writeHead(503).end()
      else response.end('{"result":1}')
    })
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test('is repeated when the answer breaks off', async () => {
    let context = 0
    await using server = await httpServer((request, response) => {
      context += 1
      if (context > 1) return response.end('{"result":1}')
      response.write('{"result":')
      return setTimeout(() => request.socket.resetAndDestroy(), 20)
    })
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test.each([
    ['seconds', () => '0'],
    ['a date', () => new Date(Date.now() + 500).toUTCString()],
  ])('waits as long as Retry-After says in %s', async (_form, retryAfter) => {
    let context = 0
    await using server = await httpServer((_request, response) => {
      context += 1
      if (context === 1) response.writeHead(429, { 'retry-after': retryAfter() }).end()
      else response.end('{"result":1}')
    })
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test('gives up at once when Retry-After goes past the deadline, and leaves the interface alone', async () => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '30' }).end()
    })
    const transport = open(server.url)
    expect(await failure(transport.get('/assets/', {}))).toMatchObject({
      kind: 'rate-limited',
      retryAfter: 30,
    })
    expect(await failure(transport.get('/assets/', {}))).toMatchObject({ kind: 'rate-limited' })
    expect(server.requests).toHaveLength(1)
  })

  test('waits a minute at most for an interface that asks for more', async () => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end()
    })
    const transport = open(server.url)
    expect(await failure(transport.get('/assets/', {}))).toMatchObject({ retryAfter: 3600 })
    const { kind, retryAfter } = await failure(transport.get('/assets/', {}))
    expect(kind).toBe('rate-limited')
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  test('is given up after a few repetitions', async () => {
    await using server = await httpServer((_request, response) => response.writeHead(500).end())
    const error = await failure(open(server.url).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'unavailable', status: 500 })
    expect(server.requests).toHaveLength(4)
  })

  test('keeps what the interface last said when the deadline comes', async () => {
    let context = 0
    await using server = await httpServer((_request, response) => {
      context += 1
      if (context === 1) response.writeHead(502).end()
    })
    const error = await failure(open(server.url, { deadlineMs: 600 }).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'unavailable', status: 502 })
  })

  test.each([400, 401, 403, 404])('is not repeated after %i', async (status) => {
    await using server = await httpServer((_request, response) => response.writeHead(status).end())
    await failure(open(server.url).get('/assets/', {}))
    expect(server.requests).toHaveLength(1)
  })
})

describe('a POST', () => {
  test.each([500, 503, 429])('is not repeated after %i', async (status) => {
    await using server = await httpServer((_request, response) => response.writeHead(status).end())
    await failure(open(server.url).post('/auction-templates', {}, {}))
    expect(server.requests).toHaveLength(1)
  })

  test('is not repeated after a reset, since the interface may have acted', async () => {
    await using server = await httpServer((request) => request.socket.resetAndDestroy())
    expect(await failure(open(server.url).post('/auction-templates', {}, {}))).toMatchObject({
      kind: 'unavailable',
    })
    expect(server.requests).toHaveLength(1)
  })

  test('is repeated when no connection was made', async () => {
    const baseUrl = await nowhere()
    const call = open(baseUrl).post('/auction-templates', {}, {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    const port = Number(new URL(baseUrl).port)
    await using server = await httpServer(
      (_request, response) => response.end('{"result":1}'),
      port,
    )
    expect(await call).toEqual({ result: 1 })
    expect(server.requests).toHaveLength(1)
  })
})

test('lets calls under way end when it is closed, and fails later ones', async () => {
  await using server = await httpServer((_request, response) => {
    setTimeout(() => response.end('{"result":1}'), 50)
  })
  const transport = new Transport({ baseUrl: server.url, key, log: silent })
  const call = transport.get('/assets/', {})
  await transport.close()
  expect(await call).toEqual({ result: 1 })
  expect(await failure(transport.get('/assets/', {}))).toMatchObject({ kind: 'unavailable' })
})
