import Big from 'big.js'
import type {
  Asset,
  AuctionPool,
  AuctionSummary,
  BaseToken,
  GraduationPool,
  MarketData,
} from './asset.ts'
import {
  type Dialect,
  deadPool,
  defaultDialect,
  isScaled,
  type MoneyUnit,
  type ShareUnit,
  withExponent,
  writeMoney,
  writeShare,
  writeTokens,
} from './dialect.ts'
import { addressOf, digestOf, type Status, type TimeForm, type Token } from './token.ts'
import { epochOf, type TokenTruth, truthOf } from './truth.ts'

const integrator = addressOf('integrator of the sandbox')

/** A token, what is true of it, and the dialect in which it is told. */
interface Telling {
  token: Token
  truth: TokenTruth
  dialect: Dialect
}

function timeIn(form: TimeForm, seconds: number): string {
  if (form === 'iso') return new Date(seconds * 1000).toISOString()
  return String(Math.floor(form === 'milliseconds' ? seconds * 1000 : seconds))
}

function marketData({ token, truth, dialect: { units } }: Telling): MarketData {
  const quirky = (text: string, unit: string) =>
    token.quirks.has('exponent-prices') && !isScaled(unit) ? withExponent(text) : text
  const money = (amount: string, unit: MoneyUnit) =>
    quirky(writeMoney({ amount, currency: 'usd' }, unit, token), unit)
  const change = (ratio: string, unit: ShareUnit) => quirky(writeShare(ratio, unit), unit)
  return {
    pool_liquidity: money(truth.liquidityUsd, units.pool_liquidity),
    pool_market_cap: money(truth.marketCapUsd, units.pool_market_cap),
    pool_price: money(truth.priceUsd, units.pool_price),
    pool_price_scale: '1000000000000000000',
    pool_price_change_24h: change(truth.change, units.pool_price_change_24h),
    pool_volume_change_24h: change(truth.volumeChange, units.pool_price_change_24h),
    pool_volume_usd_24h: money(truth.volumeUsd, units.pool_volume_usd_24h),
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

function baseToken({ token, truth }: Telling, address: string): BaseToken {
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
        amount: writeTokens(Big(amount).div('1e18').toFixed(), 'tokens-base', token),
      })),
    },
    token_image_public_url: token.quirks.has('no-image') ? null : image.url,
    token_creator_address: token.quirks.has('null-creator') ? null : token.creator,
    token_fee_receiver_address: token.feeReceiver,
    token_vesting_recipient_addresses: token.vesting.map((recipient) => recipient.address),
  }
}

function currentPrices({ token, truth, dialect: { units } }: Telling) {
  const money = (amount: string, unit: MoneyUnit) =>
    writeMoney({ amount, currency: 'usd' }, unit, token)
  const ratio = Number(truth.priceInQuote) * 10 ** (truth.quoteDecimals - truth.decimals)
  return {
    pool_current_price: money(truth.priceUsd, units.pool_current_price),
    pool_current_sqrt_price: Big(Math.sqrt(ratio)).times(Big(2).pow(96)).toFixed(0),
    pool_current_fdv: money(truth.marketCapUsd, units.pool_current_fdv),
    pool_current_liquidity: money(truth.liquidityUsd, units.pool_current_liquidity),
    pool_current_tick: Math.floor(Math.log(ratio) / Math.log(1.0001)),
    pool_current_market_cap: money(truth.marketCapUsd, units.pool_current_market_cap),
  }
}

function auctionPool(telling: Telling, base: BaseToken): AuctionPool {
  const { token, truth, dialect } = telling
  const { units, times = token.timeForm } = dialect
  const raised = (amount: string, unit: MoneyUnit) =>
    writeMoney({ amount, currency: 'numeraire' }, unit, token)
  const fees = { amount: truth.feesUsd, currency: 'usd' } as const
  return {
    ...currentPrices(telling),
    pool_last_epoch: epochOf(token),
    pool_current_fees_accrued: writeMoney(fees, units.pool_current_fees_accrued, token),
    pool_current_total_proceeds: raised(truth.raised, units.pool_current_total_proceeds),
    pool_current_total_tokens_sold: writeTokens(
      truth.sold,
      units.pool_current_total_tokens_sold,
      token,
    ),
    pool_last_epoch_total_tokens_sold: writeTokens(
      truth.soldBefore,
      units.pool_last_epoch_total_tokens_sold,
      token,
    ),
    pool_current_sale_progress_percentage: Number(
      writeShare(truth.progress, units.pool_current_sale_progress_percentage),
    ),
    pool_config_max_proceeds: raised(truth.maxRaised, units.pool_config_max_proceeds),
    pool_config_min_proceeds: raised(truth.minRaised, units.pool_config_min_proceeds),
    pool_config_num_tokens_to_sell: writeTokens(
      truth.toSell,
      units.pool_config_num_tokens_to_sell,
      token,
    ),
    pool_id: token.poolId,
    pool_address: token.poolAddress,
    pool_config_starting_time: timeIn(times, token.startsAt),
    pool_config_ending_time: timeIn(times, token.endsAt),
    pool_migration_timestamp: migrationTime(telling),
    pool_type: token.poolType,
    pool_market_data: token.status === 'incoming' ? null : knownMarketData(telling),
    base_token: base,
  }
}

