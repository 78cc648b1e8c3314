import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TokenPictures } from '../../../src/cards/token-image.ts'
import { createLogger } from '../../../src/log.ts'
import { LogBook } from '../core/log-book.ts'
import { certificate } from './certificate.ts'
import { alike, type Colour, pixelsOf } from './facts-for-tests.ts'
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

async function shown(picture: string | undefined): Promise<{ size: number[]; middle: Colour }> {
  const pixels = await pixelsOf(Buffer.from(picture?.split(',')[1] ?? '', 'base64'))
  return { size: [pixels.width, pixels.height], middle: pixels.at(80, 80) }
}

const red: Colour = [255, 0, 0]

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'of type %s becomes a small square',
    async (kind) => {
      server.serve('/a', await plain('#ff0000', kind))
      const { size, middle } = await shown(await pictures.of(server.url('/a')))
      expect(size).toEqual([160, 160])
      expect(alike(middle, red)).toBe(true)
    },
  )

  test('that moves is its first frame', async () => {
    const frames = await Promise.all([plain('#ff0000'), plain('#0000ff')])
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    server.serve('/a', moving)
    const { size, middle } = await shown(await pictures.of(server.url('/a')))
    expect(size).toEqual([160, 160])
    expect(alike(middle, red)).toBe(true)
  })

  test('that is asked for again, or twice at once, is fetched once', async () => {
    server.serve('/a', await plain('#ff0000'))
    const url = server.url('/a')
    const [one, two] = await Promise.all([pictures.of(url), pictures.of(url)])
    expect(await pictures.of(url)).toBe(one)
    expect(two).toBe(one)
    expect(server.asked).toEqual(['/a'])
  })

  test('that is not there is not asked for again, and the log says so', async () => {
    const book = new LogBook()
    const watched = fetching(server, { log: createLogger('debug', [], book) })
    const url = server.url('/gone')
    expect([await watched.of(url), await watched.of(url)]).toEqual([undefined, undefined])
    await watched.close()
    expect(server.asked).toEqual(['/gone'])
    expect(book.of('debug')).toHaveLength(1)
  })

  test.each([301, 302, 303, 307, 308])('behind a redirect with %i is followed', async (status) => {
    server.serve('/a', await plain('#ff0000'))
    server.redirect('/1', '/a', status)
    expect(await pictures.of(server.url('/1'))).toBeDefined()
  })

  test('behind redirects is followed three times', async () => {
    server.serve('/a', await plain('#ff0000'))
    server.redirect('/1', '/a')
    server.redirect('/2', server.url('/1', 'other.test'))
    server.redirect('/3', '/2')
    server.redirect('/4', '/3')
    expect(await pictures.of(server.url('/3'))).toBeDefined()
    expect(await pictures.of(server.url('/4'))).toBeUndefined()
  })
})

describe('where a picture may come from', () => {
  const inside: [about: string, url: (port: number) => string][] = [
    ['plain http', (port) => `http://pictures.test:${port}/a`],
    ['another port', (port) => `https://pictures.test:${port + 1}/a`],
    ['the usual port, where it is not the one', () => 'https://pictures.test/a'],
    ['a name', (port) => `https://ada@pictures.test:${port}/a`],
    ['a password', (port) => `https://:secret@pictures.test:${port}/a`],
    ['IPFS', () => 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'],
    ['data', () => 'data:image/png;base64,iVBORw0KGgo='],
    ['a file', () => 'file:///etc/passwd'],
    ['no address', () => 'pictures'],
    ['nothing', () => ''],
    [
      'an address of 3000 characters',
      (port) => `https://pictures.test:${port}/${'a'.repeat(3000)}`,
    ],
  ]

  test.each(inside)('%s is refused without asking anybody', async (_, url) => {
    const names: string[] = []
    const careful = fetching(server, {
      resolve: async (host) => {
        names.push(host)
        return ['127.0.0.1']
      },
    })
    expect(await careful.of(url(server.port))).toBeUndefined()
    await careful.close()
    expect(names).toEqual([])
    expect(server.asked).toEqual([])
  })

  // Whatever is listening there: nothing may be asked of it.
  const spellings = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
  ]

  test.each(spellings)('this machine as https://%s is refused', async (host) => {
    server.serve('/a', await plain('#ff0000'))
    const { port } = server
    const book = new LogBook()
    const log = createLogger('debug', [], book)
    const usual = new TokenPictures({ log, port, ca: certificate })
    expect(await usual.of(server.url('/a', host))).toBeUndefined()
    await usual.close()
    expect(server.asked).toEqual([])
    expect(book.of('debug')).toEqual([expect.stringContaining('is no public address')])
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['this machine', ['127.0.0.1']],
    ['a public address and a private one', ['1.1.1.1', '192.168.0.1']],
    ['nowhere', []],
  ])('a name that leads to %s is refused', async (_, addresses) => {
    server.serve('/a', await plain('#ff0000'))
    const { port } = server
    const book = new LogBook()
    const log = createLogger('debug', [], book)
    const usual = new TokenPictures({ log, port, ca: certificate, resolve: async () => addresses })
    expect(await usual.of(server.url('/a'))).toBeUndefined()
    await usual.close()
    expect(server.asked).toEqual([])
    expect(book.of('debug')).toEqual([expect.stringMatching(/is no public address|leads nowhere/u)])
  })

  test('a name that means another machine the moment after it was checked leads to the one that was checked', async () => {
    server.serve('/a', await plain('#ff0000'))
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    const names: string[] = []
    const careful = fetching(server, {
      resolve: async (host) => {
        names.push(host)
        return answers.shift() ?? []
      },
    })
    expect(await careful.of(server.url('/a'))).toBeDefined()
    await careful.close()
    expect(names).toEqual(['pictures.test'])
  })

  test.each([
    ['a private name', 'https://inside.test:PORT/secret', 'which is no public address'],
    ['a private address', 'https://127.0.0.2:PORT/secret', 'is no public address'],
    ['a private address in IPv6', 'https://[::1]:PORT/secret', 'is no public address'],
    ['plain http', 'http://pictures.test:PORT/secret', 'no https address'],
    ['another port', 'https://pictures.test/secret', 'an unusual port'],
    ['a file', 'file:///etc/passwd', 'no https address'],
  ])('a redirect to %s is not followed', async (_, location, reason) => {
    server.serve('/secret', await plain('#ff0000'))
    server.redirect('/a', location.replace('PORT', String(server.port)))
    const book = new LogBook()
    const careful = fetching(server, {
      log: createLogger('debug', [], book),
      resolve: async (host) => (host === 'inside.test' ? ['127.0.0.3'] : ['127.0.0.1']),
    })
    expect(await careful.of(server.url('/a'))).toBeUndefined()
    await careful.close()
    expect(server.asked).toEqual(['/a'])
    expect(book.of('debug')).toEqual([expect.stringContaining(reason)])
  })

  test('a server without a certificate for its name is refused', async () => {
    server.serve('/a', await plain('#ff0000'))
    expect(await pictures.of(server.url('/a', 'stranger.test'))).toBeUndefined()
    expect(server.asked).toEqual([])
  })
})
