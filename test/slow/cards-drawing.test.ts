import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CardFacts } from '../../src/cards/card.ts'
import { CardMaker } from '../../src/cards/cards.ts'
import { Drawer } from '../../src/cards/draw.ts'
import { drawable } from '../../src/cards/layout.ts'
import { createLogger } from '../../src/log.ts'
import { hostileNames } from '../hostile.ts'
import {
  alike,
  type Colour,
  liveFacts,
  type Pixels,
  pixelsOf,
} from '../unit/cards/facts-for-tests.ts'

let cards: CardMaker
const drawer = new Drawer()

beforeAll(() => {
  cards = new CardMaker({ log: createLogger('silent', []), milliseconds: 120_000 })
})

afterAll(async () => {
  await cards.close()
})

async function drawn(facts: CardFacts): Promise<Uint8Array> {
  const picture = await cards.of(facts)
  if (!picture) throw new Error('nothing was drawn')
  return picture.bytes
}

async function pixels(facts: CardFacts): Promise<Pixels> {
  return await pixelsOf(await drawn(facts))
}

async function named(name: string): Promise<string> {
  return Buffer.from(await drawn({ ...liveFacts, name })).toString('base64')
}

/** What is to be painted where the name is this: paths, and the pictures of emoji. */
async function outlines(name: string): Promise<string> {
  return drawer.svg(drawable({ ...liveFacts, name }), undefined)
}

/** Where the name stands. */
const nameBox = { left: 240, top: 60, right: 900, bottom: 190 }

/** The columns of the name in which there is ink, and how much of it. */
function ink(picture: Pixels): [x: number, pixels: number][] {
  const found: [number, number][] = []
  for (let x = nameBox.left; x < nameBox.right; x += 1) {
    let count = 0
    for (let y = nameBox.top; y < 140; y += 1) {
      if (picture.at(x, y).every((value) => value > 160)) count += 1
    }
    if (count > 0) found.push([x, count])
  }
  return found
}

function colourful([red, green, blue]: Colour): boolean {
  return Math.max(red, green, blue) - Math.min(red, green, blue) > 120
}

function colourfulPixels(picture: Pixels): number {
  let count = 0
  for (let x = nameBox.left; x < nameBox.right; x += 1) {
    for (let y = nameBox.top; y < nameBox.bottom; y += 1) {
      if (colourful(picture.at(x, y))) count += 1
    }
  }
  return count
}

test('a card is 1200 × 630 pixels and small enough to be sent by the thousand', async () => {
  const { width, height } = await pixels(liveFacts)
  expect([width, height]).toEqual([1200, 630])
  expect((await drawn(liveFacts)).length).toBeLessThan(80 * 1024)
})

describe('the progress bar', () => {
  const track: Colour = [0x26, 0x32, 0x4a]
  const barTop = 480
  const barBottom = 540

  /** How much of the bar is not its track. Its ends are round. */
  async function filled(ratio: number): Promise<number> {
    const picture = await pixels({ ...liveFacts, progress: { ratio, label: 'sold' } })
    const rows = Array.from({ length: barBottom - barTop }, (_, row) =>
      Array.from({ length: 1060 }, (_, x) => picture.at(70 + x, barTop + row)),
    )
    const empty = rows.map((row) => row.filter((colour) => alike(colour, track, 8)).length)
    return 1 - Math.max(...empty) / 1060
  }

  test.each([0, 0.25, 0.5, 0.9, 1])('is filled to %d', async (ratio) => {
    expect(Math.abs((await filled(ratio)) - ratio)).toBeLessThan(0.02)
  })

  test('is not full before the end', async () => {
    const picture = await pixels({ ...liveFacts, progress: { ratio: 0.99999, label: 'sold' } })
    const edge = Array.from({ length: barBottom - barTop }, (_, row) =>
      picture.at(1145, barTop + row),
    )
    expect(edge.some((colour) => alike(colour, track, 8))).toBe(true)
  })
})

