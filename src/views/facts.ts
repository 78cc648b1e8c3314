import { baseToken, graduationPool, poolName, statusOf } from '../api/asset.ts'
import type { Figures } from '../api/figures.ts'
import type { Asset, BaseToken } from '../api/schema.ts'
import { Decimal, decimal, type Money } from '../api/units.ts'
import { isAddress, isNobody } from '../chain/address.ts'
import { type Chain, tokenUrl } from '../chain/chains.ts'
import { formatLine } from '../core/command.ts'
import { httpsUrl } from '../core/https-url.ts'
import { amount, changePercent, exactly, progressPercent } from '../core/number.ts'
import { harmless, progressBar, shorten } from '../core/text.ts'
import {
  type Block,
  type Button,
  type Field,
  type Span,
  type Text,
  t,
  unbroken,
} from '../core/view.ts'
import { lookalikeBlocks } from './lookalike.ts'
import { moneyText, priceText } from './money.ts'
import { addressSpan, chainName, statusText, tokenSymbol } from './token.ts'

// The parts that cards and alerts say of an asset.

/** Telegram's captions hold 1024 characters, and each one may take two after links in it are defused. */
const maxDescription = 140

/** The price with its change in 24 hours. */
function priceFields(asset: Asset, { price, change24h }: Figures, chain: Chain): Field[] {
  if (!price) return []
  const value: Span[] = [{ bold: priceText(price, chain, asset) }]
  if (change24h !== undefined) {
    value.push('  ', t('asset-change-24h', { change: changePercent(change24h) }))
  }
  return [[t('asset-price'), value]]
}

/** The price with its change in 24 hours, and the market cap: a picture shows them, too. */
export function worthFields(asset: Asset, facts: Figures, chain: Chain): Field[] {
  const fields = [
    ...priceFields(asset, facts, chain),
    ...moneyLine([[t('asset-market-cap'), facts.marketCap]], asset, chain),
  ]
  return fields.map(([label, value]) => [label, value, true])
}

/** The same with liquidity and volume beside the market cap. */
export function marketBlock(asset: Asset, facts: Figures, chain: Chain): Block {
  const amounts = [
    [t('asset-market-cap'), facts.marketCap],
    [t('asset-liquidity'), facts.liquidity],
    [t('asset-volume-24h'), facts.volume24h],
  ] as const
  return {
    kind: 'fields',
    fields: [...priceFields(asset, facts, chain), ...moneyLine(amounts, asset, chain)],
  }
}

/** Price, change and market cap in one line: `$0.12  ▲ 16.3% (24h) · MC $866K`. */
export function worthLine(
  asset: Asset,
  { price, change24h, marketCap }: Figures,
  chain: Chain,
): Span[] {
  const change: Span[] =
    price && change24h !== undefined
      ? ['  ', unbroken(t('asset-change-24h', { change: changePercent(change24h) }))]
      : []
  const cap: Span[] = marketCap
    ? [unbroken(t('asset-mc', { amount: moneyText(marketCap, chain, asset) }))]
    : []
  return [
    ...(price ? [{ bold: priceText(price, chain, asset) }, ...change] : []),
    ...(price && marketCap ? [' · '] : []),
    ...cap,
  ]
}

/** The share sold as a bar and in words, in one line. */
export function barLine(progress: string): Span[] {
  const { ratio, label } = saleBar(progress)
  return [`${progressBar(ratio)} `, { bold: label }]
}

/** The figures that the card's first lines leave out, a line each. */
export function marketFields(asset: Asset, facts: Figures, chain: Chain): Span[][] {
  const amounts = [
    [t('asset-liquidity'), facts.liquidity],
    [t('asset-volume-24h'), facts.volume24h],
  ] as const
  const sold = statusOf(asset) === 'live' ? soldText(facts) : undefined
  return linesOf([
    ...moneyLine(amounts, asset, chain),
    ...(sold === undefined ? [] : [[t('asset-sold'), [sold]] satisfies Field]),
  ])
}

