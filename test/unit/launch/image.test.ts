import fc from 'fast-check'
import { base36 } from 'multiformats/bases/base36'
import { base58btc } from 'multiformats/bases/base58'
import { CID } from 'multiformats/cid'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { rawBlockCid } from '../../../sandbox/ipfs/cid.ts'
import { hasTooManyScans } from '../../../src/core/picture-kind.ts'
import { parseCid, rawCid, readPicture } from '../../../src/launch/image.ts'
import { hostileText } from '../../hostile.ts'
import { manyScans } from './hostile-pictures.ts'

describe('pictures', () => {
  test.each([
    [7000, 12, false],
    [7000, 13, true],
    [5000, 24, false],
    [5000, 25, true],
    [600, 100, false],
    [600, 101, true],
  ])(
    'a JPEG with sides of %i pixels in %i scans is built up in too many: %s',
    (side, scans, expected) => {
      expect(hasTooManyScans(manyScans(side, side, scans))).toBe(expected)
    },
  )

  const red = { r: 255, g: 0, b: 0 }
  const green = { r: 0, g: 255, b: 0 }
  const blue = { r: 0, g: 0, b: 255 }
  const maxBytes = 262_144

  /** Three upright stripes: red and blue at the sides, green in the middle, as wide as the picture is high. */
  function stripes(height = 200, edge = height): Sharp {
    return sharp({ create: { width: height + 2 * edge, height, channels: 3, background: red } })
      .composite([
        { input: plain(height, height, green), left: edge, top: 0 },
        { input: plain(edge, height, blue), left: height + edge, top: 0 },
      ])
      .png()
  }

  function plain(width: number, height: number, background: { r: number; g: number; b: number }) {
    return { create: { width, height, channels: 3 as const, background } }
  }

  /** Repeatable bytes that no encoder finds a pattern in. */
  function noise(length: number): Buffer {
    const bytes = Buffer.alloc(length)
    let state = 0x9e3779b9
    for (let at = 0; at < length; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      bytes[at] = state >>> 24
    }
    return bytes
  }

  /** The colours (and the opacity) at points given in parts of the side. */
  async function colours(bytes: Uint8Array, points: readonly [x: number, y: number][]) {
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    return points.map(([x, y]) => {
      const at =
        (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
      return [...data.subarray(at, at + info.channels)]
    })
  }

  function near(expected: readonly number[]) {
    return expected.map((value) => expect.closeTo(value, -1.5))
  }

  const [redNear, greenNear] = [red, green].map(({ r, g, b }) => near([r, g, b]))

  describe('a picture', () => {
    const formats: [name: string, make: () => Promise<Buffer>][] = [
      ['PNG', () => stripes().png().toBuffer()],
      ['PNG with a palette', () => stripes().png({ palette: true }).toBuffer()],
      [
        'interlaced PNG of 16 bits',
        () => stripes().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
      ],
      ['JPEG', () => stripes().jpeg().toBuffer()],
      ['progressive JPEG', () => stripes().jpeg({ mozjpeg: true }).toBuffer()],
      ['JPEG for printing (CMYK)', () => stripes().withIccProfile('cmyk').jpeg().toBuffer()],
      ['WebP', () => stripes().webp().toBuffer()],
      ['lossless WebP', () => stripes().webp({ lossless: true }).toBuffer()],
      ['GIF', () => stripes().gif().toBuffer()],
    ]

    test.each(formats)('may be a %s, and becomes a WebP of 512 × 512', async (_name, make) => {
      const picture = await readPicture(await make())
      expect(picture.type).toBe('image/webp')
      expect(picture.cid).toMatch(/^bafkrei[a-z2-7]{52}$/u)
      expect(await sharp(picture.bytes).metadata()).toMatchObject({
        format: 'webp',
        width: 512,
        height: 512,
        space: 'srgb',
      })
      const [left, middle, right] = await colours(picture.bytes, [
        [0.05, 0.5],
        [0.5, 0.5],
        [0.95, 0.5],
      ])
      // Print knows no greener green than (136, 186, 42).
      for (const [r = 0, g = 0, b = 0] of [left ?? [], middle ?? [], right ?? []]) {
        expect(g - Math.max(r, b)).toBeGreaterThan(40)
      }
    })

    test('in grey, with and without transparency, is read', async () => {
      const grey = stripes().greyscale()
      const faint = grey.clone().ensureAlpha(0.5).toColourspace('b-w')
      for (const each of [grey.clone().png(), grey.clone().jpeg(), faint.png()]) {
        const { bytes } = await readPicture(await each.toBuffer())
        expect(await sharp(bytes).metadata()).toMatchObject({ width: 512, height: 512 })
      }
    })

    test('contains nothing that was appended to the file', async () => {
      const gif = Buffer.concat([await stripes().gif().toBuffer(), Buffer.from('<script>')])
      expect(Buffer.from((await readPicture(gif)).bytes).includes('script')).toBe(false)
    })

    test('is cropped to its middle, sideways and upright', async () => {
      const bytes = await stripes(200, 50).png().toBuffer()
      const wide = await readPicture(bytes)
      const cut = await colours(wide.bytes, [
        [0.02, 0.5],
        [0.5, 0.02],
        [0.98, 0.98],
      ])
      expect(cut).toEqual([greenNear, greenNear, greenNear])
      const turned = await sharp(bytes).rotate(90).png().toBuffer()
      const upright = await readPicture(turned)
      expect(
        await colours(upright.bytes, [
          [0.5, 0.02],
          [0.02, 0.98],
        ]),
      ).toEqual([greenNear, greenNear])
    })

    test.each([1, 2, 3, 4, 5, 6, 7, 8])(
      'with EXIF orientation %i is turned upright',
      async (orientation) => {
        // The red corner is where "top left" is after the camera's turn is undone.
        const corner = await sharp(plain(256, 256, green))
          .composite([{ input: plain(128, 128, red), left: 0, top: 0 }])
          .png()
          .toBuffer()
        const turned = await turnedFor(orientation, corner)
        const tagged = await sharp(turned)
          .withMetadata({ orientation })
          .jpeg({ quality: 95 })
          .toBuffer()
        const { bytes } = await readPicture(tagged)
        expect(
          await colours(bytes, [
            [0.25, 0.25],
            [0.75, 0.25],
            [0.25, 0.75],
          ]),
        ).toEqual([redNear, greenNear, greenNear])
      },
    )

    test('keeps transparency', async () => {
      const hole = {
        create: { width: 400, height: 400, channels: 4 as const, background: { ...red, alpha: 0 } },
      }
      const input = await sharp(hole)
        .composite([{ input: plain(200, 400, blue), left: 200, top: 0 }])
        .png()
        .toBuffer()
      for (const bytes of [input, await sharp(input).gif().toBuffer()]) {
        const picture = await readPicture(bytes)
        const [left, right] = await colours(picture.bytes, [
          [0.25, 0.5],
          [0.75, 0.5],
        ])
        expect(left?.[3]).toBeLessThan(5)
        expect(right).toEqual(near([0, 0, 255, 255]))
      }
    })

    test.each(['gif', 'webp'] as const)('that moves (%s) is its first frame', async (format) => {
      const frames = await Promise.all(
        [green, red, blue].map((colour) =>
          sharp(plain(100, 100, colour))
            .png()
            .toBuffer(),
        ),
      )
      const moving = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(moving).metadata()).pages).toBe(3)
      const { bytes } = await readPicture(moving)
      expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1)
      expect(
        await colours(bytes, [
          [0.5, 0.1],
          [0.5, 0.9],
        ]),
      ).toEqual([greenNear, greenNear])
    })
  })

  /** The pixels that a camera stores for an upright picture, turned as the tag will say. */
  async function turnedFor(orientation: number, upright: Buffer): Promise<Buffer> {
    const isMirrored = [2, 4, 5, 7].includes(orientation)
    const angle = { 3: 180, 4: 180, 5: 270, 6: 270, 7: 90, 8: 90 }[orientation] ?? 0
    const flopped = isMirrored ? await sharp(upright).flop().png().toBuffer() : upright
    return await sharp(flopped).rotate(angle).png().toBuffer()
  }

  describe('the stored picture', () => {
    test('has no data about camera, place and author', async () => {
      const secret = 'Ada Lovelace, 12 St James’s Square'
      const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${secret}"/></rdf:RDF></x:xmpmeta>`
      const tagged = stripes()
        .withExif({
          IFD0: { Artist: secret, Make: 'Camera of Ada' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
        })
        .withXmp(xmp)
        .withIccProfile('p3')
      for (const format of ['jpeg', 'png', 'webp'] as const) {
        const input = await tagged.clone().toFormat(format).toBuffer()
        const before = await sharp(input).metadata()
        expect([before.exif, before.xmp, before.icc]).not.toContain(undefined)
        const { bytes } = await readPicture(input)
        const after = await sharp(bytes).metadata()
        expect([after.exif, after.xmp, after.icc, after.iptc]).toEqual(Array(4).fill(undefined))
        expect(Buffer.from(bytes).includes('Ada')).toBe(false)
      }
    })

    test('is the same for the same bytes, so that its CID is too', async () => {
      const input = await stripes().jpeg().toBuffer()
      const all = await Promise.all([1, 2, 3, 4].map(() => readPicture(input)))
      expect(new Set(all.map(({ cid }) => cid)).size).toBe(1)
      expect((await readPicture(await stripes(201).jpeg().toBuffer())).cid).not.toBe(all[0]?.cid)
    })

    test.each([
      ['colours', 3],
      ['colours and opacity', 4],
    ] as const)('fits into one block even if %s are noise', async (_what, channels) => {
      const raw = { width: 512, height: 512, channels }
      const input = await sharp(noise(512 * 512 * channels), { raw })
        .png()
        .toBuffer()
      expect(input.length).toBeGreaterThan(maxBytes * 2)
      const { bytes } = await readPicture(input)
      expect(bytes.length).toBeLessThanOrEqual(maxBytes)
      // It is made no worse than it must be.
      expect(bytes.length).toBeGreaterThan(maxBytes / 2)
    })
  })
})

