import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { UserError } from '../errors.ts'
import { rawCid } from './cid.ts'
import { jpegScans } from './picture-jpeg.ts'
import { type PictureKind, pictureKind } from './picture-kind.ts'

/** A picture as it is published: 512 × 512, one block of IPFS. */
export interface Picture {
  /** Of just these bytes: version 1, raw, sha2-256, base32. */
  cid: string
  type: 'image/webp'
  bytes: Uint8Array
}

/** Largest file that is read. */
export const mostInputBytes = 10 * 2 ** 20
/** Largest picture that is one block everywhere, so that every pinning service gives it the same CID. */
const mostBytes = 256 * 1024
const side = 512
const smallestSide = 64
/** Cameras of phones take up to 50 megapixels; what is no JPEG is held in memory whole while it is read. */
const mostPixels: Record<PictureKind, number> = {
  jpeg: 50_000_000,
  png: 25_000_000,
  webp: 25_000_000,
  gif: 25_000_000,
}
/** Progressive pictures are built up in ten or so. */
const mostScans = 100
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
  if (bytes.length > mostInputBytes) {
    throw new UserError('This file is over 10 MB. Send a smaller picture.')
  }
  const kind = pictureKind(bytes)
  if (kind === 'jpeg' && jpegScans(bytes) > mostScans) {
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
    if (encoded.length > mostBytes) continue
    return { cid: await rawCid(encoded), type: 'image/webp', bytes: new Uint8Array(encoded) }
  }
  throw new UserError('This picture can’t be made small enough. Send one with less detail.')
}

/** The pixels of the square, so that a second quality need not read the file again. */
async function crop(bytes: Uint8Array, kind: PictureKind): Promise<Sharp> {
  const options: SharpOptions = {
    limitInputPixels: mostPixels[kind],
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
  if (width * height > mostPixels[kind]) {
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
