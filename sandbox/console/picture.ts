import { createHash } from 'node:crypto'
import sharp from 'sharp'

/** Finds a published picture by its CID. */
export type KnownPictures = (cid: string) => { type: string; bytes: Uint8Array } | undefined

interface Shown {
  type: string
  content: string | Uint8Array<ArrayBuffer>
}

const shownTypes = new Set(['image/webp', 'image/png', 'image/jpeg', 'image/gif'])

/** The picture that was published under an address, or else one that stands for it. */
export function pictureAt(address: string, known?: KnownPictures): Shown {
  const cid = /\/ipfs\/(\w+)$/u.exec(address)?.[1]
  const found = cid === undefined ? undefined : known?.(cid)
  if (found && shownTypes.has(found.type)) {
    return { type: found.type, content: new Uint8Array(found.bytes) }
  }
  return { type: 'image/svg+xml', content: pictureFor(address) }
}

/** A picture to try the bot with, for those who have none at hand. */
export async function samplePicture(): Promise<Uint8Array<ArrayBuffer>> {
  const drawn = Buffer.from(pictureFor('sample'))
  return new Uint8Array(await sharp(drawn).resize(800, 600).png().toBuffer())
}

/**
 * An abstract picture, as SVG, that stands for an address of a picture. The world's tokens name
 * pictures on a host that does not exist, and the sandbox should not reach beyond this machine.
 */
function pictureFor(address: string): string {
  const bytes = createHash('sha256').update(address).digest()
  const at = (index: number) => bytes[index % bytes.length] ?? 0
  const hue = (at(0) * 360) / 256
  const colour = (context: number, light: number) =>
    `hsl(${Math.round(hue + context)} 70% ${light}%)`
  const circles = Array.from({ length: 4 }, (_, index) => {
    const [x, y, radius] = [at(3 * index + 1), at(3 * index + 2), 40 + at(3 * index + 3) / 3]
    return `<circle cx="${x * 2}" cy="${y * 2}" r="${Math.round(radius)}" fill="${colour(40 * index + 30, 60 + 6 * index)}" fill-opacity=".75"/>`
  })
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" width="512" height="512" preserveAspectRatio="xMidYMid slice">',
    `<defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="${colour(0, 62)}"/><stop offset="1" stop-color="${colour(70, 42)}"/></linearGradient></defs>`,
    '<rect width="512" height="512" fill="url(#g)"/>',
    ...circles,
    '</svg>',
  ].join('')
}
