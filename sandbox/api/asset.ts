import Big from 'big.js'
import { zeroAddress } from 'viem'
import {
  type Dialect,
  defaultDialect,
  isScaled,
  type Placeholder,
  type WireUnits,
  withExponent,
  writeFigure,
} from './dialect.ts'
import { hostileFigure, isHostile } from './invent.ts'
import {
  addressOf,
  digestOf,
  epochOf,
  type TimeForm,
  type Token,
  type TokenTruth,
  truthOf,
} from './token.ts'

/** The asset of section 2.1 as this stand-in sends it. */
export type Asset = ReturnType<typeof toAsset>
type BaseToken = ReturnType<typeof baseToken>

const integrator = addressOf('integrator of the sandbox')

/** A token, what is true of it, and the dialect in which it is written. */
interface Rendering {
  token: Token
  truth: TokenTruth
  dialect: Dialect
}

function timeIn(form: TimeForm, seconds: number): string {
  if (form === 'iso') return new Date(seconds * 1000).toISOString()
  return String(Math.floor(form === 'milliseconds' ? seconds * 1000 : seconds))
}

/** Writes figures of a token in the units of their fields. */
function writer({ token, dialect: { units } }: Rendering) {
  return (field: keyof WireUnits, amount: string, currency?: 'usd' | 'numeraire') =>
    writeFigure(amount, units[field], token, currency)
}

function marketData(rendering: Rendering) {
  const { token, truth, dialect } = rendering
  const write = writer(rendering)
  const figure = (field: keyof WireUnits, amount: string) => {
    const isOdd = token.quirks.has('exponent-prices') && !isScaled(dialect.units[field])
    return isOdd ? withExponent(write(field, amount)) : write(field, amount)
  }
  return {
    pool_liquidity: figure('pool_liquidity', truth.liquidityUsd),
    pool_market_cap: figure('pool_market_cap', truth.marketCapUsd),
    pool_price: figure('pool_price', truth.priceUsd),
    pool_price_scale: '1000000000000000000',
    pool_price_change_24h: figure('pool_price_change_24h', truth.change),
    pool_volume_change_24h: figure('pool_price_change_24h', truth.volumeChange),
    pool_volume_usd_24h: figure('pool_volume_usd_24h', truth.volumeUsd),
  }
}

function pictureOf({ address, picture }: Token): { hash: string; url: string | null } {
  if (picture === '') return { hash: '', url: null }
  if (picture !== undefined) {
    return { hash: `ipfs://${picture}`, url: `https://pictures.example/ipfs/${picture}` }
  }
  const invented = digestOf(`image of ${address}`).slice(2, 48)
  return { hash: `ipfs://bafkrei${invented}`, url: `https://pictures.example/${invented}.png` }
}

function baseToken({ token, truth }: Rendering, address: string) {
  const image = pictureOf(token)
  return {
    token_address: address,
    token_name: token.name,
    ...(token.quirks.has('no-description') ? {} : { token_description: token.description }),
    token_symbol: token.symbol,
    token_decimals: truth.decimals,
    token_uri_data: {
      name: token.name,
      description: token.description,
      image_hash: image.hash,
      fee_receiver: token.feeReceiver,
      social_links: token.socialLinks.map((link) => ({ ...link })),
      vesting_recipients: token.vesting.map(({ amount, ...recipient }) => ({
        ...recipient,
        amount: writeFigure(Big(amount).div('1e18').toFixed(), 'tokens-base', token),
      })),
    },
    token_image_public_url: token.quirks.has('no-image') ? null : image.url,
    token_creator_address: token.quirks.has('null-creator') ? null : token.creator,
    token_fee_receiver_address: token.feeReceiver,
    token_vesting_recipient_addresses: token.vesting.map((recipient) => recipient.address),
  }
}

function currentPrices(rendering: Rendering) {
  const { truth } = rendering
  const write = writer(rendering)
  const ratio = Number(truth.priceInQuote) * 10 ** (truth.quoteDecimals - truth.decimals)
  return {
    pool_current_price: write('pool_current_price', truth.priceUsd),
    pool_current_sqrt_price: Big(Math.sqrt(ratio)).times(Big(2).pow(96)).toFixed(0),
    pool_current_fdv: write('pool_current_fdv', truth.marketCapUsd),
    pool_current_liquidity: write('pool_current_liquidity', truth.liquidityUsd),
    pool_current_tick: Math.floor(Math.log(ratio) / Math.log(1.0001)),
    pool_current_market_cap: write('pool_current_market_cap', truth.marketCapUsd),
  }
}

