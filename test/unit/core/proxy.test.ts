import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { Bot } from 'grammy'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Transport } from '../../../src/api/http.ts'
import { Rpc } from '../../../src/chain/rpc.ts'
import type { ProxySettings } from '../../../src/core/proxy.ts'
import { createTransport, requestQueue } from '../../../src/discord/transport.ts'
import { rawCid } from '../../../src/launch/image.ts'
import { gatewayReader, kuboPublisher } from '../../../src/launch/ipfs.ts'
import { transportTo } from '../../../src/telegram/transport.ts'
import { failure, httpServer, silent, type TestServer } from '../api/server.ts'

const password = 'p%40ss-w0rd'
const credentials = `Basic ${Buffer.from('gavel:p@ss-w0rd').toString('base64')}`

interface Asked {
  line: string
  authorization: string | undefined
}

/** A proxy that takes every name for the server's. It opens no tunnels. */
class TestProxy {
  readonly asked: Asked[] = []
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing))
  readonly #target: string

  constructor(target: string) {
    this.#target = target
    this.#server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
      this.#note(incoming)
      socket.on('error', () => undefined)
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `http://gavel:${password}@127.0.0.1:${this.port}`
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #note({ method, url, headers }: IncomingMessage): void {
    this.asked.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] })
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.#note(incoming)
    const { pathname, search } = new URL(incoming.url ?? '')
    const { 'proxy-authorization': _, ...headers } = incoming.headers
    const to = `${new URL(this.#target).origin}${pathname}${search}`
    const onward = request(to, { method: incoming.method, headers }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
}

let answer: (request: IncomingMessage, response: ServerResponse) => void
let server: TestServer
let proxy: TestProxy
let settings: ProxySettings
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  server = await httpServer((incoming, response) => answer(incoming, response))
  answer = (_, response) => response.end('{"result":1}')
  proxy = new TestProxy(server.url)
  await proxy.start()
  settings = { https: proxy.url, http: proxy.url }
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await proxy.stop()
  await server[Symbol.asyncDispose]()
})

/** Nobody but the proxy knows the name. */
const host = 'service.test'

function api(baseUrl = `http://${host}/v1`, proxies = settings, maxBytes = 1_000_000): Transport {
  const transport = new Transport({
    baseUrl,
    key: 'an-api-key',
    log: silent,
    retryPauseMs: 1,
    proxy: proxies,
    maxBytes,
  })
  closing.push(() => transport.close())
  return transport
}

const lines = () => proxy.asked.map(({ line }) => line)

