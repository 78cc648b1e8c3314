import type { Listing, Read } from '../src/api/client.ts'
import { figuresOf } from '../src/api/figures.ts'
import { type Asset, maxLimit } from '../src/api/schema.ts'
import { isAddress, looksLikeAddress } from '../src/chain/address.ts'
import type { Chain } from '../src/chain/chains.ts'
import { formatLine, type InlineHit, optional } from '../src/core/command.ts'
import { type Text, t } from '../src/core/view.ts'
import { freshness } from '../src/views/facts.ts'
import { listView, pageBounds } from '../src/views/list.ts'
import { moneyText, priceText } from '../src/views/money.ts'
import { chainName, tokenLabel, whereAndHow } from '../src/views/token.ts'
import {
  chainsToSearch,
  choicesView,
  findByAddress,
  findNear,
  knownFakes,
  noneCalled,
  searchFirst,
} from './lookup.ts'
import { assetNamed, assetTerm, category, chain, limit, page } from './params.ts'
import { command, type Services } from './services.ts'

const maxInline = 10

export const search = command({
  name: 'search',
  about: t('search-about'),
  params: {
    term: assetTerm(t('param-asset'), 'otter'),
    category: optional(category()),
    chain: optional(chain()),
    limit: optional(limit()),
    page: optional(page()),
  },
  run: async (
    { term, category, chain: named, limit = maxLimit, page = 1 },
    services,
    { locale },
    show,
  ) => {
    if (looksLikeAddress(term)) {
      const { read, chain } = await findByAddress(term, named, services)
      return services.cards.pictured(read, chain, locale, show)
    }
    // The API does not page searches: all results are fetched and paged here.
    const { read, chain } = await searchFirst({ term, limit, category }, named, services)
    const { items } = read.value
    const near = items.length === 0 && !category ? await findNear(term, named, services) : undefined
    if (near) return choicesView(term, near, services)
    const { offset, count, isLast } = pageBounds(page, items.length)
    return listView({
      title: [
        items.length > 0 && (chainsToSearch(undefined, services).length > 1 || chain.testnet)
          ? t('search-title-on', { term, chain: chainName(chain) })
          : t('search-title', { term }),
      ],
      assets: items.slice(offset, offset + count),
      chain,
      units: services.units,
      isFake: knownFakes(chain, services),
      freshness: freshness(read, services.now()),
      paging: {
        page,
        hasNext: !isLast,
        lineOf: (other) =>
          formatLine('search', term, { category, chain: chain.id, limit, page: other }),
      },
      emptyText: page > 1 ? undefined : noneCalled(term, named, services),
    })
  },
  inline: async (typed, services) => {
    const term = assetNamed(typed, services)
    // Shared by its address, a token is found on testnets, too.
    if (isAddress(term)) {
      const { read, chain } = await findByAddress(term, undefined, services)
      return [hitOf(read, chain, services)]
    }
    const { read, chain } =
      term === ''
        ? await liveAuctions(services)
        : await searchFirst({ term, limit: maxInline }, undefined, services)
    return read.value.items.map((asset) => hitOf({ ...read, value: asset }, chain, services))
  },
})

function hitOf(read: Read<Asset>, chain: Chain, services: Services): InlineHit {
  const asset = read.value
  const view = services.cards.of(read, chain)
  return {
    id: `${chain.id}:${asset.asset_address}`,
    title: tokenLabel(asset),
    about: worth(asset, chain, services),
    view,
    ...(view.image !== undefined && { image: view.image }),
  }
}

/** The live auctions of the first chain that has any; without any, the empty list of the first chain. */
async function liveAuctions(services: Services): Promise<{ read: Read<Listing>; chain: Chain }> {
  const list = async (chain: Chain) => ({
    read: await services.api.assets({ status: 'live', chain: chain.id, limit: maxInline }),
    chain,
  })
  const [first, ...others] = chainsToSearch(undefined, services)
  const found = await list(first)
  if (found.read.value.items.length > 0) return found
  for (const chain of others) {
    const next = await list(chain)
    if (next.read.value.items.length > 0) return next
  }
  return found
}

/** Tells results apart: price and market cap as far as they are known, chain and status. */
function worth(asset: Asset, chain: Chain, services: Services): Text {
  const facts = figuresOf(asset, services.units)
  const price = facts.price && priceText(facts.price, chain, asset)
  const cap = facts.marketCap && moneyText(facts.marketCap, chain, asset)
  const where = whereAndHow(asset, chain, knownFakes(chain, services)(asset))
  if (price && cap) return t('inline-worth', { price, cap, where })
  if (price) return t('inline-worth-price', { price, where })
  return cap ? t('inline-worth-cap', { cap, where }) : where
}
