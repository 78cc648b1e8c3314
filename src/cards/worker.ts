import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import satori, { type Font } from 'satori'
import sharp from 'sharp'
import { z } from 'zod'
import { hasTooManyScans, pictureKind } from '../core/picture-kind.ts'
import { graphemesOf } from '../core/text.ts'
import type { Answer, Work } from './card-pictures.ts'
import { type CardFacts, card, cardHeight, cardWidth } from './layout.ts'

// The program of the process that decodes and draws pictures, which card-pictures.ts starts.

const paintTimeoutSeconds = 15

process.on('message', async (work: Work) => {
  const answer = await carryOut(work)
  // The parent may have exited in the meantime.
  if (process.connected) process.send?.(answer, undefined, undefined, () => {})
})
process.on('disconnect', () => process.exit())
// Signals to the process group are for the parent, which ends this process when it is done.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

async function carryOut(work: Work): Promise<Answer> {
  try {
    return {
      bytes: await (work.do === 'draw' ? draw(work.facts, work.image) : thumbnail(work.bytes)),
    }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Draws a card as JPEG; `image` is the token's own picture as a data URL. @throws Error if it can't be drawn */
async function draw(facts: CardFacts, image: string | undefined): Promise<Uint8Array> {
  const graphemeImages = emoji.in(facts.name + facts.symbol + facts.status)
  const legible = (text: string) => fonts.legible(text, Object.keys(graphemeImages))
  const { name, symbol, status } = facts
  const shown = { ...facts, name: legible(name), symbol: legible(symbol), status: legible(status) }
  const { words, progress, ...plain } = shown
  const texts = [
    ...Object.values(plain).filter((value) => typeof value === 'string'),
    ...Object.values(words),
    progress?.label ?? '',
  ]
  const svg = await satori(card(shown, image), {
    width: cardWidth,
    height: cardHeight,
    fonts: fonts.for(texts),
    graphemeImages,
  })
  return await sharp(Buffer.from(svg), { limitInputPixels: 2 * cardWidth * cardHeight })
    .timeout({ seconds: paintTimeoutSeconds })
    .flatten({ background: '#0d1322' })
    .jpeg({ quality: 78, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

/** Pixels; slightly more than is drawn, for rounding. */
const side = 160
const maxPixels = 25_000_000
const seconds = 3

/**
 * The centre of an untrusted PNG, JPEG, WebP or GIF (its first frame) as a small square JPEG.
 * @throws Error if it is another format, too large to decode, or damaged
 */
async function thumbnail(bytes: Uint8Array): Promise<Uint8Array> {
  const kind = pictureKind(bytes)
  if (kind === undefined) throw new Error('not a PNG, JPEG, WebP or GIF')
  if (kind === 'jpeg' && hasTooManyScans(bytes)) throw new Error('a JPEG with far too many scans')
  const options = {
    limitInputPixels: maxPixels,
    failOn: 'error',
    sequentialRead: true,
    pages: 1,
  } as const
  return await sharp(bytes, options)
    .timeout({ seconds })
    .autoOrient()
    .resize(side, side, { fit: 'cover', position: 'centre' })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

const emojiFile = new URL('../../assets/emoji/twemoji.json.br', import.meta.url)

// Also emoji without a variation selector: other programs show them as emoji, too.
const emojis = /\p{RGI_Emoji}|\p{Emoji_Presentation}\p{Emoji_Modifier}?|\p{Emoji}\ufe0f/v

/** Drawings of emoji by their code points, unpacked on first use. */
class Emoji {
  #drawings: Readonly<Record<string, string>> | undefined

  /** Data URLs of all emoji in a text, by emoji. */
  in(text: string): Record<string, string> {
    const found: Record<string, string> = {}
    for (const { segment } of graphemesOf(text)) {
      if (!emojis.test(segment)) continue
      const url = this.#url(segment)
      if (url !== undefined) found[segment] = url
    }
    return found
  }

  /** The drawing of an emoji, or of the first in a sequence that has none. */
  #url(emoji: string): string | undefined {
    this.#drawings ??= read()
    const drawings = this.#drawings
    const points = [...emoji].map((character) => (character.codePointAt(0) ?? 0).toString(16))
    // The files of single emoji such as the heart are named without the selector; those of sequences may have it.
    const bare = points.filter((point) => point !== 'fe0f')
    const drawing = [points, bare, bare.slice(0, 1)]
      .map((name) => drawings[name.join('-')])
      .find((found) => found !== undefined)
    return drawing && `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`
  }
}

function read(): Record<string, string> {
  const json: unknown = JSON.parse(brotliDecompressSync(readFileSync(emojiFile)).toString())
  return z.record(z.string(), z.string()).parse(json)
}

const folder = new URL('../../assets/fonts/', import.meta.url)
/** Fonts that are always loaded; the others are found by the index. */
const baseFiles = [
  ['inter/Inter-Medium.ttf', 500],
  ['inter/Inter-Bold.ttf', 700],
] as const
/** Maximum font files in the cache: one that is read again has to be parsed again. */
const maxFiles = 60

/** Characters that need no glyph: spaces, joiners and selectors. */
const invisible = /[\p{Z}\p{Cf}\p{Variation_Selector}]/u

const indexSchema = z.array(z.object({ file: z.string(), ranges: z.string() }))

/** The fonts in `assets/`; none of the machine's own are used. */
class Fonts {
  readonly #base: readonly Font[]
  readonly #index: readonly { file: string; ranges: readonly [from: number, to: number][] }[]
  readonly #read = new LRUCache<string, Buffer>({ max: maxFiles })

  constructor() {
    this.#base = baseFiles.map(([file, weight]) => ({
      name: 'Inter',
      data: this.#data(file),
      weight,
      style: 'normal',
    }))
    const index: unknown = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))
    this.#index = indexSchema
      .parse(index)
      .map(({ file, ranges }) => ({ file, ranges: ranges.split(' ').map(range) }))
  }

  /** The fonts that these texts need. A file holds one script, or about a hundred East Asian characters. */
  for(texts: readonly string[]): Font[] {
    const files = [...new Set(texts.join(''))].flatMap((character) => this.#fileOf(character) ?? [])
    const others = [...new Set(files)].filter((file) => !file.startsWith('inter/')).sort()
    return [...this.#base, ...others.map((file) => this.#font(file))]
  }

  /** The text with a box for each character that no font has, except graphemes in `drawn`. */
  legible(text: string, drawn: readonly string[]): string {
    const drawable = new Set(drawn)
    return [...graphemesOf(text)]
      .map(({ segment }) => (drawable.has(segment) ? segment : this.#boxed(segment)))
      .join('')
  }

  #boxed(text: string): string {
    return [...text]
      .map((each) => (invisible.test(each) || this.#fileOf(each) !== undefined ? each : '□'))
      .join('')
  }

  #fileOf(character: string): string | undefined {
    const point = character.codePointAt(0) ?? 0
    return this.#index.find(({ ranges }) =>
      ranges.some(([from, to]) => from <= point && point <= to),
    )?.file
  }

  #font(file: string): Font {
    return { name: file, data: this.#data(file), weight: 600, style: 'normal' }
  }

  #data(file: string): Buffer {
    const data = this.#read.get(file) ?? readFileSync(new URL(file, folder))
    this.#read.set(file, data)
    return data
  }
}

function range(text: string): [from: number, to: number] {
  const [from = '', to = from] = text.split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}

const fonts = new Fonts()
const emoji = new Emoji()
