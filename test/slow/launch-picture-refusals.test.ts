import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import { maxInputBytes, readPicture } from '../../src/launch/image.ts'
import { gif, manyScans, packedText, png, vastWebp } from '../unit/launch/hostile-pictures.ts'

/** The words of a refusal; anything else than a UserError fails. */
async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await readPicture(bytes)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  throw new Error('it was read')
}

const peakBytes = () => process.resourceUsage().maxRSS * 1024
const latin = (text: string) => Buffer.from(text, 'latin1')
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"><rect/></svg>'

const photo = () =>
  sharp({
    create: {
      width: 240,
      height: 180,
      channels: 3,
      background: 'teal',
      noise: { type: 'gaussian', mean: 120, sigma: 40 },
    },
  })

describe('an unsupported file is refused with what to send', () => {
  const refused: [what: string, bytes: Buffer, words: RegExp][] = [
    ['nothing', latin(''), /empty.*Send a PNG, JPEG, WebP or GIF/u],
    ['an SVG', latin(svg), /SVG.*Save it as PNG/u],
    ['an SVG after a BOM', latin(`\xef\xbb\xbf${svg}`), /SVG/u],
    ['an SVG after a declaration', latin(`<?xml version="1.0"?>\n<!-- x -->\n${svg}`), /SVG/u],
    [
      'an SVG that asks for a file',
      latin(
        `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
      ),
      /SVG/u,
    ],
    ['a web page', latin('<!doctype html><html><body>hi'), /web page/u],
    ['a web page after blanks', latin('\n\n <html>'), /web page/u],
    ['a PDF', latin('%PDF-1.7\n%\xe2\xe3'), /PDF.*PNG or JPEG/u],
    ['a HEIC photo', latin('\0\0\0\x18ftypheic\0\0\0\0mif1'), /HEIC.*as a photo/u],
    ['an AVIF', latin('\0\0\0\x1cftypavif\0\0\0\0'), /AVIF.*JPEG/u],
    ['a video', latin('\0\0\0\x20ftypisom\0\0\x02\0'), /video.*Send a PNG/u],
    ['another video', latin('\x1aE\xdf\xa3\x01\0'), /video/u],
    ['a zip archive', latin('PK\x03\x04\x14\0'), /archive.*Unpack/u],
    ['a sticker of gzip', latin('\x1f\x8b\x08\0'), /archive/u],
    ['a bitmap', latin('BM\x36\0\0\0'), /format.*PNG or JPEG/u],
    ['a TIFF', latin('II*\0\x08\0\0\0'), /format/u],
    ['an icon', latin('\0\0\x01\0\x01\0'), /format/u],
    ['a text', latin('just words'), /can’t read that picture.*Send a PNG/u],
    ['another RIFF', latin('RIFF\x24\0\0\0WAVEfmt '), /can’t read that picture/u],
    ['a name for GIF that is none', latin('GIF88a<html>'), /can’t read that picture/u],
  ]

  test.each(refused)('%s', async (_what, bytes, words) => {
    expect(await refusal(bytes)).toMatch(words)
  })

  test('a real AVIF, TIFF and SVG, which the decoder could read', async () => {
    for (const bytes of [
      await photo().resize(64).avif({ effort: 0 }).toBuffer(),
      await photo().tiff().toBuffer(),
      latin(svg),
    ]) {
      expect((await sharp(bytes).metadata()).width).toBeGreaterThan(0)
      expect(await refusal(bytes)).toMatch(/can’t take/u)
    }
  })

  test.each([
    ['GIF', 'GIF89a/*<html><script>alert(1)</script></html>*/=1;'],
    ['PNG', `\x89PNG\r\n\x1a\n${svg}`],
    ['JPEG', `\xff\xd8\xff\xe0${svg}`],
    ['WebP', `RIFF\x40\0\0\0WEBP${svg}`],
  ])('a %s of which only the first bytes are right', async (_kind, text) => {
    expect(await refusal(latin(text))).toMatch(/can’t read/u)
  })
})

describe('a picture that is', () => {
  test('over 10 MB is refused, whatever is in it', async () => {
    const padded = (bytes: number) =>
      Buffer.concat([png(100, 100), Buffer.alloc(bytes)]).subarray(0, bytes)
    expect(await refusal(padded(maxInputBytes + 1))).toMatch(/over 10 MB.*smaller/u)
    expect((await readPicture(padded(maxInputBytes))).bytes.length).toBeGreaterThan(0)
  })

  test.each([
    [63, 200],
    [200, 63],
    [1, 1],
  ])('tiny (%i × %i) is refused with its size', async (width, height) => {
    const words = await refusal(png(width, height))
    expect(words).toContain(`too small: ${width} × ${height} pixels`)
    expect(words).toContain('at least 64 × 64')
  })

  test.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'a %s cut off at any tenth is refused',
    async (format) => {
      const whole = await photo().toFormat(format).toBuffer()
      await readPicture(whole)
      for (let tenths = 1; tenths < 10; tenths += 1) {
        const cut = whole.subarray(0, Math.floor((whole.length * tenths) / 10))
        expect(await refusal(cut)).toMatch(/damaged or incomplete.*PNG or JPEG/u)
      }
    },
  )

  test('a progressive JPEG or an interlaced PNG cut off is refused', async () => {
    for (const whole of [
      await photo().jpeg({ progressive: true }).toBuffer(),
      await photo().png({ progressive: true }).toBuffer(),
    ]) {
      expect(await refusal(whole.subarray(0, whole.length >> 1))).toMatch(/incomplete/u)
    }
  })
})

describe('a file that would unpack to far too much', () => {
  const vast: [what: string, make: () => Buffer, size: string][] = [
    ['a PNG of 30000 × 30000', () => png(30_000, 30_000, { depth: 1 }), '30000 × 30000'],
    ['a PNG one row too high', () => png(5000, 5001, { depth: 1 }), '5000 × 5001'],
    ['a GIF of 65535 × 65535', () => gif(65_535, 65_535, 1, 65_535), '65535 × 65535'],
    ['a WebP of 16383 × 16383', vastWebp, '16383 × 16383'],
    ['a JPEG of 65500 × 65500', () => manyScans(65_500, 65_500, 1), '65500 × 65500'],
  ]

  test.each(vast)('is refused by its size: %s', async (_what, make, size) => {
    const before = peakBytes()
    const words = await refusal(make())
    expect(words).toContain(`too large: ${size} pixels`)
    expect(words).toContain('2000 × 2000')
    expect(peakBytes() - before).toBeLessThan(300 * 2 ** 20)
  })

  test('in a text chunk is read without it', async () => {
    const bombs = png(300, 300, {
      extra: [packedText(200_000_000), ...Array(9).fill(packedText(7_000_000))],
    })
    const before = peakBytes()
    const { cid } = await readPicture(bombs)
    expect(peakBytes() - before).toBeLessThan(200 * 2 ** 20)
    expect(cid).toBe((await readPicture(png(300, 300))).cid)
  })

  test('in more rows than its header says is read without them', async () => {
    const { cid } = await readPicture(png(300, 300, { pixels: Buffer.alloc(100_000_000) }))
    expect(cid).toBe((await readPicture(png(300, 300))).cid)
  })

  test('in 300,000 frames becomes its first frame', async () => {
    const { cid } = await readPicture(gif(300, 300, 300_000))
    expect(cid).toBe((await readPicture(gif(300, 300))).cid)
  })

  test('in hundreds of passes over the picture is refused, and in a few is not', async () => {
    expect(await refusal(manyScans(6000, 6000, 101))).toMatch(/JPEG.*Save it again/u)
    expect((await readPicture(manyScans(600, 600, 100))).type).toBe('image/webp')
  })

  test('is not seen in a photo with a preview within or a film behind it', async () => {
    const jpeg = await photo().jpeg().toBuffer()
    const scans = Buffer.from('\xff\xda\0\x02'.repeat(200), 'latin1')
    const preview = Buffer.concat([latin('\xff\xe2\x03\x22'), scans])
    const film = Buffer.concat([latin('\0\x02'), scans])
    const both = Buffer.concat([jpeg.subarray(0, 2), preview, jpeg.subarray(2), film])
    expect((await readPicture(both)).cid).toBe((await readPicture(jpeg)).cid)
    const within = Buffer.concat([jpeg.subarray(0, -2), scans, jpeg.subarray(-2)])
    expect(await refusal(within)).toMatch(/can’t process this JPEG/u)
  })
})

describe('any bytes', () => {
  test('random bytes, also behind the first bytes of a picture, are read or refused', async () => {
    const starts = [
      '',
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'GIF89a',
      'RIFF\x60\0\0\0WEBPVP8 ',
    ].map(latin)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.uint8Array({ maxLength: 300 }),
        async (start, rest) => {
          expect(await refusal(Buffer.concat([start, rest]))).toMatch(/\.$/u)
        },
      ),
      { numRuns: 300 },
    )
  })

  test('a picture with changed bytes is read as one, or refused', async () => {
    const wholes = await Promise.all(
      (['png', 'jpeg', 'webp', 'gif'] as const).map((format) =>
        sharp({ create: { width: 90, height: 70, channels: 3, background: 'teal' } })
          .withExif({ IFD0: { Artist: 'Ada' } })
          .toFormat(format)
          .toBuffer(),
      ),
    )
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wholes), changes, async (whole, changed) => {
        const bytes = Buffer.from(whole)
        for (const [at, value] of changed) bytes[at % bytes.length] = value
        const outcome = await readPicture(bytes).catch((error: unknown) => error)
        if (outcome instanceof UserError) return
        expect(outcome).toMatchObject({ type: 'image/webp' })
      }),
      { numRuns: 120 },
    )
  })

  test('at most two pictures are processed at once, and with too many waiting people are asked to try again', async () => {
    const bytes = await photo().jpeg().toBuffer()
    await expect.poll(() => sharp.counters()).toEqual({ queue: 0, process: 0 })
    let most = 0
    // sharp takes a task off its count only some turns after its answer was heard: what stays counted is under way.
    const watch = async () => {
      let least = Number.POSITIVE_INFINITY
      for (let context = 0; context < 20; context += 1) {
        await nextTurn()
        const { process: working, queue } = sharp.counters()
        least = Math.min(least, working + queue)
      }
      most = Math.max(most, least)
    }
    sharp.queue.on('change', watch)
    try {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, () => readPicture(bytes)),
      )
      const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
      expect(outcomes.length - refused.length).toBe(22)
      for (const reason of refused) {
        expect(reason).toBeInstanceOf(UserError)
        expect(String(reason)).toContain('again in a minute')
      }
    } finally {
      sharp.queue.off('change', watch)
    }
    expect(most).toBe(2)
    expect((await readPicture(bytes)).type).toBe('image/webp')
  })
})
