import sharp from 'sharp'
import type { CardFacts } from '../../../src/cards/layout.ts'

/** A live auction with all there is to draw but a picture of its own. */
export const liveFacts: CardFacts = {
  asset: '0x1234567890123456789012345678901234567890',
  name: 'Moon Otter',
  symbol: '$OTTER',
  chain: 'Base',
  status: 'Live',
  tone: 'good',
  words: { marketCap: 'Market cap', change: 'in 24 h' },
  price: '$0.0₆1234',
  change: '▲ 12.3%',
  marketCap: '$1.23M',
  progress: { ratio: 0.5, label: '50% sold' },
  outcome: 'Ends 22 Nov, 14:30 UTC',
  line: [1, 2, 4, 3, 5],
}

/** A picture of one colour. */
export async function plain(
  background: string,
  kind: 'png' | 'jpeg' | 'webp' | 'gif' = 'png',
): Promise<Buffer> {
  const create = { width: 300, height: 200, channels: 3, background } as const
  return await sharp({ create }).toFormat(kind).toBuffer()
}

/** The size of a picture, and the colour of one of its pixels. */
export async function pixelAt(bytes: Uint8Array, x: number, y: number) {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  const from = (y * info.width + x) * info.channels
  return { size: [info.width, info.height], colour: [...data.subarray(from, from + 3)] }
}
