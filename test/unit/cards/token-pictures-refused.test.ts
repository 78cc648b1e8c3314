import type { ServerResponse } from 'node:http'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TokenPictures } from '../../../src/cards/token-image.ts'
import { manyScans } from '../launch/hostile-pictures.ts'
import { fetching, PictureServer, plain } from './picture-server.ts'

let server: PictureServer
let pictures: TokenPictures

beforeEach(async () => {
  server = await PictureServer.start()
  pictures = fetching(server)
})

afterEach(async () => {
  await pictures.close()
  await server.stop()
})

describe('what a server may send', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'
  const signs = {
    GIF: 'GIF89a',
    WebP: 'RIFF    WEBP',
    JPEG: '\xff\xd8\xff',
    PNG: '\x89PNG\r\n\x1a\n',
  }

  test.each([
    ['SVG', Buffer.from(svg)],
    ['a web page', Buffer.from('<!doctype html><p>no</p>')],
    ['nothing', Buffer.alloc(0)],
    ['a damaged picture', Buffer.from('\x89PNG\r\n\x1a\nrubbish', 'latin1')],
    ['a bomb of 400 megapixels', bomb(20_000, 20_000)],
    ['a JPEG of 500 steps', manyScans(64, 64, 500)],
  ])('%s is refused', async (_, bytes) => {
    server.serve('/a', bytes, { 'content-type': 'image/png' })
    expect(await pictures.of(server.url('/a'))).toBeUndefined()
    expect(server.asked).toEqual(['/a'])
  })

  test.each(Object.entries(signs))('SVG that begins like a %s is refused', async (_, sign) => {
    server.serve('/a', Buffer.from(sign + svg, 'latin1'))
    expect(await pictures.of(server.url('/a'))).toBeUndefined()
  })

  test('a picture of 4 MiB is the largest', async () => {
    for (const side of [1_150, 1_300]) server.serve(`/${side}`, await noise(side))
    expect(await pictures.of(server.url('/1150'))).toBeDefined()
    expect(await pictures.of(server.url('/1300'))).toBeUndefined()
  })

  test.each([404, 500, 206])(
    'a picture that comes with a status of %i is refused',
    async (status) => {
      const bytes = await plain('#ff0000')
      server.answers.set('/a', (_, response) => response.writeHead(status).end(bytes))
      expect(await pictures.of(server.url('/a'))).toBeUndefined()
      expect(server.asked).toEqual(['/a'])
    },
  )

  test.each([
    ['a redirect', 302],
    ['a refusal', 404],
  ])('%s that goes on talking is not listened to', async (_, status) => {
    server.serve('/b', await plain('#ff0000'))
    server.answers.set('/a', (__, response) => {
      response.writeHead(status, { location: '/b' }).write('x')
    })
    await pictures.of(server.url('/a'))
    await expect.poll(() => server.open, { timeout: 20_000 }).toBe(0)
  })

  test('redirects that come slowly are given up in the time of one picture', async () => {
    const hasty = fetching(server, { milliseconds: 1_500 })
    const slowly = (location: string) => (_: unknown, response: ServerResponse) => {
      setTimeout(() => response.writeHead(302, { location }).end(), 600)
    }
    server.serve('/3', await plain('#ff0000'))
    for (const hop of [0, 1, 2]) server.answers.set(`/${hop}`, slowly(`/${hop + 1}`))
    expect(await hasty.of(server.url('/0'))).toBeUndefined()
    expect(server.asked).not.toContain('/3')
    await hasty.close()
  })

  test('a packed body is not unpacked', async () => {
    server.serve('/a', gzipSync(await plain('#ff0000')), { 'content-encoding': 'gzip' })
    // Refused for what it says, not because it is no picture as it stands.
    server.serve('/b', await plain('#ff0000'), { 'content-encoding': 'gzip' })
    expect(await pictures.of(server.url('/a'))).toBeUndefined()
    expect(await pictures.of(server.url('/b'))).toBeUndefined()
  })

  test('an endless body is cut off', async () => {
    let sent = 0
    let closed = false
    server.answers.set('/a', (_, response) => {
      response.writeHead(200)
      response.write(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
      const more = () => {
        if (closed) return
        sent += 65_536
        response.write(Buffer.alloc(65_536), () => setImmediate(more))
      }
      response.on('close', () => {
        closed = true
      })
      more()
    })
    const patient = fetching(server, { milliseconds: 60_000 })
    expect(await patient.of(server.url('/a'))).toBeUndefined()
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(true)
    await patient.close()
    expect(sent).toBeLessThan(64 * 2 ** 20)
  })

  test('a body that drips is given up in time', async () => {
    let closed = false
    server.answers.set('/a', (_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => {
        clearInterval(drip)
        closed = true
      })
    })
    const hasty = fetching(server, { milliseconds: 300 })
    expect(await hasty.of(server.url('/a'))).toBeUndefined()
    await expect.poll(() => closed, { timeout: 20_000 }).toBe(true)
    await hasty.close()
  })

  test('one host is asked for two pictures at a time', async () => {
    const bytes = await plain('#ff0000')
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`)
    for (const path of paths) {
      server.answers.set(path, (_, response) => {
        setTimeout(() => response.writeHead(200).end(bytes), 30)
      })
    }
    const found = await Promise.all(paths.map((path) => pictures.of(server.url(path))))
    expect(found.every((picture) => picture !== undefined)).toBe(true)
    expect(server.maxOpen).toBe(2)
  })

  test('a host that never answers takes no other host’s place', async () => {
    const paths = Array.from({ length: 8 }, (_, index) => `/${index}`)
    for (const path of paths) server.answers.set(path, () => {})
    server.serve('/a', await plain('#ff0000'))
    const patient = fetching(server, { milliseconds: 600_000 })
    const waiting = paths.map((path) => patient.of(server.url(path)))
    expect(await patient.of(server.url('/a', 'other.test'))).toBeDefined()
    await patient.close()
    await Promise.all(waiting)
  })
})

/** A PNG that is not packed: three bytes a pixel. */
async function noise(side: number): Promise<Buffer> {
  const create = { width: side, height: side, channels: 3, background: '#777777' } as const
  return await sharp({ create }).png({ compressionLevel: 0 }).toBuffer()
}

/** A PNG of few bytes that unpacks to many pixels; a decoder that looks at the header alone sees no fault in it. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  const rows = deflateSync(Buffer.alloc(Math.ceil((width + 8) / 8) * height))
  const sign = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([sign, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND')])
}

function chunk(type: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, sum])
}
