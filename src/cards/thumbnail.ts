import sharp from 'sharp'
import { jpegScans } from '../launch/picture-jpeg.ts'
import { pictureKind } from '../launch/picture-kind.ts'

/** A little more than what is drawn, for rounding. */
const side = 160
const mostPixels = 25_000_000
/** Progressive pictures are built up in ten or so. */
const mostScans = 100
const seconds = 3

/**
 * The middle of a stranger's PNG, JPEG, WebP or GIF (its first frame) as a small square, in a data URL.
 * @throws where it is none of these, too large to unpack, or damaged
 */
export async function thumbnail(bytes: Uint8Array): Promise<string> {
  const kind = pictureKind(bytes)
  if (kind === 'jpeg' && jpegScans(bytes) > mostScans)
    throw new Error('a JPEG of far too many steps')
  const options = {
    limitInputPixels: mostPixels,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  } as const
  const square = await sharp(bytes, options)
    .timeout({ seconds })
    .autoOrient()
    .resize(side, side, { fit: 'cover', position: 'centre' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return `data:image/jpeg;base64,${square.toString('base64')}`
}
