import { describe, expect, onTestFinished, test } from 'vitest'
import { Api } from '../../../src/api/client.ts'
import { figuresOf } from '../../../src/api/figures.ts'
import { RecentAnswers } from '../../../src/api/recent.ts'
import { type Asset, assetSchema } from '../../../src/api/schema.ts'
import { defaultUnits } from '../../../src/api/units.ts'
import { chainById, numeraireSymbol } from '../../../src/chain/chains.ts'
import { assetView } from '../../../src/views/asset.ts'
import { listView } from '../../../src/views/list.ts'
import { shown } from '../views/shown.ts'
import { type RealAsset, realAssets } from './real-assets.ts'
import { defaultTables, httpServer, silent } from './server.ts'

const chain = chainById(4663)
const now = Date.UTC(2026, 10, 1) / 1000
const freshness = { now, fetchedAt: now, stale: false }

/** A service that lists these assets, and a client that knows nothing of it but the chain. */
async function serve(
  all: readonly RealAsset[],
  lacking: (asset: RealAsset) => object | undefined = () => undefined,
) {
  const server = await httpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://api')
    const [, address] = /^\/v1\/assets\/(0x\w+)$/u.exec(pathname) ?? []
    const one = all.find((each) => each.address === address)
    const [offset, limit] = [searchParams.get('offset'), searchParams.get('limit')].map(Number)
    const page = all.slice(offset ?? 0, (offset ?? 0) + (limit ?? 0)).map(({ item }) => item)
    response.statusCode = address && !one ? 404 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ result: one ? (lacking(one) ?? one.item) : page }))
  })
  const clock = { ms: 1000 }
  const api = new Api({
    ...defaultTables,
    baseUrl: server.url,
    key: 'key',
    chains: [4663],
    log: silent,
    now: () => clock.ms,
  })
  onTestFinished(async () => {
    await api.close()
    await server[Symbol.asyncDispose]()
  })
  return { api, server, clock }
}

async function listAll(api: Api, count: number): Promise<Asset[]> {
  const assets: Asset[] = []
  for (let offset = 0; offset < count; offset += 50) {
    assets.push(...(await api.assets({ offset })).value.items)
  }
  return assets
}

/** An asset whose price by its market data is so many times the right one. */
function withMarketPrice(real: RealAsset | undefined, factor: number): Asset {
  if (!real) throw new Error('no such asset')
  const pool_market_data = { pool_price: String((real.truth.marketCap / 1e9) * factor) }
  const auction_pool = { ...(real.item.auction_pool as object), pool_market_data }
  return assetSchema.parse({ ...real.item, decimals: { quote: 18 }, auction_pool })
}

const within = (read: number, right: number) => Math.abs(read / right - 1) < 0.01

test('of 400 assets as the real service sends them every price and market cap is in dollars, and right', async () => {
  const all = realAssets(400)
  const { api } = await serve(all)
  const assets = await listAll(api, all.length)
  const wrong = all.flatMap(({ truth }, index) => {
    const asset = assets[index]
    const { price, marketCap, liquidity, proceeds, endsAt } = asset
      ? figuresOf(asset, defaultUnits)
      : {}
    const dollars = truth.marketCap / 1e9
    const isRight =
      price?.currency === 'usd' &&
      within(Number(price.amount), dollars) &&
      marketCap?.currency === 'usd' &&
      within(Number(marketCap.amount), truth.marketCap) &&
      (truth.isOdd || liquidity?.amount === (truth.hasMarket ? '48210.5' : undefined)) &&
      proceeds === undefined &&
      endsAt === undefined
    return isRight ? [] : [{ index, truth, price, marketCap, liquidity }]
  })
  expect(wrong).toEqual([])
  expect(all.some(({ truth }) => truth.isOdd)).toBe(true)
})

