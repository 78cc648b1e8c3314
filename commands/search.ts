import { looksLikeAddress } from '../src/chain/address.ts'
import { formatLine, type InlineHit, optional } from '../src/core/command.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageBounds } from '../src/views/list.ts'
import { tokenLabel, whereAndHow } from '../src/views/token.ts'
import { findByAddress, nothingOn, searchFirst } from './lookup.ts'
import { assetTerm, category, chain, limit, page, withoutDollar } from './params.ts'
import { command } from './services.ts'

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
  run: async ({ term, category, chain: named, limit = 50, page = 1 }, services) => {
    if (looksLikeAddress(term)) {
      const { read, chain } = await findByAddress(term, named, services)
      return services.cards.pictured(read, chain)
    }
    // The API does not page searches: all results are fetched and paged here.
    const { read, chain } = await searchFirst({ term, limit, category }, named, services)
    const { items } = read.value
    const { offset, count, isLast } = pageBounds(page, items.length)
    const empty = (where: string) => `Nothing on ${where} matches. Try a shorter part of the name.`
    return listView({
      title: ['Search: ', term, ...(services.chains.length > 1 ? [` on ${chain.name}`] : [])],
      assets: items.slice(offset, offset + count),
      chain,
      units: services.units,
      freshness: freshness(read, services.now()),
      paging: {
        page,
        hasNext: !isLast,
        lineOf: (other) =>
          formatLine('search', term, { category, chain: chain.id, limit, page: other }),
      },
      emptyText: page > 1 ? undefined : nothingOn(named, services, empty),
    })
  },
  inline: async (typed, services) => {
    const filter = { term: withoutDollar(typed), limit: maxInline }
    const { read, chain } = await searchFirst(filter, undefined, services)
    return read.value.items.map((asset): InlineHit => {
      const view = services.cards.of({ ...read, value: asset }, chain)
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
