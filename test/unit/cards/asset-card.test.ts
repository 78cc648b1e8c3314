import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { AssetCards, cardFacts } from '../../../src/cards/asset-card.ts'
import type { CardPictures } from '../../../src/cards/card-pictures.ts'
import type { CardFacts } from '../../../src/cards/layout.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { plainView } from '../../../src/core/catalogue.ts'
import type { Picture, View } from '../../../src/core/view.ts'
import type { Risk } from '../../../src/views/facts.ts'
import { hostileNames } from '../../hostile.ts'

const now = 1_795_000_000
const address = '0xAbCdEf7890123456789012345678901234567890'

function asset(changes: Record<string, unknown> = {}, pool: Record<string, unknown> = {}): Asset {
  return assetSchema.parse({
    asset_address: address,
    asset_status: 'live',
    auction_pool: {
      pool_market_data: {
        pool_price: '0.0000001234',
        pool_market_cap: '1230000',
        pool_price_change_24h: '-0.031',
      },
      pool_current_sale_progress_percentage: 62.9,
      pool_config_starting_time: String(now - 3600),
      pool_config_ending_time: String(now + 3600),
      base_token: {
        token_name: 'Moon Otter',
        token_symbol: 'OTTER',
        token_image_public_url: 'https://pictures.test/otter.png',
      },
      ...pool,
    },
    ...changes,
  })
}

function facts(of: Asset, more: Partial<Parameters<typeof cardFacts>[0]> = {}) {
  return cardFacts({
    asset: of,
    chain: chainById(8453),
    units: defaultUnits,
    now,
    history: [],
    locale: 'en',
    ...more,
  })
}

test('a live auction’s card shows absolute times, which stay true', () => {
  expect(facts(asset())).toEqual({
    asset: address.toLowerCase(),
    name: 'Moon Otter',
    symbol: '$OTTER',
    chain: 'Base',
    status: 'Live',
    tone: 'good',
    words: { marketCap: 'Market cap', change: 'in 24 h' },
    price: '$0.0₆1234',
    change: '▼ 3.1%',
    marketCap: '$1.23M',
    progress: { ratio: 0.629, label: '62% sold' },
    outcome: 'Ends 18 Nov, 12:06 UTC',
    line: [],
    image: 'https://pictures.test/otter.png',
  })
})

test('a moment later the card is the same', () => {
  expect(facts(asset(), { now: now + 60 })).toEqual(facts(asset()))
})

test('absent fields are left out', () => {
  const bare = assetSchema.parse({ asset_address: address })
  expect(facts(bare)).toEqual({
    asset: address.toLowerCase(),
    name: 'Unnamed',
    symbol: '',
    chain: 'Base',
    status: '',
    tone: 'neutral',
    words: { marketCap: 'Market cap', change: 'in 24 h' },
    line: [],
  })
})

describe('the status', () => {
  test.each([
    ['incoming', 'Upcoming', 'neutral', 'Starts 18 Nov, 10:06 UTC'],
    ['live', 'Live', 'good', 'Ends 18 Nov, 12:06 UTC'],
    ['graduated', 'Graduated', 'good', 'Graduated'],
    ['ended', 'Ended', 'warn', 'Ended'],
    ['gone', 'No longer listed', 'bad', undefined],
  ] as const)('in phase %s', (phase, status, tone, outcome) => {
    const found = facts(asset({ asset_status: 'stall' }), { phase })
    expect([found.status, found.tone, found.outcome]).toEqual([status, tone, outcome])
    expect(found.progress !== undefined).toBe(phase === 'live')
  })

  test('an auction past its end says when it ended', () => {
    const late = now + 7200
    expect(facts(asset(), { now: late }).outcome).toBe('Ended 18 Nov, 12:06 UTC')
    expect(facts(asset(), { now: late, phase: 'ended' }).outcome).toBe('Ended 18 Nov, 12:06 UTC')
  })

  test('an unknown status is shown as it came', () => {
    expect(facts(asset({ asset_status: 'paused by \u202evote' })).status).toBe('paused by vote')
  })
})

test('the chart is drawn of the recorded prices', () => {
  const known = [1, 2, 3, 4, 5].map((at) => ({ at: at * 600, price: `${at}.5` }))
  const history = [{ at: 1 }, ...known, { at: 3300, price: '?' }]
  expect(facts(asset(), { history }).line).toEqual([1.5, 2.5, 3.5, 4.5, 5.5])
})

test.each([
  [5, 150, 'over 10 min'],
  [5, 149, undefined],
  [4, 1000, undefined],
  [5, 1320, 'over 88 min'],
  [5, 2700, 'over 3 h'],
  [5, 86_400, 'over 4 days'],
])('a chart of %d prices, one in %d seconds, is labelled %s', (length, step, expected) => {
  const history = Array.from({ length }, (_, index) => ({ at: index * step, price: '1' }))
  const { line, span } = facts(asset(), { history })
  expect(span).toBe(expected)
  expect(line).toHaveLength(expected === undefined ? 0 : length)
})