test('their cards and lines of lists say so', async () => {
  const all = realAssets(100)
  const { api } = await serve(all)
  const assets = await listAll(api, all.length)
  for (const [index, { truth }] of all.entries()) {
    const asset = assets[index]
    if (!asset) throw new Error('an asset is missing')
    const card = shown(assetView({ asset, chain, units: defaultUnits, freshness }, true)).join('\n')
    const [, row = ''] = shown(
      listView({ title: [], assets: [asset], chain, units: defaultUnits, freshness }),
    )
    for (const text of [card, row]) {
      const [, cap = '', letter = ''] = /MC \$([\d.]+)([KM]?)/u.exec(text) ?? []
      const dollars = Number(cap) * ({ K: 1e3, M: 1e6 }[letter] ?? 1)
      expect(within(dollars, truth.marketCap), `${text} of ${truth.marketCap}`).toBe(true)
    }
    expect(card).not.toMatch(/Ended|Raised|28347561/u)
  }
})

test('until three others say what a quote token is worth, a price is shown in it', async () => {
  const all = realAssets(7 * 4).filter(({ truth }) => truth.quote === 'RDDT')
  const [lone] = all
  if (!lone) throw new Error('no such assets')
  const marketless = {
    ...lone.item,
    auction_pool: { ...(lone.item.auction_pool as object), pool_market_data: null },
  }
  const { api } = await serve([{ ...lone, item: marketless }])
  const { value } = await api.asset(lone.address)
  const { price, marketCap } = figuresOf(value, defaultUnits)
  expect(price?.currency).toBe('numeraire')
  expect(within(Number(price?.amount), lone.truth.price)).toBe(true)
  expect(within(Number(marketCap?.amount), lone.truth.price * 1e9)).toBe(true)
  expect(numeraireSymbol(chain, value.asset_numeraire_address)).toBe('RDDT')
})

test('a rate that is older than ten minutes is not used', async () => {
  const all = realAssets(70)
  const { api, clock } = await serve(all)
  await listAll(api, 70)
  const marketless = all.find(({ truth }) => !truth.hasMarket)
  if (!marketless) throw new Error('no such asset')
  const currency = async () => {
    const { value } = await api.asset(marketless.address)
    return figuresOf(value, defaultUnits).price?.currency
  }
  expect(await currency()).toBe('usd')
  clock.ms += 600_001
  expect(await currency()).toBe('numeraire')
})

test('what an asset’s own answer lacks is what the list of the last minute said', async () => {
  const all = realAssets(50)
  const listed = all.find(({ truth }) => truth.hasMarket && !truth.isOdd)
  if (!listed) throw new Error('no such asset')
  const categories = { asset_categories: ['builder-coin'] }
  Object.assign(listed.item, categories)
  const { api, clock } = await serve(all, ({ item }) => {
    const { asset_categories: _, ...rest } = item
    return { ...rest, auction_pool: { ...(item.auction_pool as object), pool_market_data: null } }
  })
  const volume = async () => {
    const { value } = await api.asset(listed.address)
    return [figuresOf(value, defaultUnits).volume24h?.amount, value.asset_categories]
  }
  expect(await volume()).toEqual([undefined, undefined])
  await listAll(api, 50)
  clock.ms += 10_000
  expect(await volume()).toEqual(['115924', ['builder-coin']])
  clock.ms += 60_001
  expect(await volume()).toEqual([undefined, undefined])
})

test('a launched token that others are sold for has its decimals from the API, asked once', async () => {
  const [product, builder] = realAssets(2)
  if (!product || !builder) throw new Error('no such assets')
  const item = { ...product.item, asset_numeraire_address: builder.address }
  const { api, server } = await serve([{ ...product, item }, builder])
  for (const _ of [1, 2]) await api.assets({ limit: 1 })
  const { value } = await api.assets({ limit: 1 })
  expect(value.items[0]?.decimals?.quote).toBe(18)
  const asked = server.requests.filter(({ url }) => url.includes(builder.address))
  expect(asked).toHaveLength(1)
})

