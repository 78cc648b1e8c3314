import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chainById } from '../../../src/chain/chains.ts'
import { besidePicture, type Span } from '../../../src/core/view.ts'
import { assetView } from '../../../src/views/asset.ts'
import { hostileText } from '../../hostile.ts'
import { address, cardParts, fullAsset, now, paths, withValue } from './sample.ts'
import { controls, shown } from './shown.ts'

const card = (wire: object) => assetView(cardParts(wire))
const cardAt = (wire: object, shownAt: number) =>
  shown(
    assetView({ ...cardParts(wire), freshness: { fetchedAt: now, stale: false, now: shownAt } }),
  )
const live = withValue(fullAsset, ['graduation_pool'], undefined)
const tokenPath = ['auction_pool', 'base_token']
const withToken = (field: string, value: unknown) => withValue(live, [...tokenPath, field], value)
const without = (wire: typeof live, ...fields: string[][]) =>
  fields.reduce((rest, path) => withValue(rest, path, undefined), wire)

test('the card of a live asset has what matters first, and the rest folded', () => {
  const view = card(live)
  expect(shown(view)).toEqual([
    'Moon Otter $OTTER',
    'Base · 🟢 Live',
    '$0.01234  ▲ 15.4% (24h) · MC $12.3M',
    '▰▰▰▰▱▱▱▱▱▱ 42% sold',
    'Raised: 12.5 WETH (min 5 WETH, max 40 WETH)',
    'Ends 2023-11-15 00:13 · 2023-11-15 00:13',
    '5% in vesting',
    address,
    'moonotter.example · x.com',
    '(Night patrols on three rivers.)',
    '(Liquidity: $1.1M · Volume (24h): $24K)',
    '(Sold: 252M of 600M)',
    '(Created: 2023-11-13 22:13)',
    '(Creator: 0x1111…1111)',
    '(Fees go to: 0x2222…2222)',
    '(Vesting: 5% to 0x3333…3333)',
    '(Categories: builder-coin · product-coin)',
  ])
  expect(view.image).toBe('https://images.example/otter.png')
  expect(controls(view)).toEqual([
    [`📋 Copy address copies ${address}`, `Refresh asset ${address} chain:8453`],
    [
      `🔔 Alerts +follow ${address} chain:8453`,
      `⭐ Watch +watch ${address} chain:8453`,
      `👤 Creator +by 0x${'1'.repeat(40)} chain:8453`,
      `📤 Share +share ${address} chain:8453`,
    ],
    [
      `Auction +auction ${address} chain:8453`,
      `Explorer https://basescan.org/token/${address}`,
      `Pool https://basescan.org/address/0x${'a'.repeat(40)}`,
    ],
  ])
  // Times are in the reader's own zone, and the address can be copied.
  expect(JSON.stringify(view)).toContain(JSON.stringify({ time: now + 7200, as: 'relative' }))
  expect(view.blocks).toContainEqual({ kind: 'copy', text: address })
})

test('the details are folded, or shown in place by their line', () => {
  const folded = card(live)
  expect(
    folded.blocks.flatMap((block) => (block.kind === 'details' ? [block.open.line] : [])),
  ).toEqual([`asset ${address} chain:8453 show:details`])
  const whole = assetView(cardParts(live), true)
  expect(shown(whole)).toEqual(shown(folded).map((line) => line.replace(/^\((.*)\)$/u, '$1')))
})

test('beside a picture its own lines are left out', () => {
  const pictured = card(live).blocks.filter((block) => block.kind === 'lines' && block.isPictured)
  expect(pictured.flatMap((block) => (block.kind === 'lines' ? block.lines : []))).toHaveLength(3)
})

test('a testnet is named beside a picture, too', () => {
  const view = assetView({ ...cardParts(live), chain: chainById(84_532) })
  const shownLines = shown({ ...view, blocks: besidePicture(view.blocks) })
  expect(shownLines[1]).toBe('Base Sepolia (TESTNET) · 🟢 Live')
  expect(shownLines.join()).not.toContain('42% sold')
})

