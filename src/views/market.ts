import { type Figures, graduationPool, statusOf } from '../api/figures.ts'
import type { Asset } from '../api/schema.ts'
import type { Chain } from '../chain/chains.ts'
import type { Block, Span } from '../core/view.ts'
import { amount, changePercent, progressPercent } from './number.ts'
import { addressSpan, moneyText, priceText } from './token.ts'

/** The price and its change on the first line; market cap, liquidity and volume on the second. */
export function marketBlock(asset: Asset, facts: Figures, chain: Chain): Block {
  const numeraire = asset.asset_numeraire_address
  const fields: [string, Span[]][] = []
  if (facts.price) {
    const change =
      facts.change24h === undefined ? '' : `  ${changePercent(facts.change24h)} in 24 h`
    fields.push(['Price', [{ bold: priceText(facts.price, chain, numeraire) }, change]])
  }
  const worth = [
    ['Market cap', facts.marketCap],
    ['Liquidity', facts.liquidity],
    ['Volume 24 h', facts.volume24h],
  ] as const
  const [first, ...others] = worth.flatMap(([label, money]) =>
    money ? [[label, moneyText(money, chain, numeraire)] as const] : [],
  )
  if (first) {
    const [label, value] = first
    const rest = others.map(([other, text]) => ` · ${other} ${text}`)
    fields.push([label, [value, ...rest]])
  }
  return { kind: 'fields', fields }
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
  const { progress } = facts
  const bar: Block[] = progress === undefined ? [] : [{ kind: 'progress', ...saleBar(progress) }]
  return [...bar, { kind: 'fields', fields: saleFields(asset, facts, chain, now) }]
}

/** The share sold as a bar and in words. */
export function saleBar(progress: string): { ratio: number; label: string } {
  return { ratio: ratio(progress), label: `${progressPercent(progress)} sold` }
}

/** As a number, 0.999… can round to 1, which would show a full bar before everything is sold. */
function ratio(progress: string): number {
  return progress === '1' ? 1 : Math.min(Number(progress), 1 - Number.EPSILON)
}

function saleFields(asset: Asset, facts: Figures, chain: Chain, now: number): [string, Span[]][] {
  const numeraire = asset.asset_numeraire_address
  const fields: [string, Span[]][] = []
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
