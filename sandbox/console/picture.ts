import { createHash } from 'node:crypto'

/**
 * An abstract picture, as SVG, that stands for an address of a picture. The world's tokens name
 * pictures on a host that does not exist, and the sandbox should not reach beyond this machine.
 */
export function pictureFor(address: string): string {
  const bytes = createHash('sha256').update(address).digest()
  const at = (index: number) => bytes[index % bytes.length] ?? 0
  const hue = (at(0) * 360) / 256
  const colour = (turn: number, light: number) => `hsl(${Math.round(hue + turn)} 70% ${light}%)`
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
