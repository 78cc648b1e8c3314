import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Api } from '../../../src/api/client.ts'
import { chainById } from '../../../src/chain/chains.ts'
import { defaultTables, httpServer, silent, type TestServer } from '../api/server.ts'
import { controls, shown } from '../views/shown.ts'
import { type CommandHarness, startCommands } from './bot.ts'
import { ada, Talk } from './talk.ts'

// As on Robinhood Chain: every auction's pool has the address of one contract, and an id that is composed of chain and asset.
const shared = '0x4e3468951D49f2EEa976eD0D6e75fFCb44a9a544'
const [first, second, third] = [
  `0x${'a1'.repeat(20)}`,
  `0x${'b2'.repeat(20)}`,
  `0x${'c3'.repeat(20)}`,
]
const tesla = '0x322f0929c4625ed5bad873c95208d54e1c003b2d'
const usdg = '0x5fc5360d0400a0fd4f2af552add042d716f1d168'
const weth = '0x0bd7d308f8e1639fab988df18a8011f41eacad73'
const zero = `0x${'0'.repeat(40)}`

const assets = [
  assetOf({ address: first, name: 'Moon Otter', symbol: 'OTTER', quote: tesla }),
  assetOf({ address: second, name: 'Sun Badger', symbol: 'BADGER', quote: usdg }),
]

function assetOf(token: { address: string; name: string; symbol: string; quote: string }) {
  return {
    asset_address: token.address,
    asset_numeraire_address: token.quote,
    asset_status: 'live',
    auction_pool: {
      pool_address: shared.toLowerCase(),
      pool_id: `4663-${token.address}`,
      base_token: { token_name: token.name, token_symbol: token.symbol, token_decimals: 18 },
    },
  }
}

let harness: CommandHarness
let server: TestServer
let talk: Talk
/** What the API lists. */
let listed: typeof assets
/** Names by which the API knows auctions. */
let knownAs: (asset: string) => string[]

beforeEach(async () => {
  listed = assets
  knownAs = (asset) => [`4663-${asset}`]
  server = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1')
    const result = answerTo(pathname, searchParams)
    response.statusCode = result === undefined ? 404 : 200
    response.end(JSON.stringify({ result }))
  })
  harness = await startCommands()
  await harness.services.api.close()
  harness.services.chains = [chainById(4663)]
  harness.services.api = new Api({
    baseUrl: server.url,
    key: 'test-key',
    ...defaultTables,
    chains: [4663],
    log: silent,
    retryPauseMs: 1,
  })
  talk = new Talk(harness)
})

afterEach(async () => {
  await harness.stop()
  await server[Symbol.asyncDispose]()
})

function answerTo(path: string, query: URLSearchParams): unknown {
  const [, , kind, name = ''] = path.split('/')
  if (kind === 'auctions') {
    const sold = assets.find(({ asset_address: address }) => knownAs(address).includes(name))
    return sold && summaryOf(sold)
  }
  if (name !== '' && name !== 'search') {
    return listed.find((each) => each.asset_address === name.toLowerCase())
  }
  // The service compares a term with every field, and may ignore a filter.
  const term = query.get('term')?.toLowerCase() ?? ''
  return listed.filter((each) => JSON.stringify(each).toLowerCase().includes(term))
}

function summaryOf({ asset_address: address, auction_pool: pool }: (typeof assets)[number]) {
  return {
    auction_pool_address: shared,
    auction_pool_id: pool.pool_id,
    auction_base_token_address: address,
    auction_base_token_name: pool.base_token.token_name,
  }
}

