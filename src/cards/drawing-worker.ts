import { parentPort } from 'node:worker_threads'
import satori from 'satori'
import type { CardFacts } from './card.ts'
import type { Drawing, Drawn } from './drawing-thread.ts'
import { Emoji } from './emoji.ts'
import { Fonts } from './fonts.ts'
import { card, cardHeight, cardWidth } from './layout.ts'

// A thread of its own: laying out a card takes milliseconds of work, and what strangers wrote may make it more.
const fonts = new Fonts()
const emoji = new Emoji()

parentPort?.on('message', async (drawing: Drawing) => {
  parentPort?.postMessage(await drawn(drawing))
})

async function drawn({ id, facts, image }: Drawing): Promise<Drawn> {
  try {
    const graphemeImages = emoji.in(facts.name + facts.symbol + facts.status)
    const shown = legible(facts, Object.keys(graphemeImages))
    const svg = await satori(card(shown, image), {
      width: cardWidth,
      height: cardHeight,
      fonts: fonts.for(Object.values(shown).filter((value) => typeof value === 'string')),
      graphemeImages,
    })
    return { id, svg }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** What strangers wrote, in characters that can be drawn. */
function legible(facts: CardFacts, drawings: readonly string[]): CardFacts {
  const readable = (text: string) => fonts.legible(text, drawings)
  const { name, symbol, status } = facts
  return { ...facts, name: readable(name), symbol: readable(symbol), status: readable(status) }
}
