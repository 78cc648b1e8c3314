import { baseToken, graduationPool, statusOf } from '../api/asset.ts'
import type { Figures } from '../api/figures.ts'
import type { Asset, BaseToken } from '../api/schema.ts'
import { decimal, type Money } from '../api/units.ts'
import { isAddress, isNobody, isPoolId } from '../chain/address.ts'
import { type Chain, tokenUrl } from '../chain/chains.ts'
import { formatLine } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import type { Block, Button, Span } from '../core/view.ts'
import { lookalikeBlocks } from './lookalike.ts'
import { amount, changePercent, progressPercent } from './number.ts'
import { addressSpan, moneyText, priceText } from './token.ts'

// The parts that cards and alerts say of an asset.

/** Telegram's captions hold 1024 units, and each character may take two after links in it are defused. */
const maxDescription = 140

type Field = [label: string, value: Span[]]

/** The price with its change in 24 hours. */
function priceFields(asset: Asset, { price, change24h }: Figures, chain: Chain): Field[] {
  if (!price) return []
  const change = change24h === undefined ? '' : `  ${changePercent(change24h)} in 24 h`
  return [['Price', [{ bold: priceText(price, chain, asset.asset_numeraire_address) }, change]]]
}

/** The price with its change in 24 hours, and the market cap. */
export function worthFields(asset: Asset, facts: Figures, chain: Chain): Field[] {
  return [
    ...priceFields(asset, facts, chain),
    ...moneyLine([['Market cap', facts.marketCap]], asset, chain),
  ]
}

/** The same with liquidity and volume beside the market cap. */
export function marketBlock(asset: Asset, facts: Figures, chain: Chain): Block {
  const amounts = [
    ['Market cap', facts.marketCap],
    ['Liquidity', facts.liquidity],
    ['Volume 24 h', facts.volume24h],
  ] as const
  return {
    kind: 'fields',
    fields: [...priceFields(asset, facts, chain), ...moneyLine(amounts, asset, chain)],
  }
}

/** One field of the amounts that are known, the first with its label in front. */
function moneyLine(
  amounts: readonly (readonly [label: string, money: Money | undefined])[],
  asset: Asset,
  chain: Chain,
): Field[] {
  const [first, ...others] = amounts.flatMap(([label, money]) =>
    money ? [[label, moneyText(money, chain, asset.asset_numeraire_address)] as const] : [],
  )
  if (!first) return []
  const [label, value] = first
  return [[label, [value, ...others.map(([other, text]) => ` · ${other} ${text}`)]]]
}

/** The proceeds of the sale. */
export function proceedsFields(asset: Asset, { proceeds }: Figures, chain: Chain): Field[] {
  return proceeds ? [['Proceeds', [moneyText(proceeds, chain, asset.asset_numeraire_address)]]] : []
}

/** A bar of the share sold. */
export function soldBlocks(progress: string | undefined): Block[] {
  return progress === undefined ? [] : [{ kind: 'progress', ...saleBar(progress) }]
}

/**
 * The state of the sale for a live auction, the start for an incoming one, nothing for others.
 * @param now unix seconds
 */
export function saleBlocks(asset: Asset, facts: Figures, chain: Chain, now: number): Block[] {
  const status = statusOf(asset)
  if (status === 'incoming') {
    if (facts.startsAt === undefined) return []
    const label = facts.startsAt > now ? 'Starts' : 'Start'
    return [{ kind: 'fields', fields: [[label, [{ time: facts.startsAt, as: 'relative' }]]] }]
  }
  if (status !== 'live') return []
  return [
    ...soldBlocks(facts.progress),
    { kind: 'fields', fields: saleFields(asset, facts, chain, now) },
  ]
}

/** The share sold as a bar and in words. */
export function saleBar(progress: string): { ratio: number; label: string } {
  return { ratio: ratio(progress), label: `${progressPercent(progress)} sold` }
}

/** As a number, 0.999… can round to 1, which would show a full bar before everything is sold. */
function ratio(progress: string): number {
  return progress === '1' ? 1 : Math.min(Number(progress), 1 - Number.EPSILON)
}