function auctionPool(rendering: Rendering, base: BaseToken) {
  const { token, truth, dialect } = rendering
  const { times = token.timeForm } = dialect
  const write = writer(rendering)
  return {
    ...currentPrices(rendering),
    pool_last_epoch: epochOf(token),
    pool_current_fees_accrued: write('pool_current_fees_accrued', truth.feesUsd),
    pool_current_total_proceeds: write('pool_current_total_proceeds', truth.raised, 'numeraire'),
    pool_current_total_tokens_sold: write('pool_current_total_tokens_sold', truth.sold),
    pool_last_epoch_total_tokens_sold: write('pool_last_epoch_total_tokens_sold', truth.soldBefore),
    pool_current_sale_progress_percentage: Number(
      write('pool_current_sale_progress_percentage', truth.progress),
    ),
    ...(token.quirks.has('open-ended')
      ? {}
      : {
          pool_config_max_proceeds: write('pool_config_max_proceeds', truth.maxRaised, 'numeraire'),
          pool_config_min_proceeds: write('pool_config_min_proceeds', truth.minRaised, 'numeraire'),
          pool_config_ending_time: timeIn(times, token.endsAt),
        }),
    pool_config_num_tokens_to_sell: write('pool_config_num_tokens_to_sell', truth.toSell),
    pool_id: token.poolId,
    pool_address: token.poolAddress,
    pool_config_starting_time: timeIn(times, token.startsAt),
    pool_migration_timestamp: migrationTime(rendering),
    pool_type: token.poolType,
    pool_market_data: token.status === 'incoming' ? null : knownMarketData(rendering),
    base_token: base,
  }
}

/** Where a pool that does not graduate points; it stands for "no pool". */
const deadAddress = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'

/** A graduation pool of which nothing is known. */
function deadPool(base: BaseToken) {
  return {
    pool_current_price: null,
    pool_current_sqrt_price: null,
    pool_current_fdv: null,
    pool_current_liquidity: null,
    pool_current_tick: null,
    pool_current_market_cap: null,
    pool_address: deadAddress,
    pool_migration_timestamp: null,
    pool_type: null,
    pool_market_data: null,
    base_token: base,
  }
}

function graduationPool(rendering: Rendering, base: BaseToken) {
  const { token } = rendering
  const withIntegrator = { ...base, integrator_address: integrator }
  if (token.graduatedAt !== undefined) {
    return {
      ...currentPrices(rendering),
      pool_address: addressOf(`graduation pool of ${token.address}`),
      pool_migration_timestamp: migrationTime(rendering),
      pool_type: 'v2',
      pool_market_data: knownMarketData(rendering),
      base_token: withIntegrator,
    }
  }
  if (token.quirks.has('sentinel-graduation')) return deadPool(withIntegrator)
  return token.quirks.has('null-graduation') ? null : undefined
}

function knownMarketData(rendering: Rendering) {
  return rendering.token.quirks.has('null-market-data') ? null : marketData(rendering)
}

function migrationTime({ token, dialect }: Rendering): string | null {
  return token.graduatedAt === undefined ? null : timeIn(dialect.stamps, token.graduatedAt)
}

/** The asset of section 2.1 for a token, with the units and the forms of time that a dialect has. */
export function toAsset(token: Token, dialect: Dialect = defaultDialect) {
  const rendering = { token, truth: truthOf(token), dialect }
  const address = token.quirks.has('lowercase-address')
    ? token.address.toLowerCase()
    : token.address
  const base = baseToken(rendering, address)
  const graduation = graduationPool(rendering, base)
  return {
    asset_address: address,
    asset_numeraire_address: token.numeraire.address,
    asset_creation_timestamp: timeIn(dialect.stamps, token.createdAt),
    asset_current_pool: token.status === 'graduated' ? 'graduation' : 'auction',
    asset_migration_timestamp: migrationTime(rendering),
    asset_categories: [...token.categories],
    ...(token.quirks.has('no-auction-pool') ? {} : { auction_pool: auctionPool(rendering, base) }),
    ...(graduation === undefined ? {} : { graduation_pool: graduation }),
    ...(token.quirks.has('no-status') ? {} : { asset_status: token.status }),
  }
}

/** The summary of section 2.7 for a token's auction. */
export function toAuctionSummary(token: Token) {
  return {
    auction_pool_address: token.poolAddress,
    auction_pool_id: token.poolId,
    auction_base_token_name: token.name,
    auction_base_token_symbol: token.symbol,
    auction_base_token_address: token.address,
    auction_quote_token_name: token.numeraire.name,
    auction_quote_token_symbol: token.numeraire.symbol,
    auction_quote_token_address: token.numeraire.address,
  }
}

