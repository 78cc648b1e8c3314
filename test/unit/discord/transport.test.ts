import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SendError } from '../../../src/core/adapter.ts'
import {
  boundedTransport,
  NoAnswer,
  requestQueue,
  responder,
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
  transport = boundedTransport(queue)
})
afterEach(async () => {
  await transport.close()
  home.closeAllConnections()
  await new Promise((resolve) => home.close(resolve))
})

const get = (path: string, headers: Record<string, string>, signal?: AbortSignal) =>
  transport.makeRequest(`${root}${path}`, {
    method: 'GET',
    headers,
    body: null,
    signal: signal ?? null,
  })
const failure = async (work: Promise<unknown>): Promise<NoAnswer> => {
  const error: unknown = await work.catch((reason: unknown) => reason)
  if (error instanceof NoAnswer) return error
  throw new Error('it was no missing answer', { cause: error })
}

test('a 401 says that the bot’s token is refused only if the call was made with it', async () => {
  await transport.close()
  let refusals = 0
  queue = requestQueue(() => performance.now())
  transport = boundedTransport(queue, undefined, () => {
    refusals += 1
  })
  answer = (_, response) => response.writeHead(401).end('{}')
  await get('/webhooks/1/ended', {})
  expect(refusals).toBe(0)
  await transport.once(() => get('/channels', counted))
  expect(refusals).toBe(1)
})

describe('while Discord takes no more of the bot’s calls', () => {
  beforeEach(() => queue.pause(600_000))

  test('answers to interactions, which it does not count, go at once', async () => {
    expect((await get('/webhooks', {})).status).toBe(200)
  })

  test('all else waits, and was certainly not sent if it is given up', async () => {
    const waiting = transport.once(() => get('/channels', counted, AbortSignal.timeout(50)))
    expect((await failure(waiting)).uncertain).toBe(false)
    expect(asked).toEqual([])
  })
})

describe('while calls wait for longer than Discord has for an answer', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    queue = requestQueue(() => Date.now())
    transport = boundedTransport(queue)
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

  test('what nobody waits for is given up, and was certainly not sent', async () => {
    const failing = failure(transport.once(() => get('/channels', counted)))
    await vi.advanceTimersByTimeAsync(15_000)
    expect((await failing).uncertain).toBe(false)
    expect(asked).toEqual([])
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
  const tooLong = { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' }
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

  test('gives @discordjs/rest a second to wait for, where people wait', async () => {
    const { status, headers: shown } = await get('/channels', counted)
    expect([status, shown.get('Retry-After')]).toEqual([429, '1'])
  })

  test('is returned to the caller, for background requests', async () => {
    const error: unknown = await transport
      .once(() => get('/channels', counted))
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(SendError)
    expect(error).toMatchObject({ final: false, uncertain: false, retryAfter: 10 })
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
  const { headers } = await transport.once(() => get('/channels', counted))
  expect(headers.get('Retry-After')).toBe('86400')
})

describe('a call without retries', () => {
  const once = (signal?: AbortSignal) =>
    failure(transport.once(() => get('/channels', counted, signal)))

  test('that succeeds gives its answer', async () => {
    expect((await transport.once(() => get('/channels', counted))).status).toBe(200)
  })

  test('to which Discord says that it failed was not done', async () => {
    answer = (_, response) => response.writeHead(502).end()
    expect((await once()).uncertain).toBe(false)
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

describe('an initial response', () => {
  const route = '/interactions/1/token/callback'
  const data = { content: 'a card' }
  const respond = async (apiRoot = `${root}/api`) => {
    const responding = responder(apiRoot)
    try {
      return await responding.respond(route, { type: 4, data })
    } finally {
      await responding.close()
    }
  }
  const answers = (status: number, text = '') => {
    answer = (_, response) => response.writeHead(status).end(text)
  }

  test('goes out as Discord wants it, without the token', async () => {
    const requests: unknown[] = []
    answer = async (request, response) => {
      const { authorization, 'content-type': type, 'user-agent': agent = '' } = request.headers
      requests.push([request.method, authorization, type, agent.split(' ', 1)[0]])
      requests.push(JSON.parse(await text(request)))
      response.writeHead(204).end()
    }
    expect(await respond()).toBe(true)
    expect(asked).toEqual([`/api/v10${route}`])
    expect(requests).toEqual([
      ['POST', undefined, 'application/json', 'DiscordBot'],
      { type: 4, data },
    ])
  })

  test('finds its path under an address without one, too', async () => {
    answers(204)
    for (const apiRoot of [root, `${root}/`, `${root}/api/`]) await respond(apiRoot)
    expect(asked).toEqual([`/v10${route}`, `/v10${route}`, `/api/v10${route}`])
  })

  test('that Discord refuses is not made again', async () => {
    answers(404, '{"code":10062,"message":"Unknown interaction"}')
    await expect(respond()).rejects.toMatchObject({
      name: 'DiscordAPIError[10062]',
      code: 10_062,
      status: 404,
      message: 'Unknown interaction',
    })
  })

  test('is left to @discordjs/rest if it has to wait, or Discord fails', async () => {
    answers(429, '{"code":0,"message":"You are being rate limited.","retry_after":1}')
    expect(await respond()).toBe(false)
    answers(403, '<html>a proxy</html>')
    expect(await respond()).toBe(undefined)
    answers(503, '{"code":0,"message":"503: Service Unavailable"}')
    expect(await respond()).toBe(undefined)
    answer = (_, response) => response.destroy()
    expect(await respond()).toBe(undefined)
  })

  test('whose answer trickles is waited for as long as any other', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    answer = (_, response) => {
      response.writeHead(400)
      const timer = setInterval(() => response.write(' '), 10)
      response.once('close', () => clearInterval(timer))
    }
    const responding = respond()
    await expect.poll(() => asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await responding).toBe(undefined)
  })
})
