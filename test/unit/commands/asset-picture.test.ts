import { afterEach, beforeEach, expect, test } from 'vitest'
import { picturedCard } from '../../../commands/lookup.ts'
import { assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { CardMaker } from '../../../src/cards/cards.ts'
import type { CardFacts } from '../../../src/cards/layout.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { createLogger } from '../../../src/log.ts'

const chain = chainById(8453)
const log = createLogger('silent', [])

let pictures: CardMaker

beforeEach(() => {
  pictures = new CardMaker({ log, milliseconds: 120_000 })
})

afterEach(async () => {
  await pictures.close()
})

function read(stale = false) {
  const value = assetSchema.parse({
    asset_address: '0xabcdef7890123456789012345678901234567890',
    asset_status: 'live',
    auction_pool: { base_token: { token_name: 'Moon Otter', token_symbol: 'OTTER' } },
  })
  return { value, stale, age: 0 }
}

function services(more: Partial<Parameters<typeof picturedCard>[0]> = {}) {
  const now = () => 1_795_000_000
  return { cards: new WeakMap(), units: defaultUnits, pictures, now, ...more }
}

test('a card has its picture, and is one and the same for as long as its answer is served from memory', async () => {
  const parts = services()
  const answer = read()
  await expect
    .poll(async () => (await picturedCard(parts, answer, chain)).picture, { timeout: 30_000 })
    .toMatchObject({ type: 'image/jpeg' })
  const card = await picturedCard(parts, answer, chain)
  expect(await picturedCard(parts, answer, chain)).toBe(card)
})

test('without pictures a card is what it was', async () => {
  const parts = services({ pictures: undefined })
  const answer = read()
  const card = await picturedCard(parts, answer, chain)
  expect(card).not.toHaveProperty('picture')
  expect(await picturedCard(parts, answer, chain)).toBe(card)
})

test('a card that can’t be drawn goes without', async () => {
  await pictures.close()
  const card = await picturedCard(services(), read(), chain)
  expect(card.title).toEqual(['Moon Otter', ' $OTTER'])
  expect(card).not.toHaveProperty('picture')
})

test('the picture shows the recorded course of this asset', async () => {
  const asked: unknown[] = []
  const drawn: CardFacts[] = []
  const watching = {
    of: (facts: CardFacts) => pictures.of(facts),
    soon: (facts: CardFacts, ms: number) => {
      drawn.push(facts)
      return pictures.soon(facts, ms)
    },
    close: () => pictures.close(),
  }
  const history = async (...of: unknown[]) => {
    asked.push(of)
    return [1, 2, 3, 4, 5].map((at) => ({ at: at * 600, price: String(at) }))
  }
  const answer = read()
  await picturedCard(services({ pictures: watching, history }), answer, chain)
  expect(asked).toEqual([[8453, answer.value.asset_address]])
  expect(drawn).toMatchObject([{ line: [1, 2, 3, 4, 5], span: 'over 40 min' }])
})
