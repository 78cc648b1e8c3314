import type { Asset } from '../src/api/schema.ts'
import { isPoolId, parseAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import { optional, type Param } from '../src/core/command.ts'
import { ApiError } from '../src/errors.ts'
import { auctionView } from '../src/views/auction.ts'
import { freshness } from '../src/views/facts.ts'
import { onFirstChain } from './lookup.ts'
import { chain } from './params.ts'
import { command, type Services } from './services.ts'

/** A pool: its contract's address or, if pools share a contract, its id of 32 bytes. */
const pool: Param<string, Services> = {
  about: 'Address or id of the auction pool',
  example: '0x4200000000000000000000000000000000000006',
  required: true,
  parse: (raw) => (isPoolId(raw) ? raw.toLowerCase() : parseAddress(raw)),
}

export const auction = command({
  name: 'auction',
  about: 'Show the auction of a pool',
  params: { pool, chain: optional(chain()) },
  run: async ({ pool, chain: named }, services) => {
    const { read, chain } = await onFirstChain(
      named,
      services,
      ({ id }) => services.api.auction(pool, id),
      (where) => `There is no auction pool ${pool} on ${where}. /assets live lists auctions.`,
    )
    return auctionView({
      auction: read.value,
      pool,
      chain,
      units: services.units,
      freshness: freshness(read, services.now()),
      asset: await soldAsset(read.value.auction_base_token_address, chain, services),
    })
  },
})

/** The asset that the auction sells; undefined if the API fails, as the view can do without. */
async function soldAsset(
  address: string | undefined,
  chain: Chain,
  { api }: Services,
): Promise<Asset | undefined> {
  if (address === undefined) return undefined
  try {
    const { value } = await api.asset(address, chain.id)
    return value
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