test.each(hostileNames)('a name that is %s becomes one short line', (_, name) => {
  const found = facts(asset({}, { base_token: { token_name: name, token_symbol: name } }))
  expect(found.name).not.toBe('')
  expect(found.name.length).toBeLessThanOrEqual(96)
  expect(found.name + found.symbol).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
})

test.each([
  'http://pictures.test/a.png',
  'ipfs://bafy',
  'javascript:alert(1)',
  'data:image/png;base64,',
])('a picture at %s is none', (token_image_public_url) => {
  expect(facts(asset({}, { base_token: { token_image_public_url } })).image).toBeUndefined()
})

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
let pictures: CardPictures
let shown: View[]
const show = async (view: View) => void shown.push(view)
beforeEach(() => {
  drawn = []
  shown = []
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

test('a card has its picture once it is drawn, and is the same object while its answer is cached', async () => {
  const made = cards()
  const read = { value: value(), stale: false, age: 0 }
  ready = undefined
  const without = await made.pictured(read, chain, 'en', show)
  expect(without).not.toHaveProperty('picture')
  expect(without).not.toHaveProperty('image')
  expect(shown).toEqual([])
  ready = picture
  const card = await made.pictured(read, chain, 'en', show)
  expect(card).toMatchObject({ title: ['Moon Otter', ' $OTTER'], picture })
  expect(await made.pictured(read, chain, 'en', show)).toBe(card)
  expect(shown).toEqual([])
})

test('a picture that is late follows the card, and the token’s own picture follows one without', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const late = { ...picture, key: 'with its own picture' }
  const { promise, resolve } = Promise.withResolvers<Picture>()
  pictures.of = () => promise
  const made = cards()
  const answer = made.pictured({ value: value(), stale: false, age: 0 }, chain, 'en', show)
  await vi.advanceTimersByTimeAsync(601)
  expect(shown).toMatchObject([{ title: ['Moon Otter', ' $OTTER'], picture }])
  resolve(late)
  expect(await answer).toMatchObject({ picture: late })
})

test('a picture that never comes leaves the card as it is', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  pictures.of = () => new Promise(() => undefined)
  const answer = cards().pictured({ value: value(), stale: false, age: 0 }, chain, 'en', show)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(await answer).toBe(shown[0])
})

test('one address on two chains has two cards', () => {
  const made = cards()
  const read = { value: value(), stale: false, age: 0 }
  const ofBase = made.of(read, chain)
  expect(made.of(read, chainById(84532))).not.toBe(ofBase)
})

test('a picture is drawn once for an answer, even if the age of that is rounded differently', async () => {
  const made = cards()
  const read = { value: value(), stale: false, age: 5 }
  const card = await made.pictured(read, chain, 'en', show)
  for (const age of [4, 5, 6])
    expect(await made.pictured({ ...read, age }, chain, 'en', show)).toBe(card)
  expect(drawn).toHaveLength(1)
})

test('a stale answer has a card of its own, and so has the fresh one after it', () => {
  const made = cards({ pictures: undefined })
  const read = { value: value(), stale: false, age: 0 }
  const stale = { ...read, stale: true, age: 60 }
  expect(JSON.stringify(made.of(stale, chain))).toContain('data-stale')
  expect(JSON.stringify(made.of(read, chain))).not.toContain('data-stale')
  expect(JSON.stringify(made.of(stale, chain))).toContain('data-stale')
})

test('a later answer is drawn anew, for the prices recorded since', async () => {
  const made = cards()
  const read = { value: value(), stale: false, age: 60 }
  const card = await made.pictured(read, chain, 'en', show)
  expect(await made.pictured(read, chain, 'en', show)).toBe(card)
  expect(drawn).toHaveLength(1)
  ready = { ...picture, key: 'with another price' }
  const later = { value: value(), stale: false, age: 0 }
  const next = await made.pictured(later, chain, 'en', show)
  expect(next).toMatchObject({ title: card.title, picture: ready })
  expect(drawn).toHaveLength(2)
  expect(await made.pictured(later, chain, 'ru', show)).not.toBe(next)
})

test('the picture shows the recorded prices of this asset', async () => {
  const asked: unknown[] = []
  const history = async (...of: unknown[]) => {
    asked.push(of)
    return [1, 2, 3, 4, 5].map((at) => ({ at: at * 600, price: String(at) }))
  }
  const read = { value: value(), stale: false, age: 0 }
  await cards({ history }).pictured(read, chain, 'en', show)
  expect(asked).toEqual([[8453, read.value.asset_address]])
  expect(drawn).toMatchObject([{ line: [1, 2, 3, 4, 5], span: 'over 40 min' }])
})

