import type { Read } from '../src/api/client.ts'
import type { Asset, AuctionSummary } from '../src/api/schema.ts'
import { isPoolId, looksLikeAddress } from '../src/chain/address.ts'
import { type Chain, parseAddress } from '../src/chain/chains.ts'
import { optional, type Param } from '../src/core/command.ts'
import { t } from '../src/core/view.ts'
import { UserError } from '../src/errors.ts'
import { auctionView } from '../src/views/auction.ts'
import { freshness } from '../src/views/facts.ts'
import { tokenLabel } from '../src/views/token.ts'
import { choicesView, findAsset, findByAddress, ignoreApiError, onFirstChain } from './lookup.ts'
import { assetTerm, chain } from './params.ts'
import { command, type Services } from './services.ts'

const term = assetTerm(t('param-pool'), 'OTTER')

/** A pool, by its contract's address or, if pools share a contract, its id of 32 bytes; or the token that it sells. */
const pool: Param<string, Services> = {
  ...term,
  parse: (raw, services) => {
    if (isPoolId(raw)) return raw.toLowerCase()
    return looksLikeAddress(raw) ? parseAddress(raw) : term.parse(raw, services)
  },
}

export const auction = command({
  name: 'auction',
  about: t('auction-about'),
  params: { pool, chain: optional(chain()) },
  run: async ({ pool: typed, chain: named }, services) => {
    if (looksLikeAddress(typed)) {
      return viewOf(await auctionAt(typed, named, services), services)
    }
    const found = await findAsset(typed, named, services)
    if ('choices' in found) return choicesView(typed, found, services)
    return viewOf(await auctionOfAsset(found.read.value, found.chain, services), services)
  },
})

interface Found {
  pool: string
  read: Read<AuctionSummary>
  chain: Chain
}

/** The auction of the token with this address, or of this pool. @throws UserError if there is none */
async function auctionAt(
  address: string,
  named: Chain | undefined,
  services: Services,
): Promise<Found> {
  // Cards have the address of their token, which was read a moment ago.
  const found = isPoolId(address)
    ? undefined
    : await findByAddress(address, named, services).catch(ignoreRefusal)
  return found
    ? auctionOfAsset(found.read.value, found.chain, services)
    : readAuction(address, named, services)
}

/** Reads the auction of an asset by its pool's address; by the pool's id if another asset's pool has that address, too. */
async function auctionOfAsset(asset: Asset, chain: Chain, services: Services): Promise<Found> {
  const { pool_address: address, pool_id: id } = asset.auction_pool ?? {}
  for (const pool of [address, id].filter((each) => each !== undefined)) {
    const found = await readAuction(pool, chain, services)
    const sold = found.read.value.auction_base_token_address ?? asset.asset_address
    if (sold.toLowerCase() === asset.asset_address.toLowerCase()) return found
  }
  throw new UserError(t('auction-none-of', { name: tokenLabel(asset) }))
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
  return auctionView({
    auction: read.value,
    pool,
    chain,
    units: services.units,
    freshness: freshness(read, services.now()),
    asset: await soldAsset(read.value.auction_base_token_address, chain, services),
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