test('a rate that hardly moved is the same one, so that assets without market data don’t change with each answer', () => {
  const recent = new RecentAnswers(defaultUnits, () => 0)
  const all = realAssets(70).filter(({ truth }) => truth.quote === 'AAPL' && truth.hasMarket)
  const note = (factor: number) =>
    recent.noteRates(
      4663,
      all.map((each) => withMarketPrice(each, factor)),
    )
  const quote = String(all[0]?.item.asset_numeraire_address)
  note(1)
  const first = recent.dollarsPerQuote(4663, quote)
  expect(within(Number(first), 231.7)).toBe(true)
  note(1.001)
  expect(recent.dollarsPerQuote(4663, quote)).toBe(first)
  note(1.01)
  expect(Number(recent.dollarsPerQuote(4663, quote)) / Number(first)).toBeCloseTo(1.01, 3)
})

describe('market data that are wrong by a factor', () => {
  /** Assets that are sold for AAPL, the last `liars` of them with market data ×1000. */
  async function served({ liars, honest }: { liars: number; honest: number }) {
    const all = realAssets(700).filter(({ truth }) => truth.quote === 'AAPL')
    const listed = all.filter(({ truth }) => truth.hasMarket).slice(0, honest + liars)
    const marketless = all.find(({ truth }) => !truth.hasMarket)
    const [own] = listed
    if (!marketless || !own) throw new Error('no such assets')
    const wrong = listed.slice(honest).map((each) => {
      const pool_market_data = { pool_price: String(each.truth.marketCap / 1e6) }
      const auction_pool = { ...(each.item.auction_pool as object), pool_market_data }
      return { ...each, item: { ...each.item, auction_pool } }
    })
    const { api } = await serve([...listed.slice(0, honest), ...wrong, marketless])
    await listAll(api, 50)
    const priceOf = async ({ address }: RealAsset) =>
      figuresOf((await api.asset(address)).value, defaultUnits).price
    return { own: { ...own, price: await priceOf(own) }, lacking: await priceOf(marketless) }
  }

  test('of half the assets with a quote token give no dollars to others', async () => {
    const { own, lacking } = await served({ honest: 10, liars: 10 })
    expect(lacking?.currency).toBe('numeraire')
    expect(within(Number(own.price?.amount), own.truth.marketCap / 1e9)).toBe(true)
  })

  test('of most of them take no place of an asset’s own: that one is shown in the quote token', async () => {
    const { own } = await served({ honest: 10, liars: 11 })
    expect(own.price?.currency).toBe('numeraire')
    expect(within(Number(own.price?.amount), own.truth.price)).toBe(true)
  })
})

test('three assets say what a quote token is worth: the middle one of them', () => {
  const all = realAssets(70).filter(({ truth }) => truth.quote === 'AAPL' && truth.hasMarket)
  const quote = String(all[0]?.item.asset_numeraire_address)
  const rateOf = (factors: readonly number[]) => {
    const recent = new RecentAnswers(defaultUnits, () => 0)
    const assets = factors.map((factor, index) => withMarketPrice(all[index], factor))
    recent.noteRates(4663, assets)
    return recent.dollarsPerQuote(4663, quote)
  }
  expect(rateOf([1, 1])).toBeUndefined()
  expect(within(Number(rateOf([0.9, 1, 20])), 231.7)).toBe(true)
  expect(within(Number(rateOf([20, 1, 0.9])), 231.7)).toBe(true)
})

test('an asset’s own market data count, not those that a list had before', async () => {
  const [listed] = realAssets(50).filter(({ truth }) => truth.hasMarket && !truth.isOdd)
  if (!listed) throw new Error('no such asset')
  const pool = listed.item.auction_pool as { pool_market_data: object }
  const pool_market_data = { ...pool.pool_market_data, pool_volume_usd_24h: '7' }
  const { api } = await serve([listed], ({ item }) => ({
    ...item,
    auction_pool: { ...pool, pool_market_data },
  }))
  await listAll(api, 50)
  const { value } = await api.asset(listed.address)
  expect(figuresOf(value, defaultUnits).volume24h?.amount).toBe('7')
})

