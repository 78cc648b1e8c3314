import { describe, expect, test } from 'vitest'
import { httpServer } from './server.ts'
import { failure, open } from './transport.ts'

describe('the circuit', () => {
  test('opens when calls in a row find the interface unavailable, and spares it until it has rested', async () => {
    let healthy = false
    await using server = await httpServer((_request, response) => {
      if (healthy) response.end('{"result":1}')
      else response.writeHead(500).end()
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

  test('lets one call try the interface while the others fail at once', async () => {
    let hang = false
    await using server = await httpServer((_request, response) => {
      if (!hang) response.writeHead(500).end()
    })
    const transport = open(server.url, { breakAfter: 1, halfOpenAfterMs: 1, deadlineMs: 1500 })
    await failure(transport.post('/a', {}, {}))
    hang = true
    await new Promise((resolve) => setTimeout(resolve, 20))
    const asked = server.requests.length
    let tried = false
    const trial = failure(transport.get('/a', {})).finally(() => {
      tried = true
    })
    const others = await Promise.all(
      Array.from({ length: 10 }, () => failure(transport.get('/a', {}))),
    )
    expect(others.map((error) => error.message)).toEqual(Array(10).fill('GET /a: circuit is open'))
    expect(tried).toBe(false)
    await trial
    expect(server.requests).toHaveLength(asked + 1)
  })

  test('gives the call that tries it less time than others have', async () => {
    let hang = false
    await using server = await httpServer((_request, response) => {
      if (!hang) response.writeHead(500).end()
    })
    const options = { breakAfter: 1, halfOpenAfterMs: 1, deadlineMs: 1000 }
    const [whole, broken] = [open(server.url, options), open(server.url, options)]
    await failure(broken.post('/a', {}, {}))
    hang = true
    await new Promise((resolve) => setTimeout(resolve, 20))
    const other = failure(whole.get('/a', {})).then(() => 'another call')
    const trial = failure(broken.get('/a', {})).then(() => 'the trial')
    expect(await Promise.race([other, trial])).toBe('the trial')
    await other
  })

  test('opens after five such calls where nothing else is set', async () => {
    await using server = await httpServer((_request, response) => response.writeHead(500).end())
    const transport = open(server.url)
    for (let call = 0; call < 8; call += 1) await failure(transport.post('/a', {}, {}))
    expect(server.requests).toHaveLength(5)
  })

  test('counts refusals as answers', async () => {
    await using server = await httpServer((request, response) => {
      response.writeHead(request.url === '/v1/bad' ? 500 : 404).end()
    })
    const transport = open(server.url, { breakAfter: 2 })
    for (let round = 0; round < 3; round += 1) {
      await failure(transport.post('/bad', {}, {}))
      await failure(transport.post('/gone', {}, {}))
    }
    expect(transport.health().state).toBe('ok')
    expect(server.requests).toHaveLength(6)
  })
})