describe('where all auctions share a contract', () => {
  test.each([
    ['the token’s address', first],
    ['its ticker', 'OTTER'],
    ['the pool’s id', `4663-${first}`],
  ])('/auction finds the one by %s', async (_, term) => {
    const view = await talk.says(`auction ${term}`)
    expect(shown(view)[0]).toBe('Auction of Moon Otter')
    expect(shown(view)).toContain(`Pool ID: 4663-${first}`)
    expect(JSON.stringify(view)).not.toContain(shared)
    expect(shown(await talk.presses(view, 'Refresh'))[0]).toBe('Auction of Moon Otter')
  })

  test('/auction asks by the token if the API does not know the id', async () => {
    listed = assets
    knownAs = (asset) => [asset]
    expect(shown(await talk.says('auction BADGER'))[0]).toBe('Auction of Sun Badger')
  })

  test('/auction is made of the asset if the API has no summary', async () => {
    knownAs = () => []
    const view = await talk.says(`auction ${second}`)
    expect(shown(view)).toEqual(
      expect.arrayContaining([
        'Auction of Sun Badger',
        'Sells: Sun Badger $BADGER',
        'Paid in: USDG',
      ]),
    )
  })

  test.each(['auction', 'asset', 'search', 'watch', 'follow', 'alerts add price above:1 asset:'])(
    'its address is refused in words by /%s',
    async (line) => {
      for (const typed of [shared, shared.toLowerCase()]) {
        const text = await talk.isRefused(`${line}${line.endsWith(':') ? '' : ' '}${typed}`)
        expect(text).toContain('is a contract that all auctions on its chain share')
      }
      expect(server.requests).toEqual([])
    },
  )

  test('its address matches no token inline, and none is suggested for it', async () => {
    const { hits, notice } = await harness.bot.inline(shared, ada)
    expect(hits).toEqual([])
    expect(notice).toContain('all auctions on its chain share')
    const completion = { command: 'asset', option: 'asset', typed: shared }
    expect(await harness.bot.complete(completion, ada)).toEqual([])
  })

  test.each(['auction', 'asset', 'search', 'follow'])(
    'a pool’s id with a chain that is not served is refused in words by /%s',
    async (line) => {
      expect(await talk.isRefused(`${line} 10-${second}`)).toBe(
        '“10” isn’t a chain this bot supports. Use robinhood.',
      )
      expect(server.requests).toEqual([])
    },
  )

  test('the chain in a pool’s id goes before one that is named beside it', async () => {
    harness.services.chains = [chainById(8453), chainById(4663)]
    const view = await talk.says(`auction 4663-${first} chain:base`)
    expect(controls(view).flat().join()).toContain('chain:4663')
  })

  test('/auction of a token that is sold for a launched one says that one’s symbol', async () => {
    knownAs = () => []
    listed = [...assets, assetOf({ address: third, name: 'Otter Jr', symbol: 'JR', quote: first })]
    expect(shown(await talk.says(`auction ${third}`))).toContain('Paid in: $OTTER')
  })

  test.each(['asset', 'search', 'follow'])(
    '/%s takes the pool’s id for its token',
    async (line) => {
      expect(shown(await talk.says(`${line} 4663-${second}`)).join('\n')).toContain('Sun Badger')
    },
  )

  test('inline, the pool’s id brings its token', async () => {
    const { hits } = await harness.bot.inline(`4663-${second}`, ada)
    expect(hits.map(({ id }) => id)).toEqual([`4663:${second}`])
  })

  test('a list has each token once, with a way to each', async () => {
    const lines = shown(await talk.says('assets live'))
    expect(lines[1]).toMatch(/Moon Otter .* · in TSLA /u)
    expect(lines[2]).toMatch(/Sun Badger .* · in USDG /u)
  })
})

