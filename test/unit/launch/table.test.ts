import fc from 'fast-check'
import { type Hex, size, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Effects, effectsOf } from '../../../src/chain/airlock/effects.ts'
import { decodePayload } from '../../../src/chain/airlock/modules.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import type { Span } from '../../../src/core/view.ts'
import { mapSpan, type Viewpoint } from '../../../src/launch/table/value.ts'
import {
  type Asked,
  askedRows,
  isDeviation,
  readAsked,
  sectionsOf,
  tableOf,
  valuesOf,
} from '../../../src/launch/table.ts'
import { hostileNames } from '../../hostile.ts'
import { launchesOfEveryKind } from '../chain/airlock/launches.ts'
import { book, read, somebody, tokenAddress } from '../chain/airlock/sdk.ts'
import {
  bob,
  eve,
  hookUse,
  otterLaunch,
  percent,
  protocol,
  rowOf,
  say,
  table,
  tokens,
  viewpoint,
  whole,
  you,
} from './effects-sample.ts'

const dao = { form: 'dao', name: '', votingDelay: 1, votingPeriod: 1, threshold: 0n } as const
const launches = await launchesOfEveryKind()

function bound(text: string): boolean {
  return text.length < 2_000
}

describe('the most important rows come first', () => {
  test('rows that differ from what was asked, or are unusual', () => {
    const effects = { minting: 1n, governance: { form: 'multisig', account: eve } } as const
    const asked = { tradingFee: { first: '0.3' } }
    const found = table({ effects, asked }).map(({ key }) => key)
    expect(found.slice(0, 3)).toEqual(['minting', 'tradingFee', 'governance'])
    expect(found[3]).toBe('supply')
  })

  test.each<[string, Partial<Effects>, Asked['shares']]>([
    ['none before graduation', { shares: [] }, []],
    [
      'a share of nothing',
      { fee: { first: 0, last: 0, seconds: 0 } },
      {
        ofNothing: [
          { to: 'you', percent: '95' },
          { to: 'protocol', percent: '5' },
        ],
      },
    ],
    ['none', { shares: [{ to: bob, share: whole }] }, [{ to: bob, percent: '100' }]],
  ])('that the launcher gets %s, even if that was asked for', (_, effects, shares) => {
    const [row] = table({ effects, asked: { shares } })
    expect(row).toMatchObject({ key: 'shares', state: 'same' })
    const [review] = askedRows({ supply: '1', shares }, viewpoint)
    expect(review?.key).toBe('shares')
    const [section] = sectionsOf(table({ effects, asked: { shares } }))
    expect(section).toMatchObject({ group: 'first', rows: [{ key: 'shares' }] })
  })

  test('and the order of the others stays', () => {
    const keys = table().map(({ key }) => key)
    const known = Object.keys(valuesOf(otterLaunch, viewpoint))
    expect(keys).toEqual(known.filter((key) => keys.some((each) => each === key)))
    expect(keys[0]).toBe('supply')
  })
})

describe('the review agrees with the table', () => {
  const effects: Partial<Effects> = {
    vesting: [{ to: bob, amount: tokens(5e7), cliff: 0n, duration: 86_400n }],
    hook: hookUse(),
    governance: { ...dao, name: 'Otters' },
    raise: { min: 1n, max: whole },
    limit: { maxBalance: whole, until: 2 ** 40, controller: you, excluded: [bob] },
  }
  const asked: Asked = Object.fromEntries(
    Object.entries(valuesOf({ ...otterLaunch, ...effects }, viewpoint)).filter(
      ([, value]) => value !== null,
    ),
  )

  test('in the same words, under the same labels', () => {
    const review = askedRows(asked, viewpoint)
    expect(review.length).toBeGreaterThan(15)
    // Another launch, from which all this differs.
    const other = table({ effects: { ...effects, supply: 1n, shares: [] }, asked })
    for (const row of review) {
      const told = other.find(({ key }) => key === row.key)
      expect([told?.label, say(told?.asked)]).toEqual([row.label, say(row.asked)])
    }
  })

  test('without rows that only a payload has', () => {
    const review = askedRows(asked, viewpoint)
    expect(review.filter(({ does }) => does !== undefined)).toEqual([])
    expect(askedRows({ limit: null, supply: '5' }, viewpoint).map(({ key }) => key)).toEqual([
      'supply',
    ])
  })

  test('with a range, and percent instead of tokens', () => {
    const rows = askedRows(
      {
        opening: { cap: ['10', '20000'] },
        vesting: [
          { to: 'you', percent: '2.5', duration: 31_536_000, cliff: 3600 },
          { to: bob, percent: '10' },
        ],
        rest: { to: 'nobody', percent: '40' },
        trading: { from: { in: 600 }, seconds: 3600 },
      },
      viewpoint,
    )
    expect(Object.fromEntries(rows.map(({ key, asked }) => [key, say(asked)]))).toEqual({
      opening: 'market cap between 10.00 and 20,000.00 WETH',
      vesting: '10% to BOB and 2.5% to you over 365 days (nothing in the first 1 hour)',
      rest: '40% to nobody (burned)',
      trading: 'starts 10 minutes after you confirm, for 1 hour at most',
    })
  })
})