test('the card of a graduated asset says when and to which pool', () => {
  const wire = { ...fullAsset, asset_status: 'graduated', asset_current_pool: 'graduation' }
  const lines = shown(card(wire))
  expect(lines).toContain('Graduated 2023-11-14 21:13 → pool 0xbbbb…bbbb')
  expect(lines.join()).not.toMatch(/sold|Raised|Ends/u)
  expect(controls(card(wire))[2]).toContain(`Pool https://basescan.org/address/0x${'b'.repeat(40)}`)
  for (const pool of ['0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD', `0x${'0'.repeat(40)}`]) {
    const none = withValue(fullAsset, ['graduation_pool', 'pool_address'], pool)
    expect(shown(card(none)).join()).not.toContain('Graduated')
  }
})

test('the start of an incoming asset, and the end of a live one, are or were', () => {
  const incoming = { ...live, asset_status: 'incoming' }
  expect(cardAt(incoming, now - 7201)).toContain('Starts 2023-11-14 20:13 · 2023-11-14 20:13')
  expect(cardAt(incoming, now - 7200)).toContain('Started 2023-11-14 20:13 · 2023-11-14 20:13')
  expect(cardAt(incoming, now).join()).not.toMatch(/sold|Raised|Ends/u)
  expect(cardAt(live, now + 7199)).toContain('Ends 2023-11-15 00:13 · 2023-11-15 00:13')
  expect(cardAt(live, now + 7200)).toContain('Ended 2023-11-15 00:13 · 2023-11-15 00:13')
})

test.each([
  ['LIVE', '🟢 Live'],
  ['stall', '⏸️ Ended, not graduated'],
  ['paused_by_vote', 'paused_by_vote'],
  ['__proto__', '__proto__'],
  ['x'.repeat(60), `${'x'.repeat(23)}…`],
])('the status %s is shown as %s', (status, text) => {
  expect(shown(card({ ...live, asset_status: status }))[1]).toBe(`Base · ${text}`)
})