/** Fields as lines: `Label: value`. */
function linesOf(fields: readonly Field[]): Span[][] {
  return fields.map(([label, value]) => [t('field', { label, value })])
}

/**
 * The sale in lines: what it raised of what it must and can raise, and its end; the start of an upcoming one, and what
 * became of one that graduated.
 * @param now unix seconds
 */
export function saleLines(asset: Asset, facts: Figures, chain: Chain, now: number): Span[][] {
  const status = statusOf(asset)
  const graduated = graduationBlocks(asset, facts, chain).flatMap((block) =>
    block.kind === 'text' ? [block.spans] : [],
  )
  if (status === 'incoming') {
    if (facts.startsAt === undefined) return graduated
    const when = whenText(facts.startsAt)
    return [
      [
        facts.startsAt > now
          ? t('asset-starts-when', { ...when })
          : t('asset-started-when', { ...when }),
      ],
      ...graduated,
    ]
  }
  if (status !== 'live') return graduated
  const raised = raisedText(asset, facts, chain)
  const when = facts.endsAt === undefined ? undefined : whenText(facts.endsAt)
  const isOver = facts.endsAt !== undefined && facts.endsAt <= now
  return [
    ...(raised === undefined ? [] : linesOf([[t('asset-raised'), [raised]]])),
    ...(when
      ? [[isOver ? t('asset-ended-when', { ...when }) : t('asset-ends-when', { ...when })]]
      : []),
    ...graduated,
  ]
}

/** A time as how far away it is, and as a date: apps round the former as they like. */
function whenText(time: number): { relative: Span; date: Span } {
  return { relative: { time, as: 'relative' }, date: { time, as: 'date' } }
}

/** One field of the amounts that are known, the first with its label in front. */
function moneyLine(
  amounts: readonly (readonly [label: Text, money: Money | undefined])[],
  asset: Asset,
  chain: Chain,
): Field[] {
  const [first, ...others] = amounts.flatMap(([label, money]) =>
    money ? [[label, moneyText(money, chain, asset)] as const] : [],
  )
  if (!first) return []
  const [label, value] = first
  const beside = others.flatMap(([other, amount]): Span[] => [
    ' · ',
    t('field', { label: other, value: amount }),
  ])
  return [[label, [value, ...beside]]]
}

/** The amount that the sale has raised. */
export function proceedsFields(asset: Asset, { proceeds }: Figures, chain: Chain): Field[] {
  if (!proceeds) return []
  return [[t('asset-raised'), [moneyText(proceeds, chain, asset)]]]
}

/** A bar of the share sold, which a picture has, too. */
export function soldBlocks(progress: string | undefined): Block[] {
  return progress === undefined
    ? []
    : [{ kind: 'progress', isPictured: true, ...saleBar(progress) }]
}

/**
 * The state of the sale for a live auction, the start for an incoming one, nothing for others.
 * @param now unix seconds
 */
export function saleBlocks(asset: Asset, facts: Figures, chain: Chain, now: number): Block[] {
  const status = statusOf(asset)
  if (status === 'incoming') {
    if (facts.startsAt === undefined) return []
    const label = facts.startsAt > now ? t('asset-starts') : t('asset-start')
    return [{ kind: 'fields', fields: [[label, [{ time: facts.startsAt, as: 'relative' }]]] }]
  }
  if (status !== 'live') return []
  return [
    ...soldBlocks(facts.progress),
    { kind: 'fields', fields: saleFields(asset, facts, chain, now) },
  ]
}

/** The share sold as a bar and in words. */
export function saleBar(progress: string): { ratio: number; label: Text } {
  return {
    ratio: ratio(progress),
    label: t('asset-share-sold', { share: progressPercent(progress) }),
  }
}

