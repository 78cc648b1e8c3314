import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { auctionSummarySchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { skeleton } from '../../../src/core/text.ts'
import { assetView } from '../../../src/views/asset.ts'
import { auctionView } from '../../../src/views/auction.ts'
import { listView } from '../../../src/views/list.ts'
import {
  coins,
  doubtOf,
  lookalikeOf,
  readsLike,
  searchedInstead,
} from '../../../src/views/lookalike.ts'
import { address, asset, base, cardParts, now } from './sample.ts'
import { shown } from './shown.ts'

const roles = ['name', 'symbol'] as const

test.each([
  ['РЕРЕ', 'PEPE'],
  ['рере', 'PEPE'],
  ['$РЕРЕ', 'PEPE'],
  ['ＵＳＤＣ', 'USDC'],
  ['ᴜsᴅᴄ', 'USDC'],
  ['ᴜꜱᴅᴛ', 'USDT'],
  ['𝐁𝐓𝐂', 'BTC'],
  ['ⓈⓄⓁ', 'SOL'],
  ['🅳🅾🅶🅴', 'DOGE'],
  ['🇺🇸DC', 'USDC'],
  ['🚀ЕТН🚀', 'ETH'],
  ['DAІ', 'DAI'],
  ['ᎬᎢᎻ', 'ETH'],
  ['ＵſDС', 'USDC'],
  ['Τеthеr', 'Tether'],
  ['USD Соin', 'USD Coin'],
  ['Віtсоіn', 'Bitcoin'],
  ['D0GE', 'DOGE'],
  ['S0lana', 'Solana'],
  ['DAl', 'DAI'],
  ['SHlB', 'SHIB'],
])('%s is written with look-alike letters of %s', (text, like) => {
  for (const role of roles) expect(lookalikeOf(text, role)).toEqual({ kind: 'letters', like })
})

test('a word of a longer name is checked, too', () => {
  expect(lookalikeOf('Официальный РЕРЕ', 'name')).toEqual({ kind: 'letters', like: 'PEPE' })
  expect(lookalikeOf('ΒΤС Gold', 'name')).toEqual({ kind: 'letters', like: 'BTC' })
})

test('accents don’t make another ticker, but another word', () => {
  expect(lookalikeOf('PÉPÉ', 'symbol')).toEqual({ kind: 'letters', like: 'PEPE' })
  expect(lookalikeOf('UŚDĆ', 'symbol')).toEqual({ kind: 'letters', like: 'USDC' })
  expect(lookalikeOf('Pépé', 'name')).toBeUndefined()
})

test.each([
  ['uniswap․org', 'uniswap.org'],
  ['uniswap.org', 'uniswap.org'],
  ['ｕｎｉｓｗａｐ。ｏｒｇ', 'uniswap.org'],
  ['unіswаp․оrg', 'uniswap.org'],
  ['Claim at get-drop.xyz now', 'get-drop.xyz'],
  ['https://a.example/b c', 'https://a.example/b'],
  ['www.otter', 'www.otter'],
  [`${'a'.repeat(60)}.com`, `${'a'.repeat(39)}…`],
])('%s looks like a link', (text, like) => {
  expect(lookalikeOf(text, 'name')).toEqual({ kind: 'link', like })
})

test.each([
  ['Аpple', 'Cyrillic'],
  ['Ωmega', 'Greek'],
  ['Mօon', 'Armenian'],
])('%s has a letter of another script in a word of Latin ones', (text, script) => {
  expect(lookalikeOf(text, 'name')).toEqual({
    kind: 'mixed',
    script: { key: `script-${script.toLowerCase()}` },
  })
  expect(plainText(doubtOf(text, 'name') ?? '')).toContain(script)
})

test('the alphabet is named in the reader’s language', () => {
  const doubt = doubtOf('Аpple', 'name') ?? ''
  expect(plainText(doubt, 'zh-CN')).toContain('西里尔')
  expect(plainText(doubt, 'ru')).toContain('кириллица')
})

test('a text that equals a well-known coin’s is found as the same', () => {
  expect(lookalikeOf('usdc', 'symbol')).toEqual({ kind: 'same', like: 'USDC' })
  expect(lookalikeOf('USD\u200bC', 'symbol')).toEqual({ kind: 'same', like: 'USDC' })
  expect(lookalikeOf('U S D C', 'name')).toEqual({ kind: 'same', like: 'USDC' })
  expect(lookalikeOf('usd coin', 'name')).toEqual({ kind: 'same', like: 'USD Coin' })
  expect(lookalikeOf('LINK', 'name')).toEqual({ kind: 'same', like: 'LINK' })
})

test.each([
  'Moon Otter',
  'Peperoni',
  'Pepe Unchained',
  'DAL',
  'SOI',
  '100X',
  'Moon 2000',
  'Mr.Otter',
  'v2.0 beta',
  'A.I.',
  '币安狗',
  'Moon 猫',
  'ペペ',
  'カエルcoin',
  'بيبي',
  'عملة ١٢٣',
  'Мир и дружба',
  'сон',
  'Росомаха',
  'Το φεγγάρι',
  'ΤΟΝ ΒΑΣΙΛΙΑ',
  '이더',
  'שלום',
  'Ünïcörn',
  'Łódź',
  '🐸🐸',
  '🇺🇸',
  '👩‍🚀 Ida',
  '𝓜𝓸𝓸𝓷 𝓞𝓽𝓽𝓮𝓻',
  'ＭＯＯＮ',
  '',
  '...',
])('%s is no look-alike', (text) => {
  for (const role of roles) {
    expect(lookalikeOf(text, role)).toBeUndefined()
  }
})

test.each(['Link', 'Sol', 'ada'])(
  '%s is a common word as a name, though a look-alike as a symbol',
  (text) => {
    expect(lookalikeOf(text, 'name')).toBeUndefined()
    expect(lookalikeOf(text, 'symbol')).toEqual({ kind: 'same', like: text.toUpperCase() })
  },
)

const called = new Set(
  coins.flatMap(({ symbol, names }) =>
    [symbol, ...names].map((each) => each.replaceAll(/[\s.]/gu, '').toLowerCase()),
  ),
)

test('a lower-case ASCII word that is no coin never warns', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[a-z]{1,12}$/u),
    // Close to one, where a mistake would show.
    fc.constantFrom(...called).map((each) => each.replaceAll('i', 'l').replaceAll(/[^a-z]/gu, '')),
    fc.constantFrom(...called).map((each) => each.replaceAll('m', 'rn').replaceAll(/[^a-z]/gu, '')),
  )
  fc.assert(
    fc.property(word, fc.constantFrom(...roles), (text, role) => {
      fc.pre(!called.has(text))
      expect(lookalikeOf(text, role)).toBeUndefined()
    }),
    { numRuns: 1_000 },
  )
})

