import { looksLikeAddress, parseAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import type { InlineHit } from '../src/chat/command.ts'
import { formatLine } from '../src/chat/line.ts'
import { optional } from '../src/chat/params.ts'
import type { Span } from '../src/chat/view.ts'
import { freshness } from '../src/views/freshness.ts'
import { listView, pageSize } from '../src/views/list.ts'
import { tokenLabel, whereAndHow } from '../src/views/token.ts'
import { byAddress } from './asset.ts'
import { card } from './lookup.ts'
import { assetTerm, category, chain, limit, page, withoutSign } from './params.ts'
import { command } from './services.ts'

/** Inline results that Telegram shows without scrolling far. */
const mostInline = 10

export const search = command({
  name: 'search',
  about: 'Find assets by name, symbol or address',
  params: {
    term: assetTerm('Name, symbol or address', 'otter'),
    category: optional(category()),
    chain: optional(chain()),
    limit: optional(limit()),
    page: optional(page()),
  },
  run: async ({ term, category, chain, limit = 50, page = 1 }, services) => {
    if (looksLikeAddress(term)) return byAddress(parseAddress(term), chain, services)
    const where = chain ?? services.chains[0]
    // The interface pages no searches: all hits come at once and are paged here.
    const read = await services.api.search({ term, chain: where.id, limit, category })
    const start = (page - 1) * pageSize
    return listView({
      title: ['Search: ', term],
      assets: read.value.items.slice(start, start + pageSize),
      chain: where,
      units: services.units,
      freshness: freshness(read, services.now()),
      paging: {
        page,
        more: read.value.items.length > start + pageSize,
        line: (other) =>
          formatLine('search', term, { category, chain: where.id, limit, page: other }),
      },
      empty: nothing(where, services.chains),
    })
  },
  inline: async (typed, services) => {
    const [chain] = services.chains
    const term = withoutSign(typed)
    const read = await services.api.search({ term, chain: chain.id, limit: mostInline })
    return read.value.items.map((asset): InlineHit => {
      const view = card(services, { ...read, value: asset }, chain)
      return {
        id: `${chain.id}:${asset.asset_address}`,
        title: tokenLabel(asset),
        about: whereAndHow(asset, chain),
        view,
        ...(view.image !== undefined && { image: view.image }),
      }
    })
  },
})

function nothing(where: Chain, chains: readonly Chain[]): Span[] {
  const other = chains.find(({ id }) => id !== where.id)
  return [
    `Nothing on ${where.name} matches. Try a shorter part of the name`,
    ...(other ? [', or another chain with ', { code: `chain:${other.slug}` }] : []),
    '.',
  ]
}
