import { differ } from './address.ts'
import { baseTokens, figures } from './figures.ts'
import type { Ordering } from './requests.ts'
import type { Asset } from './schema.ts'
import { isListStatus } from './status.ts'
import type { Units } from './units.ts'

/** What was asked for, in so far as an item can contradict it. */
export interface Asked {
  status?: string | undefined
  numeraire?: string | undefined
  category?: string | undefined
  creator?: string | undefined
  term?: string | undefined
}

/**
 * Which part of the question an item plainly contradicts, if any: what it does not say, it does not contradict. It is
 * how a query name that the interface ignores is kept from showing assets as something that they are not.
 */
export function contradiction(asset: Asset, asked: Asked): keyof Asked | undefined {
  if (wrongStatus(asset, asked.status)) return 'status'
  if (differ(asset.asset_numeraire_address, asked.numeraire)) return 'numeraire'
  if (wrongCategory(asset, asked.category)) return 'category'
  if (differ(creatorOf(asset), asked.creator)) return 'creator'
  if (asked.term !== undefined && !matchesTerm(asset, asked.term)) return 'term'
  return undefined
}

/**
 * Whether a term, or each of its words, occurs in an address, the symbol or the name of an asset, where case,
 * diacritics, spaces, punctuation and currency signs count for nothing.
 */
export function matchesTerm(asset: Asset, term: string): boolean {
  const texts = searchedTexts(asset).map(folded)
  const occurs = (part: string) => texts.some((text) => text.includes(part))
  return occurs(folded(term)) || term.split(/\s+/u).map(folded).every(occurs)
}

/**
 * Whether two listings are the same one, give or take what came and went between them: at least half of the shorter
 * one's assets stand in the other. The time of creation tells apart assets that share an address on two chains.
 */
export function sameListing(left: readonly Asset[], right: readonly Asset[]): boolean {
  const [shorter, longer] = left.length <= right.length ? [left, right] : [right, left]
  const known = new Set(longer.map(identity))
  const shared = shorter.filter((asset) => known.has(identity(asset))).length
  return shorter.length > 0 && shared * 2 >= shorter.length
}

/**
 * Whether a page is the one before it once more, as far as it goes: then the interface minds no offset, or has come to its
 * end. A page that moved on by what came in meanwhile begins elsewhere than the one before, even if it has one asset only.
 */
export function repeats(page: readonly Asset[], before: readonly Asset[]): boolean {
  const size = Math.min(page.length, before.length)
  return sameListing(page.slice(0, size), before.slice(0, size))
}

/** Market caps and volumes that differ by less may have changed places since the interface sorted them. */
const movement = 1.1

/**
 * Whether assets are plainly not in the order asked for: of the neighbours that can be compared, more than a quarter stand
 * the wrong way around. Only figures in dollars are compared; what is not shown says nothing.
 */
export function isOutOfOrder(assets: readonly Asset[], ordering: Ordering, units: Units): boolean {
  const values = assets.flatMap((asset) => {
    const { marketCap, volume24h } = figures(asset, units)
    const money = ordering.startsWith('market_cap') ? marketCap : volume24h
    return money?.currency === 'usd' ? [Number(money.amount)] : []
  })
  const falling = ordering.endsWith('desc') ? values : values.toReversed()
  const pairs = falling.slice(1).map((value, index) => [falling[index] ?? value, value] as const)
  const wrong = pairs.filter(([left, right]) => right > left * movement)
  return wrong.length * 4 > pairs.length
}

function identity(asset: Asset): string {
  return `${asset.asset_address.toLowerCase()} ${asset.asset_creation_timestamp ?? ''}`
}

function wrongStatus(asset: Asset, asked: string | undefined): boolean {
  // Only the words of the filter exclude each other. Any other (`stall` is one) is a state that it has no word for, so it
  // contradicts nothing.
  // A derived status can't contradict the question: only the interface's own word can.
  const status = asset.asset_status?.toLowerCase()
  if (status === undefined || asked === undefined) return false
  return isListStatus(status) && isListStatus(asked) && status !== asked
}

function wrongCategory(asset: Asset, asked: string | undefined): boolean {
  const categories = asset.asset_categories
  if (!categories?.length || asked === undefined) return false
  return !categories.some((category) => category.toLowerCase() === asked.toLowerCase())
}

function creatorOf(asset: Asset): string | undefined {
  return baseTokens(asset).find((token) => token.token_creator_address)?.token_creator_address
}

function searchedTexts(asset: Asset): string[] {
  return [
    asset.asset_address,
    asset.auction_pool?.pool_address,
    asset.auction_pool?.pool_id,
    asset.graduation_pool?.pool_address,
    ...baseTokens(asset).flatMap((token) => [token.token_symbol, token.token_name]),
  ].filter((text) => text !== undefined)
}

// Emoji stay: a name may be nothing else.
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{Z}\p{C}\p{Sc}\p{Sk}]/gu, '')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
}
