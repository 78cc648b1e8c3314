import { z } from 'zod'
import { parsed } from './refusal.ts'
import { categories, type Status, type Token } from './token.ts'

/** Query names by meaning, with the real service's. */
const defaultQueryNames = {
  chain: 'chainId',
  status: 'status',
  limit: 'limit',
  offset: 'offset',
  ordering: 'ordering',
  numeraire: 'numeraire',
  category: 'category',
  creator: 'creator',
  term: 'term',
} as const
/** The name of each parameter by its meaning. */
export type QueryNames = Record<keyof typeof defaultQueryNames, string>

/** The orders that the document knows beside the default one. */
export const orderings = [
  'market_cap_asc',
  'market_cap_desc',
  'volume_usd_asc',
  'volume_usd_desc',
] as const
type Ordering = (typeof orderings)[number]

const defaultLimit = '20'

const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number, 0 or more')
  .transform(Number)
const limit = wholeNumber
  .refine((value) => value <= 50, 'must be at most 50')
  .prefault(defaultLimit)
const category = z.enum(categories).optional()
// Without a chain these endpoints answer for the first one.
const chain = wholeNumber.optional()

const listQuery = z.object({
  chain,
  status: z.enum(['all', 'graduated', 'incoming', 'live']).default('all'),
  limit,
  offset: wholeNumber.prefault('0'),
  ordering: z.enum(orderings).optional(),
  numeraire: z.string().optional(),
  category,
  creator: z.string().optional(),
})
const searchQuery = z.object({ chain, term: z.string().min(1), limit, category })
const assetQuery = z.object({ chain })
const documentedQuery = z.object({ chainId: wholeNumber.prefault('8453') })

/** Reads queries by their meaning. What the document or a schema refuses is refused with 400; unknown names are ignored. */
export class QueryReader {
  readonly #names: QueryNames
  readonly #defaultChain: number

  constructor(names: Partial<QueryNames>, defaultChain: number) {
    this.#names = { ...defaultQueryNames, ...names }
    this.#defaultChain = defaultChain
  }

  list(given: Record<string, string>): ListQuery {
    const query = this.#read(listQuery, given)
    return { ...query, chain: query.chain ?? this.#defaultChain }
  }

  search(given: Record<string, string>): SearchQuery {
    const query = this.#read(searchQuery, given)
    return { ...query, chain: query.chain ?? this.#defaultChain }
  }

  /** The chain of one asset. */
  asset(given: Record<string, string>): number {
    return this.#read(assetQuery, given).chain ?? this.#defaultChain
  }

  /** The chain of an auction or a template, for which the document itself names the parameter and its default. */
  documentedChain(given: Record<string, string>): number {
    return parsed(documentedQuery, given).chainId
  }

  #read<Schema extends z.ZodObject>(
    schema: Schema,
    given: Record<string, string>,
  ): z.output<Schema> {
    const names: Readonly<Record<string, string>> = this.#names
    const query = Object.fromEntries(
      Object.entries(names).flatMap(([meaning, name]) =>
        meaning in schema.shape && Object.hasOwn(given, name) ? [[meaning, given[name]]] : [],
      ),
    )
    return parsed(schema, query, (field) => names[String(field)] ?? field)
  }
}

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

/** Finds tokens by their address, symbol or name. */
export class SearchIndex {
  readonly #tokens: readonly Token[]
  /** Apart, as most terms can't occur in an address, and these are most of all texts. */
  readonly #addresses: JoinedTexts
  readonly #names: JoinedTexts

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
    this.#addresses = new JoinedTexts(tokens.map(({ address }) => address))
    this.#names = new JoinedTexts(tokens.map(({ symbol, name }) => `${symbol}\0${name}`))
  }

  /** Tokens whose address, symbol or name holds the term, whatever its case; an exact symbol first. */
  find({ chain, category, term, limit }: SearchQuery): Token[] {
    const lower = term.toLowerCase()
    const inAddresses = /^[0-9a-fx]+$/u.test(lower) ? this.#addresses.holding(lower) : []
    const indexes = new Set([...inAddresses, ...this.#names.holding(lower)])
    const matching = [...indexes]
      .sort((one, other) => one - other)
      .flatMap((index) => this.#tokens[index] ?? [])
      .filter(
        (token) =>
          token.chain === chain && (category === undefined || token.categories.includes(category)),
      )
    const exact = matching.filter((token) => same(token.symbol, term))
    const others = matching.filter((token) => !same(token.symbol, term))
    return [...exact, ...others].slice(0, limit)
  }
}

/** Texts in lower case as one: to look through ten thousand takes many times as long. */
class JoinedTexts {
  readonly #text: string
  /** Where each of them ends. */
  readonly #ends: readonly number[]

  constructor(texts: readonly string[]) {
    // No term holds the sign between them.
    const lower = texts.map((text) => `${text.toLowerCase()}\0`)
    let end = 0
    this.#ends = lower.map(({ length }) => {
      end += length
      return end
    })
    this.#text = lower.join('')
  }

  /** The indexes of the texts that hold a term, in their order. */
  holding(term: string): number[] {
    const indexes: number[] = []
    let index = 0
    let at = this.#text.indexOf(term)
    while (at >= 0) {
      while ((this.#ends[index] ?? Number.POSITIVE_INFINITY) <= at) index += 1
      if (index >= this.#ends.length) break
      indexes.push(index)
      at = this.#text.indexOf(term, this.#ends[index])
    }
    return indexes
  }
}

export function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}

function ordered(tokens: Token[], ordering: Ordering | undefined): Token[] {
  if (!ordering) return tokens
  const value = ordering.startsWith('market_cap')
    ? (token: Token) => token.price * token.supply
    : (token: Token) => token.volume
  const sign = ordering.endsWith('asc') ? 1 : -1
  return tokens.toSorted((left, right) => sign * (value(left) - value(right)))
}
