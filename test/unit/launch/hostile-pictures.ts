import { crc32, deflateSync } from 'node:zlib'

interface PngOptions {
  /** Bits of a sample, and PNG's own number for what a pixel is made of. */
  depth?: number
  colour?: 0 | 2 | 6
  /** Chunks before the pixels. */
  extra?: readonly Buffer[]
  /** In place of black pixels, before they are packed. */
  pixels?: Buffer
}

/** A PNG, black unless told otherwise: zeros pack a thousandfold. */
export function png(width: number, height: number, options: PngOptions = {}): Buffer {
  const { depth = 8, colour = 0, extra = [] } = options
  const samples = { 0: 1, 2: 3, 6: 4 }[colour]
  const rowBytes = 1 + Math.ceil((width * samples * depth) / 8)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, colour], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(options.pixels ?? Buffer.alloc(rowBytes * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A text of a PNG that unpacks to `bytes` of zeros. */
export function packedText(bytes: number): Buffer {
  const name = Buffer.from('Comment\0\0', 'latin1')
  return pngChunk('zTXt', Buffer.concat([name, deflateSync(Buffer.alloc(bytes))]))
}

/** A GIF of as many frames, each of one pixel unless told otherwise, on a canvas of this size. */
export function gif(width: number, height: number, frames = 1, frameSide = 1): Buffer {
  const header = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  header.writeUInt16LE(width, 6)
  header.writeUInt16LE(height, 8)
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x4c, 1, 0])
  frame.writeUInt16LE(frameSide, 5)
  frame.writeUInt16LE(frameSide, 7)
  return Buffer.concat([header, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

/** A lossless WebP that claims to be 16383 × 16383, the most there is. */
export function vastWebp(): Buffer {
  const bytes = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
  const flags = bytes.readUInt32LE(21) & 0xf0000000
  bytes.writeUInt32LE((flags | 0x3ffe | (0x3ffe << 14)) >>> 0, 21)
  return bytes
}

/**
 * A grey progressive JPEG of nothing, built up in `scans` passes over one coefficient after the other: each pass takes
 * a handful of bytes, and makes a decoder walk over the whole picture.
 */
export function manyScans(width: number, height: number, scans: number): Buffer {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0])
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  const nothing = emptyScan(blocks)
  const passes = Array.from({ length: scans - 1 }, (_, index) => {
    const low = 13 - (index % 14)
    const coefficient = 1 + Math.floor(index / 14)
    const bits = low === 13 ? low : ((low + 1) << 4) | low
    return [segment(0xda, [1, 1, 0, coefficient, coefficient, bits]), nothing]
  })
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc2, frame),
    // Codes for "no difference", and for "the next 2^n and more blocks are empty", for n from 14 down to 0.
    segment(0xc4, [0, 1, ...Array(15).fill(0), 0]),
    segment(0xc4, [0x10, ...Array(15).fill(1), 0, ...runs.map((n) => n << 4)]),
    segment(0xda, [1, 1, 0, 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 8)),
    ...passes.flat(),
    Buffer.from([0xff, 0xd9]),
  ])
}

const runs = Array.from({ length: 15 }, (_, index) => 14 - index)

/** The data of a pass that leaves all blocks as they are. */
function emptyScan(blocks: number): Buffer {
  let bits = ''
  for (let left = blocks; left > 0; ) {
    const n = Math.min(14, Math.floor(Math.log2(left)))
    const run = Math.min(left, 2 ** (n + 1) - 1)
    const more = n === 0 ? '' : (run - 2 ** n).toString(2).padStart(n, '0')
    bits += `${'1'.repeat(14 - n)}0${more}`
    left -= run
  }
  const bytes = bits.match(/.{1,8}/gu)?.map((byte) => Number.parseInt(byte.padEnd(8, '1'), 2)) ?? []
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte])))
}

function segment(kind: number, data: Iterable<number>): Buffer {
  const bytes = Buffer.from([0xff, kind, 0, 0, ...data])
  bytes.writeUInt16BE(bytes.length - 2, 2)
  return bytes
}