const figureNames: ReadonlySet<string> = new Set(Object.keys(defaultDialect.units))
/** Other numeric fields, which have no unit. */
const otherNumbers: ReadonlySet<string> = new Set([
  'pool_current_sqrt_price',
  'pool_price_scale',
  'pool_volume_change_24h',
  'pool_config_starting_time',
  'pool_config_ending_time',
  'asset_creation_timestamp',
  'asset_migration_timestamp',
  'pool_migration_timestamp',
  // The fields of a vesting recipient.
  'amount',
  'percentage',
])
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/u

/** The JSON text of an asset whose units and times are those of the dialect; the rest follows it here. */
export function assetJson(asset: Asset, dialect: Dialect): string {
  const { asset_address: address } = asset
  const { absent } = dialect
  const isWrong = dialect.figures === 'hostile' && isHostile(address)
  // With all digits, of which JavaScript's own numbers would lose some.
  const number = (value: unknown): string =>
    dialect.numbers === 'json' && typeof value === 'string' && jsonNumber.test(value)
      ? value
      : JSON.stringify(value)
  const figure = (value: unknown): string => {
    const isPlain = !dialect.bareFractions && !dialect.exponents
    if (isPlain || (typeof value !== 'number' && typeof value !== 'string')) return number(value)
    const text = Big(value).toFixed()
    if (dialect.exponents) return number(withExponent(text))
    return JSON.stringify(text.replace(/^(-?)0\./u, '$1.'))
  }
  const field = (name: string, value: unknown): string => {
    if (absent[name] === 'null') return 'null'
    if (figureNames.has(name)) {
      return isWrong ? JSON.stringify(hostileFigure(address, name)) : figure(value)
    }
    return otherNumbers.has(name) ? number(value) : json(value)
  }
  const json = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const fields = Object.entries(value)
      .filter(([name, each]) => each !== undefined && absent[name] !== 'missing')
      .map(([name, each]) => `${JSON.stringify(name)}:${field(name, each)}`)
    return `{${fields.join(',')}}`
  }
  return json(reshaped(asset, dialect))
}

function reshaped(asset: Asset, dialect: Dialect): unknown {
  const { asset_status: status, asset_current_pool: current, ...rest } = asset
  const words: Readonly<Record<string, string>> = dialect.status ?? {}
  const pool = current === 'graduation' ? asset.graduation_pool : asset.auction_pool
  const hasGraduated = asset.asset_migration_timestamp !== null
  const { placeholder } = dialect
  return {
    ...rest,
    asset_current_pool: dialect.currentPool === 'address' ? pool?.pool_address : current,
    ...(placeholder !== undefined &&
      !hasGraduated && { graduation_pool: placeholders[placeholder](asset) }),
    ...(status !== undefined && { asset_status: words[status] }),
  }
}

const placeholders: Readonly<Record<Placeholder, (asset: Asset) => unknown>> = {
  absent: () => undefined,
  null: () => null,
  empty: () => ({}),
  zero: (asset) => poolAt(zeroAddress, asset),
  dead: (asset) => poolAt(deadAddress, asset),
  none: (asset) => poolAt('none', asset),
  '0x': (asset) => poolAt('0x', asset),
  blank: (asset) => poolAt('', asset),
  'null-address': (asset) => poolAt(null, asset),
  'null-address-zeros': (asset) => zerosAt(null, asset),
  'zero-zeros': (asset) => zerosAt(zeroAddress, asset),
  // With the figures of the auction itself.
  'dead-copy': ({ auction_pool: auction }) => ({ ...auction, pool_address: deadAddress }),
}

function poolAt(address: string | null, { auction_pool: auction }: Asset) {
  const base = auction && { base_token: auction.base_token }
  return { pool_address: address, pool_migration_timestamp: null, pool_market_data: null, ...base }
}

function zerosAt(address: string | null, asset: Asset) {
  return {
    ...poolAt(address, asset),
    pool_current_price: '0',
    pool_current_sqrt_price: '0',
    pool_current_fdv: '0',
    pool_current_liquidity: '0',
    pool_current_tick: 0,
    pool_current_market_cap: '0',
    pool_market_data: {
      pool_liquidity: '0',
      pool_market_cap: '0',
      pool_price: '0',
      pool_price_scale: '0',
      pool_price_change_24h: '0',
      pool_volume_change_24h: '0',
      pool_volume_usd_24h: '0',
    },
  }
}
