import Big from 'big.js'
import { addressOf, digestOf } from './address.ts'
import type {
  Asset,
  AuctionPool,
  AuctionSummary,
  BaseToken,
  GraduationPool,
  MarketData,
} from './asset.ts'
import { proceedsOf, type TimeForm, type Token } from './token.ts'

/** Where a pool that does not graduate points; it stands for "no pool". */
const sentinelPool = '0xdeaDDeADDEaDdeaDdEAddEADDEAdDeadDEADDEaD'

const epochSeconds = 200
const integrator = addressOf('integrator of the sandbox')

// Twelve digits hide the last bits of binary fractions, so that figures agree when multiplied.
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}

/** The integer that stands for a number with 18 decimals. */
function scaled(value: number): string {
  return Big(tidy(value)).times('1e18').toFixed(0)
}

function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function timeIn(form: TimeForm, seconds: number): string {
  if (form === 'iso') return isoTime(seconds)
  return String(Math.floor(form === 'milliseconds' ? seconds * 1000 : seconds))
}

function marketData(token: Token): MarketData {
  const decimal = (value: number) =>
    token.quirks.has('exponent-prices') ? tidy(value).toExponential() : String(tidy(value))
  return {
    pool_liquidity: decimal(token.liquidity),
    pool_market_cap: decimal(token.price * token.supply),
    pool_price: decimal(token.price),
    pool_price_scale: '1000000000000000000',
    pool_price_change_24h: decimal(token.price / token.priceBefore - 1),
    pool_volume_change_24h: decimal(
      token.volumeBefore === 0 ? 0 : token.volume / token.volumeBefore - 1,
    ),
    pool_volume_usd_24h: decimal(token.volume),
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

function baseToken(token: Token, address: string): BaseToken {
  const image = pictureOf(token)
  return {
    token_address: address,
    token_name: token.name,
    ...(token.quirks.has('no-description') ? {} : { token_description: token.description }),
    token_symbol: token.symbol,
    token_decimals: 18,
    token_uri_data: {
      name: token.name,
      description: token.description,
      image_hash: image.hash,
      fee_receiver: token.feeReceiver,
      social_links: token.socialLinks.map((link) => ({ ...link })),
      vesting_recipients: token.vesting.map((recipient) => ({ ...recipient })),
    },
    token_image_public_url: token.quirks.has('no-image') ? null : image.url,
    token_creator_address: token.quirks.has('null-creator') ? null : token.creator,
    token_fee_receiver_address: token.feeReceiver,
    token_vesting_recipient_addresses: token.vesting.map((recipient) => recipient.address),
  }
}

function currentPrices(token: Token) {
  const ratio = token.price / token.numeraire.usd
  return {
    pool_current_price: scaled(token.price),
    pool_current_sqrt_price: Big(Math.sqrt(ratio)).times(Big(2).pow(96)).toFixed(0),
    pool_current_fdv: scaled(token.price * token.supply),
    pool_current_liquidity: scaled(token.liquidity),
    pool_current_tick: Math.floor(Math.log(ratio) / Math.log(1.0001)),
    pool_current_market_cap: scaled(token.price * token.supply),
  }
}

function auctionPool(token: Token, base: BaseToken): AuctionPool {
  const inNumeraire = (dollars: number) => scaled(dollars / token.numeraire.usd)
  const largest = proceedsOf(token, 1)
  const proceeds = proceedsOf(token, token.sold)
  const lastEpoch = Math.min(token.sold, token.pace * epochSeconds)
  return {
    ...currentPrices(token),
    pool_last_epoch: Math.floor((token.sold * (token.endsAt - token.startsAt)) / epochSeconds),
    pool_current_fees_accrued: scaled(proceeds * 0.01),
    pool_current_total_proceeds: inNumeraire(proceeds),
    pool_current_total_tokens_sold: scaled(token.toSell * token.sold),
    pool_last_epoch_total_tokens_sold: scaled(token.toSell * (token.sold - lastEpoch)),
    pool_current_sale_progress_percentage: Number((token.sold * 100).toFixed(6)),
    pool_config_max_proceeds: inNumeraire(largest),
    pool_config_min_proceeds: inNumeraire(largest * token.minShare),
    pool_config_num_tokens_to_sell: scaled(token.toSell),
    pool_id: token.poolId,
    pool_address: token.poolAddress,
    pool_config_starting_time: timeIn(token.timeForm, token.startsAt),
    pool_config_ending_time: timeIn(token.timeForm, token.endsAt),
    pool_migration_timestamp: token.graduatedAt === undefined ? null : isoTime(token.graduatedAt),
    pool_type: token.poolType,
    pool_market_data:
      token.status === 'incoming' || token.quirks.has('null-market-data')
        ? null
        : marketData(token),
    base_token: base,
  }
}

function graduationPool(token: Token, base: BaseToken): GraduationPool | null | undefined {
  const withIntegrator = { ...base, integrator_address: integrator }
  if (token.graduatedAt !== undefined) {
    return {
      ...currentPrices(token),
      pool_address: addressOf(`graduation pool of ${token.address}`),
      pool_migration_timestamp: isoTime(token.graduatedAt),
      pool_type: 'v2',
      pool_market_data: token.quirks.has('null-market-data') ? null : marketData(token),
      base_token: withIntegrator,
    }
  }
  if (token.quirks.has('sentinel-graduation')) {
    return {
      pool_current_price: null,
      pool_current_sqrt_price: null,
      pool_current_fdv: null,
      pool_current_liquidity: null,
      pool_current_tick: null,
      pool_current_market_cap: null,
      pool_address: sentinelPool,
      pool_migration_timestamp: null,
      pool_type: null,
      pool_market_data: null,
      base_token: withIntegrator,
    }
  }
  return token.quirks.has('null-graduation') ? null : undefined
}

/**
 * The asset of section 2.1 for a token. Market data are plain dollars; `pool_current_*` and
 * `pool_config_*` amounts are integers with 18 decimals, in dollars for price, values, liquidity and
 * fees, in the numeraire for proceeds, in tokens for what is sold; the progress runs from 0 to 100.
 */
export function toAsset(token: Token): Asset {
  const address = token.quirks.has('lowercase-address')
    ? token.address.toLowerCase()
    : token.address
  const base = baseToken(token, address)
  const graduation = graduationPool(token, base)
  return {
    asset_address: address,
    asset_numeraire_address: token.numeraire.address,
    asset_creation_timestamp: isoTime(token.createdAt),
    asset_current_pool: token.status === 'graduated' ? 'graduation' : 'auction',
    asset_migration_timestamp: token.graduatedAt === undefined ? null : isoTime(token.graduatedAt),
    asset_categories: [...token.categories],
    ...(token.quirks.has('no-auction-pool') ? {} : { auction_pool: auctionPool(token, base) }),
    ...(graduation === undefined ? {} : { graduation_pool: graduation }),
    ...(token.quirks.has('no-status') ? {} : { asset_status: token.status }),
  }
}

/** The summary of section 2.7 for a token's auction. */
export function toAuctionSummary(token: Token): AuctionSummary {
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