function saleFields(asset: Asset, facts: Figures, chain: Chain, now: number): Field[] {
  const numeraire = asset.asset_numeraire_address
  const fields: Field[] = []
  if (facts.sold !== undefined) {
    const total = facts.toSell === undefined ? '' : ` of ${amount(facts.toSell)}`
    fields.push(['Sold', [`${amount(facts.sold)}${total}`]])
  }
  if (facts.proceeds) {
    const bounds = [
      facts.minProceeds && `min ${moneyText(facts.minProceeds, chain, numeraire)}`,
      facts.maxProceeds && `max ${moneyText(facts.maxProceeds, chain, numeraire)}`,
    ].filter((bound) => bound !== undefined)
    const range = bounds.length > 0 ? ` (${bounds.join(', ')})` : ''
    fields.push(['Proceeds', [moneyText(facts.proceeds, chain, numeraire) + range]])
  }
  if (facts.endsAt !== undefined) {
    const label = facts.endsAt > now ? 'Ends' : 'Ended'
    fields.push([label, [{ time: facts.endsAt, as: 'relative' }]])
  }
  return fields
}

/** When an asset graduated, and to which pool; nothing for others. */
export function graduationBlocks(asset: Asset, facts: Figures, chain: Chain): Block[] {
  const pool = graduationPool(asset)
  if (statusOf(asset) !== 'graduated' && !pool) return []
  const spans: Span[] = ['Graduated']
  if (facts.migratedAt !== undefined) spans.push(' ', { time: facts.migratedAt, as: 'date' })
  if (pool?.pool_address !== undefined) spans.push(' to ', addressSpan(chain, pool.pool_address))
  return [{ kind: 'text', spans }]
}

/** The asset's chain and categories. */
export function whereBlock(asset: Asset, chain: Chain): Block {
  const names = (asset.asset_categories ?? []).slice(0, 2)
  const shown = names.map((name) => shorten(harmless(name).trim(), 32)).filter(Boolean)
  return { kind: 'text', spans: [[chain.name, ...shown].join(' · ')] }
}

/** The beginning of the description, or instead a warning about a look-alike name; and the address to copy. */
export function aboutBlocks(asset: Asset, chain: Chain): Block[] {
  const { token_name: name, token_symbol: symbol } = baseToken(asset) ?? {}
  const [warning] = lookalikeBlocks({ name, symbol, address: asset.asset_address }, chain)
  const [first = ''] = (baseToken(asset)?.token_description ?? '').trim().split(/[\r\n]/u, 1)
  const about = shortenWords(harmless(first).trim(), maxDescription)
  return [
    ...(about === '' || warning ? [] : [{ kind: 'text', spans: [about] } satisfies Block]),
    ...(warning ? [warning] : []),
    { kind: 'text', spans: [{ code: asset.asset_address }] },
  ]
}

/** Cuts a text after a whole word if possible, and removes punctuation there. */
function shortenWords(text: string, maxLength: number): string {
  const cut = shorten(text, maxLength)
  if (cut === text) return text
  const words = cut.slice(0, -1)
  const isInteger = /^\s/u.test(text.slice(words.length))
  const whole = isInteger ? words : words.replace(/\s+\S*$/u, '')
  return `${whole.replace(/[\s\p{P}]+$/u, '') || words}…`
}

/** Removes empty blocks. */
export function filled(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => {
    if (block.kind === 'text') return block.spans.length > 0
    return block.kind !== 'fields' || block.fields.length > 0
  })
}

/** Buttons of an event: the asset's card, its auction and the explorer, and `alerts`, the line of the Alerts button. */
export function eventButtons(asset: Asset, chain: Chain, alerts: string): Button[][] {
  const named = { chain: chain.id }
  const pool = asset.auction_pool?.pool_address ?? asset.auction_pool?.pool_id
  const first: Button[] = [{ label: 'Card', line: cardLine(asset, chain), opens: true }]
  if (pool !== undefined && !graduationPool(asset) && (isAddress(pool) || isPoolId(pool))) {
    first.push({ label: 'Auction', line: formatLine('auction', pool, named), opens: true })
  }
  const url = tokenUrl(chain, asset.asset_address)
  const second: Button[] = [
    ...(url === undefined ? [] : [{ label: 'Explorer', url }]),
    { label: '🔔 Alerts', line: alerts, opens: true },
  ]
  return [first, second]
}

/** The line that shows a chat's subscriptions about one asset. */
export function followLine(asset: Asset, chain: Chain): string {
  return formatLine('follow', asset.asset_address, { chain: chain.id })
}

/** The line that shows an asset's card. */
export function cardLine(asset: Asset, chain: Chain): string {
  return formatLine('asset', asset.asset_address, { chain: chain.id })
}

/** The age of an API answer; stale if a newer one could not be fetched. */
export interface Freshness {
  /** Unix seconds. */
  fetchedAt: number
  stale: boolean
  /** Unix seconds at which it is shown. */
  now: number
}

/** @param read the answer's age in seconds @param now unix seconds */
export function freshness(read: { age: number; stale: boolean }, now: number): Freshness {
  return { fetchedAt: Math.floor(now - read.age), stale: read.stale, now }
}

