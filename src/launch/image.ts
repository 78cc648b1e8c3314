import { CID } from 'multiformats/cid'
import * as raw from 'multiformats/codecs/raw'
import { sha256 } from 'multiformats/hashes/sha2'
import sharp, { type Sharp, type SharpOptions } from 'sharp'
import {
  begins,
  hasTooManyScans,
  headOf,
  type PictureKind,
  pictureKind,
  type Signature,
} from '../core/picture-kind.ts'
import { Slots, TooManyWaitError } from '../core/slots.ts'
import { type Message, t } from '../core/view.ts'
import { UserError } from '../errors.ts'

/** The formats in which pictures are published. */
const pictureTypes = ['image/webp', 'image/png', 'image/jpeg'] as const
type PictureType = (typeof pictureTypes)[number]

/** A picture as it is published: 512 × 512, one IPFS block. */
export interface Picture {
  /** The CID of the bytes: version 1, raw, sha2-256, base32. */
  cid: string
  type: PictureType
  bytes: Uint8Array
}

/** Whether pictures are published in this format. */
export function isPictureType(type: string | undefined): type is PictureType {
  return pictureTypes.some((each) => each === type)
}

/** The formats that a service takes: WebP is smallest, and some take only PNG and JPEG. */
export type PictureFormat = 'webp' | 'png or jpeg'

/** The file name of a picture. */
export function pictureName({ type }: Pick<Picture, 'type'>): string {
  return `picture.${type === 'image/jpeg' ? 'jpg' : type.replace('image/', '')}`
}

/** Max bytes of an input file. */
export const maxInputBytes = 10 * 2 ** 20
/** Max bytes of a published picture: one block everywhere, so every pinning service computes the same CID. */
const maxBytes = 256 * 1024
const side = 512
const smallestSide = 64
/**
 * Max pixels by format. Phone cameras take up to 50 megapixels; formats other than JPEG are decoded into memory as a
 * whole.
 */
const maxPixels: Record<PictureKind, number> = {
  jpeg: 50_000_000,
  png: 25_000_000,
  webp: 25_000_000,
  gif: 25_000_000,
}
const qualities = [90, 75, 60, 45, 30, 15, 1]
const secondsToRead = 10

// sharp shares libuv's threads with file reads and DNS lookups, so two stay free for those. The queue is bounded
// because each waiting entry holds its file.
const slots = new Slots(2, 20)
// libvips caches inputs to decode them again, which doesn't happen here.
sharp.cache(false)
sharp.concurrency(1)

/**
 * Crops a PNG, JPEG, WebP or GIF (first frame) to its centre and re-encodes it as 512 × 512 without metadata: as a WebP, or for
 * who takes none as a JPEG, or a PNG if it is transparent and that fits. The same input always gives the same picture.
 * @throws UserError that says what to send instead
 * @example
 * const { cid, bytes } = await readPicture(await file.read(maxInputBytes))
 */
export async function readPicture(
  bytes: Uint8Array,
  format: PictureFormat = 'webp',
): Promise<Picture> {
  rejectLargeFile(bytes.length)
  const kind = acceptedKind(bytes)
  try {
    return await slots.run(() => encode(bytes, kind, format))
  } catch (error) {
    if (!(error instanceof TooManyWaitError)) throw error
    throw new UserError(t('launch-image-busy'))
  }
}

/**
 * Rejects a file by its size, also before it is downloaded.
 * @throws UserError if it is over the limit
 */
export function rejectLargeFile(bytes: number): void {
  if (bytes > maxInputBytes) {
    throw new UserError(t('launch-image-large'))
  }
}

async function encode(
  bytes: Uint8Array,
  kind: PictureKind,
  format: PictureFormat,
): Promise<Picture> {
  const square = await crop(bytes, kind)
  for await (const { type, encoded } of encodings(square, format)) {
    if (encoded.length > maxBytes) continue
    return { cid: await rawCid(encoded), type, bytes: new Uint8Array(encoded) }
  }
  throw new UserError(t('launch-image-detailed'))
}

/** Encodes a picture again and again, each time smaller. */
async function* encodings(
  square: Sharp,
  format: PictureFormat,
): AsyncGenerator<{ type: PictureType; encoded: Buffer }> {
  const isOpaque = format === 'webp' || (await square.clone().stats()).isOpaque
  if (!isOpaque) yield { type: 'image/png', encoded: await square.clone().png().toBuffer() }
  for (const quality of qualities) {
    yield format === 'webp'
      ? { type: 'image/webp', encoded: await toWebp(square, quality) }
      : { type: 'image/jpeg', encoded: await toJpeg(square, quality) }
  }
}

function toWebp(square: Sharp, quality: number): Promise<Buffer> {
  return square.clone().webp({ quality, alphaQuality: quality, smartSubsample: true }).toBuffer()
}

function toJpeg(square: Sharp, quality: number): Promise<Buffer> {
  return square.clone().flatten({ background: '#ffffff' }).jpeg({ quality }).toBuffer()
}

/** Decodes the square's pixels once, so that trying a second quality needn't decode the file again. */
async function crop(bytes: Uint8Array, kind: PictureKind): Promise<Sharp> {
  const options: SharpOptions = {
    limitInputPixels: maxPixels[kind],
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  }
  try {
    await checkSize(bytes, kind, options)
    if (kind === 'jpeg' && hasTooManyScans(bytes)) {
      throw new UserError(t('launch-image-scans'))
    }
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
    throw new UserError(t('launch-image-damaged'), { cause: error })
  }
}