test('market data that contradict the chain’s price are not believed in anything', async () => {
  const [first] = realAssets(50).filter(({ truth }) => truth.hasMarket && truth.quote === 'USDG')
  if (!first) throw new Error('no such asset')
  const pool = first.item.auction_pool as object
  const wrong = (scale: number, rest: object) => ({
    ...first.item,
    auction_pool: {
      ...pool,
      ...rest,
      pool_market_data: {
        pool_price: String((first.truth.marketCap / 1e9) * scale),
        pool_market_cap: String(first.truth.marketCap * scale),
        pool_liquidity: '260000',
        pool_volume_usd_24h: '90000',
      },
    },
  })
  for (const rest of [{}, { pool_current_market_cap: null, pool_current_fdv: null }]) {
    for (const scale of [50_000, 4_000_000]) {
      const { api } = await serve([{ ...first, item: wrong(scale, rest) }])
      const figures = figuresOf((await api.asset(first.address)).value, defaultUnits)
      expect(within(Number(figures.price?.amount), first.truth.marketCap / 1e9)).toBe(true)
      expect(Number(figures.marketCap?.amount ?? 0)).toBeLessThan(first.truth.marketCap * 1.01)
      expect([figures.liquidity, figures.volume24h]).toEqual([undefined, undefined])
    }
  }
})

test('a market cap is the market’s price times the pool’s supply where the market has none', () => {
  const [first] = realAssets(70).filter(({ truth }) => truth.hasMarket && truth.quote === 'AMC')
  const { marketCap } = figuresOf(withMarketPrice(first, 1), defaultUnits)
  expect(marketCap?.currency).toBe('usd')
  expect(within(Number(marketCap?.amount), first?.truth.marketCap ?? 0)).toBe(true)
})

test('a pool without a market cap has one by its fully diluted value', () => {
  const [first] = realAssets(70).filter(({ truth }) => !truth.hasMarket && truth.quote === 'AMC')
  if (!first) throw new Error('no such asset')
  const auction_pool = { ...(first.item.auction_pool as object), pool_current_market_cap: null }
  const asset = assetSchema.parse({ ...first.item, decimals: { quote: 18 }, auction_pool })
  const { marketCap } = figuresOf(asset, defaultUnits)
  expect(within(Number(marketCap?.amount), first.truth.price * 1e9)).toBe(true)
})

test('a token that is known to be a dollar needs no others to say so', async () => {
  const lone = realAssets(70).find(
    ({ truth }) => truth.quote === 'USDG' && !truth.hasMarket && !truth.isOdd,
  )
  if (!lone) throw new Error('no such asset')
  const { api } = await serve([lone])
  const { marketCap } = figuresOf((await api.asset(lone.address)).value, defaultUnits)
  expect(marketCap?.currency).toBe('usd')
  expect(within(Number(marketCap?.amount), lone.truth.marketCap)).toBe(true)
})

test.each([
  ['1', 'usd'],
  ['1000000000', undefined],
])(
  'a price and a market cap over all bounds in dollars are not shown: at $%s for a quote token',
  async (quote_dollars, currency) => {
    const [first] = realAssets(70).filter(({ truth }) => !truth.hasMarket && truth.quote === 'AMC')
    if (!first) throw new Error('no such asset')
    const asset = assetSchema.parse({ ...first.item, decimals: { quote: 18 }, quote_dollars })
    const { price, marketCap } = figuresOf({ ...asset, quote_dollars }, defaultUnits)
    expect([price?.currency, marketCap?.currency]).toEqual([currency, currency])
  },
)
