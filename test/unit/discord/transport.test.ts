import { createServer, type RequestListener, type Server } from 'node:http'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createTransport,
  NoAnswer,
  requestQueue,
  type Transport,
} from '../../../src/discord/transport.ts'

const counted = { Authorization: 'Bot token' }

let home: Server
let asked: string[]
let answer: RequestListener
let root: string
let queue: ReturnType<typeof requestQueue>
let transport: Transport
beforeEach(async () => {
  asked = []
  answer = (_, response) => response.end('{}')
  home = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve))
  const address = home.address()
  root = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  queue = requestQueue(() => performance.now())
  transport = createTransport({ queue })
})
afterEach(async () => {
  await transport.close()
  home.closeAllConnections()
  await new Promise((resolve) => home.close(resolve))
})

const getting =
  (priority: 'answer' | 'background') =>
  (path: string, headers: Record<string, string>, signal?: AbortSignal) =>
    transport.makeRequest(priority)(`${root}${path}`, {
      method: 'GET',
      headers,
      body: null,
      signal: signal ?? null,
    })
const get = getting('answer')
const inBackground = getting('background')
const failure = async (work: Promise<unknown>): Promise<NoAnswer> => {
  const error: unknown = await work.catch((reason: unknown) => reason)
  if (error instanceof NoAnswer) return error
  throw new Error('it was no missing answer', { cause: error })
}

test('a 401 says that the bot’s token is refused only if the call was made with it', async () => {
  await transport.close()
  let refusals = 0
  queue = requestQueue(() => performance.now())
  const onTokenRefused = () => {
    refusals += 1
  }
  transport = createTransport({ queue, onTokenRefused })
  answer = (_, response) => response.writeHead(401).end('{}')
  await get('/webhooks/1/ended', {})
  expect(refusals).toBe(0)
  await inBackground('/channels', counted)
  expect(refusals).toBe(1)
})

describe('while Discord takes no more of the bot’s calls', () => {
  beforeEach(() => queue.pause(600_000))

  test('answers to interactions, which it does not count, go at once', async () => {
    expect((await get('/webhooks', {})).status).toBe(200)
  })

  test('all else waits, and was certainly not sent if it is given up', async () => {
    const waiting = inBackground('/channels', counted, AbortSignal.timeout(50))
    expect((await failure(waiting)).uncertain).toBe(false)
    expect(asked).toEqual([])
  })
})

describe('while calls wait for longer than Discord has for an answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    queue = requestQueue(() => Date.now())
    transport = createTransport({ queue })
    queue.pause(20_000)
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('an answer is sent all the same', async () => {
    const waiting = get('/channels', counted)
    await vi.advanceTimersByTimeAsync(20_000)
    vi.useRealTimers()
    expect((await waiting).status).toBe(200)
  })
})

test('a global 429 holds background requests', async () => {
  answer = (_, response) => {
    response.writeHead(429, { 'Retry-After': '30', 'X-RateLimit-Global': 'true' }).end('{}')
  }
  await get('/channels', counted)
  expect(queue.msUntilSlot()).toBeGreaterThan(20_000)
})

test('a global 429 that names a day silences the bot for ten minutes only', async () => {
  answer = (_, response) => {
    response.writeHead(429, { 'Retry-After': '86400', 'X-RateLimit-Global': 'true' }).end('{}')
  }
  await get('/channels', counted)
  expect(queue.msUntilSlot()).toBeGreaterThan(500_000)
  expect(queue.msUntilSlot()).toBeLessThanOrEqual(600_000)
})

test('an answer without an end is not read on', async () => {
  const isClosed = Promise.withResolvers<void>()
  answer = (_, response) => {
    const write = () => {
      while (response.writable && response.write(Buffer.alloc(2 ** 20, ' ')));
    }
    response.on('drain', write).once('close', isClosed.resolve)
    write()
  }
  const tooLong = { cause: { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' } }
  await expect(get('/channels', counted)).rejects.toMatchObject(tooLong)
  await isClosed.promise
})

test('a 429 of one channel holds nothing else', async () => {
  answer = (_, response) => response.writeHead(429, { 'Retry-After': '30' }).end('{}')
  await get('/channels', counted)
  expect(queue.msUntilSlot()).toBeLessThan(50)
})

const unusable: [what: string, headers: Record<string, string>][] = [
  ['none', {}],
  ['a date', { 'Retry-After': 'Wed, 25 Nov 2026 07:28:00 GMT' }],
  ['less than nothing', { 'Retry-After': '-3' }],
  ['a word', { 'Retry-After': 'soon' }],
]

describe.each(unusable)('a 429 whose wait is %s', (_, headers) => {
  beforeEach(() => {
    answer = (__, response) => response.writeHead(429, headers).end('slow down')
  })

  test('gives discord.js a second to wait for, where people wait', async () => {
    const { status, headers: shown } = await get('/channels', counted)
    expect([status, shown.get('Retry-After')]).toEqual([429, '1'])
  })

  test('gives ten seconds, which is too long to wait, for background requests', async () => {
    const { status, headers: shown } = await inBackground('/channels', counted)
    expect([status, shown.get('Retry-After')]).toEqual([429, '10'])
    expect(asked).toHaveLength(1)
  })

  test('holds background requests only for a moment, if it is global', async () => {
    answer = (__, response) => {
      response.writeHead(429, { ...headers, 'X-RateLimit-Global': 'true' }).end('{}')
    }
    await get('/channels', counted)
    expect(queue.msUntilSlot()).toBeGreaterThan(0)
    expect(queue.msUntilSlot()).toBeLessThanOrEqual(1_000)
  })
})

test('a wait beyond a timer’s range is cut to a day', async () => {
  answer = (_, response) => response.writeHead(429, { 'Retry-After': '99999999999' }).end('{}')
  const { headers } = await inBackground('/channels', counted)
  expect(headers.get('Retry-After')).toBe('86400')
})

describe('a call without retries', () => {
  const once = (signal?: AbortSignal) => failure(inBackground('/channels', counted, signal))

  test('that succeeds gives its answer', async () => {
    expect((await inBackground('/channels', counted)).status).toBe(200)
  })

  test('whose answer does not come may have been done', async () => {
    answer = () => {}
    expect((await once(AbortSignal.timeout(100))).uncertain).toBe(true)
    expect(asked).toHaveLength(1)
  })

  test('whose connection breaks may have been done', async () => {
    answer = (request) => request.socket.destroy()
    expect((await once()).uncertain).toBe(true)
  })

  test('that finds no connection was not done', async () => {
    home.closeAllConnections()
    await new Promise((resolve) => home.close(resolve))
    expect((await once()).uncertain).toBe(false)
    await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve))
  })
})
