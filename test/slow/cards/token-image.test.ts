import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PictureWorker } from '../../../src/cards/card-pictures.ts'
import {
  type DownloadParts,
  isPublicAddress,
  lookUp,
  TokenPictures,
} from '../../../src/cards/token-image.ts'
import { createLogger } from '../../../src/log.ts'
import { userAgent, version } from '../../../src/version.ts'
import { downloadFrom, PictureServer } from '../../unit/cards/picture-server.ts'
import { pixelAt, plain } from '../../unit/cards/sample.ts'
import { LogBook } from '../../unit/core/log-book.ts'
import { manyScans } from '../../unit/launch/hostile-pictures.ts'

const minute = 60_000

let worker: PictureWorker
let red: Buffer
beforeAll(async () => {
  worker = new PictureWorker()
  red = await plain('#ff0000')
})
afterAll(() => worker.close())

let server: PictureServer
let pictures: TokenPictures
let book: LogBook
const open: TokenPictures[] = []
beforeEach(async () => {
  server = await PictureServer.start()
  server.serve('/a', red)
  book = new LogBook()
  pictures = fetching()
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  await server.stop()
})

interface Parts extends Partial<DownloadParts> {
  now?: () => number
  stored?: (url: string) => Promise<Uint8Array | undefined>
}

function fetching(parts: Parts = {}): TokenPictures {
  const log = createLogger('debug', [], book)
  const thumbnail = (bytes: Uint8Array) => worker.ask({ do: 'thumbnail', bytes })
  const made = new TokenPictures({ log, thumbnail, ...downloadFrom(server), ...parts })
  open.push(made)
  return made
}

/** As the bot downloads, but for the port. */
function careful(resolve: (host: string) => Promise<string[]> = lookUp): TokenPictures {
  return fetching({ allowed: isPublicAddress, resolve })
}

