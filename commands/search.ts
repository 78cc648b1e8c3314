import { looksLikeAddress, parseAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine, type InlineHit, optional } from '../src/core/command.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageBounds } from '../src/views/list.ts'
import { tokenLabel, whereAndHow } from '../src/views/token.ts'
import { byAddress } from './asset.ts'
import { candidates, card, nothingOn, searchFirst } from './lookup.ts'
import { assetTerm, category, chain, limit, page, withoutSign } from './params.ts'
import { command, type Services } from './services.ts'

const maxInline = 10

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
    // The API does not page searches: all results are fetched and paged here.
    const filter = { term, limit, category }
    const { read, chain: foundOn } = await searchFirst(
      candidates(services, chain),
      filter,
      services,
    )
    const { items } = read.value
    const { offset, count, isLast } = pageBounds(page, items.length)
    return listView({
      title: ['Search: ', term, ...(services.chains.length > 1 ? [` on ${foundOn.name}`] : [])],
      assets: items.slice(offset, offset + count),
      chain: foundOn,
      units: services.units,
      freshness: freshness(read, services.now()),
      paging: {
        page,
        hasNext: !isLast,
        line: (other) =>
          formatLine('search', term, { category, chain: foundOn.id, limit, page: other }),
      },
      empty: page > 1 ? undefined : nothing(candidates(services, chain), services),
    })
  },
  inline: async (typed, services) => {
    const filter = { term: withoutSign(typed), limit: maxInline }
    const { read, chain } = await searchFirst(services.chains, filter, services)
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

function nothing(chains: readonly Chain[], services: Services): string {
  return nothingOn(
    chains,
    services,
    (where) => `Nothing on ${where} matches. Try a shorter part of the name.`,
  )
}