describe('the pins of a template are read', () => {
  test('for the table of any payload', () => {
    for (const calldata of Object.values(launches)) {
      const effects = effectsOf(read(calldata), { token: tokenAddress, quoteDecimals: 18 })
      const pinned: Record<string, unknown> = { ...valuesOf(effects, viewpoint) }
      const stored: unknown = JSON.parse(JSON.stringify(pinned))
      expect(stored).toEqual(pinned)
      expect(readAsked(pinned)).toEqual({ asked: pinned })
    }
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['an unknown row', { fees: [] }, 'there is no row fees; there are supply, sale, vesting'],
    ['a row of every object', { constructor: 1 }, 'there is no row constructor'],
    ['a number for a text', { supply: 1_000_000_000 }, 'supply has another form'],
    ['words for a number', { tradingFee: { first: 'low' } }, 'tradingFee has another form'],
    ['a number with an exponent', { supply: '1e9' }, 'supply has another form'],
    ['less than nothing', { rest: { to: 'you', percent: '-5' } }, 'rest has another form'],
    ['somebody by name', { shares: [{ to: 'bob', percent: '5' }] }, 'shares has another form'],
    ['an address that is cut', { quote: '0x1234' }, 'quote has another form'],
    ['half a range', { opening: { cap: ['10'] } }, 'opening has another form'],
    ['a time in words', { trading: { from: 'tomorrow' } }, 'trading has another form'],
    ['nothing at all', { governance: undefined }, 'governance has another form'],
  ])('%s is refused, and the row named', (_, given, wrong) => {
    expect(readAsked(given)).toEqual({ wrong: expect.stringContaining(wrong) })
  })
})

describe('long lists', () => {
  const people = Array.from({ length: 9 }, (_, index) => somebody(`person ${index}`))

  test('show six lines and the number of the others', () => {
    const vesting = people.map((to, index) => ({
      to,
      amount: tokens(1e6 * (index + 1)),
      cliff: 0n,
      duration: 0n,
    }))
    const words = say(rowOf('vesting', { effects: { vesting } }).does)
    expect(words).toMatch(/^9,000,000 tokens \(0\.9%\) to .* and 3 more$/u)
    expect(words.match(/tokens/gu)).toHaveLength(6)
    const six = rowOf('vesting', { effects: { vesting: vesting.slice(3) } })
    expect(say(six.does)).not.toContain('more')
  })

  test('show the largest first', () => {
    const shares = people.map((to, index) => ({ to, share: percent(1 + index) }))
    const words = say(rowOf('shares', { effects: { shares } }).does)
    expect(words.indexOf('9%')).toBeLessThan(words.indexOf('8%'))
    expect(words).toContain('and 3 more')
  })
})

const hostile = [...hostileNames, ['ten thousand characters', 'x'.repeat(10_000)] as const]
// What nobody sees, or what turns the direction of writing, and every line break.
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

describe.each(hostile)('%s', (_, text) => {
  test('is shown plain and short as the name of a DAO', () => {
    const words = say(rowOf('governance', { effects: { governance: { ...dao, name: text } } }).does)
    expect(words).not.toMatch(unseen)
    expect(words.length).toBeLessThan(2_500)
    expect(words).toMatch(/^a DAO, “.*”, in which token holders vote/u)
  })

  test('is shown plain and short as the symbol of a quote token', () => {
    const quote = { symbol: text, known: false, decimals: 18 }
    const effects = { raise: { min: 1n, max: whole }, hook: hookUse() }
    for (const { does } of table({ effects, view: { quote } })) {
      expect(say(does)).not.toMatch(unseen)
      expect(bound(say(does))).toBe(true)
    }
    for (const { asked } of askedRows({ raise: { min: '1', max: '2' } }, { ...viewpoint, quote })) {
      expect(say(asked)).not.toMatch(unseen)
      expect(bound(say(asked))).toBe(true)
    }
  })
})