async function centre(picture = '') {
  const bytes = Buffer.from(picture.split(',')[1] ?? '', 'base64')
  const { size, colour } = await pixelAt(bytes, 80, 80)
  return { size, isRed: (colour[0] ?? 0) > 230 && (colour[2] ?? 0) < 24 }
}

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('in %s is a small square', async (kind) => {
    server.serve('/a', await plain('#ff0000', kind))
    const picture = await pictures.of(server.url('/a'))
    expect(await centre(picture)).toEqual({ size: [160, 160], isRed: true })
  })

  test('is asked for under the bot’s name and version, with who runs it', async () => {
    const run = fetching({ userAgent: userAgent('https://gavel.example.org') })
    for (const each of [pictures, run]) await each.of(server.url('/a'))
    expect(server.agents).toEqual([
      `Gavel/${version}`,
      `Gavel/${version} (+https://gavel.example.org)`,
    ])
  })

  test('of which the bot has a copy is not downloaded', async () => {
    const stored = async (url: string) => (url.endsWith('/a') ? plain('#ff0000') : undefined)
    server.serve('/a', await plain('#0000ff'))
    server.serve('/b', await plain('#0000ff'))
    const own = fetching({ stored })
    expect(await centre(await own.of(server.url('/a')))).toMatchObject({ isRed: true })
    expect(await centre(await own.of(server.url('/b')))).toMatchObject({ isRed: false })
  })

  test('that moves is its first frame', async () => {
    const frames = [red, await plain('#0000ff')]
    server.serve(
      '/a',
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
    )
    expect(await centre(await pictures.of(server.url('/a')))).toMatchObject({ isRed: true })
  })

  test('is fetched once, again after a day, and after ten minutes if it failed', async () => {
    let now = 1
    const clocked = fetching({ now: () => now })
    const [url, late] = [server.url('/a'), server.url('/late')]
    const [one, two] = await Promise.all([clocked.of(url), clocked.of(url)])
    expect([two, await clocked.of(url)]).toEqual([one, one])
    expect([await clocked.of(late), await clocked.of(late)]).toEqual([undefined, undefined])
    expect(server.asked).toEqual(['/a', '/late'])
    expect(book.of('debug')).toHaveLength(1)
    server.serve('/late', red)
    now += 9 * minute
    expect(await clocked.of(late)).toBeUndefined()
    now += 2 * minute
    expect(await clocked.of(late)).toBe(one)
    now += 23 * 60 * minute
    await clocked.of(url)
    expect(server.asked).toEqual(['/a', '/late', '/late'])
    now += 2 * 60 * minute
    await clocked.of(url)
    expect(server.asked.at(-1)).toBe('/a')
  })

  const page = '<!doctype html><title>Attention Required! | Cloudflare</title>'
  const html = { 'content-type': 'text/html; charset=utf-8' }
  const refusals: [string, (response: ServerResponse) => void][] = [
    ['a refusal', (response) => response.writeHead(403).end()],
    ['a page with status 403', (response) => response.writeHead(403, html).end(page)],
    ['a page in its place', (response) => response.writeHead(200, html).end(page)],
    ['silence', () => undefined],
  ]
  test.each(refusals)(
    'that its host answers with %s is asked for once an hour',
    async (how, answer) => {
      let now = 1
      const milliseconds = how === 'silence' ? 1_500 : 20_000
      const clocked = fetching({ now: () => now, milliseconds })
      server.answers.set('/b', (_request, response) => answer(response))
      const url = server.url('/b')
      expect(await clocked.of(url)).toBeUndefined()
      now += 59 * minute
      expect(await clocked.of(url)).toBeUndefined()
      expect(server.asked).toEqual(['/b'])
      now += 2 * minute
      server.serve('/b', red)
      expect(await centre(await clocked.of(url))).toMatchObject({ isRed: true })
    },
  )

  test('of a host that refused three is not asked for within an hour, and the log has one line', async () => {
    let now = 1
    const clocked = fetching({ now: () => now })
    const refuse = (_: unknown, response: ServerResponse) => response.writeHead(403, html).end(page)
    for (let each = 0; each < 9; each += 1) server.answers.set(`/${each}`, refuse)
    for (let each = 0; each < 9; each += 1) {
      expect(await clocked.of(server.url(`/${each}`))).toBeUndefined()
    }
    expect(server.asked).toEqual(['/0', '/1', '/2'])
    expect(clocked.has(server.url('/8'))).toBe(true)
    expect(await clocked.of(server.url('/a', 'other.test'))).toBeDefined()
    expect(book.lines).toHaveLength(1)
    expect(book.of('debug')).toHaveLength(1)
    now += 61 * minute
    expect(await clocked.of(server.url('/a'))).toBeDefined()
    expect(await clocked.of(server.url('/8'))).toBeUndefined()
    expect(book.of('debug')).toHaveLength(2)
  })

  test('of a host that gives others is asked for, however many it refuses', async () => {
    for (let each = 0; each < 6; each += 1) {
      server.answers.set(`/${each}`, (_, response) => response.writeHead(403).end())
      server.serve(`/good-${each}`, red)
      expect(await pictures.of(server.url(`/${each}`))).toBeUndefined()
      expect(await pictures.of(server.url(`/good-${each}`))).toBeDefined()
    }
  })

  test('behind redirects is followed three times', async () => {
    for (const [index, status] of [301, 302, 303, 307, 308].entries()) {
      server.redirect(`/${index}`, index === 0 ? '/a' : `/${index - 1}`, status)
      server.redirect(`/only-${status}`, '/a', status)
      expect(await pictures.of(server.url(`/only-${status}`)), `${status}`).toBeDefined()
    }
    server.redirect('/other', server.url('/1', 'other.test'))
    expect(await pictures.of(server.url('/other'))).toBeDefined()
    expect(await pictures.of(server.url('/2'))).toBeDefined()
    expect(await pictures.of(server.url('/3'))).toBeUndefined()
  })
})