/** Reads the header only, so that oversized pictures are rejected before they are decoded. */
async function checkSize(bytes: Uint8Array, kind: PictureKind, options: SharpOptions) {
  const { format, width, height } = await sharp(bytes, {
    ...options,
    limitInputPixels: false,
  }).metadata()
  if (format !== kind) throw new Error(`taken for ${format} instead of ${kind}`)
  const size = `${width} × ${height}`
  if (width * height > maxPixels[kind]) {
    throw new UserError(t('launch-image-pixels', { size, most: '2000 × 2000' }))
  }
  if (Math.min(width, height) < smallestSide) {
    const least = `${smallestSide} × ${smallestSide}`
    throw new UserError(t('launch-image-small', { size, least, best: `${side} × ${side}` }))
  }
}

/** Formats that are recognised but not accepted, and what to do instead; the first match wins. */
const rejectedFormats: readonly [signs: readonly Signature[], reason: Message][] = [
  [[/^$/u], t('launch-image-empty')],
  [[/^\s*<.*?\bsvg\b/isu], t('launch-image-svg')],
  [[/^\s*</u], t('launch-image-page')],
  [['%PDF'], t('launch-image-pdf')],
  [[/^.{4}ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/su], t('launch-image-heic')],
  [[/^.{4}ftyp/su, /^RIFF.{4}AVI /su, '\x1aE\xdf\xa3'], t('launch-image-video')],
  [['PK\x03\x04', '\x1f\x8b', 'Rar!', '7z\xbc\xaf', '\xfd7zXZ', 'BZh'], t('launch-image-archive')],
  [
    ['BM', 'II*\0', 'MM\0*', '8BPS', '\0\0\x01\0', '\0\0\0\fJXL', '\xff\n'],
    t('launch-image-format'),
  ],
]

/**
 * Detects the picture's format from its bytes; the file's name doesn't count.
 * @throws UserError that says what to send instead
 */
function acceptedKind(bytes: Uint8Array): PictureKind {
  const kind = pictureKind(bytes)
  if (kind !== undefined) return kind
  const text = headOf(bytes).replace(/^\xef\xbb\xbf/u, '')
  const reason = rejectedFormats.find(([signs]) => signs.some((sign) => begins(text, sign)))?.[1]
  throw new UserError(reason ?? t('launch-image-unknown'))
}

const dagPb = 0x70
const identity = 0x00
/** Longer than any picture link that a person would paste. */
const maxCharacters = 1_000

const plain = /^(?:ipfs:\/\/(?:ipfs\/)?|\/ipfs\/)?(?<cid>[A-Za-z0-9]+)(?<path>\/.*)?$/isu
const gatewayPath = /^\/ipfs\/(?<cid>[A-Za-z0-9]+)(?<path>\/.*)?$/su
const gatewayHost = /^(?<cid>[a-z0-9]+)\.ipfs\.[a-z0-9-]/u
// Characters of file names that are safe in URLs, shells and chats; a space only as `%20`.
const safePath = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[\w.~-]|%20)+)+$/u

/** Computes the CID of one block (256 KiB max): version 1, raw, sha2-256, base32. */
export async function rawCid(bytes: Uint8Array): Promise<string> {
  return CID.createV1(raw.code, await sha256.digest(bytes)).toString()
}

/**
 * Normalizes a CID, an `ipfs://` address or a gateway link to a version 1 base32 CID, with the path if it names a file
 * in a folder. Fetches nothing.
 * @returns undefined for anything else
 * @example
 * parseCid('https://ipfs.io/ipfs/bafybei…/otter.png') // 'bafybei…/otter.png'
 */
export function parseCid(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxCharacters) return undefined
  const found = plain.exec(trimmed)?.groups ?? inGatewayLink(trimmed)
  const cid = readCid(found?.cid ?? '')
  const path = (found?.path ?? '').replace(/\/+$/u, '')
  if (cid === undefined || path === '') return cid?.toString()
  // A raw block is a file and has no paths.
  return cid.code === dagPb && safePath.test(path) ? `${cid}${path}` : undefined
}

/**
 * Returns a CID as it is spelled: an API finds files by its own spelling. Any other way to name the file is normalized, as a link leads
 * to a server, which may serve everybody another file.
 */
export function spelledCid(text: string): string | undefined {
  const bare = /^(?:ipfs:\/\/)?(?<cid>[A-Za-z0-9]+)$/u.exec(text.trim())?.groups?.cid
  const parsed = parseCid(text)
  return parsed === undefined ? undefined : (bare ?? parsed)
}

function inGatewayLink(text: string): Record<string, string | undefined> | undefined {
  if (!/^https?:\/\//iu.test(text) || !URL.canParse(text)) return undefined
  const { hostname, pathname } = new URL(text)
  const inHost = gatewayHost.exec(hostname)?.groups?.cid
  return inHost === undefined ? gatewayPath.exec(pathname)?.groups : { cid: inHost, path: pathname }
}

/** Reads a CID that can name a file, so not names' keys, other codecs or identity hashes. */
function readCid(text: string): CID | undefined {
  try {
    const cid = CID.parse(text)
    const { code, digest } = cid.multihash
    const isFile = cid.code === raw.code || cid.code === dagPb
    const isDigest = code !== identity && digest.length >= 20 && digest.length <= 64
    return isFile && isDigest ? cid : undefined
  } catch {
    return undefined
  }
}
