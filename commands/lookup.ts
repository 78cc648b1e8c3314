import type { Read } from '../src/api/cache.ts'
import type { Asset } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import { ApiError } from '../src/errors.ts'
import { assetView } from '../src/views/asset.ts'
import { freshness } from '../src/views/freshness.ts'
import type { Services } from './services.ts'

/**
 * The first chain on which `find` finds something, asked in the configured order; only the given chain where there is
 * one.
 * @throws ApiError "not-found" where none has it.
 */
export async function onAnyChain<T>(
  services: Services,
  chain: Chain | undefined,
  find: (chain: Chain) => Promise<T>,
): Promise<{ found: T; chain: Chain }> {
  let missing: unknown
  for (const candidate of chain ? [chain] : services.chains) {
    try {
      return { found: await find(candidate), chain: candidate }
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
      missing = error
    }
  }
  throw missing
}

/** The card of an asset just read. */
export function card(services: Services, read: Read<Asset>, chain: Chain) {
  return assetView({
    asset: read.value,
    chain,
    units: services.units,
    freshness: freshness(read, services.now()),
  })
}