describe('the price line', () => {
  const inChart = (picture: Pixels, y: number) =>
    Array.from({ length: 500 }, (_, index) => picture.at(620 + index, y)).some(colourful)

  test('is drawn from two points on, and without it there is no empty box', async () => {
    const none = await drawn({ ...liveFacts, line: [] })
    expect(await drawn({ ...liveFacts, line: [1] })).toEqual(none)
    expect(inChart(await pixels({ ...liveFacts, line: [] }), 330)).toBe(false)
    const rows = Array.from({ length: 200 }, (_, row) => 230 + row)
    const two = await pixels({ ...liveFacts, line: [1, 2] })
    expect(rows.some((y) => inChart(two, y))).toBe(true)
  })

  test.each([
    ['that are no numbers', [Number.NaN, Number.POSITIVE_INFINITY, 1, 2]],
    ['of a price that never moves', [3, 3, 3]],
    ['next to nothing', [0, 5e-324, 0]],
    ['of 100,000 points', Array.from({ length: 100_000 }, (_, index) => index % 7)],
  ])('of prices %s can be drawn', async (_, line) => {
    expect((await drawn({ ...liveFacts, line })).length).toBeGreaterThan(1000)
  })

  test('is red where the price fell', async () => {
    const reds = async (line: number[]) => {
      const picture = await pixels({ ...liveFacts, line, tone: 'neutral' })
      const all = Array.from({ length: 200 }, (_, row) =>
        Array.from({ length: 500 }, (_, index) => picture.at(620 + index, 230 + row)),
      )
      return all.flat().filter(([red, green]) => red > 200 && green < 150).length
    }
    expect(await reds([5, 1])).toBeGreaterThan(500)
    expect(await reds([1, 5])).toBe(0)
  })
})

