import type { Read } from '../src/api/cache.ts'
import type { Asset } from '../src/api/schema.ts'
import type { Chain } from '../src/chain/chains.ts'
import { ApiError, UserError } from '../src/errors.ts'
import { assetView } from '../src/views/asset.ts'
import { freshness } from '../src/views/freshness.ts'
import type { Services } from './services.ts'

/** Where to look: on the given chain, else on all, in the configured order. */
export function candidates(services: Services, chain: Chain | undefined): readonly Chain[] {
  return chain ? [chain] : services.chains
}

/**
 * What `find` finds on the first chain that has it.
 * @throws UserError with what `missing` says where none has it; it gets the names of the chains.
 */
export async function onFirstChain<T>(
  chains: readonly Chain[],
  find: (chain: Chain) => Promise<T>,
  missing: (where: string) => string,
): Promise<{ found: T; chain: Chain }> {
  for (const chain of chains) {
    try {
      return { found: await find(chain), chain }
    } catch (error) {
      if (!(error instanceof ApiError) || error.kind !== 'not-found') throw error
    }
  }
  throw new UserError(missing(chains.map(({ name }) => name).join(' or ')))
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
