// The stand-in, held against what others recorded of LONG's API and of Robinhood Chain (4663) in September 2026, and
// against the mathematics of Uniswap in src/chain, which is held against the contracts themselves.
import Big from 'big.js'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { toAsset } from '../../../sandbox/api/asset.ts'
import { ApiServer } from '../../../sandbox/api/server.ts'
import { showcaseAddresses } from '../../../sandbox/api/showcase.ts'
import { numerairesOf, type Token } from '../../../sandbox/api/token.ts'
import { World } from '../../../sandbox/api/world.ts'
import { curvePositions, soldUntil, sqrtPriceAt } from '../../../src/chain/airlock/curve.ts'

const chain = 4663
const dead = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'
const initializer = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544'

function newWorld(seed = 1): World {
  return new World({ chains: [8453, chain], seed, now: Date.UTC(2026, 8, 14), population: 400 })
}

/** The tokens that have an auction pool, with what the API says of it. */
function pools(world = newWorld()) {
  return world.tokens.flatMap((token) => {
    const { auction_pool: pool, ...asset } = toAsset(token)
    return pool ? [{ token, asset, pool }] : []
  })
}

// POST /v1/graphql, recorded on 2026-09-14 in a test of a public client; the REST API gives the same store other names.
const row = {
  asset_address: '0xc99fd9ff8494229c8271a9053e489f6405f61e18',
  asset_numeraire_address: '0x322f0929c4625ed5bad873c95208d54e1c003b2d',
  asset_creation_timestamp: '2026-09-10T23:58:09+00:00',
  asset_current_pool: 'auction',
  integrator_address: '0x92d435c96e63c43e12d6d0ab28f6b0b04072f765',
  pool_current_sale_progress_percentage: '12.5',
  marketCap: '284080.493699',
  price: '2.84080493699e-4',
  priceChange24: '0.15440703583325283',
  volumeUSD24: '115924',
} as const

test('the recorded asset is answered as it was recorded, by the names of the document', async () => {
  const server = await ApiServer.start({ key: 'k', chains: [8453, chain] })
  onTestFinished(() => server.stop())
  const asked = await fetch(`${server.baseUrl}/assets/${row.asset_address}?chainId=${chain}`, {
    headers: { 'x-api-key': 'k' },
  })
  const { result } = JSON.parse(await asked.text())
  expect(result).toMatchObject({
    asset_address: row.asset_address,
    asset_numeraire_address: row.asset_numeraire_address,
    asset_current_pool: row.asset_current_pool,
    asset_status: 'live',
    auction_pool: {
      pool_address: initializer,
      pool_id: `4663-${row.asset_address}`,
      pool_current_sale_progress_percentage: Number(row.pool_current_sale_progress_percentage),
      pool_current_total_proceeds: '0',
      pool_config_max_proceeds: '0',
      pool_config_num_tokens_to_sell: '1000000000000000000000000000',
      pool_market_data: {
        pool_market_cap: row.marketCap,
        pool_price: row.price,
        pool_volume_usd_24h: row.volumeUSD24,
      },
      base_token: { token_symbol: 'RIZO', token_name: 'Rizo', token_description: '' },
    },
    graduation_pool: {
      pool_address: dead,
      pool_market_data: null,
      base_token: { integrator_address: row.integrator_address },
    },
  })
  const { pool_market_data: market } = result.auction_pool
  expect(Number(market.pool_price_change_24h)).toBeCloseTo(Number(row.priceChange24), 11)
  const form = row.asset_creation_timestamp.replaceAll(/\d/gu, '0')
  expect(result.asset_creation_timestamp.replaceAll(/\d/gu, '0')).toBe(form)
})

// A sibling index, recorded on 2026-09-02; dollars with 18 decimals.
test.each([
  ['0xbc69eacaa9c542a0ebc9fe39f83119c17a561e18', '12020068839362504878956000000000'],
  ['0x85c2c2aaaf51fdf5962f6119ec6a8e0db82d1e18', '78796309827120852555000000000'],
])(
  'the row %s of USDG is as wrong as it was recorded, but for what Uniswap keeps',
  (address, cap) => {
    const world = newWorld()
    const { auction_pool: pool } = world.asset(chain, address) ?? {}
    expect(pool?.pool_market_data?.pool_market_cap).toBe(Big(cap).div('1e18').toFixed())
    const token = world.tokens.find((each) => each.address.toLowerCase() === address)
    expect(token?.numeraire).toMatchObject({ symbol: 'USDG', decimals: 6 })
    const wrong = Big(pool?.pool_current_market_cap ?? 0).div('1e18')
    expect(Number(wrong.div(priceOf(pool?.pool_current_sqrt_price ?? '', token)))).toBeGreaterThan(
      1e15,
    )
  },
)

