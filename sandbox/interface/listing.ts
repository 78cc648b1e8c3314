import type { Status, Token } from './token.ts'

/** The orders that the document knows beside the default one. */
export const orderings = [
  'market_cap_asc',
  'market_cap_desc',
  'volume_usd_asc',
  'volume_usd_desc',
] as const
export type Ordering = (typeof orderings)[number]

export interface ListQuery {
  chain: number
  status: 'all' | Exclude<Status, 'stall'>
  limit: number
  offset: number
  ordering?: Ordering | undefined
  numeraire?: string | undefined
  category?: string | undefined
  creator?: string | undefined
}

export interface SearchQuery {
  chain: number
  term: string
  limit: number
  category?: string | undefined
}

/** The tokens of one page of the list: in the asked order, or as they are given. */
export function listed(tokens: readonly Token[], query: ListQuery): Token[] {
  const matching = tokens.filter(
    (token) =>
      token.chain === query.chain &&
      (query.status === 'all' || token.status === query.status) &&
      (query.numeraire === undefined || same(token.numeraire.address, query.numeraire)) &&
      (query.category === undefined || token.categories.includes(query.category)) &&
      (query.creator === undefined || same(token.creator, query.creator)),
  )
  return ordered(matching, query.ordering).slice(query.offset, query.offset + query.limit)
}

/** Tokens whose address, symbol or name holds the term, whatever its case; an exact symbol first. */
export function found(tokens: readonly Token[], query: SearchQuery): Token[] {
  const matching = tokens.filter(
    (token) =>
      token.chain === query.chain &&
      (query.category === undefined || token.categories.includes(query.category)) &&
      [token.address, token.symbol, token.name].some((text) => holds(text, query.term)),
  )
  const exact = matching.filter((token) => same(token.symbol, query.term))
  const others = matching.filter((token) => !same(token.symbol, query.term))
  return [...exact, ...others].slice(0, query.limit)
}

export function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

function ordered(tokens: Token[], ordering: Ordering | undefined): Token[] {
  if (!ordering) return tokens
  const value = ordering.startsWith('market_cap')
    ? (token: Token) => token.price * token.supply
    : (token: Token) => token.volume
  const sign = ordering.endsWith('asc') ? 1 : -1
  return tokens.toSorted((left, right) => sign * (value(left) - value(right)))
}
