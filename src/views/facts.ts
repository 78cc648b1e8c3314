import { baseToken, type Figures, graduationPool } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import { isAddress, isPoolId } from '../chain/address.ts'
import { type Chain, tokenUrl } from '../chain/chains.ts'
import { formatLine } from '../core/command.ts'
import { harmless, shorten } from '../core/text.ts'
import type { Block, Button, Span } from '../core/view.ts'
import { lookalikeBlocks } from './lookalike.ts'
import { saleBar } from './market.ts'
import { changePercent } from './number.ts'
import { moneyText, priceText } from './token.ts'

/** Telegram's captions hold 1024 units, and each character may take two after links in it are defused. */
const maxDescription = 140

type Field = [label: string, value: Span[]]

/** The price with its change in 24 hours, and the market cap. */
export function worthFields(asset: Asset, facts: Figures, chain: Chain): Field[] {
  const numeraire = asset.asset_numeraire_address
  const { price, change24h, marketCap } = facts
  const change = change24h === undefined ? '' : `  ${changePercent(change24h)} in 24 h`
  return [
    ...(price
      ? [['Price', [{ bold: priceText(price, chain, numeraire) }, change]] satisfies Field]
      : []),
    ...(marketCap
      ? [['Market cap', [moneyText(marketCap, chain, numeraire)]] satisfies Field]
      : []),
  ]
}

/** The proceeds of the sale. */
export function proceedsFields(asset: Asset, { proceeds }: Figures, chain: Chain): Field[] {
  return proceeds ? [['Proceeds', [moneyText(proceeds, chain, asset.asset_numeraire_address)]]] : []
}

/** A bar of the share sold. */
export function soldBlocks(progress: string | undefined): Block[] {
  return progress === undefined ? [] : [{ kind: 'progress', ...saleBar(progress) }]
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
  const isWhole = /^\s/u.test(text.slice(words.length))
  const whole = isWhole ? words : words.replace(/\s+\S*$/u, '')
  return `${whole.replace(/[\s\p{P}]+$/u, '') || words}…`
}

/** Removes empty fields blocks. */
export function filled(blocks: readonly Block[]): Block[] {
  return blocks.filter((block) => block.kind !== 'fields' || block.fields.length > 0)
}

/** Buttons of an event: the asset's card, its auction and the explorer, and `alerts`, the line of the Alerts button. */
export function eventButtons(asset: Asset, chain: Chain, alerts: string): Button[][] {
  const named = { chain: chain.id }
  const pool = asset.auction_pool?.pool_address ?? asset.auction_pool?.pool_id
  const first: Button[] = [{ label: 'Card', run: cardLine(asset, chain), opens: true }]
  if (pool !== undefined && !graduationPool(asset) && (isAddress(pool) || isPoolId(pool))) {
    first.push({ label: 'Auction', run: formatLine('auction', pool, named), opens: true })
  }
  const url = tokenUrl(chain, asset.asset_address)
  const second: Button[] = [
    ...(url === undefined ? [] : [{ label: 'Explorer', url }]),
    { label: '🔔 Alerts', run: alerts, opens: true },
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
