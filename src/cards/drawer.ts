import satori from 'satori'
import sharp from 'sharp'
import type { CardFacts } from './card.ts'
import { Emoji } from './emoji.ts'
import { Fonts } from './fonts.ts'
import { card, cardHeight, cardWidth } from './layout.ts'

const secondsToPaint = 15

/** Draws cards with the fonts and emoji that come with the bot. Not for the process that answers commands. */
export class Drawer {
  readonly #fonts = new Fonts()
  readonly #emoji = new Emoji()

  /** The card as JPEG; `image` is a data URL. @throws where it can't be drawn */
  async jpeg(facts: CardFacts, image: string | undefined): Promise<Uint8Array> {
    const svg = await this.svg(facts, image)
    return await sharp(Buffer.from(svg), { limitInputPixels: 2 * cardWidth * cardHeight })
      .timeout({ seconds: secondsToPaint })
      .flatten({ background: '#0d1322' })
      .jpeg({ quality: 78, chromaSubsampling: '4:4:4' })
      .toBuffer()
  }

  /** The card as SVG in which every letter is a path. @throws where it can't be laid out */
  async svg(facts: CardFacts, image: string | undefined): Promise<string> {
    const graphemeImages = this.#emoji.in(facts.name + facts.symbol + facts.status)
    const shown = this.#legible(facts, Object.keys(graphemeImages))
    const texts = Object.values(shown).filter((value) => typeof value === 'string')
    return await satori(card(shown, image), {
      width: cardWidth,
      height: cardHeight,
      fonts: this.#fonts.for(texts),
      graphemeImages,
    })
  }

  /** What strangers wrote, in characters that can be drawn. */
  #legible(facts: CardFacts, drawings: readonly string[]): CardFacts {
    const readable = (text: string) => this.#fonts.legible(text, drawings)
    const { name, symbol, status } = facts
    return { ...facts, name: readable(name), symbol: readable(symbol), status: readable(status) }
  }
}