/** As a number, 0.999… can round to 1, which would show a full bar before everything is sold. */
function ratio(progress: string): number {
  return progress === '1' ? 1 : Math.min(Number(progress), 1 - Number.EPSILON)
}

function saleFields(asset: Asset, facts: Figures, chain: Chain, now: number): Field[] {
  const fields: Field[] = []
  const sold = soldText(facts)
  if (sold !== undefined) fields.push([t('asset-sold'), [sold]])
  const raised = raisedText(asset, facts, chain)
  if (raised) fields.push([t('asset-raised'), [raised]])
  if (facts.endsAt !== undefined) {
    const label = facts.endsAt > now ? t('asset-ends') : t('asset-ended')
    fields.push([label, [{ time: facts.endsAt, as: 'relative' }]])
  }
  return fields
}

/** How many tokens are sold, of how many. */
function soldText({ sold, toSell }: Figures): Text | undefined {
  if (sold === undefined) return undefined
  if (toSell === undefined) return amount(sold)
  return t('asset-sold-of', { sold: amount(sold), total: amount(toSell) })
}

/** The amount that the sale has raised, and its minimum and maximum, if they are known. */
function raisedText(asset: Asset, facts: Figures, chain: Chain): Text | undefined {
  const money = (value: Money | undefined) => value && moneyText(value, chain, asset)
  const [raised, min, max] = [facts.proceeds, facts.minProceeds, facts.maxProceeds].map(money)
  if (raised === undefined) return undefined
  if (min !== undefined && max !== undefined) return t('asset-raised-min-max', { raised, min, max })
  if (min !== undefined) return t('asset-raised-min', { raised, min })
  return max === undefined ? raised : t('asset-raised-max', { raised, max })
}

/**
 * How a sale stands, in one line for its creator: its status, what it raised and what of the minimum is missing, its start or end.
 * @param now unix seconds
 */
export function saleSpans(asset: Asset, facts: Figures, chain: Chain, now: number): Span[] {
  const status = statusOf(asset)
  const { startsAt, endsAt } = facts
  const when: Span[] = []
  if (status === 'incoming' && startsAt !== undefined && startsAt > now) {
    when.push(t('launch-sale-starts', { relative: { time: startsAt, as: 'relative' } }))
  }
  if (status === 'live' && endsAt !== undefined) {
    const relative: Span = { time: endsAt, as: 'relative' }
    const isOver = endsAt <= now
    when.push(isOver ? t('launch-sale-ended', { relative }) : t('launch-sale-ends', { relative }))
  }
  const known = [
    statusText(asset),
    status === 'incoming' ? undefined : raisedSoFar(asset, facts, chain),
  ]
  const spans = [...known.filter((each) => each !== undefined), ...when]
  return spans.flatMap((span, index) => (index > 0 ? [' · ', span] : [span]))
}

/** The amount raised, and whether that reaches the minimum. */
function raisedSoFar(
  asset: Asset,
  { proceeds, minProceeds }: Figures,
  chain: Chain,
): Text | undefined {
  if (!proceeds) return undefined
  const money = (value: Money) => moneyText(value, chain, asset)
  const raised = money(proceeds)
  if (minProceeds?.currency !== proceeds.currency) return t('launch-sale-raised', { raised })
  const missing = new Decimal(minProceeds.amount).minus(proceeds.amount)
  if (missing.lte(0)) return t('launch-sale-reached', { raised })
  const rest = money({ ...minProceeds, amount: missing.toFixed() })
  return t('launch-sale-missing', { raised, missing: rest })
}

/** When an asset graduated, and to which pool; nothing for others. */
export function graduationBlocks(asset: Asset, facts: Figures, chain: Chain): Block[] {
  const pool = graduationPool(asset)
  if (statusOf(asset) !== 'graduated' && !pool) return []
  return [
    { kind: 'text', spans: [graduationText(facts.migratedAt, pool && poolName(pool), chain)] },
  ]
}