function graduationPool(telling: Telling, base: BaseToken): GraduationPool | null | undefined {
  const { token } = telling
  const withIntegrator = { ...base, integrator_address: integrator }
  if (token.graduatedAt !== undefined) {
    return {
      ...currentPrices(telling),
      pool_address: addressOf(`graduation pool of ${token.address}`),
      pool_migration_timestamp: migrationTime(telling),
      pool_type: 'v2',
      pool_market_data: knownMarketData(telling),
      base_token: withIntegrator,
    }
  }
  if (token.quirks.has('sentinel-graduation')) return deadPool(withIntegrator)
  return token.quirks.has('null-graduation') ? null : undefined
}

function knownMarketData(telling: Telling): MarketData | null {
  return telling.token.quirks.has('null-market-data') ? null : marketData(telling)
}

function migrationTime({ token, dialect }: Telling): string | null {
  return token.graduatedAt === undefined ? null : timeIn(dialect.stamps, token.graduatedAt)
}

/** The asset of section 2.1 for a token, with the units and the forms of time that a dialect has. */
export function toAsset(token: Token, dialect: Dialect = defaultDialect): Asset {
  const telling = { token, truth: truthOf(token), dialect }
  const address = token.quirks.has('lowercase-address')
    ? token.address.toLowerCase()
    : token.address
  const base = baseToken(telling, address)
  const graduation = graduationPool(telling, base)
  return {
    asset_address: address,
    asset_numeraire_address: token.numeraire.address,
    asset_creation_timestamp: timeIn(dialect.stamps, token.createdAt),
    asset_current_pool: token.status === 'graduated' ? 'graduation' : 'auction',
    asset_migration_timestamp: migrationTime(telling),
    asset_categories: [...token.categories],
    ...(token.quirks.has('no-auction-pool') ? {} : { auction_pool: auctionPool(telling, base) }),
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

/** The orders that the document knows beside the default one. */
export const orderings = [
  'market_cap_asc',
  'market_cap_desc',
  'volume_usd_asc',
  'volume_usd_desc',
] as const
type Ordering = (typeof orderings)[number]

export interface ListQuery {
  chain: number
  status: 'all' | Exclude<Status, 'stall'>
  limit: number
  offset: number
  ordering?: Ordering | undefined
  numeraire?: string | undefined
  category?: string | undefined
  creator?: string | undefined
}

export interface SearchQuery {
  chain: number
  term: string
  limit: number
  category?: string | undefined
}

/** The tokens of one page of the list: in the asked order, or as they are given. */
export function listed(tokens: readonly Token[], query: ListQuery): Token[] {
  const matching = tokens.filter(
    (token) =>
      token.chain === query.chain &&
      (query.status === 'all' || token.status === query.status) &&
      (query.numeraire === undefined || same(token.numeraire.address, query.numeraire)) &&
      (query.category === undefined || token.categories.includes(query.category)) &&
      (query.creator === undefined || same(token.creator, query.creator)),
  )
  return ordered(matching, query.ordering).slice(query.offset, query.offset + query.limit)
}

/** Tokens whose address, symbol or name holds the term, whatever its case; an exact symbol first. */
export function found(tokens: readonly Token[], query: SearchQuery): Token[] {
  const matching = tokens.filter(
    (token) =>
      token.chain === query.chain &&
      (query.category === undefined || token.categories.includes(query.category)) &&
      [token.address, token.symbol, token.name].some((text) => holds(text, query.term)),
  )
  const exact = matching.filter((token) => same(token.symbol, query.term))
  const others = matching.filter((token) => !same(token.symbol, query.term))
  return [...exact, ...others].slice(0, query.limit)
}

export function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

function ordered(tokens: Token[], ordering: Ordering | undefined): Token[] {
  if (!ordering) return tokens
  const value = ordering.startsWith('market_cap')
    ? (token: Token) => token.price * token.supply
    : (token: Token) => token.volume
  const sign = ordering.endsWith('asc') ? 1 : -1
  return tokens.toSorted((left, right) => sign * (value(left) - value(right)))
}