/** Unicode's own table, from each confusable to what it looks like. */
const confusables = z
  .record(z.string(), z.string())
  .parse(JSON.parse(readFileSync('node_modules/unhomoglyph/data.json', 'utf8')))

/** A letter, small or big, and all that Unicode calls confusable with it. */
function variantsOf(letter: string): string[] {
  return [letter.toUpperCase(), letter.toLowerCase()].flatMap((each) => {
    const look = confusables[each] ?? each
    const alike = Object.entries(confusables).filter(([, target]) => target === look)
    return [each, ...alike.map(([from]) => from)]
  })
}

test('ASCII that looks like letters is found, whichever of it Unicode lists', () => {
  expect(lookalikeOf('SH|B', 'symbol')).toEqual({ kind: 'letters', like: 'SHIB' })
  for (const [from, to] of Object.entries(confusables)) {
    if (/^[\0-\x7f]$/u.test(from)) expect(skeleton(from), from).toBe(to)
  }
})

test.each(coins.map(({ symbol }) => symbol))(
  '%s is found behind every confusable letter of Unicode’s',
  (symbol) => {
    const letters = [...symbol]
    for (const [index, letter] of letters.entries()) {
      for (const variant of variantsOf(letter)) {
        if (/^[\0-\x7f]*$/u.test(variant)) continue
        const text = letters.with(index, variant).join('')
        expect(lookalikeOf(text, 'symbol'), text).toEqual({ kind: 'letters', like: symbol })
      }
    }
    const mixture = fc.tuple(...letters.map((letter) => fc.constantFrom(...variantsOf(letter))))
    fc.assert(
      fc.property(mixture, (parts) => {
        const text = parts.join('')
        fc.pre(!/^[\0-\x7f]*$/u.test(text))
        expect(lookalikeOf(text, 'symbol')).toEqual({ kind: 'letters', like: symbol })
      }),
    )
  },
)

