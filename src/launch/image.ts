import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { UserError } from '../errors.ts'
import { rawCid } from './cid.ts'

/** A picture as it is published: 512 × 512, one block of IPFS. */
export interface Picture {
  /** Of just these bytes: version 1, raw, sha2-256, base32. */
  cid: string
  type: 'image/webp'
  bytes: Uint8Array
}

/** Largest file that is read. */
export const maxInputBytes = 10 * 2 ** 20
/** Largest picture that is one block everywhere, so that every pinning service gives it the same CID. */
const maxBytes = 256 * 1024
const side = 512
const smallestSide = 64
/** Cameras of phones take up to 50 megapixels; what is no JPEG is held in memory whole while it is read. */
const maxPixels: Record<PictureKind, number> = {
  jpeg: 50_000_000,
  png: 25_000_000,
  webp: 25_000_000,
  gif: 25_000_000,
}
/** Progressive pictures are built up in ten or so. */
const maxScans = 100
const qualities = [90, 75, 60, 45, 30, 15, 1]
const secondsToRead = 10

// sharp works in the threads that also read files and look up names: two are left to them. The wait is bounded since
// each that waits holds its file.
const queue = bulkhead(2, 20)
// libvips keeps what it has read for when it is read again, which a stranger's picture is not.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Re-encodes the middle of a PNG, JPEG, WebP or GIF (its first frame) as a 512 × 512 WebP without metadata; the same
 * bytes always give the same picture.
 * @throws UserError that says what to send instead
 */
export async function readPicture(bytes: Uint8Array): Promise<Picture> {
  if (bytes.length > maxInputBytes) {
    throw new UserError('This file is over 10 MB. Send a smaller picture.')
  }
  const kind = pictureKind(bytes)
  if (kind === 'jpeg' && jpegScans(bytes) > maxScans) {
    throw new UserError(
      'This JPEG is built up in far too many steps. Save it again as PNG or JPEG and send that.',
    )
  }
  try {
    return await queue.execute(() => encode(bytes, kind))
  } catch (error) {
    if (!(error instanceof BulkheadRejectedError)) throw error
    throw new UserError('Many pictures are being read right now. Send yours again in a minute.')
  }
}

async function encode(bytes: Uint8Array, kind: PictureKind): Promise<Picture> {
  const square = await crop(bytes, kind)
  for (const quality of qualities) {
    const encoded = await square
      .clone()
      .webp({ quality, alphaQuality: quality, smartSubsample: true })
      .toBuffer()
    if (encoded.length > maxBytes) continue
    return { cid: await rawCid(encoded), type: 'image/webp', bytes: new Uint8Array(encoded) }
  }
  throw new UserError('This picture can’t be made small enough. Send one with less detail.')
}

/** The pixels of the square, so that a second quality need not read the file again. */
async function crop(bytes: Uint8Array, kind: PictureKind): Promise<Sharp> {
  const options: SharpOptions = {
    limitInputPixels: maxPixels[kind],
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  }
  try {
    await checkSize(bytes, kind, options)
    const { data, info } = await sharp(bytes, options)
      .timeout({ seconds: secondsToRead })
      .autoOrient()
      .resize(side, side, { fit: 'cover', position: 'centre' })
      .raw()
      .toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    return sharp(data, { raw: { width, height, channels } })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(
      'This picture can’t be read: it is damaged or not complete. Save it again as PNG or JPEG and send that.',
      { cause: error },
    )
  }
}

/** Reads no more than the header: what is too large must not be unpacked to find that out. */
async function checkSize(bytes: Uint8Array, kind: PictureKind, options: SharpOptions) {
  const { format, width, height } = await sharp(bytes, {
    ...options,
    limitInputPixels: false,
  }).metadata()
  if (format !== kind) throw new Error(`taken for ${format} instead of ${kind}`)
  const size = `${width} × ${height} pixels`
  if (width * height > maxPixels[kind]) {
    throw new UserError(
      `This picture has ${size}, which is too many. Make it smaller, 2000 × 2000 at most, and send that.`,
    )
  }
  if (Math.min(width, height) < smallestSide) {
    throw new UserError(
      `This picture has only ${size}. Send one of at least ${smallestSide} × ${smallestSide}; ${side} × ${side} is best.`,
    )
  }
}