describe('a name', () => {
  /** Two characters a script, of which neither may be the box that stands for what can't be drawn. */
  const scripts: [script: string, one: string, other: string][] = [
    ['Latin', 'A', 'ß'],
    ['Vietnamese', 'Ạ', 'ữ'],
    ['Cyrillic', 'Ж', 'ї'],
    ['Greek', 'Ω', 'ψ'],
    ['Chinese', '月', '亮'],
    ['old Chinese', '體', '龜'],
    ['Japanese', 'あ', 'ア'],
    ['rare Japanese', '躾', '𠮷'],
    ['half width Japanese', 'ｱ', 'ｶ'],
    ['Korean', '달', '뷁'],
    ['Korean letters', 'ㅋ', 'ㅠ'],
    ['Arabic', 'ق', 'ش'],
    ['Persian', 'گ', 'پ'],
    ['Hebrew', 'ש', 'ע'],
    ['Devanagari', 'ह', 'न'],
    ['Bengali', 'ক', 'খ'],
    ['Tamil', 'த', 'ழ'],
    ['Telugu', 'త', 'ఖ'],
    ['Gujarati', 'ગ', 'જ'],
    ['Thai', 'ท', 'ย'],
    ['Georgian', 'ქ', 'ა'],
    ['Armenian', 'Ա', 'Ֆ'],
    ['small numbers', '₀', '₆'],
    ['arrows', '▲', '▼'],
    ['money', '₿', '€'],
    ['fraktur', '𝕸', '𝖔'],
    ['emoji', '🚀', '🦦'],
    ['flags', '🇩🇪', '🇫🇷'],
    ['families', '👨‍👩‍👧‍👦', '👩‍👩‍👦'],
    ['skin tones', '👍🏽', '👍🏿'],
    ['keycaps', '1️⃣', '2️⃣'],
    ['joined emoji', '❤️‍🔥', '🏳️‍🌈'],
  ]

  test.each(scripts)('in %s is drawn', async (_, one, other) => {
    const box = await outlines('\u{12000}')
    const drawings = [await outlines(one), await outlines(other)]
    expect(drawings).not.toContain(box)
    expect(new Set(drawings).size).toBe(2)
  })

  test('that no font has is boxes, as many as it has characters', async () => {
    expect(await named('\u{12000}\u{12001}')).toBe(await named('□□'))
  })

  test('in emoji is in colour, and one picture for a whole family', async () => {
    const family = await pixels({ ...liveFacts, name: '👨‍👩‍👧‍👦' })
    expect(colourfulPixels(family)).toBeGreaterThan(500)
    const [width] = [ink(family)].map((columns) => (columns.at(-1)?.[0] ?? 0) - nameBox.left)
    expect(width).toBeLessThan(100)
    expect(colourfulPixels(await pixels({ ...liveFacts, name: 'Moon' }))).toBe(0)
  })

  test('in Arabic runs from right to left', async () => {
    // The first letter is a tall stroke, the others lie on the line: the tall one has to come out rightmost.
    const columns = ink(await pixels({ ...liveFacts, name: 'اببببب' }))
    const height = (part: [number, number][]) => Math.max(...part.map(([, count]) => count))
    expect(height(columns.slice(-12))).toBeGreaterThan(2 * height(columns.slice(20, 40)))
  })

  test('in Arabic has its letters joined', async () => {
    const gaps = (columns: [x: number, count: number][]) =>
      columns.filter(([x], index) => index > 0 && x - (columns[index - 1]?.[0] ?? x) > 1).length
    expect(gaps(ink(await pixels({ ...liveFacts, name: 'ببببب' })))).toBe(0)
    expect(gaps(ink(await pixels({ ...liveFacts, name: 'ب ب ب ب ب' })))).toBe(4)
  })

  test('is on two lines at most and ends with an ellipsis', async () => {
    const long = await pixels({ ...liveFacts, name: 'Wonderful '.repeat(100) })
    const short = await pixels(liveFacts)
    const price = (picture: Pixels) =>
      Array.from({ length: 300 }, (_, x) => picture.at(52 + x, 290))
    expect(price(long).filter((colour, x) => !alike(colour, price(short)[x] ?? [0, 0, 0]))).toEqual(
      [],
    )
    expect(await named('Wonderful '.repeat(100))).toBe(await named('Wonderful '.repeat(200)))
  })

  test('that turns what follows around turns nothing', async () => {
    expect(await named('Safe \u202egnp.exe')).toBe(await named('Safe gnp.exe'))
  })

  test.each(hostileNames)('that is %s is drawn as paths alone', async (_, name) => {
    const facts = { ...liveFacts, name, symbol: name, chain: name, status: name, outcome: name }
    const svg = await drawer.svg(drawable(facts), undefined)
    expect(svg).not.toMatch(/<(?:text|script|foreignObject|style|a|use)\b/u)
    const outside = [...svg.matchAll(/(?:href|src)="(?<to>[^"]*)"/gu)].map(
      ({ groups }) => groups?.to,
    )
    expect(outside.every((to) => to?.startsWith('data:image/'))).toBe(true)
    expect((await drawn(facts)).length).toBeGreaterThan(1000)
  })
})

test('every fact shows', async () => {
  const { progress: _, ...ended } = liveFacts
  const others: CardFacts[] = [
    ended,
    { ...liveFacts, asset: '0xother' },
    { ...liveFacts, name: 'Sun Otter' },
    { ...liveFacts, symbol: '$SUN' },
    { ...liveFacts, chain: 'Ink' },
    { ...liveFacts, status: 'Ended' },
    { ...liveFacts, tone: 'bad' },
    { ...liveFacts, price: '$0.0₇1234' },
    { ...liveFacts, change: '▼ 12.3 %' },
    { ...liveFacts, marketCap: '$1.24M' },
    { ...liveFacts, outcome: 'Ended' },
    { ...liveFacts, span: 'over 3 h' },
    { ...liveFacts, progress: { ratio: 0.5, label: '51 % sold' } },
  ]
  const drawings = await Promise.all([liveFacts, ...others].map(drawn))
  const different = new Set(drawings.map((bytes) => Buffer.from(bytes).toString('base64')))
  expect(different.size).toBe(drawings.length)
})

test('a card about which next to nothing is known is drawn', async () => {
  const bare = { asset: '', name: '', symbol: '', chain: '', status: '', line: [] }
  expect((await drawn({ ...bare, tone: 'neutral' })).length).toBeGreaterThan(1000)
})
