import { inspect } from 'node:util'
import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  ConnectionFault,
  KeyBudget,
  secondsUntil,
  Transport,
  type TransportOptions,
} from '../../../src/api/http.ts'
import { userAgent, version } from '../../../src/version.ts'
import { byteServer, failure, httpServer, listeningLog, nowhere, silent } from './server.ts'

const key = 'k3y-that-must-never-show'

/** A transport that is closed when the test ends. */
function open(baseUrl: string, options: Partial<TransportOptions> = {}): Transport {
  const transport = new Transport({ baseUrl, key, log: silent, retryPauseMs: 1, ...options })
  onTestFinished(() => transport.close())
  return transport
}

/** A server that gives these answers in turn, the last of them again and again; `undefined`: none. */
function answering(
  ...replies: ({ status?: number; body?: string; headers?: object } | 'reset' | undefined)[]
) {
  let count = 0
  return httpServer((request, response) => {
    const reply = replies[Math.min(count, replies.length - 1)]
    count += 1
    if (reply === 'reset') request.socket.resetAndDestroy()
    else if (reply) response.writeHead(reply.status ?? 200, { ...reply.headers }).end(reply.body)
  })
}

const fine = { body: '{"result":1}' }
const down = { status: 500 }
/** As the API's guard refuses a key. */
const guard = '{"message":"Forbidden resource","statusCode":403}'

