import { readFileSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { Font } from 'satori'
import { z } from 'zod'

const folder = new URL('../../assets/fonts/', import.meta.url)
/** Whose glyphs are asked first; the others are looked up in the index. */
const baseFiles = [
  ['inter/Inter-Medium.ttf', 500],
  ['inter/Inter-Bold.ttf', 700],
] as const
/** Read files that are kept: what is read again has to be parsed again too. */
const mostFiles = 60

/** Spaces, joiners and selectors need no glyph. */
const invisible = /[\p{Z}\p{Cf}\p{Variation_Selector}]/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

const indexSchema = z.array(z.object({ file: z.string(), ranges: z.string() }))

/** The fonts that come with the bot; nothing of the machine's own is used. */
export class Fonts {
  readonly #base: readonly Font[]
  readonly #index: readonly { file: string; ranges: readonly [from: number, to: number][] }[]
  readonly #read = new LRUCache<string, Buffer>({ max: mostFiles })

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

  /** What these texts need: a file holds one script, or a hundred or so of the characters of East Asia. */
  for(texts: readonly string[]): Font[] {
    const files = [...new Set(texts.join(''))].flatMap((character) => this.#fileOf(character) ?? [])
    const others = [...new Set(files)].filter((file) => !file.startsWith('inter/')).sort()
    return [...this.#base, ...others.map((file) => this.#font(file))]
  }

  /** The text with a plain box for each character that is in no font, but for what is drawn in another way. */
  legible(text: string, drawn: readonly string[]): string {
    const kept = new Set(drawn)
    return [...graphemes.segment(text)]
      .map(({ segment }) => (kept.has(segment) ? segment : this.#boxed(segment)))
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
    const known = this.#read.get(file) ?? readFileSync(new URL(file, folder))
    this.#read.set(file, known)
    return known
  }
}

function range(text: string): [from: number, to: number] {
  const [from = '', to = from] = text.split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}
