import { afterEach, describe, expect, it } from 'vitest'
import type { FaultKind } from '../../../sandbox/faults.ts'
import { InterfaceServer } from '../../../sandbox/interface/server.ts'

const key = 'a key for tests'
const running: InterfaceServer[] = []

async function start(): Promise<InterfaceServer> {
  const server = await InterfaceServer.start({ key })
  running.push(server)
  return server
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
})

async function call(server: InterfaceServer, path: string) {
  const response = await fetch(`${server.baseUrl}${path}`, { headers: { 'x-api-key': key } })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: () => JSON.parse(text) }
}

describe('faults', () => {
  it('answers a status, an HTML page, broken JSON, another shape or 429', async () => {
    const server = await start()
    const seen = async (kind: FaultKind, more = {}) => {
      server.faults.set({ kind, ...more })
      return await call(server, '/assets/')
    }
    const status = await seen('status', { status: 503 })
    expect(status.status).toBe(503)
    expect(status.body()).toMatchObject({ statusCode: 503 })
    expect((await seen('status', { status: 422, body: '' })).text).toBe('')
    expect((await seen('status', { status: 422, body: '{"error":"no"}' })).text).toBe(
      '{"error":"no"}',
    )
    const page = await seen('html')
    expect(page.status).toBe(403)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect((await seen('broken-json')).body).toThrow(SyntaxError)
    expect((await seen('wrong-shape')).body().result).not.toBeInstanceOf(Array)
    const limited = await seen('429', { retryAfter: 7 })
    expect(limited.status).toBe(429)
    expect(limited.headers.get('retry-after')).toBe('7')
    expect((await seen('429')).headers.get('retry-after')).toBeNull()
    server.faults.clear()
    expect((await call(server, '/assets/')).status).toBe(200)
  })

  it.each(['reset', 'truncated'] as const)('breaks the connection: %s', async (kind) => {
    const server = await start()
    server.faults.set({ kind })
    await expect(call(server, '/assets/')).rejects.toThrow()
  })

  it('answers slowly but rightly, and sends more than anyone should read', async () => {
    const server = await start()
    server.faults.set({ kind: 'slow', delayMs: 30 })
    expect((await call(server, '/assets/')).body().result).toHaveLength(20)
    server.faults.set({ kind: 'huge' })
    const response = await fetch(`${server.baseUrl}/assets/`, { headers: { 'x-api-key': key } })
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > 20_000_000) break
    }
    expect(bytes).toBeGreaterThan(20_000_000)
  })

  it('ends connections that hang or wait when it stops', async () => {
    for (const fault of [{ kind: 'hang' }, { kind: 'slow', delayMs: 600_000 }] as const) {
      const server = await start()
      server.faults.set(fault)
      const waiting = call(server, '/assets/')
      const outcome = expect(waiting).rejects.toThrow()
      await expect.poll(() => server.requests.length).toBe(1)
      await server.stop()
      await outcome
      running.splice(running.indexOf(server), 1)
    }
  })

  it('befalls only the paths that match, as often as asked; the longest match decides', async () => {
    const server = await start()
    server.faults.set({ kind: 'status', status: 500, times: 1 })
    server.faults.set({ kind: 'status', status: 502, match: '/assets/search', times: 2 })
    const statuses: number[] = []
    for (const path of ['search?term=x', 'search?term=x', '', 'search?term=x', '']) {
      statuses.push((await call(server, `/assets/${path}`)).status)
    }
    expect(statuses).toEqual([502, 502, 500, 200, 200])
  })
})
