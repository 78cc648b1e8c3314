import type { QueryNames } from '../api/query-names.ts'
import type { Asset } from '../api/schema.ts'
import type { Inquiry } from './inquiry.ts'
import { identity } from './listings.ts'
import { type Part, partsOf, queryOf } from './question.ts'

const maxPages = 3

/** Assets of a chain to judge units by: some pages of all and one of the live, each asset once. */
export async function sampleOfChain(inquiry: Inquiry, names: QueryNames): Promise<Asset[]> {
  const known = new Map<string, Asset>()
  const add = (assets: readonly Asset[]) => {
    const before = known.size
    for (const asset of assets) known.set(identity(asset), asset)
    return known.size > before
  }
  const parts = partsOf(names, inquiry.chain)
  let offset = 0
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await inquiry.probe.list(queryOf(withValue(parts, 'offset', offset)))
    // If they can't all be sent, the answered question's assets are the sample.
    if ('error' in answer && page === 0) return inquiry.base.answer.assets
    if ('error' in answer) break
    const { assets, received } = answer.value
    if (!add(assets)) break
    offset += received
  }
  const live = await inquiry.probe.list(queryOf(withValue(parts, 'status', 'live')))
  if ('value' in live) add(live.value.assets)
  return [...known.values()]
}

function withValue(
  parts: readonly Part[],
  meaning: Part['meaning'],
  value: string | number,
): Part[] {
  return parts.map((part) => (part.meaning === meaning ? { ...part, value } : part))
}
