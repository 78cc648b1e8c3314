import { formatLine, optional } from '../src/core/command.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageSize } from '../src/views/list.ts'
import { findAsset } from './lookup.ts'
import { assetTerm, chain } from './params.ts'
import { command } from './services.ts'

export const asset = command({
  name: 'asset',
  about: 'Show one asset',
  params: {
    asset: assetTerm('Address, symbol or name', 'OTTER'),
    chain: optional(chain()),
  },
  run: async ({ asset: term, chain: named }, services) => {
    const found = await findAsset(term, named, services)
    if (!('choices' in found)) return services.cards.pictured(found.read, found.chain)
    const { choices, areExact, read, chain } = found
    return listView({
      title: areExact ? ['Which ', term, '?'] : ['Did you mean one of these?'],
      assets: choices.slice(0, pageSize),
      chain,
      units: services.units,
      freshness: freshness(read, services.now()),
      paging: {
        page: 1,
        hasNext: choices.length > pageSize,
        lineOf: (page) => formatLine('search', term, { chain: chain.id, page }),
      },
    })
  },
})