/** The price in whole quote tokens that a square root of Uniswap says. */
function priceOf(sqrtPrice: string, token: Token | undefined): Big {
  if (!token) throw new Error('there is no such token')
  const Exact = Big()
  Exact.DP = 60
  const raw = new Exact(sqrtPrice).div(new Exact(2).pow(96)).pow(2)
  const isToken0 = BigInt(token.address) < BigInt(token.numeraire.address)
  return (isToken0 ? raw : new Exact(1).div(raw)).times(
    new Exact(10).pow(18).div(new Exact(10).pow(token.numeraire.decimals)),
  )
}

describe('what Uniswap keeps of a pool', () => {
  it('has the tick of its square root, in pool order', () => {
    const all = pools()
    const quotes = new Set(all.map(({ token }) => token.numeraire.symbol))
    for (const symbol of ['USDG', 'USDC', 'ETH', 'WETH', 'TSLA']) expect(quotes).toContain(symbol)
    for (const { pool } of all) {
      const [tick, root] = [pool.pool_current_tick, BigInt(pool.pool_current_sqrt_price)]
      expect(sqrtPriceAt(tick) <= root && root < sqrtPriceAt(tick + 1)).toBe(true)
    }
  })

  it('says the price that the API gives in quote tokens with 18 decimals, and in dollars', () => {
    const dollars = new Map<string, number[]>()
    for (const { token, pool } of pools()) {
      if (token.misreadCap !== undefined) continue
      const price = priceOf(pool.pool_current_sqrt_price, token)
      // To the last of the 18 decimals.
      const told = Big(pool.pool_current_price).div('1e18')
      expect(Number(told.minus(price).abs())).toBeLessThanOrEqual(Number(price) * 1e-8 + 1e-18)
      const cap = Big(pool.pool_current_market_cap).div('1e18')
      expect(Number(cap.div(price).div(token.supply))).toBeCloseTo(1, 8)
      const market = token.status === 'graduated' ? null : pool.pool_market_data
      if (!market) continue
      const quote = `${token.chain} ${token.numeraire.address}`
      const rate = Number(Big(market.pool_price).div(price))
      dollars.set(quote, [...(dollars.get(quote) ?? []), rate])
    }
    // What a quote token is worth is the same, whichever asset it is learned from.
    for (const rates of dollars.values()) {
      expect(Math.max(...rates) / Math.min(...rates)).toBeCloseTo(1, 8)
    }
    expect(dollars.size).toBeGreaterThan(11)
  })
})

describe('the standard curve', () => {
  // Against RDDT: the ticks of a recorded launch; all of a billion is for sale.
  const curves = [
    { tickLower: -157_944, tickUpper: -47_504, numPositions: 1, shares: 991_000_000_000_000_000n },
    { tickLower: -47_504, tickUpper: 887_264, numPositions: 1, shares: 9_000_000_000_000_000n },
  ]
  const positions = curvePositions(curves, 8, 10n ** 27n, true)

  it('opens at the recorded tick', () => {
    const world = newWorld()
    const quote = numerairesOf(chain).find(({ symbol }) => symbol === 'RDDT')
    const token = pools(world).find(({ token }) => token.numeraire === quote)?.token
    if (!token) throw new Error('nothing is sold for RDDT')
    world.change(token, { price: token.startPrice })
    const { pool_current_sqrt_price: root = '' } =
      world.asset(chain, token.address)?.auction_pool ?? {}
    const opening = Big(sqrtPriceAt(-157_944).toString()).div(Big(2).pow(96)).pow(2)
    expect(Number(priceOf(root, token).div(opening))).toBeCloseTo(1, 8)
    expect(token.startPrice * 1e9).toBeGreaterThan(19_900)
    expect(token.startPrice * 1e9).toBeLessThan(20_100)
  })

  it('has sold what its price says, and holds the liquidity that it has there', () => {
    const sold = pools().filter(({ token }) => token.sale === 'curve')
    expect(sold.length).toBeGreaterThan(150)
    for (const { token, pool } of sold) {
      const rise = Math.log(token.price / token.startPrice) / Math.log(1.0001)
      // Between two ticks of the recorded pool.
      const [below, above] = [Math.floor(rise), Math.floor(rise) + 1].map((ticks) =>
        soldUntil(positions, sqrtPriceAt(-157_944 + ticks), true),
      )
      const told = BigInt(pool.pool_current_total_tokens_sold)
      const slack = 10n ** 20n
      expect(told >= (below?.tokens ?? 0n) - slack && told <= (above?.tokens ?? 0n) + slack).toBe(
        true,
      )
      // Its root of the opening price, in the recorded pool's terms.
      const scale =
        Number(priceOf(pool.pool_current_sqrt_price, token)) /
        (token.price / token.startPrice) /
        1.0001 ** -157_944
      const liquidity = Number(positions[0]?.liquidity ?? 0n)
      const quoteUnits = 10 ** ((token.numeraire.decimals - 18) / 2)
      expect(
        Number(pool.pool_current_liquidity) / (liquidity * Math.sqrt(scale) * quoteUnits),
      ).toBeCloseTo(1, 6)
    }
  })

  it('has sold 73% where the recorded asset stood, of which the API said 12.5', () => {
    const rise = Math.log(Number(row.marketCap) / 20_000) / Math.log(1.0001)
    const { tokens } = soldUntil(positions, sqrtPriceAt(-157_944 + Math.round(rise)), true)
    const { auction_pool: pool } = newWorld().asset(chain, showcaseAddresses.rizo) ?? {}
    const told = Number(pool?.pool_current_total_tokens_sold) / 1e27
    expect(told).toBeCloseTo(Number(tokens) / 1e27, 2)
    expect(told).toBeCloseTo(0.731, 2)
    expect(pool?.pool_current_sale_progress_percentage).toBe(12.5)
  })
})

