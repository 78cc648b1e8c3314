import { describe, expect, test } from 'vitest'
import { httpServer } from '../api/server.ts'
import { failure, otherCid, picture, services } from './publishing.ts'

describe('kubo', () => {
  test('is asked for one raw block of version 1, pinned, whatever the node is set to', async () => {
    await using server = await httpServer((_request, response) =>
      response.end(services.kubo.answer(picture.cid)),
    )
    await services.kubo.publisher(server.url).publish(picture)
    const [request] = server.requests
    const url = new URL(request?.url ?? '', server.url)
    expect([request?.method, url.pathname]).toEqual(['POST', '/v1/api/v0/add'])
    expect(Object.fromEntries(url.searchParams)).toEqual({
      'cid-version': '1',
      'raw-leaves': 'true',
      hash: 'sha2-256',
      chunker: 'size-262144',
      pin: 'true',
    })
    expect(request?.headers).not.toHaveProperty('user-agent')
    expect(request?.headers).not.toHaveProperty('authorization')
  })

  test.each(['', '/', '/api/v0', '/api/v0/'])('may be given with %j at the end', async (end) => {
    const server = await services.kubo.start()
    await services.kubo.publisher(`${server.url}${end}`).publish(picture)
    expect(server.pinned).toHaveLength(1)
  })

  test('is sent the name and password of its address', async () => {
    await using server = await httpServer((_request, response) =>
      response.end(services.kubo.answer(picture.cid)),
    )
    const url = server.url.replace('http://', 'http://ada:p%40ss@')
    await services.kubo.publisher(url).publish(picture)
    const sent = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
    expect(server.requests[0]?.headers.authorization).toBe(sent)
  })

  test('may tell of its progress first: the last line counts', async () => {
    const { answer } = services.kubo
    const lines = `{"Name":"x","Bytes":3}\n${answer(otherCid)}`
    let body = `${lines}${answer(picture.cid)}`
    await using server = await httpServer((_request, response) => response.end(body))
    await services.kubo.publisher(server.url).publish(picture)
    body = `${answer(picture.cid)}${answer(otherCid)}`
    expect(await failure(services.kubo.publisher(server.url))).toMatchObject({
      kind: 'other bytes',
    })
  })

  test('that says behind its answer that it failed is not believed', async () => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(200, { trailer: 'X-Stream-Error' })
      response.write(services.kubo.answer(picture.cid))
      response.addTrailers({ 'X-Stream-Error': 'pin: disk is full' })
      response.end()
    })
    const error = await failure(services.kubo.publisher(server.url))
    expect(error).toMatchObject({ kind: 'unavailable', message: 'kubo: failed while it answered' })
  })
})

describe('pinata', () => {
  test('is sent the key, and keeps the picture open to all the world', async () => {
    const server = await services.pinata.start()
    await services.pinata.publisher(`${server.url}/`).publish(picture)
    expect(server.pinned).toMatchObject([{ network: 'public' }])
  })
})