describe('a picture is refused', () => {
  test.each([
    ['plain http', 'http://pictures.test:PORT/a'],
    ['another port', 'https://pictures.test:1/a'],
    ['the usual port if it is not the one', 'https://pictures.test/a'],
    ['a name', 'https://ada@pictures.test:PORT/a'],
    ['a password', 'https://:secret@pictures.test:PORT/a'],
    ['IPFS', 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
    ['a file', 'file:///etc/passwd'],
    ['data', 'data:image/png;base64,iVBORw0KGgo='],
    ['nothing', ''],
    ['3000 characters', `https://pictures.test:PORT/${'a'.repeat(3000)}`],
  ])('at %s without a request', async (_, url) => {
    const names: string[] = []
    const resolve = async (host: string) => {
      names.push(host)
      return ['127.0.0.1']
    }
    expect(await fetching({ resolve }).of(url.replace('PORT', `${server.port}`))).toBeUndefined()
    expect([...names, ...server.asked]).toEqual([])
  })

  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ])('on this machine as https://%s', async (host) => {
    expect(await careful().of(server.url('/a', host))).toBeUndefined()
    expect(server.asked).toEqual([])
    expect(book.of('debug')).toEqual([expect.stringContaining('is no public address')])
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['this machine', ['127.0.0.1']],
    ['a public address and a private one', ['1.1.1.1', '192.168.0.1']],
    ['nowhere', []],
  ])('under a name that leads to %s', async (_, addresses) => {
    expect(await careful(async () => addresses).of(server.url('/a'))).toBeUndefined()
    expect(server.asked).toEqual([])
    expect(book.of('debug')).toEqual([expect.stringMatching(/is no public address|leads nowhere/u)])
  })

  test.each([
    ['a private name', 'https://inside.test:PORT/a', 'which is no public address'],
    ['a private address', 'https://127.0.0.2:PORT/a', 'is no public address'],
    ['a private address in IPv6', 'https://[::1]:PORT/a', 'is no public address'],
    ['plain http', 'http://pictures.test:PORT/a', 'no https address'],
    ['another port', 'https://pictures.test/a', 'an unusual port'],
    ['a file', 'file:///etc/passwd', 'no https address'],
  ])('behind a redirect to %s', async (_, location, reason) => {
    server.redirect('/b', location.replace('PORT', String(server.port)))
    const resolve = async (host: string) => [host === 'inside.test' ? '127.0.0.3' : '127.0.0.1']
    expect(await fetching({ resolve }).of(server.url('/b'))).toBeUndefined()
    expect(server.asked).toEqual(['/b'])
    expect(book.of('debug')).toEqual([expect.stringContaining(reason)])
  })

  test('from a server without a certificate for its name', async () => {
    expect(await pictures.of(server.url('/a', 'stranger.test'))).toBeUndefined()
    expect(server.asked).toEqual([])
  })

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'
  const signs = ['GIF89a', 'RIFF    WEBP', '\xff\xd8\xff', '\x89PNG\r\n\x1a\n']
  test.each([
    ['SVG', Buffer.from(svg)],
    ['a web page', Buffer.from('<!doctype html><p>no</p>')],
    ['nothing', Buffer.alloc(0)],
    ['a bomb of 400 megapixels', bomb(20_000, 20_000)],
    ['a JPEG of 500 steps', manyScans(64, 64, 500)],
    ['a JPEG of 25 megapixels in 99 steps', manyScans(5_000, 5_000, 99)],
    ...signs.map((sign): [string, Buffer] => [
      `SVG that begins like ${JSON.stringify(sign)}`,
      Buffer.from(sign + svg, 'latin1'),
    ]),
  ])('that is %s', async (_, bytes) => {
    server.serve('/b', bytes, { 'content-type': 'image/png' })
    expect(await pictures.of(server.url('/b'))).toBeUndefined()
    expect(server.asked).toEqual(['/b'])
  })

  test('over 4 MiB, with another status than 200, or packed', async () => {
    for (const side of [1_150, 1_300]) server.serve(`/${side}`, await noise(side))
    expect(await pictures.of(server.url('/1150'))).toBeDefined()
    expect(await pictures.of(server.url('/1300'))).toBeUndefined()
    for (const status of [404, 500, 206]) {
      server.answers.set(`/${status}`, (_, response) => response.writeHead(status).end(red))
      expect(await pictures.of(server.url(`/${status}`))).toBeUndefined()
    }
    server.serve('/packed', gzipSync(red), { 'content-encoding': 'gzip' })
    // Refused for what it says, not because it is no picture as it stands.
    server.serve('/not-packed', red, { 'content-encoding': 'gzip' })
    expect(await pictures.of(server.url('/packed'))).toBeUndefined()
    expect(await pictures.of(server.url('/not-packed'))).toBeUndefined()
  })
})