describe('Robinhood Chain', () => {
  const offered = new Set(newWorld().tokens.map(({ numeraire }) => numeraire))

  // Read from LONG's app and checked on the chain by a public client on 2026-09-11.
  it.each([
    ['TSLA', '0x322F0929c4625eD5bAd873c95208D54E1c003b2d', 18],
    ['NVDA', '0xd0601CE157Db5bdC3162BbaC2a2C8aF5320D9EEC', 18],
    ['AAPL', '0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9', 18],
    ['RDDT', '0x05b37Fb53A299a1b874A619e1c4C404D52C36F4C', 18],
    ['NET', '0x116F00968269B7bfbaD4109cE591d6E74c0601d4', 18],
    ['HIMS', '0xCceE82fE024c36fA15E1005edE3E9e4787e23D09', 18],
    ['USDG', '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', 6],
    ['ETH', '0x0000000000000000000000000000000000000000', 18],
    ['WETH', '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73', 18],
    ['AI', '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18', 18],
  ])('quotes tokens in %s, as it is on the chain', (symbol, address, decimals) => {
    const found = numerairesOf(chain).find((each) => each.symbol === symbol)
    expect(found).toMatchObject({ address, decimals })
    expect(found && offered.has(found)).toBe(true)
  })

  it('is open from the first block, never ends, and shares one pool address', () => {
    const world = newWorld()
    for (let day = 0; day < 5; day += 1) world.tick(86_400)
    const here = pools(world).filter(({ token }) => token.chain === chain)
    for (const { asset, pool } of here) {
      expect(pool.pool_address).toBe(initializer)
      expect(asset).toMatchObject({
        asset_status: 'live',
        asset_migration_timestamp: null,
        // As in every LaunchCreated log of LONG's launcher.
        asset_address: expect.stringMatching(/^0x[0-9a-f]{36}1e18$/u),
        graduation_pool: { pool_address: dead, pool_market_data: null },
      })
      const created = Date.parse(asset.asset_creation_timestamp) / 1000
      const times = ['', String(created), String(created * 1000), asset.asset_creation_timestamp]
      expect(times).toContain(pool.pool_config_starting_time)
      expect(pool.pool_config_ending_time).toBe(pool.pool_config_starting_time)
    }
    const own = here.filter(({ pool }) => /^0x[0-9a-f]{64}$/u.test(pool.pool_id))
    const made = here.filter(({ asset, pool }) => pool.pool_id === `4663-${asset.asset_address}`)
    expect([own.length > 0, made.length > own.length]).toEqual([true, true])
    expect(own.length + made.length).toBe(here.length)
  })
})

it('has no market data of about 40% of all assets', () => {
  const all = [1, 2, 3].flatMap((seed) => pools(newWorld(seed)))
  const without = all.filter(({ pool }) => pool.pool_market_data === null)
  expect(without.length / all.length).toBeGreaterThan(0.33)
  expect(without.length / all.length).toBeLessThan(0.47)
})

it('quotes some product coins in a builder’s coin', () => {
  const world = newWorld()
  const tokens = world.tokens.filter(({ chain: on }) => on === 8453)
  const builders = new Map(tokens.map((token) => [token.address, token]))
  const quoted = tokens.filter(({ numeraire }) => builders.has(numeraire.address))
  expect(quoted.length).toBeGreaterThan(3)
  for (const { categories, numeraire } of quoted) {
    expect(categories).toContain('product-coin')
    expect(builders.get(numeraire.address)?.categories).toContain('builder-coin')
  }
})
