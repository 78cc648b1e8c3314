import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { showcaseAddresses } from '../../../sandbox/interface/showcase.ts'
import { assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { AssetCards } from '../../../src/cards/asset-card.ts'
import type { Cards } from '../../../src/cards/cards.ts'
import type { CardFacts } from '../../../src/cards/layout.ts'
import { chainById } from '../../../src/chain/chains.ts'
import type { Picture } from '../../../src/core/view.ts'
import { telegram } from '../../../src/telegram/platform.ts'
import { shown } from '../views/shown.ts'
import { startCommands } from './bot.ts'

const chain = chainById(8453)
const picture: Picture = {
  key: 'k',
  name: 'card.jpg',
  type: 'image/jpeg',
  bytes: new Uint8Array([1]),
}

/** What was asked to be drawn, and the picture that there is by now. */
let drawn: CardFacts[]
let ready: Picture | undefined
let pictures: Cards
beforeEach(() => {
  drawn = []
  ready = picture
  const soon = async (facts: CardFacts) => {
    drawn.push(facts)
    return ready
  }
  pictures = { of: soon, soon, close: async () => {} }
})

function cards(more: Partial<ConstructorParameters<typeof AssetCards>[0]> = {}) {
  const now = () => 1_795_000_000
  return new AssetCards({ units: defaultUnits, pictures, now, ...more })
}

const value = () =>
  assetSchema.parse({
    asset_address: '0xabcdef7890123456789012345678901234567890',
    asset_status: 'live',
    auction_pool: { base_token: { token_name: 'Moon Otter', token_symbol: 'OTTER' } },
  })

test('a card has its picture once it is drawn, and is one and the same as long as its answer is cached', async () => {
  const made = cards()
  const read = { value: value(), stale: false, age: 0 }
  ready = undefined
  expect(await made.pictured(read, chain)).not.toHaveProperty('picture')
  ready = picture
  const card = await made.pictured(read, chain)
  expect(card).toMatchObject({ title: ['Moon Otter', ' $OTTER'], picture })
  expect(await made.pictured(read, chain)).toBe(card)
  expect(drawn).toHaveLength(2)
})

test('without pictures a card is one and the same, too, but not beyond its answer', async () => {
  const made = cards({ pictures: undefined })
  const read = { value: value(), stale: false, age: 0 }
  const card = await made.pictured(read, chain)
  expect(card).not.toHaveProperty('picture')
  expect(await made.pictured(read, chain)).toBe(card)
  expect(await made.pictured({ ...read, age: 5 }, chain)).not.toBe(card)
})

test('the picture shows the recorded prices of this asset', async () => {
  const asked: unknown[] = []
  const history = async (...of: unknown[]) => {
    asked.push(of)
    return [1, 2, 3, 4, 5].map((at) => ({ at: at * 600, price: String(at) }))
  }
  const read = { value: value(), stale: false, age: 0 }
  await cards({ history }).pictured(read, chain)
  expect(asked).toEqual([[8453, read.value.asset_address]])
  expect(drawn).toMatchObject([{ line: [1, 2, 3, 4, 5], span: 'over 40 min' }])
})

test('a card that the interface no longer gives is shown with its age, and without once it does', async () => {
  const harness = await startCommands({ cacheMs: 1 })
  onTestFinished(() => harness.stop())
  const context = {
    platform: telegram,
    user: 'ada',
    chat: 'ada',
    ephemeral: true,
    isPrivate: true,
  } as const
  const line = `asset ${showcaseAddresses.moonOtter}`
  const card = async () => shown((await harness.bot.answer(harness.bot.parse(line), context)).view)
  const fresh = await card()
  harness.upstream.faults.set({ kind: 'status', status: 500 })
  let stale: string[] = []
  const shownNow = async () => {
    stale = await card()
    return stale.join('\n')
  }
  await expect.poll(shownNow).toContain('The data source does not answer. As of')
  expect(stale.slice(0, 2)).toEqual(fresh.slice(0, 2))
  harness.upstream.faults.clear()
  await expect.poll(shownNow, { timeout: 20_000 }).not.toContain('does not answer')
})