describe('a slow or endless server', () => {
  test('whose redirect or refusal has an endless body is cut off', async () => {
    for (const status of [302, 404]) {
      server.answers.set(`/${status}`, (_, response) => {
        response.writeHead(status, { location: '/a' }).write('x')
      })
      await pictures.of(server.url(`/${status}`))
    }
    await expect.poll(() => server.open).toBe(0)
  })

  test('has the time of one picture for all redirects and the body', async () => {
    const slowly = (location: string) => (_: unknown, response: ServerResponse) => {
      setTimeout(() => response.writeHead(302, { location }).end(), 200)
    }
    for (const hop of [0, 1, 2]) server.answers.set(`/${hop}`, slowly(`/${hop + 1}`))
    server.answers.set('/drip', (_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const hasty = fetching({ milliseconds: 500 })
    expect(await hasty.of(server.url('/0'))).toBeUndefined()
    expect(server.asked).not.toContain('/3')
    expect(await hasty.of(server.url('/drip'))).toBeUndefined()
    await expect.poll(() => server.open).toBe(0)
  })

  test('an endless body is cut off', async () => {
    let sent = 0
    server.answers.set('/endless', (_, response) => {
      response.writeHead(200)
      response.write(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
      const more = () => {
        if (response.destroyed) return
        sent += 65_536
        response.write(Buffer.alloc(65_536), () => setImmediate(more))
      }
      more()
    })
    expect(await pictures.of(server.url('/endless'))).toBeUndefined()
    await expect.poll(() => server.open).toBe(0)
    expect(sent).toBeLessThan(64 * 2 ** 20)
  })

  test('is asked for two pictures at a time, and keeps no other host waiting', async () => {
    const responses: ServerResponse[] = []
    const paths = Array.from({ length: 103 }, (_, index) => `/${index}`)
    for (const path of paths) server.answers.set(path, (_, response) => responses.push(response))
    const patient = fetching({ milliseconds: 600_000 })
    const waiting = paths.slice(0, 102).map((path) => patient.of(server.url(path)))
    // There is no room for one more, which says nothing of it.
    expect(await patient.of(server.url('/102'))).toBeUndefined()
    expect(await patient.of(server.url('/a', 'other.test'))).toBeDefined()
    await expect.poll(() => responses).toHaveLength(2)
    for (const path of paths) server.serve(path, red)
    for (const response of responses) response.end(red)
    expect(await Promise.all(waiting)).not.toContain(undefined)
    expect(await patient.of(server.url('/102'))).toBeDefined()
    expect(server.maxOpen).toBeLessThanOrEqual(3)
  })
})

test('a name that resolves to another address after the check leads to the one that was checked', async () => {
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const names: string[] = []
  const resolve = async (host: string) => {
    names.push(host)
    return answers.shift() ?? []
  }
  expect(await fetching({ resolve }).of(server.url('/a'))).toBeDefined()
  expect(names).toEqual(['pictures.test'])
})

test('a host is resolved in IPv4 and IPv6, and local names are not resolved', async () => {
  const records = new Map([
    [1, Buffer.from([10, 0, 0, 1])],
    [28, Buffer.concat([Buffer.alloc(15), Buffer.from([1])])],
  ])
  const asked: number[] = []
  const socket = createSocket('udp4', (query, { port }) => {
    const end = query.indexOf(0, 12) + 5
    const kind = query.readUInt16BE(end - 4)
    asked.push(kind)
    const address = records.get(kind)
    // An answer with one question, and with one record or none.
    const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0])
    query.copy(head, 0, 0, 2)
    const record = address && [0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]
    socket.send(Buffer.concat([head, query.subarray(12, end), Buffer.from(record ?? [])]), port)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const find = (host: string) => lookUp(host, [`127.0.0.1:${socket.address().port}`])
  expect((await find('pictures.org')).sort()).toEqual(['10.0.0.1', '::1'])
  records.delete(1)
  expect(await find('pictures.org')).toEqual(['::1'])
  records.delete(28)
  expect(await find('pictures.org')).toEqual([])
  asked.length = 0
  for (const host of ['localhost', 'db.localhost', 'printer.local', 'metadata.google.internal.']) {
    expect(await find(host)).toEqual([])
  }
  expect(asked).toEqual([])
  socket.close()
})

test('an address is public only if it is a usual spelling of a unicast address', () => {
  const notPublic = [
    ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255'],
    ...['192.168.1.1', '169.254.0.1', '169.254.169.254', '100.64.0.1', '100.100.100.200'],
    ...['192.0.0.8', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
    ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '::1', '::', 'fe80::1', 'fe80::1%eth0'],
    ...['fec0::1', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254', 'ff02::1', '::ffff:127.0.0.1'],
    ...['::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::1'],
    ...['2001::1', '2001:db8::1', '3fff::1', '2001:2::1', '2001:20::1', '100::1', '5f00::1'],
    ...['4000::1', '0177.0.0.1', '010.8.8.8', '2130706433', '134744072', '0x7f.0.0.1', '127.0.1'],
    ...['localhost', ''],
  ]
  expect(notPublic.filter((address) => isPublicAddress(address))).toEqual([])
  const open = ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::8a']
  expect(open.filter((address) => !isPublicAddress(address))).toEqual([])
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