function graduationText(at: number | undefined, address: string | undefined, chain: Chain): Text {
  const date: Span | undefined = at === undefined ? undefined : { time: at, as: 'date' }
  const pool = address === undefined ? undefined : addressSpan(chain, address)
  if (date && pool) return t('asset-graduated-on-to', { date, pool })
  if (date) return t('asset-graduated-on', { date })
  return pool ? t('asset-graduated-to', { pool }) : t('asset-graduated')
}

/** The asset's chain and categories: beside a picture only that it is a testnet's. */
export function whereBlock(asset: Asset, chain: Chain): Block {
  const names = (asset.asset_categories ?? []).slice(0, 2)
  const shown = names.map((name) => shorten(harmless(name).trim(), 32)).filter(Boolean)
  const spans = [chainName(chain), ...shown.map((name) => ` · ${name}`)]
  return { kind: 'text', isPictured: !chain.testnet, spans }
}

/**
 * The beginning of the description, for which there is no room beside a picture, or instead a warning about a look-alike
 * name; and the address to copy.
 */
export function aboutBlocks(asset: Asset, chain: Chain): Block[] {
  const { token_name: name, token_symbol: symbol } = baseToken(asset) ?? {}
  const [warning] = lookalikeBlocks({ name, symbol, address: asset.asset_address }, chain)
  const [first = ''] = (baseToken(asset)?.token_description ?? '').trim().split(/[\r\n]/u, 1)
  const about = shortenWords(harmless(first).trim(), maxDescription)
  return [
    ...(about === '' || warning
      ? []
      : [{ kind: 'text', isPictured: true, spans: [about] } satisfies Block]),
    ...(warning ? [warning] : []),
    { kind: 'text', spans: [{ code: asset.asset_address }] },
  ]
}

/** Cuts a text after a whole word if possible, and removes punctuation there. */
function shortenWords(text: string, maxLength: number): string {
  const cut = shorten(text, maxLength)
  if (cut === text) return text
  const words = cut.slice(0, -1)
  const endsWithWord = /^\s/u.test(text.slice(words.length))
  const whole = endsWithWord ? words : words.replace(/\s+\S*$/u, '')
  return `${whole.replace(/[\s\p{P}]+$/u, '') || words}…`
}

/** Removes empty blocks. */
export function filled(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => {
    if (block.kind === 'text') return block.spans.length > 0
    if (block.kind === 'lines' || block.kind === 'details') return block.lines.length > 0
    return block.kind !== 'fields' || block.fields.length > 0
  })
}

/** The button of an asset's auction, if it has one. It names the asset: auctions may share an address. */
export function auctionButtons(
  { asset_address: token, auction_pool: auction }: Asset,
  chain: Chain,
): Button[] {
  if (!auction || (poolName(auction) === undefined && !isAddress(auction.pool_address ?? '')))
    return []
  const line = formatLine('auction', token, { chain: chain.id })
  return [{ label: t('asset-button-auction'), line, asNew: true }]
}

/** Buttons of an event: the asset's card, its auction and the explorer, and `alerts`, the line of the Alerts button. */
export function eventButtons(asset: Asset, chain: Chain, alerts: string): Button[][] {
  const first: Button[] = [
    { label: t('asset-button-card'), line: cardLine(asset, chain), asNew: true },
    ...(graduationPool(asset) ? [] : auctionButtons(asset, chain)),
  ]
  const url = tokenUrl(chain, asset.asset_address)
  const second: Button[] = [
    ...(url === undefined ? [] : [{ label: t('asset-button-explorer'), url }]),
    { label: t('asset-button-alerts'), line: alerts, asNew: true },
  ]
  const isAlone = first.length === 1 || second.length === 1
  return isAlone ? [[...first, ...second]] : [first, second]
}

/** The line that shows a chat's subscriptions about one asset. */
export function followLine(asset: Asset, chain: Chain): string {
  return formatLine('follow', asset.asset_address, { chain: chain.id })
}

