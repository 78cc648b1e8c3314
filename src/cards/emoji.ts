import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { z } from 'zod'

const file = new URL('../../assets/emoji/twemoji.json.br', import.meta.url)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
// Also where no selector asks for it: what looks like an emoji everywhere else looks like one here.
const emojis = /\p{RGI_Emoji}|\p{Emoji_Presentation}\p{Emoji_Modifier}?|\p{Emoji}\ufe0f/v

/** Drawings of emoji by their code points, unpacked when the first is needed. */
export class Emoji {
  #drawings: Readonly<Record<string, string>> | undefined

  /** The drawings of all emoji in a text, as data URLs by the emoji. */
  in(text: string): Record<string, string> {
    const found: Record<string, string> = {}
    for (const { segment } of graphemes.segment(text)) {
      if (!emojis.test(segment)) continue
      const url = this.#url(segment)
      if (url !== undefined) found[segment] = url
    }
    return found
  }

  /** Of a sequence that has no drawing, the first emoji's. */
  #url(emoji: string): string | undefined {
    this.#drawings ??= read()
    const drawings = this.#drawings
    const points = [...emoji].map((character) => (character.codePointAt(0) ?? 0).toString(16))
    // Such as a heart needs no selector by its name, unless it is joined to something.
    const bare = points.filter((point) => point !== 'fe0f')
    const drawing = [points, bare, bare.slice(0, 1)]
      .map((name) => drawings[name.join('-')])
      .find((found) => found !== undefined)
    return drawing && `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`
  }
}

function read(): Record<string, string> {
  const json: unknown = JSON.parse(brotliDecompressSync(readFileSync(file)).toString())
  return z.record(z.string(), z.string()).parse(json)
}
