import { storable } from '../src/alerts/asset.ts'
import { figuresOf } from '../src/api/figures.ts'
import type { Asset } from '../src/api/schema.ts'
import { Decimal, type Money } from '../src/api/units.ts'
import { shortAddress } from '../src/chain/address.ts'
import { type Chain, chainById } from '../src/chain/chains.ts'
import { type Context, formatLine, integer, optional } from '../src/core/command.ts'
import { changePercent } from '../src/core/number.ts'
import { type Block, type Button, type Item, type Span, t, type View } from '../src/core/view.ts'
import { maxWatched, type WatchedToken } from '../src/db/watchlists.ts'
import { UserError } from '../src/errors.ts'
import { freshness, staleNote } from '../src/views/facts.ts'
import { pageBounds, tokenItem, turnButtons } from '../src/views/list.ts'
import { priceText } from '../src/views/money.ts'
import { chainName, tokenLabel } from '../src/views/token.ts'
import { ifSoon, knownFakes, resolveAsset } from './lookup.ts'
import { address, assetTerm, chain, page } from './params.ts'
import { command, type Services } from './services.ts'

const listButton: Button = { label: t('watchlist-button-list'), line: 'watchlist' }

/** Lists the tokens that a person watches, with the change since each was added; a term adds one. */
export const watchlist = command({
  name: 'watchlist',
  about: t('watchlist-about'),
  ephemeral: true,
  params: {
    add: optional(assetTerm(t('watchlist-add'), 'OTTER')),
    chain: optional(chain()),
    page: optional(page()),
  },
  mutates: ({ bare, named }) => bare !== '' || named.has('add'),
  run: ({ add, chain, page = 1 }, services, context) =>
    add === undefined
      ? watchlistView(page, 'open', services, context)
      : added(add, chain, services, context),
})

/** Behind the Watch button of a card: adds the token, or says that it is there. */
export const watch = command({
  name: 'watch',
  about: t('watchlist-about'),
  ephemeral: true,
  unlisted: true,
  params: { asset: assetTerm(t('param-asset'), 'OTTER'), chain: optional(chain()) },
  mutates: () => true,
  run: ({ asset, chain }, services, context) => added(asset, chain, services, context),
})

/** Takes a token off the list; without one it shows the list to choose from. */
export const unwatch = command({
  name: 'unwatch',
  about: t('watchlist-remove-title'),
  ephemeral: true,
  unlisted: true,
  params: {
    asset: optional(address(t('param-asset'))),
    // By its number, as the operator may no longer have the chain.
    chain: optional(integer(t('param-chain'), 1, Number.MAX_SAFE_INTEGER)),
    page: optional(page()),
  },
  mutates: ({ bare }) => bare !== '',
  run: async ({ asset, chain, page = 1 }, services, context) => {
    if (asset === undefined) return watchlistView(page, 'remove', services, context)
    const token = { chain: chain ?? services.chains[0].id, asset: asset.toLowerCase() }
    await services.watchlists.remove(context.platform.name, context.user, token)
    return watchlistView(1, 'open', services, context, [
      { kind: 'text', spans: [t('watchlist-removed', { address: { code: shortAddress(asset) } })] },
    ])
  },
})

async function added(
  term: string,
  on: Chain | undefined,
  services: Services,
  { platform, user }: Context,
): Promise<View> {
  const lineFor = (asset: string, chain: number) => formatLine('watch', asset, { chain })
  const found = await resolveAsset(term, on, lineFor, services)
  if ('title' in found) return found
  const { asset, chain } = found
  const { price } = figuresOf(asset, services.units)
  const token = {
    chain: chain.id,
    asset: asset.asset_address.toLowerCase(),
    price: stored(price, asset),
    addedAt: services.now(),
  }
  const isAdded = await services.watchlists.add(platform.name, user, token)
  if (!isAdded) throw new UserError(t('watchlist-full', { max: maxWatched }))
  const watched = await services.watchlists.of(platform.name, user)
  const entry = watched.find((each) => each.chain === token.chain && each.asset === token.asset)
  // At the second at which it is added there is no change yet.
  const before = entry && entry.addedAt < token.addedAt ? entry : { ...token, price: undefined }
  const where = chain.testnet ? [chainName(chain)] : []
  const worth = [...where, ...worthOf(asset, chain, before, services)]
  return {
    title: [t('watchlist-added', { token: tokenLabel(asset) })],
    tone: 'good',
    blocks: worth.length > 0 ? [{ kind: 'text', spans: separated(worth) }] : [],
    buttons: [
      [
        listButton,
        {
          label: t('watchlist-button-remove-this'),
          line: formatLine('unwatch', asset.asset_address, { chain: chain.id }),
        },
      ],
    ],
  }
}