/** The line that shows an asset's card. */
export function cardLine(asset: Asset, chain: Chain, show?: 'details'): string {
  return formatLine('asset', asset.asset_address, { chain: chain.id, show })
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
      small: true,
      spans: [t('data-stale', { when: { time: fetchedAt, as: 'relative' } })],
    },
  ]
}

const maxLinks = 6
const maxVesting = 3
const maxCategories = 6
const maxHost = 40

/** The token's creator and beneficiaries, a line each. */
export function peopleFields(
  asset: Asset,
  token: BaseToken | undefined,
  facts: Figures,
  chain: Chain,
): Span[][] {
  const fields: Field[] = []
  const add = (label: Text, value: Span[]) => value.length > 0 && fields.push([label, value])
  const address = (value: string | undefined) =>
    value === undefined || isNobody(value) ? [] : [addressSpan(chain, value)]
  add(
    t('asset-created'),
    facts.createdAt === undefined ? [] : [{ time: facts.createdAt, as: 'relative' }],
  )
  add(t('asset-creator'), address(token?.token_creator_address))
  add(t('asset-fee-receiver'), address(token?.token_fee_receiver_address))
  add(t('asset-vesting'), vesting(token, chain))
  add(t('asset-categories'), categories(asset))
  return linesOf(fields)
}

/** The token's links in one line. */
export function linkLines(token: BaseToken | undefined): Span[][] {
  const spans = links(token)
  return spans.length === 0 ? [] : [spans]
}

function vesting(token: BaseToken | undefined, chain: Chain): Span[] {
  const detailed = token?.token_uri_data?.vesting_recipients ?? []
  const recipients =
    detailed.length > 0
      ? detailed
      : (token?.token_vesting_recipient_addresses ?? []).map((address) => ({ address }))
  const valid = recipients.flatMap((recipient) => {
    if (recipient.address === undefined || isNobody(recipient.address)) return []
    const share =
      'percentage' in recipient ? percentage(recipient.percentage)?.toFixed() : undefined
    return [{ address: recipient.address, share }]
  })
  if (valid.length === 0) return []
  const shown = valid.slice(0, maxVesting).map(({ address, share }): Span => {
    const who = addressSpan(chain, address)
    return share === undefined ? who : t('asset-vesting-share', { share: exactly(share), who })
  })
  const count = valid.length - shown.length
  return [{ list: count > 0 ? [...shown, t('list-more', { count })] : shown, as: 'and' }]
}

