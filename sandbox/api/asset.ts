import Big from 'big.js'
import { rawLiquidity, sqrtPriceX96, tickAt, tokenDecimals } from './pool.ts'
import {
  addressOf,
  digestOf,
  Exact,
  epochOf,
  inQuote,
  robinhood,
  type Token,
  type TokenTruth,
  truthOf,
} from './token.ts'

/** The asset of section 2.1 as this stand-in sends it. */
export type Asset = ReturnType<typeof toAsset>
type BaseToken = ReturnType<typeof baseToken>

// The one on Robinhood Chain is LONG's own, as recorded in September 2026.
const integrators: ReadonlyMap<number, string> = new Map([
  [robinhood, '0x92d435c96e63c43e12d6d0ab28f6b0b04072f765'],
])
const integrator = addressOf('integrator of the sandbox')

/** A token, and what is true of it. */
interface Rendering {
  token: Token
  truth: TokenTruth
}

/** A time of the API's own, such as 2026-09-10T23:58:09+00:00. */
function stamp(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', '+00:00')
}

/** Times of a sale have no known form. */
function saleTime({ timeForm, sale, createdAt, quirks }: Token, seconds: number): string {
  if (quirks.has('no-times')) return ''
  const time = sale === 'curve' ? createdAt : seconds
  if (timeForm === 'iso') return stamp(time)
  return String(Math.floor(timeForm === 'milliseconds' ? time * 1000 : time))
}

// The units are the real service's: docs/api.md. Market data are in plain dollars and ratios.

/** An integer of the smallest units. */
const scaled = (amount: string, decimals: number): string =>
  new Exact(amount).times(new Exact(10).pow(decimals)).toFixed(0)

/** Whole tokens in base units. */
const tokens18 = (amount: string): string => scaled(amount, tokenDecimals)

/** Dollars as an amount of the quote token, in units of 18 decimals whatever it has itself. */
const numeraire18 = (dollars: string, token: Token): string => scaled(inQuote(dollars, token), 18)

/** The same number in scientific notation, with all of its digits. */
function withExponent(text: string): string {
  const number = new Exact(text)
  return number.eq(0) ? text : number.toExponential()
}

/** The market cap and the price in dollars that the API takes for true. */
function believed({ token, truth }: Rendering) {
  const { misreadCap: cap } = token
  if (cap === undefined) return { cap: truth.marketCapUsd, price: truth.priceUsd }
  return { cap, price: new Exact(cap).div(truth.supply).toFixed() }
}

