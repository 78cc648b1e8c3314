import { baseToken, poolName } from '../src/api/asset.ts'
import type { Read } from '../src/api/client.ts'
import { type Asset, type AuctionSummary, differ } from '../src/api/schema.ts'
import { compositePoolId, isPoolId, looksLikeAddress } from '../src/chain/address.ts'
import { isModule } from '../src/chain/airlock/module-addresses.ts'
import { type Chain, parseAddress } from '../src/chain/chains.ts'
import { optional, type Param } from '../src/core/command.ts'
import { t } from '../src/core/view.ts'
import { isRefused, UserError } from '../src/errors.ts'
import { auctionView } from '../src/views/auction.ts'
import { freshness } from '../src/views/facts.ts'
import { tokenLabel } from '../src/views/token.ts'
import {
  choicesView,
  fakeReasons,
  findAsset,
  findByAddress,
  ignoreApiError,
  onFirstChain,
} from './lookup.ts'
import { assetTerm, chain, servedPool } from './params.ts'
import { command, type Services } from './services.ts'

const term = assetTerm(t('param-pool'), 'OTTER')

/** A pool, by its contract's address or, if pools share a contract, by its id; or the token that it sells. */
const pool: Param<string, Services> = {
  ...term,
  parse: (raw, services) => {
    if (isPoolId(raw)) return raw.toLowerCase()
    if (compositePoolId(raw)) return servedPool(raw, services).toLowerCase()
    const typed = term.parse(raw, services)
    return looksLikeAddress(typed) ? parseAddress(typed) : typed
  },
}

export const auction = command({
  name: 'auction',
  about: t('auction-about'),
  params: { pool, chain: optional(chain()) },
  run: async ({ pool: typed, chain: named }, services) => {
    const { chain: id, asset: address = typed } = compositePoolId(typed) ?? {}
    const on = services.chains.find((each) => each.id === id) ?? named
    if (looksLikeAddress(address)) {
      return viewOf(await auctionAt(typed, address, on, services), services)
    }
    const found = await findAsset(typed, on, services)
    if ('choices' in found) return choicesView(typed, found, services)
    return viewOf(await auctionOfAsset(found.read, found.chain, services), services)
  },
})

interface Found {
  pool: string
  read: Read<AuctionSummary>
  chain: Chain
}

/** The auction of the token with this address, or else of this pool. @throws UserError if there is none */
async function auctionAt(
  typed: string,
  address: string,
  named: Chain | undefined,
  services: Services,
): Promise<Found> {
  // Cards have the address of their token, which was read a moment ago.
  const found = isPoolId(address)
    ? undefined
    : await findByAddress(address, named, services).catch(ignoreRefusal)
  return found
    ? auctionOfAsset(found.read, found.chain, services)
    : readAuction(typed, named, services)
}

/**
 * Reads the auction of an asset by its pool's address; by the pool's id if auctions share that address; or by the asset's
 * own. If the API has no summary of it, what it says of the asset makes one.
 */
async function auctionOfAsset(
  { value: asset, ...read }: Read<Asset>,
  chain: Chain,
  services: Services,
): Promise<Found> {
  const { pool_address: address, pool_id: id } = asset.auction_pool ?? {}
  const names = [address, id].filter((each) => each !== undefined)
  if (names.length === 0) throw new UserError(t('auction-none-of', { name: tokenLabel(asset) }))
  for (const pool of [...names.filter((each) => !isModule(each)), asset.asset_address]) {
    const found = await services.api.auction(pool, chain.id).catch(ignoreRefused)
    const sold = found?.value.auction_base_token_address ?? asset.asset_address
    if (found && !differ(sold, asset.asset_address)) return { pool, read: found, chain }
  }
  const pool = poolName(asset.auction_pool ?? {}) ?? asset.asset_address
  return { pool, read: { ...read, value: summaryOf(asset) }, chain }
}

/** Makes the summary of an auction from its asset, if the API has none. */
function summaryOf(asset: Asset): AuctionSummary {
  const { token_name: name, token_symbol: symbol } = baseToken(asset) ?? {}
  return {
    auction_pool_address: asset.auction_pool?.pool_address,
    auction_pool_id: asset.auction_pool?.pool_id,
    auction_base_token_name: name,
    auction_base_token_symbol: symbol,
    auction_base_token_address: asset.asset_address,
    auction_quote_token_symbol: asset.quote_symbol,
    auction_quote_token_address: asset.asset_numeraire_address,
  }
}

/** For a name that the API does not take, or under which it has nothing. */
function ignoreRefused(error: unknown): undefined {
  if (!isRefused(error)) throw error
}

async function readAuction(
  pool: string,
  named: Chain | undefined,
  services: Services,
): Promise<Found> {
  const found = await onFirstChain(
    named,
    services,
    ({ id }) => services.api.auction(pool, id),
    (chains) => t('auction-none', { pool: { code: pool }, chains, live: { code: '/assets live' } }),
  )
  return { pool, ...found }
}

function ignoreRefusal(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error
}

async function viewOf({ pool, read, chain }: Found, services: Services) {
  const token = read.value.auction_base_token_address
  const [asset, fake] = await Promise.all([
    soldAsset(token, chain, services),
    fakeReasons(token, chain, services),
  ])
  return auctionView({
    auction: read.value,
    pool,
    chain,
    units: services.units,
    freshness: freshness(read, services.now()),
    asset,
    fake,
  })
}

/** The asset that the auction sells; undefined if the API fails, as the view can do without. */
async function soldAsset(
  address: string | undefined,
  chain: Chain,
  { api }: Services,
): Promise<Asset | undefined> {
  if (address === undefined) return undefined
  return (await api.asset(address, chain.id).catch(ignoreApiError))?.value
}