function categories(asset: Asset): Span[] {
  const names = (asset.asset_categories ?? []).map((name) => shorten(harmless(name).trim(), 32))
  const shown = names.filter((name) => name !== '').slice(0, maxCategories)
  return shown.length > 0 ? [shown.join(' · ')] : []
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

/** Hosts whose links open a chat or an app instead of a picture. */
const messengers = /(?:^|\.)(?:t\.me|telegram\.(?:me|org|dog)|tg\.dev|discord\.(?:gg|com))$/u
const picturePath = /\.(?:png|jpe?g|webp|gif|avif)$|\/ipfs\//iu

/**
 * An https URL that can only be a picture. For any other page a platform would show a preview with title and text by
 * its owner, as if it were part of our message.
 */
export function pictureUrl(text: string | undefined): URL | undefined {
  const url = httpsUrl(text)
  return url && picturePath.test(url.pathname) && !messengers.test(url.hostname) ? url : undefined
}

/** A number of tokens; there may be more if the API's list of them was full. */
interface Count {
  count: number
  hasMore: boolean
}

type Share = NonNullable<ReturnType<typeof decimal>>

/** The API's other data about a token's creator and symbol; absent parts are unknown. */
export interface Risk {
  /** The creator's other tokens on the chain, and how many of them graduated and how many ended without that. */
  others?: Count & { graduated: number; failed: number }
  /** Other tokens on the chain with the same symbol. */
  alike?: Count
  /** Set if the API calls the token a fake: why, in its own words. */
  fake?: readonly string[] | undefined
}

const maxReason = 120

/** That the API calls the token a fake, and why. */
export function fakeBlocks({ fake }: Risk = {}): Block[] {
  if (!fake) return []
  const reasons = fake
    .map((reason) => shorten(harmless(reason).trim(), maxReason))
    .filter((reason) => reason !== '')
  const text =
    reasons.length === 0 ? t('risk-fake') : t('risk-fake-why', { why: reasons.join('; ') })
  return [{ kind: 'text', spans: [{ bold: text }] }]
}

/** The token's creator; undefined if the API names none. */
export function creatorOf(asset: Asset): string | undefined {
  const creator = baseToken(asset)?.token_creator_address
  return creator !== undefined && isAddress(creator) && !isNobody(creator) ? creator : undefined
}

/** The symbol as people compare it; undefined if there is none. */
export function symbolKey(asset: Asset): string | undefined {
  return tokenSymbol(baseToken(asset)?.token_symbol)?.toLowerCase()
}

/** Two lines at most: the creator's other tokens and what is vested; other tokens with the same symbol. */
export function riskLines(asset: Asset, risk: Risk | undefined): Span[][] {
  const { others, alike } = risk ?? {}
  const record = [...(others ? recordTexts(others) : []), ...vestedTexts(asset)]
  const symbol = tokenSymbol(baseToken(asset)?.token_symbol)
  return [
    record.flatMap((text, index): Span[] => (index === 0 ? [text] : [' · ', text])),
    alike && alike.count > 0 && symbol !== undefined ? [alikeText(alike, symbol)] : [],
  ].filter((line) => line.length > 0)
}

function recordTexts({ count, hasMore, graduated, failed }: NonNullable<Risk['others']>): Text[] {
  if (count === 0) return hasMore ? [] : [t('risk-first')]
  return [
    hasMore ? t('risk-others-at-least', { count }) : t('risk-others', { count }),
    ...(graduated > 0 ? [t('risk-graduated', { count: graduated })] : []),
    ...(failed > 0 ? [t('risk-failed', { count: failed })] : []),
  ]
}

function alikeText({ count, hasMore }: Count, symbol: string): Text {
  return hasMore ? t('risk-alike-at-least', { count, symbol }) : t('risk-alike', { count, symbol })
}

/** The share of the supply that is vested, and how much of it the creator gets; nothing if a share is unknown. */
function vestedTexts(asset: Asset): Text[] {
  const token = baseToken(asset)
  const shares = (token?.token_uri_data?.vesting_recipients ?? []).map((recipient) => ({
    address: recipient.address?.toLowerCase(),
    share: percentage(recipient.percentage),
  }))
  const known = shares.flatMap(({ address, share }) => (share ? [{ address, share }] : []))
  if (known.length === 0 || known.length < shares.length) return []
  const total = sum(known)
  if (total.lte(0) || total.gt(100)) return []
  const creator = creatorOf(asset)?.toLowerCase()
  const own = sum(known.filter(({ address }) => address !== undefined && address === creator))
  const share = exactly(total.toFixed())
  return own.gt(0)
    ? [t('risk-vested-own', { share, own: exactly(own.toFixed()) })]
    : [t('risk-vested', { share })]
}

function sum(shares: readonly { share: Share }[]): Share {
  return shares.reduce((total, { share }) => total.plus(share), new Decimal(0))
}

type Vesting = NonNullable<NonNullable<BaseToken['token_uri_data']>['vesting_recipients']>[number]

/** A share from 0 to 100; undefined for anything else. */
function percentage(text: Vesting['percentage']): Share | undefined {
  const value = decimal(text?.replace(/\s*%$/u, ''))
  return value?.gte(0) && value.lte(100) ? value : undefined
}