test.each([
  ['es', 'En curso', 'Market cap', '62% vendido', 'Termina: 18 nov, 12:06 UTC'],
  ['ru', 'Активен', 'Капитализация', 'продано 62%', 'Закончится 18 нояб., 12:06 UTC'],
  ['tr', 'Canlı', 'Piyasa değeri', '%62 satıldı', 'Bitiş: 18 Kas 12:06 UTC'],
  ['zh-CN', '进行中', '市值', '已售 62%', '11月18日 12:06 UTC 结束'],
] as const)('the words of a picture are in the reader’s language: %s', (locale, ...words) => {
  const { status, words: labels, progress, outcome } = facts(asset(), { locale })
  // Each language has the space of its own kind before the percent sign.
  const found = [status, labels.marketCap, progress?.label, outcome]
  expect(found.map((text) => text?.replaceAll(/\s/gu, ' '))).toEqual(words)
})

test('each language has a picture of its own, which is drawn once', async () => {
  pictures.of = async (facts) => {
    drawn.push(facts)
    return { ...picture, key: facts.status }
  }
  const made = cards()
  const read = { value: value(), stale: false, age: 0 }
  const ask = async (locale: 'en' | 'ru') =>
    (await made.pictured(read, chain, locale, show)).picture?.key
  const keys = [await ask('en'), await ask('ru'), await ask('en'), await ask('ru')]
  expect(keys).toEqual(['Live', 'Активен', 'Live', 'Активен'])
  expect(drawn).toHaveLength(2)
})

describe('the risk of a token', () => {
  const read = { value: value(), stale: false, age: 0 }
  const risk = { others: { count: 2, hasMore: false, graduated: 0, failed: 1 } }
  const line = 'risk-others'

  test('that is slow to find out comes after the card, and is edited in', async () => {
    let known: Risk | undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    const search = () => (known ? undefined : promise)
    const made = cards({ risks: { known: () => known, search } })
    const answer = made.pictured(read, chain, 'en', show)
    await expect.poll(() => shown).toHaveLength(1)
    expect(JSON.stringify(shown)).not.toContain(line)
    expect(shown).toMatchObject([{ picture }])
    known = risk
    resolve()
    const card = await answer
    expect(card).toMatchObject({ picture })
    expect(JSON.stringify(card)).toContain(line)
    expect(await made.pictured(read, chain, 'en', show)).toBe(card)
    expect(shown).toHaveLength(1)
  })

  test('that is called a fake by the API stands first on the card, in red', async () => {
    const known: Risk = { fake: ['Not the real *TSLA*'] }
    const made = cards({ risks: { known: () => known, search: () => undefined } })
    const card = await made.pictured(read, chain, 'en', show)
    expect(card.tone).toBe('bad')
    expect(plainView({ title: [], blocks: card.blocks.slice(0, 1) }).trim()).toBe(
      '🔴 Fake: Not the real *TSLA*',
    )
    expect(made.detailed(read, chain).blocks[0]).toEqual(card.blocks[0])
    expect(plainView(card)).toContain('Base · 🔴 Fake')
    expect(drawn).toMatchObject([{ status: 'Fake', tone: 'bad' }])
  })

  test.each(['at once', 'late'])(
    'that turns out to be a fake %s is on the picture, too, and not drawn as live again',
    async (when) => {
      let known: Risk | undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      const search = () => (known ? undefined : promise)
      pictures.of = async (facts) => {
        drawn.push(facts)
        return { ...picture, key: facts.status }
      }
      const made = cards({ risks: { known: () => known, search } })
      const answer = made.pictured(read, chain, 'en', show)
      if (when === 'late') {
        await expect.poll(() => shown).toHaveLength(1)
        expect(shown).toMatchObject([{ picture: { key: 'Live' } }])
      }
      known = { fake: [] }
      resolve()
      expect(await answer).toMatchObject({ tone: 'bad', picture: { key: 'Fake' } })
      expect(await made.pictured(read, chain, 'en', show)).toBe(await answer)
      expect(drawn.map(({ status }) => status)).toEqual(['Live', 'Fake'])
    },
  )

  test('that is found at once comes with the card, which is not shown without it first', async () => {
    let known: Risk | undefined
    const search = async () => {
      known = risk
    }
    const made = cards({ risks: { known: () => known, search } })
    expect(JSON.stringify(await made.pictured(read, chain, 'en', show))).toContain(line)
    expect(shown).toEqual([])
  })

  test('is left out if it never comes, or if a message can’t be edited', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const search = () => new Promise<void>(() => undefined)
    const made = cards({ risks: { known: () => undefined, search } })
    expect(await made.pictured(read, chain, 'en')).toMatchObject({ picture })
    const answer = made.pictured(read, chain, 'en', show)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await answer).toBe(shown[0])
  })
})