describe('a quote token', () => {
  test.each(['TSLA', 'tsla', '$TSLA', tesla])('may be typed as %s', async (typed) => {
    const view = await talk.says(`assets numeraire:${typed}`)
    const asked = server.requests.map(({ url }) => new URL(url, server.url).searchParams)
    expect(asked.at(-1)?.get('numeraire')?.toLowerCase()).toBe(tesla)
    expect(shown(view).join('\n')).toContain('Moon Otter')
    expect(shown(view).join('\n')).not.toContain('Sun Badger')
    expect(controls(view).flat().join()).toContain('numeraire:0x322')
  })

  test('may be one of many, of which a refusal names some', async () => {
    const text = await talk.isRefused('assets numeraire:DOGE')
    expect(text).toContain('don’t know a quote token “DOGE” on Robinhood Chain')
    expect(text).toMatch(/I know ETH, WETH, USDG, .* and \d+ more\./u)
    expect(await talk.isRefused('assets numeraire:TSLAA')).toContain('Did you mean TSLA?')
  })

  test('may be a launched token, by the symbol that cards show', async () => {
    const sold = assetOf({ address: third, name: 'Otter Jr', symbol: 'JR', quote: first })
    listed = [...assets, sold]
    for (const typed of ['OTTER', '$otter']) {
      const view = await talk.says(`assets numeraire:${typed}`)
      expect(shown(view).join('\n')).toMatch(/Otter Jr .* · in \$OTTER /u)
      expect(controls(view).flat().join()).toContain(`numeraire:${first}`)
    }
    await talk.says('alerts add live numeraire:OTTER')
    expect((await talk.followed()).join()).toContain('Robinhood Chain · quote token')
  })

  test('of which there are several by a symbol is to be named by its address', async () => {
    listed = [...assets, assetOf({ address: third, name: 'Another', symbol: 'otter', quote: usdg })]
    expect(await talk.isRefused('assets numeraire:OTTER')).toBe(
      `“OTTER” could be more than one token on Robinhood Chain: ${first} or ${third}. ` +
        'Give the address (0x…) of the one you mean.',
    )
  })

  test('is none that has the symbol in its name alone, or imitates a coin', async () => {
    listed = [...assets, assetOf({ address: third, name: 'Not it', symbol: 'USDT', quote: usdg })]
    for (const typed of ['moon', 'USDT', '$']) {
      expect(await talk.isRefused(`assets numeraire:${typed}`)).toContain(
        'don’t know a quote token',
      )
    }
  })

  test.each([
    ['ETH', weth],
    ['WETH', zero],
    ['ETH', zero],
  ])(
    'typed as %s is whichever of coin and wrapped coin assets are sold for: %s',
    async (typed, quote) => {
      listed = [...assets, assetOf({ address: third, name: 'Otter Jr', symbol: 'JR', quote })]
      const view = await talk.says(`assets numeraire:${typed}`)
      expect(shown(view).join('\n')).toContain('Otter Jr')
      expect(controls(view).flat().join().toLowerCase()).toContain(`numeraire:${quote}`)
    },
  )

  test('is suggested by what its symbol begins with, then by what is in it', async () => {
    const complete = async (command: string, typed: string) =>
      (await harness.bot.complete({ command, option: 'numeraire', typed }, ada)).map(
        ({ value }) => value,
      )
    expect((await complete('assets', 'ts')).slice(0, 2)).toEqual(['TSLA', 'TSM'])
    expect(await complete('alerts', 'usdg')).toEqual(['USDG'])
    expect(await complete('assets', '')).toHaveLength(25)
  })
})

describe('of several chains', () => {
  beforeEach(() => {
    harness.services.chains = [chainById(8453), chainById(4663)]
  })

  test('the named one, or else the first, decides what a symbol stands for', async () => {
    expect(await talk.isRefused('assets numeraire:TSLA')).toBe(
      '“TSLA” is a quote token on Robinhood Chain, not on Base. Add chain:robinhood.',
    )
    await talk.says('assets numeraire:WETH chain:robinhood')
    const { searchParams } = new URL(server.requests.at(-1)?.url ?? '', server.url)
    expect(searchParams.get('numeraire')?.toLowerCase()).toMatch(/^0x0bd7d308/u)
  })

  test('an alert is about the chain on which its symbol is a quote token', async () => {
    await talk.says('alerts add live numeraire:tsla')
    await talk.says('alerts add graduated numeraire:WETH')
    await talk.says('alerts add live numeraire:usdg chain:robinhood')
    expect((await talk.followed()).join('\n')).toMatch(
      /Robinhood Chain · quote token TSLA[\s\S]*Base · quote token WETH[\s\S]*Robinhood Chain · quote token USDG/u,
    )
    expect(await talk.isRefused('alerts add live numeraire:tsla chain:base')).toContain(
      'Add chain:robinhood.',
    )
  })

  test('an alert that is changed keeps its chain', async () => {
    await talk.says('alerts add live numeraire:tsla')
    await talk.says('alerts change 1 numeraire:WETH')
    expect((await talk.followed()).join()).toContain('Robinhood Chain · quote token WETH')
  })

  test('suggestions say on which chain a quote token is', async () => {
    const completion = { command: 'assets', option: 'numeraire', typed: 'WETH' }
    expect(await harness.bot.complete(completion, ada)).toEqual([
      { value: 'WETH', label: 'WETH · Base or Robinhood Chain' },
    ])
  })
})