describe('a call', () => {
  test('carries the key in its header, the parameters in the query, and a body as JSON', async () => {
    await using server = await answering({ body: '{"result":[]}' })
    const transport = open(`${server.url}/`)
    const query = { chainId: 1, term: 'a&b', none: undefined }
    expect(await transport.get('/assets/', query)).toEqual({ result: [] })
    await transport.post('/ipfs/upload-metadata', {}, { name: 'Otter' })
    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/v1/assets/?chainId=1&term=a%26b', headers: { 'x-api-key': key } },
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Otter"}',
      },
    ])
  })

  // Each stands alone in its answer: one that is found would have the others read with it.
  test.each([
    ['{"n":-9007199254740993}', { n: '-9007199254740993' }],
    ['{"n" : \t9007199254740993 }', { n: '9007199254740993' }],
    ['{"n":\n  -9007199254740993}', { n: '-9007199254740993' }],
    ['[1,9007199254740993]', [1, '9007199254740993']],
    ['{"n":[ 9007199254740993 ],"few":42.5}', { n: ['9007199254740993'], few: 42.5 }],
    ['[1e25,9007199254740993]', ['1e25', '9007199254740993']],
    ['{"n":"[9007199254740993,"}', { n: '[9007199254740993,' }],
    [
      String.raw`{"\\":9007199254740993,"\"[9007199254740993,":"\\\"9007199254740993"}`,
      { '\\': '9007199254740993', '"[9007199254740993,': String.raw`\"9007199254740993` },
    ],
    [
      '[-9007199254740993,0.1250000000000000,12500000000000000e-3,1.5E+300,9007199254740993.0,1e400]',
      ['-9007199254740993', 0.125, 12_500_000_000_000, '1.5E+300', '9007199254740993.0', Infinity],
    ],
    ['{"n":9007199254740991}', { n: 9_007_199_254_740_991 }],
  ])('keeps every digit of %s', async (body, read) => {
    await using server = await answering({ body })
    expect(await open(server.url).get('/assets/', {})).toEqual(read)
  })

  test.each([
    '[09007199254740993]',
    '[9007199254740993.]',
    '[9007199254740993-1]',
    '[--9007199254740993]',
    '{9007199254740993 :1}',
    '{"n":9007199254740993',
    '[9007199254740993,"',
  ])('does not take %s for JSON', async (body) => {
    await using server = await answering({ body })
    const error = await failure(open(server.url).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'malformed' })
  })

  // With a reviver it took more than a second longer.
  test.each(['[]', '1', '""'])('reads millions of %s in about the usual time', async (value) => {
    const read = async (first: string) => {
      const body = `[${first}${`,${value}`.repeat(4_000_000 / (value.length + 1))}]`
      await using server = await answering({ body })
      const transport = open(server.url)
      await transport.get('/assets/', {})
      const begun = process.cpuUsage()
      await transport.get('/assets/', {})
      return process.cpuUsage(begun).user / 1_000
    }
    expect(await read('9007199254740993')).toBeLessThan((await read('1')) + 600)
  })

  test.each([
    [301, 'malformed'],
    [400, 'invalid'],
    [401, 'unauthorised'],
    [403, 'blocked'],
    [404, 'not-found'],
    [422, 'invalid'],
    [429, 'rate-limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])(
    'that changes something and is answered with %i fails as %s, and is not repeated',
    async (status, kind) => {
      await using server = await answering({ status, body: '<h1>Sorry</h1>' })
      const error = await failure(open(server.url).post('/auction-templates', {}, {}))
      expect(error).toMatchObject({ kind, status })
      expect(server.requests).toHaveLength(1)
    },
  )

  const throughCloudflare = { server: 'cloudflare', 'cf-ray': '9a3f6c1d2e4b5a60-FRA' }
  const page = '<html><title>Attention Required! | Cloudflare</title></html>'
  test.each([
    ['JSON of the API', guard, { 'content-type': 'application/json' }, 'forbidden'],
    ['JSON of the API through Cloudflare', guard, throughCloudflare, 'forbidden'],
    ['Cloudflare’s page', page, { 'content-type': 'text/html', ...throughCloudflare }, 'blocked'],
    ['another proxy’s page', '<h1>403</h1>', { 'content-type': 'text/html' }, 'blocked'],
    ['nothing', '', {}, 'blocked'],
    ['JSON that is no object', '"no"', {}, 'blocked'],
    ['JSON of Cloudflare’s own', '{"cloudflare_error":true,"status":403}', {}, 'blocked'],
  ])('answered with 403 and %s tells the key’s refusal from a firewall’s', async (...row) => {
    const [, body, headers, kind] = row
    await using server = await answering({ status: 403, body, headers })
    expect(await failure(open(server.url).get('/assets/', {}))).toMatchObject({ kind, status: 403 })
    expect(server.requests).toHaveLength(1)
  })

  test('says honestly who calls, and where the operator is reached', async () => {
    await using server = await answering(fine)
    await open(server.url).get('/assets/', {})
    const named = open(server.url, { userAgent: userAgent('https://gävel.example.org/') })
    await named.post('/a', {}, {})
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual([
      `Gavel/${version}`,
      `Gavel/${version} (+https://xn--gvel-loa.example.org)`,
    ])
  })

  test('leaves its connection to later ones, even if the answer is a long refusal', async () => {
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

  test('reads an answer that begins with a byte order mark', async () => {
    await using server = await httpServer((_request, response) => {
      response.end('\uFEFF{"result":1}')
    })
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test('does not follow a redirect, which would hand the key to another host', async () => {
    await using other = await answering(fine)
    await using server = await answering({
      status: 307,
      headers: { location: `${other.url}/assets/` },
    })
    expect(await failure(open(server.url).get('/assets/', {}))).toMatchObject({ kind: 'malformed' })
    expect(other.requests).toEqual([])
  })

  test('under way may end when the transport is closed, and later ones fail', async () => {
    await using server = await httpServer((_request, response) => {
      setTimeout(() => response.end('{"result":1}'), 50)
    })
    const transport = new Transport({ baseUrl: server.url, key, log: silent })
    const call = transport.get('/assets/', {})
    await transport.close()
    expect(await call).toEqual({ result: 1 })
    expect(await failure(transport.get('/assets/', {}))).toMatchObject({ kind: 'unavailable' })
  })
})

test('a transport is busy while calls wait for a connection', async () => {
  await using server = await answering(undefined)
  const transport = open(server.url, { deadlineMs: 300 })
  const ask = (count: number) =>
    Array.from({ length: count }, () => failure(transport.get('/assets/', {})))
  const first = ask(32)
  expect(transport.isBusy).toBe(false)
  const others = ask(1)
  expect(transport.isBusy).toBe(true)
  await Promise.all([...first, ...others])
  // A call that gave up leaves the queue once a connection is free again.
  await expect.poll(() => transport.isBusy).toBe(false)
})

describe('an answer', () => {
  test.each(['', '{"result":', '<html></html>', 'undefined'])('%j is malformed', async (body) => {
    await using server = await answering({ body })
    expect(await failure(open(server.url).get('/assets/', {}))).toMatchObject({ kind: 'malformed' })
    expect(server.requests).toHaveLength(1)
  })

  const pad = 'x'.repeat(300_000)
  const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
  test.each([
    ['a million', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['66', `["${pad}",${nested(66)}]`],
  ])('of %s levels is malformed, and not parsed', async (_, body) => {
    await using server = await answering({ body })
    const error = await failure(open(server.url).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'malformed' })
    expect(error.message).toContain('nested too deeply')
  })

  test('has brackets and quotes in its texts as it likes, and 60 levels', async () => {
    const text = `${'['.repeat(200)}"\\${'{'.repeat(200)}${pad}`
    const body = `[${JSON.stringify(text)},${nested(60)}]`
    await using server = await answering({ body })
    expect(await open(server.url).get('/assets/', {})).toEqual(JSON.parse(body))
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
    expect(error.kind).toBe('malformed')
    expect(error.message).toContain('too large')
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['is shorter than announced', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"result":[]}'],
    ['is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('that %s is unavailable', async (_, bytes) => {
    await using server = await byteServer((socket) => void socket.end(bytes))
    const error = await failure(open(server.url, { deadlineMs: 400 }).get('/assets/', {}))
    expect(error.kind).toBe('unavailable')
  })

  const plain = JSON.stringify({ result: 'Otter 🦦'.repeat(1_000) })
  const packings = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    // Without the header that belongs to it.
    Deflate: deflateRawSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
    ' GZIP , br': (text: string) => brotliCompressSync(gzipSync(text)),
    'identity, gzip': gzipSync,
  }
  test.each(Object.entries(packings))('packed as %s is unpacked', async (encoding, pack) => {
    await using server = await httpServer((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(pack(plain))
    })
    expect(await open(server.url).get('/assets/', {})).toEqual(JSON.parse(plain))
  })

  test('in parts that are called as they are is read as it is', async () => {
    const headers = { 'content-encoding': 'identity' }
    await using server = await answering({ ...fine, headers })
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test.each(Object.entries(packings))(
    'that is small and unpacks to far more than permitted as %s is too large',
    async (encoding, pack) => {
      const bomb = pack('x'.repeat(20_000_000))
      await using server = await httpServer((_, response) => {
        response.writeHead(200, { 'content-encoding': encoding }).end(bomb)
      })
      const error = await failure(open(server.url, { maxBytes: 100_000 }).get('/assets/', {}))
      expect(error.kind).toBe('malformed')
      expect(error.message).toContain('too large')
    },
  )

  test.each([
    ['compress', 'nobody asked for'],
    ['gzip', 'not compressed as gzip'],
    ['deflate', 'not compressed as deflate'],
    ['gzip, gzip, gzip', 'compressed too many times'],
  ])(
    'that says it is packed as %s, and is not to be read, is malformed',
    async (encoding, words) => {
      const headers = { 'content-encoding': encoding }
      await using server = await answering({ ...fine, headers })
      const error = await failure(open(server.url).get('/assets/', {}))
      expect(error.kind).toBe('malformed')
      expect(error.message).toContain(words)
      expect(server.requests).toHaveLength(1)
    },
  )

  test('that refuses is told by its status, whether or not it can be unpacked', async () => {
    const headers = { 'content-encoding': 'gzip' }
    await using server = await httpServer((request, response) => {
      const isPacked = request.url?.endsWith('/packed')
      response.writeHead(403, headers).end(isPacked ? gzipSync(guard) : guard)
    })
    const transport = open(server.url)
    expect(await failure(transport.get('/packed', {}))).toMatchObject({ kind: 'forbidden' })
    expect(await failure(transport.get('/plain', {}))).toMatchObject({ kind: 'blocked' })
  })

  test('that refuses is unpacked up to what a refusal may be', async () => {
    const padded = JSON.stringify({ ...JSON.parse(guard), padding: 'x'.repeat(140_000) })
    await using server = await httpServer((_, response) => {
      response.writeHead(403, { 'content-encoding': 'gzip' }).end(gzipSync(padded))
    })
    expect(await failure(open(server.url).get('/packed', {}))).toMatchObject({ kind: 'blocked' })
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
})

describe('a read', () => {
  const later = (at: number) => ({
    status: 429,
    headers: { 'retry-after': new Date(at).toUTCString() },
  })
  test.each([
    ['resets and server errors', ['reset', { status: 503 }, fine]],
    ['a wait of no seconds', [{ status: 429, headers: { 'retry-after': '0' } }, fine]],
    ['a wait until a date', [later(Date.now() + 600), fine]],
  ] as const)('is repeated after %s', async (_, replies) => {
    await using server = await answering(...replies)
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test('waits as long as it is asked to', async () => {
    const reply = { status: 429, headers: { 'retry-after': '1' } }
    await using server = await answering(reply, fine)
    const begun = performance.now()
    await open(server.url).get('/assets/', {})
    expect(performance.now() - begun).toBeGreaterThanOrEqual(999)
  })

  test('is repeated when the answer breaks off', async () => {
    let count = 0
    await using server = await httpServer((request, response) => {
      count += 1
      if (count > 1) return response.end('{"result":1}')
      response.write('{"result":')
      return setTimeout(() => request.socket.resetAndDestroy(), 20)
    })
    expect(await open(server.url).get('/assets/', {})).toEqual({ result: 1 })
  })

  test.each([
    ['30', 30],
    // A minute at most, whatever the API asks for.
    ['3600', 60],
  ])(
    'gives up if Retry-After of %s s is past the deadline, and calls the API no more',
    async (asked, most) => {
      await using server = await answering({ status: 429, headers: { 'retry-after': asked } })
      const transport = open(server.url)
      const first = await failure(transport.get('/assets/', {}))
      expect(first).toMatchObject({ kind: 'rate-limited', retryAfter: Number(asked) })
      const second = await failure(transport.get('/assets/', {}))
      expect(second.kind).toBe('rate-limited')
      expect(second.retryAfter).toBeLessThanOrEqual(most)
      expect(server.requests).toHaveLength(1)
    },
  )

  test('is given up after a few repetitions', async () => {
    await using server = await answering(down)
    const error = await failure(open(server.url).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'unavailable', status: 500 })
    expect(server.requests).toHaveLength(4)
  })

  test('fails with the API’s last answer at the deadline', async () => {
    await using server = await answering({ status: 502 }, undefined)
    const error = await failure(open(server.url, { deadlineMs: 600 }).get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'unavailable', status: 502 })
  })

  test.each([400, 401, 403, 404])('is not repeated after %i', async (status) => {
    await using server = await answering({ status })
    await failure(open(server.url).get('/assets/', {}))
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ['0', 0],
    [' 120 ', 120],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 30],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
    ['99999999999', undefined],
  ])('reads a Retry-After of %j as %s', (header, seconds) => {
    expect(secondsUntil(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(seconds)
  })
})

describe('a POST', () => {
  test('is not repeated after a reset, since the API may have acted', async () => {
    await using server = await answering('reset')
    const error = await failure(open(server.url).post('/auction-templates', {}, {}))
    expect(error.kind).toBe('unavailable')
    expect(server.requests).toHaveLength(1)
  })

  test('is repeated when no connection was made', async () => {
    const baseUrl = await nowhere()
    const call = open(baseUrl, { retryPauseMs: 1000 }).post('/auction-templates', {}, {})
    await new Promise((resolve) => setTimeout(resolve, 50))
    const port = Number(new URL(baseUrl).port)
    await using server = await httpServer(
      (_request, response) => response.end('{"result":1}'),
      port,
    )
    expect(await call).toEqual({ result: 1 })
    expect(server.requests).toHaveLength(1)
  })

  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' })
  test.each([
    ['a refused connection', refused, true],
    ['an unknown host', Object.assign(new Error(), { syscall: 'getaddrinfo' }), true],
    ['none in time', Object.assign(new Error(), { code: 'UND_ERR_CONNECT_TIMEOUT' }), true],
    ['every address refusing', new AggregateError([refused, refused]), true],
    ['one address failing later', new AggregateError([refused, reset]), false],
    ['a reset', reset, false],
    ['something thrown that is no error', 'oops', false],
  ])('after %s it is known whether the request can have arrived', (_what, error, neverSent) => {
    expect(new ConnectionFault(error).neverSent).toBe(neverSent)
  })
})

describe('the circuit', () => {
  test('opens after several failures in a row, and makes no calls for a while', async () => {
    let healthy = false
    await using server = await httpServer((_request, response) => {
      response.writeHead(healthy ? 200 : 500).end('{"result":1}')
    })
    const transport = open(server.url, { breakAfter: 2, halfOpenAfterMs: 300 })
    await failure(transport.post('/a', {}, {}))
    expect(transport.health()).toMatchObject({ state: 'degraded', failure: 'unavailable' })
    await failure(transport.post('/a', {}, {}))
    expect(transport.health()).toMatchObject({ state: 'down' })
    const asked = server.requests.length
    for (let call = 0; call < 20; call += 1) {
      expect(await failure(transport.get('/a', {}))).toMatchObject({ kind: 'unavailable' })
    }
    expect(server.requests).toHaveLength(asked)
    healthy = true
    await expect.poll(() => transport.get('/a', {}).catch(() => undefined)).toEqual({ result: 1 })
    expect(transport.health()).toMatchObject({ state: 'ok', lastAnswer: expect.any(Date) })
  })

  test('then lets one call try the API, with a shorter deadline, while the rest fail at once', async () => {
    const options = { breakAfter: 1, halfOpenAfterMs: 1, deadlineMs: 1000 }
    await using server = await answering(down, undefined)
    const [whole, broken] = [open(server.url, options), open(server.url, options)]
    await failure(broken.post('/a', {}, {}))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const asked = server.requests.length
    const other = failure(whole.get('/a', {})).then(() => 'another call')
    const trial = failure(broken.get('/a', {})).then(() => 'the trial')
    const others = await Promise.all(
      Array.from({ length: 10 }, () => failure(broken.get('/a', {}))),
    )
    expect(new Set(others.map(({ message }) => message))).toEqual(
      new Set(['GET /a: circuit is open']),
    )
    expect(await Promise.race([other, trial])).toBe('the trial')
    await other
    expect(server.requests).toHaveLength(asked + 2)
  })

  test('waits as long again after a call that tried in vain, and the log tells of one outage', async () => {
    let healthy = false
    await using server = await httpServer((_request, response) => {
      response.writeHead(healthy ? 200 : 500).end('{"result":1}')
    })
    const { log, lines } = listeningLog()
    const transport = open(server.url, { breakAfter: 1, halfOpenAfterMs: 200, log })
    await failure(transport.post('/a', {}, {}))
    await expect
      .poll(() => transport.post('/a', {}, {}).catch(() => server.requests.length))
      .toBe(2)
    expect((await failure(transport.get('/a', {}))).message).toBe('GET /a: circuit is open')
    healthy = true
    await expect.poll(() => transport.get('/a', {}).catch(() => undefined)).toEqual({ result: 1 })
    const told = lines.filter((line) => line.includes('circuit'))
    expect(told).toEqual([
      expect.stringContaining('circuit opened'),
      expect.stringContaining('circuit closed'),
    ])
  })

  test('stays open after the answer to a call that was made before', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await using server = await httpServer(async ({ url }, response) => {
      if (url === '/v1/slow') await released
      response.writeHead(url === '/v1/slow' ? 200 : 500).end('{"result":1}')
    })
    const transport = open(server.url, { breakAfter: 1 })
    const slow = transport.get('/slow', {})
    await expect.poll(() => server.requests).toHaveLength(1)
    await failure(transport.post('/a', {}, {}))
    release()
    expect(await slow).toEqual({ result: 1 })
    expect((await failure(transport.get('/a', {}))).message).toBe('GET /a: circuit is open')
  })

  test('gives a slow call that tries the API all its time, and the others don’t wait for it', async () => {
    let isDown = true
    await using server = await httpServer(async ({ url }, response) => {
      if (url === '/v1/slow') await new Promise((resolve) => setTimeout(resolve, 700))
      response.writeHead(isDown ? 500 : 200).end('{"result":1}')
    })
    const options = { breakAfter: 1, halfOpenAfterMs: 100, slowDeadlineMs: 1_000 }
    const transport = open(server.url, options)
    await failure(transport.post('/a', {}, {}))
    isDown = false
    await new Promise((resolve) => setTimeout(resolve, 120))
    const slow = transport.slowPost('/slow', {}, {}).then(() => 'the slow call')
    expect((await failure(transport.get('/a', {}))).message).toBe('GET /a: circuit is open')
    const other = expect
      .poll(() => transport.get('/a', {}).catch(() => undefined), { interval: 20 })
      .toEqual({ result: 1 })
    expect(await Promise.race([slow, other.then(() => 'another')])).toBe('another')
    expect(await slow).toBe('the slow call')
  })

  test('opens after five such calls by default', async () => {
    await using server = await answering(down)
    const transport = open(server.url)
    for (let call = 0; call < 8; call += 1) await failure(transport.post('/a', {}, {}))
    expect(server.requests).toHaveLength(5)
  })

  test('counts refusals as answers', async () => {
    await using server = await answering(down, { status: 404 }, down, { status: 404 }, down, {
      status: 404,
    })
    const transport = open(server.url, { breakAfter: 2 })
    for (let call = 0; call < 6; call += 1) await failure(transport.post('/a', {}, {}))
    expect(transport.health().state).toBe('ok')
    expect(server.requests).toHaveLength(6)
  })
})

describe('secrets', () => {
  const body = 'echo-of-the-body'
  test.each([
    ['a refusal', `HTTP/1.1 403 No\r\ncontent-length: 16\r\n\r\n${body}`],
    ['broken JSON', `HTTP/1.1 200 OK\r\ncontent-length: 16\r\n\r\n${body}`],
    ['no HTTP', body],
    ['a bad header', `HTTP/1.1 200 OK\r\n${body}\r\n\r\n`],
    ['a broken answer', `HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n${body}`],
    ['a reset', undefined],
    ['silence', ''],
  ])('an error after %s holds neither key, query nor body', async (_what, bytes) => {
    await using server = await byteServer((socket) => {
      if (bytes === undefined) socket.resetAndDestroy()
      else if (bytes !== '') socket.end(bytes)
    })
    const { log, lines } = listeningLog()
    const transport = open(server.url, { deadlineMs: 300, log })
    const errors = [
      await failure(transport.get('/assets/', { term: 'secret-term' })),
      await failure(transport.post('/ipfs/upload-metadata', {}, { name: 'secret-name' })),
    ]
    const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true }
    const shown = `${errors.map((error) => inspect(error, whole))}${lines}`
    for (const secret of [key, 'secret-term', 'secret-name', body]) {
      expect(shown).not.toContain(secret)
    }
    expect(inspect(transport, whole)).not.toContain(key)
  })

  test('the text of a refusal is given to onRefusal, 500 characters at most, and is not in the error', async () => {
    const key = 'k3y+"with"/signs'
    const echoed = [key, JSON.stringify(key), encodeURIComponent(key)].join(' ')
    const refusal = `chain_id is required ${echoed} ${'x'.repeat(200_000)}`
    await using server = await answering({ status: 422, body: refusal })
    const heard: string[] = []
    const { log, lines } = listeningLog()
    const transport = open(server.url, { key, log, onRefusal: (text) => void heard.push(text) })
    const error = await failure(transport.get('/assets/', {}))
    expect(heard).toEqual([
      expect.stringMatching(/^chain_id is required \[key\] "\[key\]" \[key\] x+$/u),
    ])
    expect(heard[0]).toHaveLength(500)
    expect(`${inspect(error, { depth: 9, showHidden: true })}${lines}`).not.toContain('chain_id')
  })

  test.each([
    ['as it is', (key: string) => key],
    ['in capitals', (key: string) => key.toUpperCase()],
    ['as JSON', (key: string) => JSON.stringify(key).slice(1, -1)],
    ['as JSON with slashes escaped', (key: string) => key.replaceAll('/', '\\/')],
    [
      'as codes',
      (key: string) => [...key].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
    ],
    ['as a URL', (key: string) => encodeURIComponent(key)],
    ['as base64', (key: string) => Buffer.from(key).toString('base64')],
  ])('a refusal and an answer given to onRefusal hold no key %s', async (_, form) => {
    const key = 'k3y+with/signs.and[more]'
    const body = `{"result":"<${form(key)}>"}`
    await using server = await answering({ body }, { status: 400, body })
    const heard: string[] = []
    const transport = open(server.url, { key, onRefusal: (text) => void heard.push(text) })
    expect(await transport.get('/assets/', {})).toEqual({ result: '<[key]>' })
    await failure(transport.get('/assets/', {}))
    expect(heard).toEqual(['{"result":"<[key]>"}'])
  })

  test('a refusal whose text breaks off is still a refusal', async () => {
    await using server = await byteServer(
      (socket) => void socket.end('HTTP/1.1 400 No\r\ncontent-length: 16\r\n\r\n'),
    )
    const heard: string[] = []
    const transport = open(server.url, { onRefusal: (text) => void heard.push(text) })
    const error = await failure(transport.get('/assets/', {}))
    expect(error).toMatchObject({ kind: 'invalid', status: 400 })
    expect(heard).toEqual([''])
  })
})

describe('one budget for the key', () => {
  const limited = { status: 429, headers: { 'retry-after': '30' } }

  test('after a 429 no client of the process calls the API until its Retry-After has passed', async () => {
    await using server = await answering(limited, fine)
    const budget = new KeyBudget()
    const [one, other] = [open(server.url, { budget }), open(server.url, { budget })]
    await failure(one.get('/assets/', {}))
    const calls = [other.get('/assets/', {}), other.post('/auction-templates', {}, {})]
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error).toMatchObject({ kind: 'rate-limited', retryAfter: 30 })
    }
    expect(server.requests).toHaveLength(1)
  })

  test.each(['0', '-1', 'soon', undefined])('a Retry-After of %s means a second', async (wait) => {
    const headers = wait === undefined ? {} : { 'retry-after': wait }
    await using server = await answering({ status: 429, headers }, fine)
    let now = 0
    const budget = new KeyBudget(() => now)
    await failure(open(server.url, { budget }).post('/auction-templates', {}, {}))
    const pauses = [0, 999, 1_000].map((at) => {
      now = at
      return budget.pause()
    })
    expect(pauses).toEqual([1, 1, 0])
  })

  test('calls that can wait for the end of the pause do, also those that change something', async () => {
    await using server = await answering({ status: 429, headers: { 'retry-after': '1' } }, fine)
    const budget = new KeyBudget()
    const [one, other] = [open(server.url, { budget }), open(server.url, { budget })]
    const first = one.get('/assets/', {})
    await expect.poll(() => budget.pause()).toBe(1)
    const second = other.post('/auction-templates', {}, {})
    expect(await Promise.all([first, second])).toEqual([{ result: 1 }, { result: 1 }])
    expect(server.requests.map(({ method }) => method).toSorted()).toEqual(['GET', 'GET', 'POST'])
  })

  test('a pause does not close a circuit that is open', async () => {
    await using server = await answering(down)
    let now = 0
    const budget = new KeyBudget(() => now)
    const transport = open(server.url, { budget, breakAfter: 1, halfOpenAfterMs: 1 })
    await failure(transport.get('/assets/', {}))
    budget.limited(30)
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await failure(transport.get('/assets/', {}))).toMatchObject({ kind: 'rate-limited' })
    now = 30_000
    // The one attempt of a circuit that tries again, where a closed one would make four.
    const asked = server.requests.length
    await failure(transport.get('/assets/', {}))
    expect(server.requests).toHaveLength(asked + 1)
  })

  describe('calls that nobody waits for', () => {
    let now = 0
    let budget: KeyBudget
    beforeEach(() => {
      now = 0
      budget = new KeyBudget(() => now)
    })
    /** Milliseconds between two of them at this moment. */
    const spacingAt = (at: number) => {
      now = at
      const first = budget.takeTurn()
      return budget.takeTurn() - first
    }

    test('are not spaced before a 429, and come after all others then', () => {
      expect(spacingAt(0)).toBe(0)
      budget.limited(2)
      expect([budget.takeTurn(), budget.takeTurn(), budget.takeTurn()]).toEqual([
        2_500, 3_000, 3_500,
      ])
    })

    test('are fewer with each further 429, and as many as before some minutes later', () => {
      const spacings = [10_000, 20_000, 30_000, 40_000, 50_000].map((at) => {
        now = at
        budget.limited()
        return spacingAt(at)
      })
      expect(spacings).toEqual([500, 1_000, 2_000, 4_000, 4_000])
      const later = [109_000, 110_000, 170_000, 230_000, 290_000].map(spacingAt)
      expect(later).toEqual([4_000, 2_000, 1_000, 500, 0])
    })

    test('are spaced by one step, however many calls were refused together', () => {
      for (let refused = 0; refused < 30; refused += 1) budget.limited()
      expect(spacingAt(0)).toBe(500)
    })
  })
})