describe('through the operator’s proxy goes', () => {
  test('the API, with the proxy’s password for the proxy alone', async () => {
    const transport = api()
    expect(await transport.get('/assets/', { chainId: 1 })).toEqual({ result: 1 })
    expect(await transport.post('/a', {}, { name: 'Otter' })).toEqual({ result: 1 })
    expect(proxy.asked).toEqual([
      { line: `GET http://${host}/v1/assets/?chainId=1`, authorization: credentials },
      { line: `POST http://${host}/v1/a`, authorization: credentials },
    ])
    const [first] = server.requests
    expect(first?.headers).toMatchObject({ 'x-api-key': 'an-api-key', host })
    expect(first?.headers).not.toHaveProperty('proxy-authorization')
  })

  test('https by a tunnel, whose refusal tells no password', async () => {
    const error = await failure(api(`https://${host}/v1`).post('/a', {}, {}))
    expect(error.kind).toBe('unavailable')
    expect(proxy.asked).toEqual([{ line: `CONNECT ${host}:443`, authorization: credentials }])
    const said = inspect(error, { depth: 9, showHidden: true })
    for (const secret of [password, 'p@ss-w0rd', credentials]) expect(said).not.toContain(secret)
  })

  test('https also by the proxy of http, if that is the only one', async () => {
    await failure(api(`https://${host}/v1`, { http: proxy.url }).post('/a', {}, {}))
    expect(lines()).toEqual([`CONNECT ${host}:443`])
  })

  test('Telegram', async () => {
    answer = (_, response) => response.end('{"ok":true,"result":{"id":7}}')
    const apiRoot = `http://${host}/root`
    const telegram = transportTo({ apiRoot, proxy: settings })
    closing.push(() => telegram.close())
    expect(await new Bot('42:abc', telegram).api.getMe()).toEqual({ id: 7 })
    await telegram.download('/file/bot42:abc/x', 100, AbortSignal.timeout(5_000))
    expect(lines()).toEqual([
      `POST http://${host}/root/bot42:abc/getMe`,
      `GET http://${host}/root/file/bot42:abc/x`,
    ])
  })

  test('Discord: calls and files', async () => {
    answer = (_, response) => response.end('{}')
    const queue = requestQueue(() => performance.now())
    const discord = createTransport({ queue, proxy: settings })
    closing.push(discord.close)
    for (const priority of ['answer', 'background'] as const) {
      const request = { method: 'GET', headers: {} }
      await discord.makeRequest(priority)(`http://${host}/api/v10/users/@me`, request)
    }
    await discord.download(`http://${host}/file.png`, 100)
    expect(lines()).toEqual([
      `GET http://${host}/api/v10/users/@me`,
      `GET http://${host}/api/v10/users/@me`,
      `GET http://${host}/file.png`,
    ])
  })

  test('a node', async () => {
    answer = (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x2a"}')
    }
    const rpc = new Rpc({ rpcUrl: `http://${host}/a-key`, chainId: 8453, proxy: settings })
    expect(await rpc.request('eth_blockNumber', [], z.string())).toBe('0x2a')
    expect(lines()).toEqual([`POST http://${host}/a-key`])
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ method: 'eth_blockNumber' })
  })

  test('IPFS', async () => {
    const file = Buffer.from('{"name":"Otter"}')
    const cid = await rawCid(file)
    answer = (incoming, response) =>
      response.end(incoming.method === 'GET' ? file : JSON.stringify({ Hash: cid }))
    const reader = gatewayReader({ url: `http://${host}`, proxy: settings })
    const publisher = kuboPublisher({ url: `http://${host}`, proxy: settings })
    closing.push(reader.close, publisher.close)
    expect(Buffer.from(await reader.read(cid, 5_000))).toEqual(file)
    await publisher.publish({ cid, type: 'image/webp', bytes: file })
    expect(lines()).toEqual([
      `GET http://${host}/ipfs/${cid}?format=raw`,
      expect.stringContaining(`POST http://${host}/api/v0/add?`),
    ])
  })
})

describe('past the proxy goes', () => {
  test('this machine', async () => {
    expect(await api(server.url).get('/assets/', {})).toEqual({ result: 1 })
    expect(lines()).toEqual([])
  })

  test('what NO_PROXY names', async () => {
    const transport = api(`http://api.${host}:1/v1`, { ...settings, none: `else.test, .${host}` })
    expect(await failure(transport.post('/a', {}, {}))).toMatchObject({ kind: 'unavailable' })
    expect(lines()).toEqual([])
  })
})

describe('an answer through the proxy is too large if', () => {
  test.each([
    ['it has no end', false],
    ['it unpacks to more than permitted', true],
  ])('%s', async (_, isPacked) => {
    answer = (_incoming, response) => {
      if (isPacked) {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(gzipSync('x'.repeat(1_000_000)))
        return
      }
      const feed = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) {}
      }
      response.on('drain', feed)
      feed()
    }
    const error = await failure(api(undefined, settings, 100_000).get('/assets/', {}))
    expect(error.kind).toBe('malformed')
    expect(error.message).toContain('too large')
  })
})

test('calls through a proxy that wait for others make the API busy', async () => {
  answer = () => undefined
  const transport = api()
  const asking = Array.from({ length: 33 }, () => failure(transport.post('/a', {}, {})))
  expect(transport.isBusy).toBe(true)
  await expect.poll(() => server.requests.length).toBe(32)
  await proxy.stop()
  await proxy.start()
  await Promise.all(asking)
  expect(transport.isBusy).toBe(false)
})
