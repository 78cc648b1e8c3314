import { defaultUnits } from '../../../src/api/units.ts'
import type { CardParts } from '../../../src/views/asset.ts'
import type { ListParts } from '../../../src/views/list.ts'
import { address, asset, base, cardParts, fullAsset, now } from './sample.ts'

/** A live asset of which a stranger wrote everything that a stranger can write. */
function hostileAsset(text: string) {
  const token = {
    ...fullAsset.auction_pool.base_token,
    token_name: text,
    token_symbol: text,
    token_description: text,
    token_image_public_url: text,
    token_uri_data: {
      name: text,
      description: text,
      social_links: [
        { label: text, url: text },
        { label: text, url: 'https://links.example/' },
      ],
      vesting_recipients: [{ address: text, amount: text, percentage: text }],
    },
  }
  return {
    ...fullAsset,
    asset_numeraire_address: text,
    asset_categories: [text],
    auction_pool: { ...fullAsset.auction_pool, pool_type: text, base_token: token },
    graduation_pool: undefined,
  }
}

export function hostileCard(text: string): CardParts {
  // A link that is one is not hostile for its name.
  return cardParts(hostileAsset(text.replace(/^https:\/\//u, 'https:///evil@')))
}

/** The second page of a list of ten such assets, with every button that a list has. */
export function hostileList(texts: readonly string[]): ListParts {
  // A search takes no longer term.
  const term = (texts[0] ?? '').slice(0, 100)
  const statuses = ['All', 'Incoming', 'Live', 'Graduated']
  return {
    title: ['Search: ', term],
    assets: Array.from({ length: 10 }, (_, index) => {
      const text = texts[index % texts.length] ?? ''
      const own = address.slice(0, -1) + String(index)
      return asset({ ...hostileAsset(text), asset_address: own, asset_status: text || 'live' })
    }),
    chain: base,
    units: defaultUnits,
    freshness: { fetchedAt: now, stale: true, now },
    paging: { page: 2, hasNext: true, lineOf: (page) => `search "${term}" page:${page}` },
    buttonRows: [statuses.map((label) => ({ label, line: `assets ${label}` }))],
    emptyText: '',
  }
}