const startOfImage = 0xd8
const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * In how many passes a JPEG builds its picture up. Each walks over all of it however few bytes it has, so that a small
 * file can keep a decoder busy for minutes.
 */
export function jpegScans(bytes: Uint8Array): number {
  let scans = 0
  for (let at = nextMarker(bytes, 0); at < bytes.length; ) {
    const kind = bytes[at + 1]
    if (kind === endOfImage) break
    if (kind === startOfScan) scans += 1
    at = nextMarker(bytes, at + 2 + (kind === startOfImage ? 0 : segmentBytes(bytes, at + 2)))
  }
  return scans
}

/** A segment begins with its own length, of two bytes. */
function segmentBytes(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

/** Where the next marker is, or the end. A plain loop, as it may have to pass ten million bytes. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === 0xff && isMark(bytes[at + 1] ?? 0)) return at
  }
  return bytes.length
}

/** In a scan's data 0xff is followed by 0 or by a restart mark; before a marker there may be more of it as filler. */
function isMark(kind: number): boolean {
  const restarts = kind >= 0xd0 && kind <= 0xd7
  return kind > 1 && kind !== 0xff && !restarts
}

type PictureKind = 'png' | 'jpeg' | 'webp' | 'gif'

/** How a file of a kind begins, a character a byte. */
type Sign = string | RegExp

const kinds: readonly [kind: PictureKind, sign: Sign][] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', '\xff\xd8\xff'],
  ['webp', /^RIFF.{4}WEBP/su],
  ['gif', /^GIF8[79]a/u],
]

const instead = 'Send a PNG, JPEG, WebP or GIF picture.'

/** The first that fits says what the file is, and what to do instead. */
const others: readonly [signs: readonly Sign[], words: string][] = [
  [[/^$/u], `This file is empty. ${instead}`],
  [
    [/^\s*<.*?\bsvg\b/isu],
    'SVG drawings can’t be taken, as they can hold code. Save it as a PNG picture and send that.',
  ],
  [[/^\s*</u], `This is a web page or a text with markup, not a picture. ${instead}`],
  [['%PDF'], 'This is a PDF. Save the page as a PNG or JPEG picture and send that.'],
  [
    [/^.{4}ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/su],
    'HEIC and AVIF files can’t be taken. Save it as a JPEG, or send it as a photo rather than as a file.',
  ],
  [
    [/^.{4}ftyp/su, /^RIFF.{4}AVI /su, '\x1aE\xdf\xa3'],
    `This is a video or a moving picture. ${instead}`,
  ],
  [
    ['PK\x03\x04', '\x1f\x8b', 'Rar!', '7z\xbc\xaf', '\xfd7zXZ', 'BZh'],
    `This is an archive. Unpack it and send the picture in it. ${instead}`,
  ],
  [
    ['BM', 'II*\0', 'MM\0*', '8BPS', '\0\0\x01\0', '\0\0\0\fJXL', '\xff\n'],
    'Pictures of this format can’t be taken. Save it as a PNG or JPEG and send that.',
  ],
]

/**
 * What kind of picture the bytes are, whatever the file's name says.
 * @throws UserError that says what to send instead
 */
export function pictureKind(bytes: Uint8Array): PictureKind {
  const head = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const kind = kinds.find(([, sign]) => begins(head, sign))?.[0]
  if (kind !== undefined) return kind
  const text = head.replace(/^\xef\xbb\xbf/u, '')
  const words = others.find(([signs]) => signs.some((sign) => begins(text, sign)))?.[1]
  throw new UserError(words ?? `This file is no picture that can be read. ${instead}`)
}

function begins(text: string, sign: Sign): boolean {
  return typeof sign === 'string' ? text.startsWith(sign) : sign.test(text)
}
