import { describe, expect, test } from 'vitest'
import type { Asset } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { plainText } from '../../../src/core/catalogue.ts'
import { formatLine } from '../../../src/core/command.ts'
import { isOutOfOrder, type ListParts, listView } from '../../../src/views/list.ts'
import { address, asset, base, fullAsset, now, withValue } from './sample.ts'
import { controls, shown } from './shown.ts'

const live = withValue(fullAsset, ['graduation_pool'], undefined)
const graduated = { ...fullAsset, asset_status: 'graduated' }

function list(wires: object[], parts: Partial<ListParts> = {}) {
  return listView({
    title: ['Live assets'],
    assets: wires.map(asset),
    chain: base,
    units: defaultUnits,
    freshness: { fetchedAt: now, stale: false, now },
    emptyText: 'Nothing is live.',
    ...parts,
  })
}

describe('a line of a list', () => {
  const opens = `[Moon Otter $OTTER: asset ${address} chain:8453]`
  test.each([
    ['live', live, `1. 🟢 Moon Otter $OTTER · MC $12.3M · 42% sold ${opens}`],
    ['graduated', graduated, `1. 🎓 Moon Otter $OTTER · MC $12.3M · ▲ 15.4% (24h) ${opens}`],
    [
      'of a status that nobody named',
      { ...live, asset_status: 'paused' },
      `1. Moon Otter $OTTER · paused · MC $12.3M · ▲ 15.4% (24h) ${opens}`,
    ],
    ['bare', { asset_address: address }, `1. Unnamed [Unnamed: asset ${address} chain:8453]`],
  ])('for one that is %s', (_, wire, line) => {
    expect(shown(list([wire]))).toEqual(['Live assets', line])
  })
})

test('a line of a list says which token it is priced in, unless that goes without saying', () => {
  const tesla = {
    ...live,
    asset_numeraire_address: '0x322f0929c4625ed5bad873c95208d54e1c003b2d',
  }
  const view = list([tesla, live], { chain: chainById(4663) })
  const [, first, second] = shown(view)
  expect(first).toContain('· 42% sold · in TSLA [')
  expect(second).not.toContain(' · in ')
  expect(shown(list([live]))[1]).not.toContain(' · in ')
})

test.each([
  ['en', ['MC $12.3M', '▲ 15.4% (24h)', 'in TSLA']],
  ['ru', ['кап. $12,3 млн', '▲ 15,4% (24 ч)', 'в TSLA']],
] as const)('no part of a line is torn apart in %s, a name may be', (locale, parts) => {
  const tesla = '0x322f0929c4625ed5bad873c95208d54e1c003b2d'
  const wire = { ...graduated, asset_numeraire_address: tesla }
  const [block] = list([wire], { chain: chainById(4663) }).blocks
  const row = block?.kind === 'list' ? plainText(block.items[0]?.spans ?? [], locale) : ''
  const expected = parts.map((part) => part.replaceAll(' ', '\u00a0'))
  expect(row.split(' · ')).toEqual(['🎓 Moon Otter $OTTER', ...expected])
})

test('signs are explained if there are several, once each', () => {
  expect(shown(list([live, graduated, live]))).toContain('🟢 Live · 🎓 Graduated')
  expect(shown(list([live, live])).join('\n')).not.toContain('🟢 Live')
})

test('a price change is not shown without the price', () => {
  const units = {
    ...defaultUnits,
    pool_price: 'unknown' as const,
    pool_current_price: 'unknown' as const,
  }
  const sqrt = ['auction_pool', 'pool_current_sqrt_price']
  const priceless = withValue(graduated, sqrt, undefined)
  const [, line] = shown(list([priceless], { units }))
  expect(line).toMatch(/^1\. 🎓 Moon Otter \$OTTER · MC \$12\.3M \[/u)
})

test('items are numbered across pages, and pages link to each other', () => {
  const page = (number: number, hasNext: boolean) =>
    list([live, live], {
      paging: {
        page: number,
        hasNext,
        lineOf: (page) => formatLine('assets', undefined, { page }),
      },
    })
  expect(controls(page(1, false))).toEqual([])
  expect(controls(page(1, true))).toEqual([['Next ▶ assets page:2']])
  expect(controls(page(2, true))).toEqual([['◀ Previous assets', 'Next ▶ assets page:3']])
  expect(controls(page(3, false))).toEqual([['◀ Previous assets page:2']])
  expect(shown(page(1, false)).at(-1)).not.toBe('Page 1')
  expect(shown(page(2, false)).slice(1)).toEqual([
    expect.stringMatching(/^11\. /u),
    expect.stringMatching(/^12\. /u),
    'Page 2',
  ])
})

test('an empty list says so and keeps its buttons', () => {
  const buttonRows = [[{ label: 'All', line: 'assets all' }]]
  const view = list([], { buttonRows })
  expect(shown(view)).toEqual(['Live assets', 'Nothing is live.'])
  expect(controls(view)).toEqual([['All assets all']])
})

test('an old answer shows its age', () => {
  const view = list([live], { freshness: { fetchedAt: now, stale: true, now } })
  expect(shown(view).at(-1)).toContain('showing data from 2023-11-14 22:13')
})

describe('an order', () => {
  const worth = (...caps: (number | undefined)[]) =>
    caps.map(
      (cap): Asset => ({
        asset_address: address,
        auction_pool: {
          pool_market_data: cap === undefined ? {} : { pool_market_cap: String(cap) },
        },
      }),
    )
  test.each([
    ['kept', worth(900, 800, 700, 100), false],
    ['kept but for what moved since', worth(900, 800, 840, 700), false],
    ['kept but for one of many', worth(900, 800, 100, 700, 60, 50), false],
    ['not kept', worth(100, 900, 700, 800), true],
    ['turned around', worth(100, 200, 400), true],
    ['not to be seen where figures are absent', worth(undefined, 900, undefined), false],
  ])('that is %s', (_, assets, isWrong) => {
    expect(isOutOfOrder(assets, 'market_cap_desc', defaultUnits)).toBe(isWrong)
    expect(isOutOfOrder(assets.toReversed(), 'market_cap_asc', defaultUnits)).toBe(isWrong)
  })
})
