import { whichOfView } from '../../src/alerts/views/menu.ts'
import type { Asset } from '../../src/api/schema.ts'
import { looksLikeAddress, parseAddress } from '../../src/chain/address.ts'
import type { Chain } from '../../src/chain/chains.ts'
import type { View } from '../../src/core/view.ts'
import { pageSize } from '../../src/views/list.ts'
import { statusText, tokenLabel } from '../../src/views/token.ts'
import { hits } from '../asset.ts'
import { candidates, noAssetAt, onFirstChain } from '../lookup.ts'
import type { Services } from '../services.ts'

/** The asset that a rule is about, and its chain. */
export interface FoundAsset {
  asset: Asset
  chain: Chain
}

/**
 * Finds an asset by address, symbol or name; returns a view that asks if several fit. `again` writes the line that
 * repeats the command with one of them.
 * @throws UserError if there is none
 */
export async function meantAsset(
  term: string,
  chain: Chain | undefined,
  lineFor: (asset: string, chain: number) => string,
  services: Services,
): Promise<FoundAsset | View> {
  if (looksLikeAddress(term)) return assetAt(parseAddress(term), chain, services)
  const { read, where, exact } = await hits(term, candidates(services, chain), services)
  const [only] = exact
  if (only && exact.length === 1) return { asset: only, chain: where }
  const choices = (exact.length > 1 ? exact : read.value.items).slice(0, pageSize)
  return whichOfView(
    term,
    choices.map((asset) => ({
      spans: [
        { bold: tokenLabel(asset) },
        ...statusSpans(asset),
        ' ',
        { code: asset.asset_address },
      ],
      label: tokenLabel(asset),
      run: lineFor(asset.asset_address, where.id),
    })),
  )
}

function statusSpans(asset: Asset): string[] {
  const status = statusText(asset)
  return status === undefined ? [] : [` · ${status}`]
}

async function assetAt(
  address: string,
  chain: Chain | undefined,
  services: Services,
): Promise<FoundAsset> {
  const { found, chain: where } = await onFirstChain(
    candidates(services, chain),
    ({ id }) => services.api.asset(address, id),
    (chains) => noAssetAt(address, chains, services),
  )
  return { asset: found.value, chain: where }
}
