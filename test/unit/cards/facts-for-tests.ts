import sharp from 'sharp'
import type { CardFacts } from '../../../src/cards/card.ts'

/** A live auction with all there is to draw but a picture of its own. */
export const liveFacts: CardFacts = {
  asset: '0x1234567890123456789012345678901234567890',
  name: 'Moon Otter',
  symbol: '$OTTER',
  chain: 'Base',
  status: 'Live',
  tone: 'good',
  price: '$0.0₆1234',
  change: '▲ 12.3 %',
  marketCap: '$1.23M',
  progress: { ratio: 0.5, label: '50 % sold' },
  outcome: 'Ends 22 Nov, 14:30 UTC',
  line: [1, 2, 4, 3, 5],
}

export type Colour = readonly [red: number, green: number, blue: number]

/** A picture's pixels. */
export interface Pixels {
  width: number
  height: number
  at(x: number, y: number): Colour
}

export async function pixelsOf(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return {
    width,
    height,
    at(x, y) {
      const from = (y * width + x) * channels
      return [data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0]
    },
  }
}

/** Whether two colours look the same, also after a JPEG. */
export function alike(one: Colour, other: Colour, tolerance = 24): boolean {
  return one.every((value, index) => Math.abs(value - (other[index] ?? 0)) < tolerance)
}