test('a name with look-alike letters is searched for in plain letters', () => {
  expect(searchedInstead('РЕРЕ')).toBe('PEPE')
  expect(searchedInstead('🐸 ＭＯＯＮ ＯＴＴＥＲ')).toBe('MOON OTTER')
  expect(searchedInstead('ЅΗІВ')).toBe('SHIB')
  for (const text of ['Moon Otter', 'Мир', '猫', '🐸', '']) {
    expect(searchedInstead(text)).toBeUndefined()
  }
  expect(readsLike('ОТТЕR', 'otter')).toBe(true)
  expect(readsLike('otter', 'ОТТЕR')).toBe(true)
  expect(readsLike('OTTER', 'otter')).toBe(false)
  expect(readsLike('Выдра', 'otter')).toBe(false)
  expect(readsLike('🐸', '')).toBe(false)
})

const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const letters = '⚠️ Written with look-alike letters: it reads like USDC, but isn’t.'
const same = '⚠️ Named like USDC, a well-known coin. Check the address: this may be another token.'

function wire(token_name: string, token_symbol: string, at: string = address) {
  return { asset_address: at, auction_pool: { base_token: { token_name, token_symbol } } }
}

function auctionOf(name: string, symbol: string, token: string) {
  return auctionView({
    auction: auctionSummarySchema.parse({
      auction_base_token_name: name,
      auction_base_token_symbol: symbol,
      auction_base_token_address: token,
    }),
    pool: `0x${'a'.repeat(40)}`,
    chain: base,
    units: defaultUnits,
    freshness: { fetchedAt: now, stale: false, now },
    asset: undefined,
  })
}

describe('a card', () => {
  const warnings = (lines: string[]) => lines.filter((line) => line.startsWith('⚠️'))
  test('of a stranger’s token warns once of what it looks like', () => {
    expect(warnings(shown(assetView(cardParts(wire('ＵＳＤＣ', 'ᴜsᴅᴄ')))))).toEqual([letters])
    expect(warnings(shown(assetView(cardParts(wire('A coin', 'USDC')))))).toEqual([same])
    expect(warnings(shown(assetView(cardParts(wire('uniswap․org', 'ᴜsᴅᴄ')))))).toEqual([
      letters,
      '⚠️ Its name looks like a link (uniswap.org). Don’t open it.',
    ])
    expect(warnings(shown(auctionOf('Digital', 'ＵＳＤＣ', address)))).toEqual([letters])
  })

  test('of any other token has no warning, nor that of the coin itself', () => {
    expect(warnings(shown(assetView(cardParts(wire('Moon Otter', 'OTTER')))))).toEqual([])
    expect(warnings(shown(assetView(cardParts(wire('USD Coin', 'USDC', usdc)))))).toEqual([])
    expect(warnings(shown(auctionOf('USD Coin', 'USDC', usdc)))).toEqual([])
    // Elsewhere that address is anybody's.
    const elsewhere = { ...cardParts(wire('Digital', 'USDC', usdc)), chain: chainById(130) }
    expect(warnings(shown(assetView(elsewhere)))).toEqual([same])
  })
})

test('the line of a list has a mark where the card has a warning', () => {
  const assets = [wire('Digital', 'ＵＳＤＣ'), wire('Moon Otter', 'OTTER')].map(asset)
  const freshness = { fetchedAt: now, stale: false, now }
  const view = listView({ title: ['All'], assets, chain: base, units: defaultUnits, freshness })
  const [, fake, honest] = shown(view)
  expect(fake).toMatch(/^1\. ⚠️ Digital \$ＵＳＤＣ/u)
  expect(honest).toMatch(/^2\. Moon Otter/u)
})