describe('CIDs', () => {
  const file = 'bafkreidvbhs33ighmljlvr7zbv2ywwzcmp5adtf4kqvlly67cy56bdtmve'
  const folder = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'
  const oldFolder = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG'

  function otherCodec(codec: number): string {
    return CID.createV1(codec, CID.parse(file).multihash).toString()
  }

  describe('the CID of bytes', () => {
    // What IPFS nodes and pinning services print in their documentation.
    test.each([
      ['nothing', Buffer.from(''), 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
      ['hello world!', Buffer.from('hello world!'), file],
      [
        'three bytes',
        Buffer.from([0, 1, 2]),
        parseCid('zb2rhiNedvrkpYhcrgtpmhKk5UPzcgizgSXaQLYXNY745BmYP'),
      ],
    ])('%s is the one that others give', async (_name, bytes, cid) => {
      expect(await rawCid(bytes)).toBe(cid)
    })

    test('is what an IPFS node computes, up to one block, and parses to itself', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), async (bytes) => {
          const cid = await rawCid(bytes)
          expect(cid).toBe(rawBlockCid(bytes))
          expect(parseCid(cid)).toBe(cid)
        }),
      )
    })
  })

  describe('an existing picture', () => {
    test.each([
      [file, file],
      [`  ${file}\n`, file],
      [`ipfs://${file}`, file],
      [`ipfs://${file}/`, file],
      [`ipfs://ipfs/${file}`, file],
      [`Ipfs://${file}`, file],
      [`${folder}/1.png`, `${folder}/1.png`],
      [`/ipfs/${file}`, file],
      [`https://ipfs.io/ipfs/${file}`, file],
      [`https://gateway.example:8443/ipfs/${file}?filename=cat.png#top`, file],
      [`http://127.0.0.1:8080/ipfs/${file}/`, file],
      [`https://${file}.ipfs.dweb.link`, file],
      [`https://${file}.ipfs.dweb.link/?filename=cat.png`, file],
      [`HTTPS://${file.toUpperCase()}.ipfs.dweb.link/`, file],
      [oldFolder, oldFolder],
      [`ipfs://${oldFolder}`, oldFolder],
      [`https://ipfs.io/ipfs/${oldFolder}/images/1.png`, `${oldFolder}/images/1.png`],
      [`ipfs://${folder}/my%20cat_1-2.~x.png`, `${folder}/my%20cat_1-2.~x.png`],
      [`https://ipfs.io/ipfs/${folder}/my cat.png`, `${folder}/my%20cat.png`],
      [`https://${folder}.ipfs.dweb.link/1.png`, `${folder}/1.png`],
      ['k2jmtxw8rjh1z69c6not3wtdxb0u3urbzhyll1t9jg6ox26dhi5sfi1m', folder],
      [base58btc.encode(CID.parse(file).bytes), file],
    ])('%s is read as %s', (text, cid) => {
      expect(parseCid(text)).toBe(cid)
    })

    test.each([
      ['nothing', ''],
      ['words', 'my cat'],
      ['a web address', 'https://example.com/cat.png'],
      ['a CID elsewhere in an address', `https://example.com/x/ipfs/${file}`],
      ['a CID in a query', `https://example.com/?/ipfs/${file}`],
      ['a CID as a host that is no gateway’s', `https://${file}.example.com/`],
      ['a CID as a name and password', `https://${file}.ipfs@example.com/`],
      ['another scheme', `ftp://ipfs.io/ipfs/${file}`],
      ['a script', `javascript:alert('/ipfs/${file}')`],
      ['a name that changes', `ipns://${file}`],
      ['a name that changes, at a gateway', `https://ipfs.io/ipns/${file}`],
      ['a CID with a letter less', file.slice(0, -1)],
      ['a CID with a letter more', `${file}a`],
      ['a CID with another last letter', `${oldFolder.slice(0, -1)}0`],
      ['two CIDs', `${file} ${file}`],
      ['a path into a file', `ipfs://${file}/1.png`],
      ['a path up', `ipfs://${folder}/../x`],
      ['a path of dots', `ipfs://${folder}/a/./b`],
      ['an empty step', `ipfs://${folder}/a//b`],
      ['a path with markup', `ipfs://${folder}/<b>`],
      ['a path with quotes', `ipfs://${folder}/a"b`],
      ['a path with a line break', `ipfs://${folder}/a\nb`],
      ['a path with a hidden step', `ipfs://${folder}/a%2F..%2Fb`],
      ['a query behind ipfs://', `ipfs://${folder}?x`],
      ['the key of a name', 'bafzaajaiaejcbzdibmxyzdjbbehgbmpgnlvncbz2dx5jkwsxvxfuzf3sgb4bqcqm'],
      ['the older key of a name', otherCodec(0x72)],
      ['data that is no file', otherCodec(0x71)],
      ['bytes that are their own digest', 'bafkqaddimvwgy3zao5xxe3debi'],
      ['a text far too long', `ipfs://${folder}/${'a'.repeat(1_000)}`],
    ])('%s is refused', (_what, text) => {
      expect(parseCid(text)).toBeUndefined()
    })

    test('any text is read as a CID of harmless characters, or as none', () => {
      const within = fc.constantFrom('', 'ipfs://', '/ipfs/', 'https://ipfs.io/ipfs/', 'https://')
      const cid = fc.constantFrom('', file, folder, oldFolder, `${folder}/`, `${file}.ipfs.`)
      fc.assert(
        fc.property(within, cid, hostileText, (start, middle, end) => {
          const found = parseCid(`${start}${middle}${end}`)
          if (found === undefined) return
          expect(found).toMatch(/^(?:baf[a-z2-7]+|Qm[A-Za-z0-9]{44})(?:\/(?:[\w.~-]|%20)+)*$/u)
          expect(parseCid(found)).toBe(found)
        }),
        { numRuns: 2_000 },
      )
    })

    test('every spelling of a CID is read as the same text', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), async (bytes) => {
          const cid = await rawCid(bytes)
          const parsed = CID.parse(cid)
          for (const spelling of [parsed.toString(base58btc), parsed.toString(base36)]) {
            expect(parseCid(spelling)).toBe(cid)
            expect(parseCid(`https://ipfs.io/ipfs/${spelling}`)).toBe(cid)
          }
          expect(parseCid(`https://${parsed.toString(base36)}.ipfs.dweb.link`)).toBe(cid)
        }),
      )
    })
  })
})
