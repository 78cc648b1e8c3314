/** The formats that pictures may have. */
export type PictureKind = 'png' | 'jpeg' | 'webp' | 'gif'

/** The first bytes of a format, one character per byte. */
export type Signature = string | RegExp

const kinds: readonly [kind: PictureKind, sign: Signature][] = [
  ['png', '\x89PNG\r\n\x1a\n'],
  ['jpeg', '\xff\xd8\xff'],
  ['webp', /^RIFF.{4}WEBP/su],
  ['gif', /^GIF8[79]a/u],
]

/** Detects a picture's format from its first bytes; undefined for any other. */
export function pictureKind(bytes: Uint8Array): PictureKind | undefined {
  const head = headOf(bytes)
  return kinds.find(([, sign]) => begins(head, sign))?.[0]
}

/** The first bytes of a file, one character per byte. */
export function headOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
}

export function begins(text: string, sign: Signature): boolean {
  return typeof sign === 'string' ? text.startsWith(sign) : sign.test(text)
}

/** Max scans of a progressive JPEG, as libvips has it; about ten are typical. */
const maxScans = 100
/** Max pixels times scans of a JPEG: twelve scans of the largest picture, which take half a second. */
const maxScannedPixels = 600_000_000
const startOfImage = 0xd8
const startOfScan = 0xda
const endOfImage = 0xd9

/**
 * Whether a JPEG takes a decoder too long. Each scan covers the whole picture however few bytes it has, so a hundred
 * kilobytes with many scans can block a decoder for seconds; sharp has no limit for it.
 */
export function hasTooManyScans(bytes: Uint8Array): boolean {
  let scans = 0
  let pixels = 0
  for (let at = nextMarker(bytes, 0); at < bytes.length; ) {
    const kind = bytes[at + 1] ?? 0
    if (kind === endOfImage) break
    if (kind === startOfScan) scans += 1
    if (isStartOfFrame(kind)) {
      pixels = Math.max(pixels, uint16(bytes, at + 5) * uint16(bytes, at + 7))
    }
    at = nextMarker(bytes, at + 2 + (kind === startOfImage ? 0 : uint16(bytes, at + 2)))
  }
  return scans > maxScans || scans * pixels > maxScannedPixels
}

/** The frame's header has the height and width; three kinds between hold tables. */
function isStartOfFrame(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
}

/** Reads two bytes as a number: a side of the picture, or a segment's length, which includes these two bytes. */
function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
}

/** Returns the index of the next marker, or of the end. A plain loop, since it may cross ten million bytes. */
function nextMarker(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] === 0xff && isMarker(bytes[at + 1] ?? 0)) return at
  }
  return bytes.length
}

/** In scan data, 0xff followed by 0 or a restart marker is no segment; extra 0xff are padding before a marker. */
function isMarker(kind: number): boolean {
  const restarts = kind >= 0xd0 && kind <= 0xd7
  return kind > 1 && kind !== 0xff && !restarts
}