function marketData(rendering: Rendering) {
  const { token, truth } = rendering
  const { cap, price } = believed(rendering)
  const isOdd = token.quirks.has('exponent-prices')
  const figure = (amount: string) => (isOdd ? withExponent(amount) : amount)
  return {
    pool_liquidity: figure(truth.liquidityUsd),
    pool_market_cap: figure(cap),
    // Recorded: 2.84080493699e-4.
    pool_price: isOdd || /^0\.000/u.test(price) ? withExponent(price) : price,
    pool_price_scale: '1000000000000000000',
    pool_price_change_24h: figure(truth.change),
    pool_volume_change_24h: figure(truth.volumeChange),
    pool_volume_usd_24h: figure(truth.volumeUsd),
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

function baseToken(token: Token, address: string) {
  const image = pictureOf(token)
  return {
    token_address: address,
    token_name: token.name,
    ...(token.quirks.has('no-description') ? {} : { token_description: token.description }),
    token_symbol: token.symbol,
    token_decimals: tokenDecimals,
    token_uri_data: {
      name: token.name,
      description: token.description,
      image_hash: image.hash,
      fee_receiver: token.feeReceiver,
      social_links: token.socialLinks.map((link) => ({ ...link })),
      vesting_recipients: token.vesting.map(({ amount, ...recipient }) => ({
        ...recipient,
        amount: Big(amount).toFixed(0),
      })),
    },
    token_image_public_url: token.quirks.has('no-image') ? null : image.url,
    token_creator_address: token.quirks.has('null-creator') ? null : token.creator,
    token_fee_receiver_address: token.feeReceiver,
    token_vesting_recipient_addresses: token.vesting.map((recipient) => recipient.address),
  }
}

function currentPrices(rendering: Rendering) {
  const { token, truth } = rendering
  const { cap, price } = believed(rendering)
  const { address, numeraire } = token
  const isToken0 = address.toLowerCase() < numeraire.address.toLowerCase()
  const sqrtPrice = sqrtPriceX96(truth.priceInQuote, numeraire.decimals, isToken0)
  return {
    pool_current_price: numeraire18(price, token),
    pool_current_sqrt_price: String(sqrtPrice),
    pool_current_fdv: numeraire18(cap, token),
    pool_current_liquidity: String(rawLiquidity(token)),
    pool_current_tick: tickAt(sqrtPrice),
    pool_current_market_cap: numeraire18(cap, token),
  }
}

function auctionPool(rendering: Rendering, base: BaseToken) {
  const { token, truth } = rendering
  const inBaseUnits = (amount: string) => scaled(amount, token.numeraire.decimals)
  const raised = (amount: string) => (token.sale === 'curve' ? '0' : inBaseUnits(amount))
  return {
    ...currentPrices(rendering),
    pool_last_epoch: epochOf(token),
    pool_current_fees_accrued: inBaseUnits(inQuote(truth.feesUsd, token)),
    pool_current_total_proceeds: raised(truth.raised),
    pool_current_total_tokens_sold: tokens18(truth.sold),
    pool_last_epoch_total_tokens_sold: tokens18(truth.soldBefore),
    pool_current_sale_progress_percentage:
      token.statedPercent ?? Number(new Exact(truth.progress).times(100)),
    ...(token.quirks.has('open-ended')
      ? {}
      : {
          pool_config_max_proceeds: raised(truth.maxRaised),
          pool_config_min_proceeds: raised(truth.minRaised),
          pool_config_ending_time: saleTime(token, token.endsAt),
        }),
    pool_config_num_tokens_to_sell: tokens18(truth.toSell),
    pool_id: token.poolId,
    pool_address: token.poolAddress,
    pool_config_starting_time: saleTime(token, token.startsAt),
    pool_migration_timestamp: migrationTime(token),
    pool_type: token.poolType,
    pool_market_data: knownMarketData(rendering),
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
  const integratorAddress = integrators.get(token.chain) ?? integrator
  const withIntegrator = { ...base, integrator_address: integratorAddress }
  if (token.graduatedAt !== undefined) {
    return {
      ...currentPrices(rendering),
      pool_address: addressOf(`graduation pool of ${token.address}`),
      pool_migration_timestamp: migrationTime(token),
      pool_type: 'v2',
      pool_market_data: knownMarketData(rendering),
      base_token: withIntegrator,
    }
  }
  if (token.quirks.has('null-graduation')) return null
  return token.quirks.has('no-graduation') ? undefined : deadPool(withIntegrator)
}

function knownMarketData(rendering: Rendering) {
  const { status, sale, volume, quirks } = rendering.token
  const isUntraded = status === 'incoming' || (sale === 'curve' && volume === 0)
  return isUntraded || quirks.has('null-market-data') ? null : marketData(rendering)
}

function migrationTime({ graduatedAt }: Token): string | null {
  return graduatedAt === undefined ? null : stamp(graduatedAt)
}

/** The asset of section 2.1 for a token. */
export function toAsset(token: Token) {
  const rendering = { token, truth: truthOf(token) }
  const written = (address: string) =>
    token.quirks.has('lowercase-address') ? address.toLowerCase() : address
  const address = written(token.address)
  const base = baseToken(token, address)
  const graduation = graduationPool(rendering, base)
  return {
    asset_address: address,
    asset_numeraire_address: written(token.numeraire.address),
    asset_creation_timestamp: stamp(token.createdAt),
    asset_current_pool: token.status === 'graduated' ? 'graduation' : 'auction',
    asset_migration_timestamp: migrationTime(token),
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

/** What the list has and an answer about one asset may lack. */
export const listOnly: readonly string[] = ['pool_market_data', 'asset_categories']