/** A page of the list; its items open cards, or take tokens off the list. */
async function watchlistView(
  page: number,
  press: 'open' | 'remove',
  services: Services,
  { platform, user }: Context,
  before: Block[] = [],
): Promise<View> {
  const watched = await services.watchlists.of(platform.name, user)
  const { offset, count, isLast } = pageBounds(page, watched.length)
  const onPage = watched.slice(offset, offset + count)
  const reads = await Promise.all(
    onPage.map(({ asset, chain }) => ifSoon(services.api.asset(asset, chain))),
  )
  const chains = new Set(watched.map(({ chain }) => chain))
  const shown = onPage.map((token, index) => {
    const { spans, open } = itemOf(token, reads[index]?.value, chains.size > 1, services)
    const line = press === 'open' ? open.line : tokenLine('unwatch', token)
    return { spans, open: { ...open, line } }
  })
  const stale = reads.find((read) => read?.stale)
  const lineOf = (other: number | undefined) =>
    formatLine(press === 'open' ? 'watchlist' : 'unwatch', undefined, { page: other })
  const nothing = watched.length > 0 ? t('list-no-more') : t('watchlist-empty')
  return {
    title: [press === 'open' ? t('watchlist-title') : t('watchlist-remove-title')],
    blocks: [
      ...before,
      shown.length > 0
        ? {
            kind: 'list',
            first: offset + 1,
            items: shown,
            ...(press === 'remove' && { choose: t('watchlist-button-remove') }),
          }
        : { kind: 'text', spans: [nothing] },
      ...(stale ? staleNote(freshness(stale, services.now())) : []),
    ],
    buttons: [
      turnButtons({ page, hasNext: !isLast, lineOf }),
      press === 'remove'
        ? [listButton]
        : shown.length > 0
          ? [
              { label: t('asset-button-refresh'), line: lineOf(page > 1 ? page : undefined) },
              { label: t('watchlist-button-remove'), line: removeLine(page) },
            ]
          : [{ label: t('start-button-live'), line: 'assets live' }],
    ].filter((row) => row.length > 0),
  }
}

/** The token with its price and the change since it was added; without them if the API says nothing of it now. */
function itemOf(
  token: WatchedToken,
  asset: Asset | undefined,
  namesChain: boolean,
  services: Services,
): Item {
  const chain = services.chains.find(({ id }) => id === token.chain) ?? chainById(token.chain)
  if (asset) {
    // A testnet is named as such before the token.
    const where = namesChain ? [chain.name] : []
    const details = [...where, ...worthOf(asset, chain, token, services)]
    return tokenItem(asset, chain, details, knownFakes(chain, services))
  }
  const label = shortAddress(token.asset)
  const where = namesChain || chain.testnet ? [chainName(chain)] : []
  const spans: Span[] = [{ code: label }, ...where, t('watchlist-no-price')]
  return { spans: separated(spans), open: { label, line: tokenLine('asset', token) } }
}

/** The price now, and its change since the token was added, as far as they are known. */
function worthOf(asset: Asset, chain: Chain, token: WatchedToken, { units }: Services): Span[] {
  const { price } = figuresOf(asset, units)
  if (!price) return [t('watchlist-no-price')]
  const change = changeSince(token, stored(price, asset))
  return [
    t('watchlist-price', { price: priceText(price, chain, asset) }),
    ...(change === undefined ? [] : [t('watchlist-since', { change: changePercent(change) })]),
  ]
}

/** The change as a ratio; undefined if a price is unknown, or they are in different currencies. */
function changeSince(
  { price: then }: WatchedToken,
  now: WatchedToken['price'],
): string | undefined {
  if (!then || !now || then.currency !== now.currency) return undefined
  const before = new Decimal(then.amount)
  return before.gt(0) ? new Decimal(now.amount).div(before).minus(1).toFixed() : undefined
}

/** A price as it is stored; undefined if it is unknown what it is in. */
function stored(price: Money | undefined, asset: Asset): WatchedToken['price'] {
  const amount = storable(price)?.amount
  const quote = asset.asset_numeraire_address?.toLowerCase()
  const currency = price?.currency === 'usd' ? 'usd' : quote
  return amount === undefined || currency === undefined ? undefined : { amount, currency }
}

function separated(spans: readonly Span[]): Span[] {
  return spans.flatMap((span, index) => (index > 0 ? [' · ', span] : [span]))
}

function tokenLine(name: string, { asset, chain }: WatchedToken): string {
  return formatLine(name, asset, { chain })
}

function removeLine(page: number): string {
  return formatLine('unwatch', undefined, { page: page > 1 ? page : undefined })
}
