/**
 * Assets as the real service sends them, with what is true of each: made from the facts of docs/api.md, without the bot's own
 * arithmetic, so that a mistake in one does not hide the same mistake in the other.
 */
export interface RealAsset {
  item: Record<string, unknown>
  address: string
  /** The price of a token in quote tokens, and its market cap in dollars. */
  truth: { price: number; marketCap: number; quote: string; isOdd: boolean; hasMarket: boolean }
}

const initializer = '0x4e3468951d49f2eea976ed0d6e75ffcb44a9a544'
const notGraduated = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'

/** Symbol, address, decimals and dollars of quote tokens of Robinhood Chain; the prices are of no particular day. */
const quotes = [
  ['RDDT', '0x05b37Fb53A299a1b874A619e1c4C404D52C36F4C', 18, 145.2],
  ['AAPL', '0xaF3D76f1834A1d425780943C99Ea8A608f8a93f9', 18, 231.7],
  ['AMC', '0x05a3d1Cd21d0C88145E82600E62e7E496e0F222B', 18, 2.93],
  ['USDG', '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168', 6, 0.9998],
  ['ETH', `0x${'0'.repeat(40)}`, 18, 3120],
  ['WETH', '0x0Bd7D308f8E1639FAb988df18A8011f41EAcAD73', 18, 3118],
  ['AI', '0x2E8c31162b855A2ffa90F6F8634643Ad6F111e18', 18, 0.0123],
] as const

/** So many assets; the same each time. */
export function realAssets(count: number, seed = 7): RealAsset[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, index) => realAsset(index, random))
}

function realAsset(index: number, random: () => number): RealAsset {
  const address = `0x${Array.from({ length: 36 }, () => Math.floor(random() * 16).toString(16)).join('')}1e18`
  const [symbol, quote, decimals, dollars] = quotes[index % quotes.length] ?? quotes[0]
  const supply = 1e9
  // It opens at about $20K.
  const marketCap = 20_000 * (1 + random() ** 4 * 60)
  const price = marketCap / supply / dollars
  const isFirst = address.toLowerCase() < quote.toLowerCase()
  const raw = price * 10 ** (decimals - 18)
  const ratio = isFirst ? raw : 1 / raw
  const hasMarket = random() < 0.6
  // Of a quote token with 6 decimals the market data are wrong by many orders of magnitude now and then.
  const isOdd = symbol === 'USDG' && hasMarket && random() < 0.3
  const scale = isOdd ? 1e12 : 1
  const created = new Date(Date.UTC(2026, 7, 1) + index * 47_000).toISOString()
  const creation = created.replace(/\.\d+Z$/u, '+00:00')
  const sold = Math.min(0.99, random())
  const wad = (value: number) => BigInt(Math.round(value * 1e6)) * 10n ** 12n
  const item = {
    asset_address: address,
    asset_numeraire_address: quote.toLowerCase(),
    asset_creation_timestamp: creation,
    asset_current_pool: 'auction',
    asset_migration_timestamp: null,
    asset_categories: [],
    asset_status: 'live',
    auction_pool: {
      pool_address: initializer,
      pool_id:
        index % 2 === 0
          ? `4663-${address}`
          : `0x${'c'.repeat(60)}${String(index).padStart(4, '0')}`,
      pool_current_price: String(BigInt(Math.round(price * 1e18))),
      pool_current_fdv: String(wad(price * supply)),
      pool_current_market_cap: String(wad(price * supply)),
      pool_current_sqrt_price: String(sqrtPrice(ratio)),
      pool_current_tick: Math.floor(Math.log(ratio) / Math.log(1.0001)),
      pool_current_liquidity: '28347561209348712093847120',
      pool_current_total_proceeds: '0',
      pool_config_min_proceeds: '0',
      pool_config_max_proceeds: '0',
      pool_current_total_tokens_sold: String(wad(sold * supply)),
      pool_config_num_tokens_to_sell: String(wad(supply)),
      pool_current_sale_progress_percentage: 12.5,
      pool_config_starting_time: index % 3 === 0 ? '' : creation,
      pool_config_ending_time: index % 3 === 0 ? '' : creation,
      pool_type: 'multicurve',
      pool_market_data: hasMarket
        ? {
            pool_price: ((marketCap / supply) * scale).toExponential(11),
            pool_market_cap: String(marketCap * scale),
            pool_liquidity: '48210.5',
            pool_price_change_24h: '0.15440703583325283',
            pool_volume_usd_24h: '115924',
          }
        : null,
      base_token: {
        token_address: address,
        token_name: `Token ${index}`,
        token_symbol: `T${index}`,
        token_description: '',
        token_decimals: 18,
        token_creator_address: `0x${'a'.repeat(40)}`,
      },
    },
    graduation_pool: { pool_address: notGraduated, pool_market_data: null },
  }
  return { item, address, truth: { price, marketCap, quote: symbol, isOdd, hasMarket } }
}

/** √ratio × 2^96. */
function sqrtPrice(ratio: number): bigint {
  const [digits = '0', exponent = '0'] = Math.sqrt(ratio).toExponential(15).split('e')
  const shift = Number(exponent) - 15
  const integer = BigInt(digits.replace('.', ''))
  return shift >= 0
    ? integer * 10n ** BigInt(shift) * 2n ** 96n
    : (integer * 2n ** 96n) / 10n ** BigInt(-shift)
}

/** Numbers from 0 to 1 that look random and are the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