/** Launches with some of their words replaced by what is small, huge or somebody. */
const anyLaunch = fc
  .record({
    calldata: fc.constantFrom(...Object.values(launches)),
    changes: fc.array(
      fc.tuple(
        fc.nat(),
        fc.oneof(
          fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
          fc.constantFrom(0n, 1n, whole, 2n ** 32n - 1n, 2n ** 48n - 1n, 2n ** 128n, 2n ** 255n),
          fc.integer({ min: 0, max: 300 }).map(BigInt),
        ),
      ),
      { maxLength: 3 },
    ),
  })
  .map(({ calldata, changes }) =>
    changes.reduce((data, [place, value]) => {
      const at = 10 + 64 * (place % Math.floor((size(data) - 4) / 32))
      return `${data.slice(0, at)}${toHex(value, { size: 32 }).slice(2)}${data.slice(at + 64)}` as Hex
    }, calldata),
  )

const anyView: fc.Arbitrary<Viewpoint> = fc.record({
  wallet: fc.constantFrom(you, bob),
  integrator: fc.constantFrom(undefined, bob),
  protocol: fc.constantFrom(undefined, protocol),
  now: fc.constantFrom(0, viewpoint.now, 2 ** 33),
  quote: fc.record({
    symbol: fc.string({ unit: 'binary' }),
    known: fc.boolean(),
    decimals: fc.constantFrom(undefined, 0, 6, 18, 255),
    usd: fc.constantFrom(undefined, '0', '1', '1e-7', '12345678901234567890'),
  }),
})

/** What a row says by itself: without accounts, and without what stands for signs that are not seen. */
function textOf(words: Span): string {
  const text = plainText([mapSpan(words, (span) => (isAccount(span) ? '' : span))])
  return text.replaceAll(/\\u\{[0-9a-f]+\}|0x[0-9a-f]+/giu, '')
}

function isAccount(span: Span): boolean {
  return typeof span === 'object' && 'code' in span
}

function expectPlain(words: Span) {
  // What no calendar shows would throw here.
  const text = textOf(words)
  expect(text).not.toMatch(unseen)
  expect(text).not.toMatch(/undefined|NaN|Infinity|\[object|\de[+-]?\d/u)
  expect(text.length).toBeLessThan(3_000)
}

test('every launch that can be decoded has a table, in plain words of bounded length', () => {
  let made = 0
  fc.assert(
    fc.property(anyLaunch, anyLaunch, anyView, (calldata, other, view) => {
      const effects = effectsIn(calldata, view)
      if (!effects) return
      const pinned = effectsIn(other, view)
      const asked = pinned ? valuesOf(pinned, view) : {}
      expect(readAsked(asked)).toEqual({ asked })
      made += 1
      for (const row of [...tableOf(effects, asked, view), ...askedRows(asked, view)]) {
        expectPlain(row.label)
        expectPlain(row.does ?? '')
        expectPlain(row.asked ?? '')
      }
    }),
    { numRuns: 400 },
  )
  expect(made).toBeGreaterThan(100)
})

function effectsIn(calldata: Hex, { quote }: Viewpoint): Effects | undefined {
  const decoded = decodePayload(calldata, book)
  if (!decoded.call) return undefined
  return effectsOf(decoded, { token: tokenAddress, quoteDecimals: quote.decimals })
}

describe('if all rows are pinned to a payload, any other payload differs or can’t be decoded', () => {
  // Before all that starts at a time: what is past is now.
  const view = { ...viewpoint, now: 1 }

  test.each(Object.entries(launches))('%s', (_, calldata) => {
    const before = effectsIn(calldata, view)
    if (!before) throw new Error('not read')
    const asked = valuesOf(before, view)

    /** Whether the table says nothing of a change that is read; the rest is compared with what was typed. */
    function isSilent(at: number): boolean {
      const decoded = decodePayload(changed(calldata, at), book)
      if (!decoded.call || decoded.problems.length > 0) return false
      const effects = effectsOf(decoded, { token: tokenAddress, quoteDecimals: 18 })
      const typed = (each: Effects) => [each.name, each.symbol, each.uri].join()
      const isElsewhere =
        decoded.call.params.salt !== read(calldata).call.params.salt ||
        typed(effects) !== typed({ ...otterLaunch, ...before })
      if (isElsewhere || effects.problems.length > 0) return false
      return !tableOf(effects, asked, view).some(isDeviation)
    }

    const silent: number[] = []
    for (let at = 4 + 31; at < size(calldata); at += 32) if (isSilent(at)) silent.push(at)
    expect(silent).toEqual([])
  })
})

/** Calldata with the lowest bit of one byte turned. */
function changed(calldata: Hex, at: number): Hex {
  const place = 2 + 2 * at
  const byte = Number.parseInt(calldata.slice(place, place + 2), 16) ^ 1
  return `0x${calldata.slice(2, place)}${byte.toString(16).padStart(2, '0')}${calldata.slice(place + 2)}`
}