/** A note below a stale answer; nothing below a fresh one. */
export function staleNote({ fetchedAt, stale }: Freshness): Block[] {
  if (!stale) return []
  return [
    {
      kind: 'text',
      quiet: true,
      spans: ['The data source does not answer. As of ', { time: fetchedAt, as: 'relative' }, '.'],
    },
  ]
}

const maxLinks = 6
const maxVesting = 3
const maxCategories = 6
const maxHost = 40

/** The token's creator, its beneficiaries and its links. */
export function peopleBlock(
  asset: Asset,
  token: BaseToken | undefined,
  facts: Figures,
  chain: Chain,
): Block {
  const fields: [string, Span[]][] = []
  const add = (label: string, value: Span[]) => value.length > 0 && fields.push([label, value])
  const address = (value: string | undefined) =>
    value === undefined || isNobody(value) ? [] : [addressSpan(chain, value)]
  add('Created', facts.createdAt === undefined ? [] : [{ time: facts.createdAt, as: 'relative' }])
  add('Creator', address(token?.token_creator_address))
  add('Fee receiver', address(token?.token_fee_receiver_address))
  add('Vesting', vesting(token, chain))
  add('Categories', categories(asset))
  add('Links', links(token))
  return { kind: 'fields', fields }
}

function vesting(token: BaseToken | undefined, chain: Chain): Span[] {
  const detailed = token?.token_uri_data?.vesting_recipients ?? []
  const recipients =
    detailed.length > 0
      ? detailed
      : (token?.token_vesting_recipient_addresses ?? []).map((address) => ({ address }))
  const valid = recipients.flatMap((recipient) => {
    if (recipient.address === undefined) return []
    const share = 'percentage' in recipient ? percentage(recipient.percentage) : undefined
    return [{ address: recipient.address, share }]
  })
  const shown = valid
    .slice(0, maxVesting)
    .flatMap(({ address, share }, index): Span[] => [
      ...(index > 0 ? [', '] : []),
      addressSpan(chain, address),
      ...(share === undefined ? [] : [` ${share} %`]),
    ])
  return valid.length > maxVesting ? [...shown, ` and ${valid.length - maxVesting} more`] : shown
}

/** A share from 0 to 100 without its sign; undefined for anything else. */
function percentage(text: string | undefined): string | undefined {
  const share = text?.replace(/\s*%$/u, '')
  const value = decimal(share)
  return value?.gte(0) && value.lte(100) ? value.toFixed() : undefined
}

function categories(asset: Asset): Span[] {
  const names = (asset.asset_categories ?? []).map((name) => shorten(harmless(name).trim(), 32))
  const shown = names.filter((name) => name !== '').slice(0, maxCategories)
  return shown.length > 0 ? [shown.join(', ')] : []
}

/** Only https links, labelled with their host in ASCII: a label by a third party could name another site. */
function links(token: BaseToken | undefined): Span[] {
  return (token?.token_uri_data?.social_links ?? [])
    .map(({ url }) => httpsUrl(url))
    .filter((url) => url !== undefined)
    .slice(0, maxLinks)
    .flatMap((url, index): Span[] => [
      ...(index > 0 ? [' · '] : []),
      { link: shownHost(url), url: url.href },
    ])
}

/** A long host is cut at its start, as the end says whose it is. */
function shownHost({ host }: URL): string {
  return host.length <= maxHost ? host : `…${host.slice(1 - maxHost)}`
}

const domain = /^(?:[a-z0-9_-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/u
/** Hosts whose links open a chat or an app instead of a picture. */
const messengers = /(?:^|\.)(?:t\.me|telegram\.(?:me|org|dog)|tg\.dev|discord\.(?:gg|com))$/u
const picturePath = /\.(?:png|jpe?g|webp|gif|avif)$|\/ipfs\//iu

/** An https URL of a domain, without credentials, of at most 512 characters; undefined for anything else. */
export function httpsUrl(text: string | undefined): URL | undefined {
  const url = text === undefined ? null : URL.parse(text)
  if (url?.protocol !== 'https:' || url.username || url.password || url.href.length > 512) {
    return undefined
  }
  return domain.test(url.hostname) ? url : undefined
}

/**
 * An https URL that can only be a picture. For any other page a platform would show a preview with title and text by
 * its owner, as if it were part of our message.
 */
export function pictureUrl(text: string | undefined): URL | undefined {
  const url = httpsUrl(text)
  return url && picturePath.test(url.pathname) && !messengers.test(url.hostname) ? url : undefined
}
