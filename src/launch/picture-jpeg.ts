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