describe('absent fields are left out', () => {
  test('of an asset with nothing but its address', () => {
    const view = card({ asset_address: address })
    expect(shown(view)).toEqual(['Unnamed', 'Base', address])
    expect(view.image).toBeUndefined()
    expect(controls(view)).toEqual([
      [`📋 Copy address copies ${address}`, `Refresh asset ${address} chain:8453`],
      [
        `🔔 Alerts +follow ${address} chain:8453`,
        `⭐ Watch +watch ${address} chain:8453`,
        `📤 Share +share ${address} chain:8453`,
      ],
      [`Explorer https://basescan.org/token/${address}`],
    ])
  })

  test('of an asset without any one field', () => {
    const removable = paths(fullAsset).filter((path) => path.join() !== 'asset_address')
    for (const status of ['live', 'incoming', 'graduated']) {
      const all = { ...fullAsset, asset_status: status }
      const before = shown(card(all))
      for (const path of removable) {
        const lines = shown(card(withValue(all, path, undefined)))
        expect(lines.length, path.join('.')).toBeLessThanOrEqual(before.length)
        expect(lines.join('\n'), path.join('.')).not.toMatch(
          /undefined|null|NaN|\[object|: ?$|^$/mu,
        )
      }
    }
  })

  test('on a chain without a known explorer', () => {
    const view = assetView({ ...cardParts(live), chain: chainById(999_999) })
    expect(shown(view)[1]).toBe('Chain 999999 · 🟢 Live')
    expect(JSON.stringify(view)).not.toContain('scan')
  })
})

test('a graduation pool with address and price hides nothing of a live auction', () => {
  const none = without(
    fullAsset,
    ['asset_migration_timestamp'],
    ['auction_pool', 'pool_migration_timestamp'],
    ['graduation_pool', 'pool_migration_timestamp'],
  )
  const early = withValue(none, ['graduation_pool', 'pool_market_data', 'pool_price'], '7')
  for (const wire of [early, withValue(early, ['asset_current_pool'], 'graduation')]) {
    expect(shown(card(wire))).toEqual(shown(card(live)))
    expect(controls(card(wire))).toEqual(controls(card(live)))
  }
})

describe('numbers', () => {
  const market = ['auction_pool', 'pool_market_data']
  const bare = without(
    live,
    [...market, 'pool_price'],
    [...market, 'pool_market_cap'],
    ['auction_pool', 'pool_current_market_cap'],
    ['auction_pool', 'pool_current_price'],
    ['auction_pool', 'pool_current_sqrt_price'],
  )
  const lineOf = (start: string, wire: object) =>
    shown(card(wire)).find((line) => line.startsWith(start))

  test.each([
    // What was paid for is not to be had for nothing.
    ['0', undefined, undefined],
    ['2.84080493699e-4', '-0.03', '$0.0002841  ▼ 3% (24h)'],
    ['1234.5', '1.5e-1', '$1,234.50  ▲ 15% (24h)'],
  ])('a price of %s with a change of %s', (price, change, line) => {
    const wire = withValue(bare, [...market, 'pool_price'], price)
    const changed = withValue(wire, [...market, 'pool_price_change_24h'], change)
    expect(lineOf('$', changed)).toBe(line)
  })

  test.each([
    ['0', '$0'],
    ['0.004', '<$0.01'],
    ['900000000000', '$900B'],
    ['9000000000000', undefined],
    [`9${'0'.repeat(20)}`, undefined],
    ['a lot', undefined],
  ])('a market cap of %s is %s', (value, text) => {
    const line = lineOf('MC', withValue(bare, [...market, 'pool_market_cap'], value))
    expect(line).toBe(text && `MC ${text}`)
  })

  test.each([
    [`599999999${'9'.repeat(18)}`, /^▰{9}▱ 99% sold$/u],
    [`600000000${'0'.repeat(18)}`, /^▰{10} 100% sold$/u],
    ['1000000000000000000', /^▱{10} <1% sold/u],
    ['0', /^▱{10} 0% sold$/u],
    [undefined, /^$/u],
  ])('with %s sold the bar is full only if all is sold', (sold, text) => {
    const pool = { ...live.auction_pool, pool_current_sale_progress_percentage: undefined }
    const wire = {
      ...live,
      auction_pool: { ...pool, pool_current_total_tokens_sold: sold },
    }
    expect(shown(card(wire)).find((line) => line.endsWith(' sold')) ?? '').toMatch(text)
  })

  test.each([
    ['0x4200000000000000000000000000000000000006', '12.5 WETH'],
    [`0x${'0'.repeat(40)}`, '12.5 ETH'],
    [`0x${'5'.repeat(40)}`, '12.5 0x5555…5555'],
    ['constructor', '12.5 constructor'],
    [undefined, '12.5'],
  ])('proceeds in the numeraire %s', (numeraire, text) => {
    const line = lineOf('Raised', { ...live, asset_numeraire_address: numeraire })
    expect(line?.startsWith(`Raised: ${text} (`)).toBe(true)
  })
})

test('an old answer shows its age', () => {
  const freshness = { fetchedAt: now - 60, stale: true, now }
  const lines = shown(assetView({ ...cardParts(live), freshness }))
  expect(lines.at(-1)).toBe('Data provider unreachable – showing data from 2023-11-14 22:12.')
})

describe('texts by strangers', () => {
  test.each([
    ['', '', 'Unnamed'],
    ['\u200b\u2060', '\u202e', 'Unnamed'],
    ['\u0301\ufe0f', '$$$', 'Unnamed'],
    ['Two\nLines', '$OTTER', 'Two Lines $OTTER'],
    ['Safe \u202egnp.exe', '$$OTTER', 'Safe gnp.exe $OTTER'],
    ['x'.repeat(300), 'Y'.repeat(300), `${'x'.repeat(47)}… $${'Y'.repeat(15)}…`],
  ])('the name %j and the symbol %j', (name, symbol, title) => {
    const named = withValue(
      withToken('token_uri_data', undefined),
      [...tokenPath, 'token_name'],
      name,
    )
    expect(shown(card(withValue(named, [...tokenPath, 'token_symbol'], symbol)))[0]).toBe(title)
  })

  test('a name that is only in the metadata is shown, a long description shortened', () => {
    expect(shown(card(withToken('token_name', undefined)))[0]).toBe('Moon Otter $OTTER')
    const line = shown(card(withToken('token_description', 'otter '.repeat(200)))).find((each) =>
      each.startsWith('(otter'),
    )
    expect([line?.length, line?.at(-2)]).toEqual([282, '…'])
  })

  const links = (...urls: string[]) => {
    const value = urls.map((url) => ({ label: 'Official', url }))
    const wire = withValue(live, [...tokenPath, 'token_uri_data', 'social_links'], value)
    return card(wire)
      .blocks.flatMap((block) => (block.kind === 'lines' ? block.lines.flat() : []))
      .filter((span): span is Span & object => typeof span === 'object' && 'link' in span)
  }
  const longHost = `gavel.example.${'login-'.repeat(6)}a.evil.example`

  test.each([
    ['https://Moon.Example/a?b=c#d', 'moon.example', 'https://moon.example/a?b=c#d'],
    [
      'https://bücher.example:8443/',
      'xn--bcher-kva.example:8443',
      'https://xn--bcher-kva.example:8443/',
    ],
    // The first letter is Cyrillic.
    ['https://\u0430pple.example:443/', 'xn--pple-43d.example', 'https://xn--pple-43d.example/'],
    // The end says whose it is.
    [`https://${longHost}/`, `…${longHost.slice(-39)}`, `https://${longHost}/`],
  ])('the link %s is shown by its host, whatever it is called', (typed, link, url) => {
    expect(links(typed)).toEqual([{ link, url }])
  })

  test('only https pages of a domain are links, and six at most are shown', () => {
    const wrong = [
      'http://plain.example/',
      'javascript:alert(document.cookie)',
      'data:text/html,x',
      'tg://user?id=1',
      'https://gavel.example@evil.example/',
      'https://user:password@evil.example/',
      'https://localhost/',
      'https://[::1]/',
      'https://a{b}.example/',
      'https://moon_otter.example/',
      'https://-moon.example/',
      'https://moon-.otter.example/',
      `https://${'x'.repeat(64)}.example/`,
      'https://moon.example:0/',
      'https://moon.example:9/',
      'moon.example',
      `https://long.example/${'x'.repeat(500)}`,
      '',
    ]
    for (const url of wrong) expect(links(url), url).toEqual([])
    const urls = Array.from({ length: 20 }, (_, index) => `https://s${index}.example/`)
    expect(links(...urls)).toHaveLength(6)
  })

  test.each([
    ['https://a.example/x|[y]%zz%2F?q={a|b}#c#d', '/x%7C%5By%5D%25zz%2F?q=%7Ba%7Cb%7D#c%23d'],
    ['https://a.example/水', '/%E6%B0%B4'],
    ['https://a.example/x?q={a}', '/x?q=%7Ba%7D'],
    ['https://a.example/x#c#d', '/x#c%23d'],
    ['https://a.example/x%#41', '/x%25#41'],
    ["https://a.example/a-b_c.~!$&'()*+,;=:@?/?", "/a-b_c.~!$&'()*+,;=:@?/?"],
  ])('the link %s holds what RFC 3986 allows', (typed, rest) => {
    expect(links(typed)).toEqual([{ link: 'a.example', url: `https://a.example${rest}` }])
  })

  test.each([
    'http://images.example/x.png',
    'javascript:x',
    'https://a:b@c.example/x',
    'ipfs://x',
    'https://llama_otter.images.example/x.png',
  ])('%s is no picture', (url) => {
    expect(card(withToken('token_image_public_url', url)).image).toBeUndefined()
  })

  test('vesting names three recipients and counts the others', () => {
    const recipients = [1, 2, 3, 4, 5].map((digit) => `0x${String(digit).repeat(40)}`)
    const wire = withValue(
      withToken('token_vesting_recipient_addresses', recipients),
      [...tokenPath, 'token_uri_data', 'vesting_recipients'],
      [],
    )
    expect(shown(card(wire))).toContain(
      '(Vesting: 0x1111…1111, 0x2222…2222, 0x3333…3333 and 2 more)',
    )
  })

  test('no text in any field, or in all of them, makes the card fail or puts a link in it that is not https', () => {
    const fields = paths(fullAsset).filter((path) => path.join() !== 'asset_address')
    const changes = fc.array(fc.tuple(fc.constantFrom(...fields), hostileText), { maxLength: 12 })
    fc.assert(
      fc.property(changes, fc.constantFrom('live', 'graduated', 'incoming'), (values, status) => {
        let wire: typeof fullAsset = { ...fullAsset, asset_status: status }
        // The outer fields last, so that there is still something to put the inner ones into.
        for (const [path, value] of values.sort(([one], [other]) => other.length - one.length)) {
          wire = withValue(wire, path, value)
        }
        const view = card(wire)
        const urls = JSON.stringify(view).match(/"(?:url|image)":"[^"]*/gu) ?? []
        for (const url of urls) expect(url).toMatch(/"(?:url|image)":"https:\/\/[a-z0-9_-]/u)
        expect(shown(view).join()).not.toMatch(/undefined|NaN|\[object|function/u)
      }),
      { numRuns: 200 },
    )
  })
})

describe('where auctions share a contract', () => {
  const robinhood = chainById(4663)
  const shared = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544'
  const hooked = withValue(live, ['auction_pool', 'pool_address'], shared)

  test('no button leads to it, and the auction goes by the token', () => {
    const view = assetView({ ...cardParts(hooked), chain: robinhood })
    expect(JSON.stringify(view).toLowerCase()).not.toContain(shared)
    expect(controls(view).flat()).toContain(`Auction +auction ${address} chain:4663`)
    const bare = withValue(hooked, ['auction_pool', 'pool_id'], undefined)
    expect(controls(card(bare)).flat()).toContain(`Auction +auction ${address} chain:8453`)
  })

  test('a graduation to it names no pool', () => {
    const graduated = withValue(fullAsset, ['graduation_pool', 'pool_address'], shared)
    const view = card({ ...graduated, asset_status: 'graduated' })
    expect(JSON.stringify(view).toLowerCase()).not.toContain(shared)
  })
})

describe('the quote token', () => {
  const robinhood = chainById(4663)
  const tesla = '0x322f0929c4625ed5bad873c95208d54e1c003b2d'
  const launched = `0x${'7'.repeat(40)}`
  const priced = (address: string, symbol?: string, chain = robinhood) => {
    const wire = { ...live, asset_numeraire_address: address, quote_symbol: symbol }
    return shown(assetView({ ...cardParts(wire), chain })).join('\n')
  }

  test('is said by its symbol, beside a picture too', () => {
    expect(priced(tesla)).toContain('Priced in TSLA')
    expect(priced(tesla)).toContain('Raised: 12.5 TSLA')
    const wire = { ...live, asset_numeraire_address: tesla }
    const view = assetView({ ...cardParts(wire), chain: robinhood })
    const blocks = besidePicture(view.blocks)
    expect(shown({ ...view, blocks })).toContain('Priced in TSLA')
  })

  test('that was launched goes by what the API says of it', () => {
    expect(priced(launched, 'BUILD')).toContain('Priced in $BUILD')
    expect(priced(launched, 'BUILD')).toContain('Raised: 12.5 $BUILD')
    for (const symbol of ['xTSLA', 'K9', '猫', '🦦', 'ØTTER', '$OTTER']) {
      expect(priced(launched, symbol)).toContain(`Priced in $${symbol.replace('$', '')}`)
    }
    expect(priced(launched)).not.toContain('Priced in')
  })

  test.each([
    ...['TSLA', 'usdg', 'ETH', 'USDС', 'evil.com', 'USDC', 'USD', 'U.S.D', 'US$'],
    ...['ТSLA', 'ТЅLА', 'ＴＳＬＡ', 'TSLÁ', 'T S L A', 'C0IN', 'UЅDG'],
    ...['1,000', '5K', '１２', '$100', '…'],
  ])('that calls itself %s goes by its address', (symbol) => {
    expect(priced(launched, symbol)).not.toContain('Priced in')
    expect(priced(launched, symbol)).toContain('Raised: 12.5 0x7777…7777')
  })

  test('goes without saying if it is the chain’s own coin, wrapped or not, whatever else tokens are sold for there', () => {
    const weth = '0x4200000000000000000000000000000000000006'
    expect(priced(weth, undefined, chainById(8453))).not.toContain('Priced in')
    const coins = ['0x0bd7d308f8e1639fab988df18a8011f41eacad73', `0x${'0'.repeat(40)}`]
    for (const coin of coins) expect(priced(coin)).not.toContain('Priced in')
  })
})
