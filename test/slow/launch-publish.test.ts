import { setTimeout as delay } from 'node:timers/promises'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import { describe, expect, test } from 'vitest'
import { byteServer, httpServer, nowhere } from '../unit/api/server.ts'
import { failure, made, otherCid, picture, services } from '../unit/launch/publishing.ts'

/** All that an error would show in a log. */
function wholeText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.stack} ${JSON.stringify(error)} ${error.cause === undefined ? '' : wholeText(error.cause)}`
}

describe.each(['kubo', 'pinata'] as const)('%s', (name) => {
  const service = services[name]

  test('publishes the bytes under the CID that they have already', async () => {
    const server = await service.start()
    const publisher = service.publisher(server.url)
    await publisher.publish(picture)
    expect(server.pinned).toMatchObject([
      { cid: picture.cid, name: `${picture.cid}.webp`, type: 'image/webp' },
    ])
    expect(server.pinned[0]?.bytes.equals(picture.bytes)).toBe(true)
  })

  test('publishes many at once, each as itself', async () => {
    const server = await service.start()
    const publisher = service.publisher(server.url)
    const pictures = await Promise.all(
      Array.from({ length: 12 }, (_, index) => made(Buffer.from(`picture ${index}`))),
    )
    await Promise.all(pictures.map((each) => publisher.publish(each)))
    expect(server.pinned.map(({ cid }) => cid).sort()).toEqual(
      pictures.map(({ cid }) => cid).sort(),
    )
  })

  test('that returns another CID is not trusted, and not asked again', async () => {
    const server = await service.start()
    for (const cid of [otherCid, 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG', 'no CID', '']) {
      server.fault = { kind: 'lying', cid }
      const { kind, message } = await failure(service.publisher(server.url))
      expect([kind, message]).toEqual(['other bytes', expect.stringContaining(picture.cid)])
    }
    expect(server.added).toBe(4)
  })

  test('that returns the same CID in another spelling is trusted', async () => {
    const spelt = CID.parse(picture.cid).toString(base58btc)
    await using server = await httpServer((_request, response) =>
      response.end(service.answer(spelt)),
    )
    await service.publisher(server.url).publish(picture)
    expect(server.requests).toHaveLength(1)
  })

  test.each([301, 400, 401, 403, 404, 413])('that answers %i refuses', async (status) => {
    const server = await service.start()
    const publisher = service.publisher(server.url)
    for (const body of [undefined, '', '<h1>Sorry</h1>']) {
      server.fault = { kind: 'status', status, ...(body === undefined ? {} : { body }) }
      const message = `${name}: answered ${status}`
      expect(await failure(publisher)).toMatchObject({ kind: 'refused', message })
    }
    expect(server.added).toBe(3)
  })

  test.each([429, 500, 503])('that answers %i is asked four times', async (status) => {
    const server = await service.start()
    server.fault = { kind: 'status', status }
    const message = `${name}: answered ${status}`
    expect(await failure(service.publisher(server.url))).toMatchObject({
      kind: 'unavailable',
      message,
    })
    expect(server.added).toBe(4)
  })

  test('that fails at first and then works has published it once', async () => {
    const server = await service.start()
    server.fault = { kind: 'status', status: 500 }
    const published = service.publisher(server.url).publish(picture)
    while (server.added === 0) await delay(1)
    server.fault = undefined
    await published
    expect(server.pinned.map(({ cid }) => cid)).toEqual([picture.cid])
  })

  test('that breaks the connection at first is asked again', async () => {
    const server = await service.start()
    server.fault = { kind: 'reset' }
    const published = service.publisher(server.url).publish(picture)
    while (server.added === 0) await delay(1)
    server.fault = undefined
    await published
    expect(server.pinned).toHaveLength(1)
  })

  test('that is not there is unavailable', async () => {
    const error = await failure(service.publisher(await nowhere()))
    expect(error).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('ECONN') })
  })

  test('that never answers is given up at the deadline', async () => {
    const server = await service.start()
    server.fault = { kind: 'hang' }
    const error = await failure(service.publisher(server.url, 300))
    expect(error).toMatchObject({ kind: 'unavailable' })
    expect(server.pinned).toEqual([])
  })

  test('that fails until the deadline gives its last failure', async () => {
    const server = await service.start()
    server.fault = { kind: 'status', status: 502 }
    const publisher = service.publisher(server.url, 500)
    const failed = failure(publisher)
    while (server.added === 0) await delay(1)
    server.fault = { kind: 'hang' }
    expect((await failed).message).toBe(`${name}: answered 502`)
  })

  test('that takes its time within the deadline is waited for', async () => {
    const server = await service.start()
    server.fault = { kind: 'slow', delayMs: 400 }
    await service.publisher(server.url).publish(picture)
    expect(server.added).toBe(1)
  })

  test.each([
    '',
    '<html>ok</html>',
    '{"Hash":',
    'null',
    '[]',
    '{"Hash":5,"data":{"cid":5}}',
    '{"data":null}',
    '{"Message":"failed","Code":0,"Type":"error"}',
  ])('whose answer is %j may not have published anything', async (body) => {
    const server = await service.start()
    server.fault = { kind: 'status', status: 200, body }
    const error = await failure(service.publisher(server.url))
    expect(error).toMatchObject({
      kind: 'unavailable',
      message: `${name}: the answer names no CID`,
    })
    expect(server.added).toBe(1)
  })

  test('whose answer has no end is cut off', async () => {
    await using server = await httpServer((_request, response) => {
      const feed = () => {
        while (!response.destroyed && response.write(' '.repeat(16_384)));
      }
      response.on('drain', feed)
      feed()
    })
    const error = await failure(service.publisher(server.url))
    expect(error).toMatchObject({ kind: 'too large' })
    expect(error.message).toContain('UND_ERR_RES_EXCEEDED_MAX_SIZE')
  })

  test('that answers something that is no HTTP is unavailable', async () => {
    await using server = await byteServer((socket) => socket.end('220 mail ready\r\n'))
    expect(await failure(service.publisher(server.url))).toMatchObject({ kind: 'unavailable' })
  })

  test('that redirects does not have the picture or the key sent elsewhere', async () => {
    await using other = await httpServer((_request, response) =>
      response.end(service.answer(picture.cid)),
    )
    await using server = await httpServer((_request, response) => {
      response.writeHead(307, { location: other.url }).end()
    })
    expect(await failure(service.publisher(server.url))).toMatchObject({ kind: 'refused' })
    expect(other.requests).toEqual([])
  })

  test('closes once running uploads have ended, and accepts none afterwards', async () => {
    const server = await service.start()
    server.fault = { kind: 'slow', delayMs: 300 }
    const publisher = service.publisher(server.url)
    const published = publisher.publish(picture)
    while (server.added === 0) await delay(1)
    await publisher.close()
    await published
    expect(server.pinned).toHaveLength(1)
    expect(await failure(publisher)).toMatchObject({ kind: 'unavailable' })
    expect(server.added).toBe(1)
  })

  test('has neither key nor address nor answer in its errors', async () => {
    const server = await service.start()
    const withSecret = server.url.replace('http://', 'http://ada:secret-of-the-operator@')
    const faults = [
      { kind: 'status', status: 401, body: `no: secret-of-the-operator` },
      { kind: 'reset' },
      { kind: 'status', status: 200, body: `secret-of-the-operator` },
      { kind: 'lying', cid: 'secret-of-the-operator' },
    ] as const
    for (const fault of faults) {
      server.fault = fault
      const error = wholeText(await failure(service.publisher(withSecret)))
      expect(error).not.toContain('secret-of-the-operator')
      expect(error).not.toContain(server.url)
    }
  })
})
