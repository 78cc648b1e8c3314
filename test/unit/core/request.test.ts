import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'undici'
import { afterEach, expect, test } from 'vitest'
import { requestText } from '../../../src/core/request.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Returns a function that asks a server with these answers. */
async function serve(listener: RequestListener, connections: number | null = null) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections })
  closing.push(async () => {
    await pool.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (limits: Partial<Parameters<typeof requestText>[2]> = {}, body = '') =>
    requestText(pool, { path: '/', method: 'POST', body }, { maxBytes: 100, ...limits })
}

test('an answer comes with its status, whole, whichever parts it came in', async () => {
  const ask = await serve((request, response) => {
    request.pipe(response.writeHead(400))
  })
  expect(await ask({}, 'Otter 🦦 €')).toMatchObject({ statusCode: 400, text: 'Otter 🦦 €' })
})

test('an answer with more bytes than permitted is not read on', async () => {
  let isClosed = false
  const ask = await serve((_, response) => {
    response.once('close', () => {
      isClosed = !response.writableEnded
    })
    response.write('x'.repeat(101))
  })
  await expect(ask()).rejects.toThrow('too long')
  await expect.poll(() => isClosed).toBe(true)
})

test('of a refusal only its beginning is read, and it may break off', async () => {
  let isClosed = false
  const long = await serve((_, response) => {
    response.once('close', () => {
      isClosed = !response.writableEnded
    })
    response.writeHead(503, { 'retry-after': '7' }).write('x'.repeat(500))
  })
  const { statusCode, headers, text } = await long({ maxRefusalBytes: 10 })
  expect([statusCode, headers['retry-after'], text.startsWith('xxxxxxxxxx')]).toEqual([
    503,
    '7',
    true,
  ])
  await expect.poll(() => isClosed).toBe(true)
  const broken = await serve((_, response) => {
    response.writeHead(503).write('x', () => response.destroy())
  })
  expect(await broken({ maxRefusalBytes: 10 })).toMatchObject({ statusCode: 503, text: 'x' })
  await expect(broken()).rejects.toThrow()
})

test('a refusal that trickles comes with its status at the time for the whole', async () => {
  const ask = await serve((_, response) => {
    const timer = setInterval(() => response.write('.'), 10)
    response.once('close', () => clearInterval(timer))
    response.writeHead(503, { 'retry-after': '7' })
  })
  const refused = await ask({ ms: 60, maxBytes: 10_000, maxRefusalBytes: 10_000 })
  expect(refused).toMatchObject({ statusCode: 503, headers: { 'retry-after': '7' } })
})

test('hints before an answer are no answer', async () => {
  const ask = await serve((_, response) => {
    response.writeEarlyHints({ link: '</otter.css>; rel=preload; as=style' }, () =>
      response.end('x'.repeat(50)),
    )
  })
  const { statusCode, text } = await ask({ maxRefusalBytes: 10 })
  expect([statusCode, text.length]).toEqual([200, 50])
  const broken = await serve((_, response) => {
    response.writeEarlyHints({ link: '</otter.css>; rel=preload; as=style' }, () =>
      response.writeHead(200, { 'content-length': 9 }).write('x', () => response.destroy()),
    )
  })
  await expect(broken({ maxRefusalBytes: 10 })).rejects.toThrow()
})

test('an answer that trickles ends at the time for it as a whole', async () => {
  const ask = await serve((_, response) => {
    const timer = setInterval(() => response.write('.'), 10)
    response.once('close', () => clearInterval(timer))
  })
  await expect(ask({ ms: 60, maxBytes: 10_000 })).rejects.toThrow('took too long')
})

test('a call that is aborted ends, also one that was before it began', async () => {
  const ask = await serve(() => undefined)
  const aborting = new AbortController()
  const { signal } = aborting
  const asking = ask({ signal })
  aborting.abort()
  await expect(asking).rejects.toThrow('aborted')
  await expect(ask({ signal })).rejects.toThrow('aborted')
})

test('a call that is aborted while it waits for a connection is not made', async () => {
  const asked: ServerResponse[] = []
  const ask = await serve((_, response) => asked.push(response), 1)
  const first = ask()
  await expect.poll(() => asked.length).toBe(1)
  const aborting = new AbortController()
  const waiting = ask({ signal: aborting.signal })
  aborting.abort()
  await expect(waiting).rejects.toThrow('aborted')
  const last = ask()
  asked[0]?.end()
  await first
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.end('last')
  expect(await last).toMatchObject({ statusCode: 200, text: 'last' })
})

test('a connection that is refused is an error', async () => {
  const ask = await serve((request) => request.socket.destroy())
  await expect(ask()).rejects.toThrow()
})
